// SPDX-License-Identifier: Apache-2.0
// What the machine does not allow, and what it just about allows.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "base/error.h"
#include "tests/isa/memory_fixture.h"

namespace pws::isa::test::memory_faults_test {

namespace {

constexpr int lane = 37;

// Executes and expects a program_error that names `lane_expected` and contains every one of `parts`.
void expect_fault(memory_bench& b, const std::vector<uint32_t>& code, int lane_expected,
                  const std::vector<std::string>& parts) {
  try {
    b.execute(code);
    ADD_FAILURE() << "no error; expected one with: " << parts.front();
  } catch (const program_error& e) {
    EXPECT_EQ(e.lane(), lane_expected) << e.what();
    for (const std::string& p : parts) EXPECT_NE(std::string(e.what()).find(p), std::string::npos) << e.what();
  }
}

// All lanes at a legal address but one.
memory_bench with_lds_address(uint32_t odd_one) {
  memory_bench b;
  for (int l = 0; l < wave_size; ++l) b.vgprs[0].lane[l] = l == lane ? odd_one : 16u * static_cast<unsigned>(l);
  return b;
}
memory_bench with_flat_address(uint64_t odd_one) {
  memory_bench b;
  for (int l = 0; l < wave_size; ++l)
    b.set_address(0, l, l == lane ? odd_one : memory_bench::data + 16u * static_cast<unsigned>(l));
  return b;
}
std::vector<uint32_t> ds(const char* name, unsigned offset0 = 0, unsigned offset1 = 0) {
  return encode_ds(memory_row(name), 40, 0, 8, 16, offset0, offset1);
}
std::vector<uint32_t> flat(const char* name) {
  return encode_flat(memory_row(name), 40, 0, 8, false);
}

void set_resource(memory_bench& b, uint64_t base, uint32_t word1_flags, uint32_t num_records, uint32_t word3) {
  b.state.scalar[8] = static_cast<uint32_t>(base);
  b.state.scalar[9] = static_cast<uint32_t>(base >> 32) | word1_flags;
  b.state.scalar[10] = num_records;
  b.state.scalar[11] = word3;
}
constexpr uint32_t swizzle = 1u << 31, add_tid = 1u << 23, element_4 = 1u << 19, index_stride_64 = 3u << 21;

}  // namespace

TEST(memory_faults, lds_out_of_range) {
  auto b = with_lds_address(memory_bench::lds_bytes);
  expect_fault(b, ds("ds_read_b32"), lane, {"out of range", "0x3000", "12288 bytes of LDS"});
  auto c = with_lds_address(memory_bench::lds_bytes - 4);
  c.execute(ds("ds_read_b32"));
  expect_fault(c, ds("ds_write_b32", 4), lane, {"out of range", "0x3000"});
  expect_fault(c, ds("ds_read2_b32", 0, 1), lane, {"out of range", "0x3000"});
  expect_fault(c, ds("ds_add_u32", 4), lane, {"out of range"});
  expect_fault(c, ds("ds_read_u8", 65535), 0, {"out of range", "0xffff"});
  auto last_byte = with_lds_address(memory_bench::lds_bytes - 1);
  last_byte.execute(ds("ds_read_u8"));
  auto huge = with_lds_address(0xfffffffc);
  expect_fault(huge, ds("ds_read_b32"), lane, {"0xfffffffc"});
  memory_bench none;
  none.state.lds_bytes = 0;
  none.vgprs[0].lane[0] = 0;
  none.set_mask(1);
  expect_fault(none, ds("ds_read_u8"), 0, {"0 bytes of LDS"});
}

TEST(memory_faults, lds_limited_by_m0) {
  auto b = with_lds_address(0);
  b.state.scalar[m0] = 63 * 16 + 4;
  b.execute(ds("ds_read_b32"));
  b.state.scalar[m0] = 63 * 16;
  expect_fault(b, ds("ds_read_b32"), 63, {"M0 limits LDS to 1008 bytes"});
}

// Base and offset are added modulo 2^32: a compiler may fold a positive offset onto a negative base.
TEST(memory_faults, lds_offsets_wrap_around) {
  auto b = with_lds_address(0xfffffff8);
  const uint32_t at_8 = *reinterpret_cast<const uint32_t*>(&b.lds[8]);
  b.execute(ds("ds_read_b32", 16));
  EXPECT_EQ(b.vgprs[40].lane[lane], at_8);
  auto c = with_lds_address(0xfffffffc);
  c.execute(ds("ds_read2_b32", 1, 3));
  EXPECT_EQ(c.vgprs[41].lane[lane], at_8);
  // Nor must base and offset be aligned separately.
  memory_bench d;
  for (uint32_t& v : d.vgprs[0].lane) v = 5;
  d.execute(ds("ds_read_b32", 3));
  EXPECT_EQ(d.vgprs[40].lane[9], *reinterpret_cast<const uint32_t*>(&d.lds[8]));
}

TEST(memory_faults, lds_alignment) {
  const struct {
    const char* name;
    uint32_t address;
  } cases[] = {{"ds_read_b32", 2},  {"ds_read_u16", 1},       {"ds_read_b64", 4}, {"ds_write_b64", 12},
               {"ds_read_b128", 8}, {"ds_write_b96", 12},     {"ds_add_u64", 20}, {"ds_cmpst_rtn_b32", 6},
               {"ds_read2_b64", 4}, {"ds_wrxchg2_rtn_b32", 2}};
  for (const auto& c : cases) {
    auto b = with_lds_address(c.address);
    expect_fault(b, ds(c.name), lane, {"unaligned LDS access", fmt::format("0x{:x}", c.address)});
  }
  auto pairs = with_lds_address(20);  // b64 values by two dwords need 4-byte alignment only
  pairs.execute(ds("ds_read2_b32", 0, 1));
}

TEST(memory_faults, flat_outside_allocations) {
  for (const uint64_t address : {uint64_t{0}, memory_bench::data - 4, memory_bench::data + memory_bench::data_bytes,
                                 memory_bench::data + memory_bench::data_bytes - 3, ~uint64_t{0} - 3}) {
    auto b = with_flat_address(address);
    expect_fault(b, flat("flat_load_dword"), lane, {fmt::format("{:x}", address)});
    expect_fault(b, flat("flat_store_dword"), lane, {fmt::format("{:x}", address)});
    auto off = with_flat_address(address);
    off.set_mask(~(uint64_t{1} << lane));
    off.execute(flat("flat_load_dword"));
  }
  auto read_only = with_flat_address(memory_bench::constants);
  read_only.execute(flat("flat_load_dword"));
  expect_fault(read_only, flat("flat_store_dword"), lane, {"constants"});
  expect_fault(read_only, flat("flat_atomic_add"), lane, {"constants"});
  auto all_read_only = memory_bench();
  for (int l = 0; l < wave_size; ++l)
    all_read_only.set_address(0, l, memory_bench::constants + 4u * static_cast<unsigned>(l));
  all_read_only.execute(flat("flat_load_dword"));
  expect_fault(all_read_only, flat("flat_store_dword"), 0, {"constants"});
}

TEST(memory_faults, flat_in_apertures) {
  auto lds = with_flat_address(memory_bench::shared_aperture + memory_bench::lds_bytes - 4);
  lds.execute(flat("flat_load_dword"));
  expect_fault(lds, flat("flat_load_dwordx2"), lane, {"LDS out of range", "0x2ffc"});
  auto unaligned = with_flat_address(memory_bench::shared_aperture + 6);
  expect_fault(unaligned, flat("flat_load_dword"), lane, {"unaligned flat access to LDS"});
  auto last = with_flat_address(memory_bench::private_aperture + memory_bench::scratch_per_lane - 4);
  last.execute(flat("flat_store_dword"));
  auto beyond = with_flat_address(memory_bench::private_aperture + memory_bench::scratch_per_lane - 2);
  expect_fault(beyond, flat("flat_store_dword"), lane,
               {"private access out of range", "0x1fe", "512 bytes of scratch"});
  for (int l = 0; l < wave_size; ++l)
    beyond.set_address(0, l, memory_bench::private_aperture + memory_bench::scratch_per_lane);
  expect_fault(beyond, flat("flat_load_ubyte"), 0, {"private access out of range"});
  // No apertures configured: low addresses are plain memory.
  memory_bench none;
  none.state.shared_aperture = none.state.private_aperture = 0;
  for (int l = 0; l < wave_size; ++l) none.set_address(0, l, 16);
  expect_fault(none, flat("flat_load_dword"), 0, {"0x10"});
}

TEST(memory_faults, flat_atomics_are_aligned) {
  auto b = with_flat_address(memory_bench::data + 2);
  expect_fault(b, flat("flat_atomic_add"), lane, {"unaligned atomic"});
  auto c = with_flat_address(memory_bench::data + 4);
  c.execute(flat("flat_atomic_add"));
  expect_fault(c, flat("flat_atomic_add_x2"), lane, {"unaligned atomic"});
}

// The upper halves of the lanes' addresses differ though they lie in one allocation.
TEST(memory_faults, flat_across_four_gib) {
  std::vector<uint8_t> storage(4096);
  for (size_t k = 0; k < storage.size(); ++k) storage[k] = static_cast<uint8_t>(k * 7 + k / 256);
  global_memory m;
  constexpr uint64_t base = 0xffff'f800;
  m.set_window(storage.data(), base, storage.size());
  m.add(base, storage.size(), "all");
  memory_bench b;
  b.state.memory = &m;
  for (int l = 0; l < wave_size; ++l) b.set_address(0, l, 0x1'0000'0000 - 130 + 4u * static_cast<unsigned>(l));
  memory_access record;
  b.state.access = &record;
  b.execute(flat("flat_load_dword"));
  for (int l = 0; l < wave_size; ++l) {
    uint32_t expected;
    std::memcpy(&expected, &storage[0x800 - 130 + 4 * static_cast<size_t>(l)], 4);
    EXPECT_EQ(b.vgprs[40].lane[l], expected) << l;
    EXPECT_EQ(record.address[l], 0x1'0000'0000 - 130 + 4u * static_cast<unsigned>(l));
  }
}

TEST(memory_faults, buffer) {
  mubuf_fields f;
  f.data = 40;
  f.offen = true;
  const auto load = encode_mubuf(memory_row("buffer_load_dword"), f),
             store = encode_mubuf(memory_row("buffer_store_dword"), f);
  memory_bench b;
  for (uint32_t& v : b.vgprs[0].lane) v = 0;
  b.vgprs[0].lane[lane] = memory_bench::data_bytes;
  set_resource(b, memory_bench::data, 0, 0x10000, 4u << 15);
  expect_fault(b, load, lane, {"data"});  // in the resource's range, but in no allocation
  set_resource(b, memory_bench::constants, 0, 64, 4u << 15);
  b.execute(load);
  expect_fault(b, store, 0, {"constants"});

  // Swizzled: a dword must lie within an element.
  set_resource(b, memory_bench::data, swizzle, 0x4000, element_4 | index_stride_64 | add_tid);
  for (uint32_t& v : b.vgprs[0].lane) v = 0;
  b.vgprs[0].lane[lane] = 2;
  expect_fault(b, load, lane, {"unaligned access to a swizzled buffer"});
  expect_fault(b, encode_mubuf(memory_row("buffer_atomic_add_x2"), f), 0, {"unaligned access to a swizzled buffer"});

  // Two bytes anywhere within an element are fine, across its end they are not.
  const auto halfword = encode_mubuf(memory_row("buffer_load_ushort"), f);
  b.vgprs[0].lane[lane] = 1;
  b.execute(halfword);
  b.vgprs[0].lane[lane] = 3;
  expect_fault(b, halfword, lane, {"unaligned access to a swizzled buffer"});

  mubuf_fields to_lds = f;
  to_lds.lds = true;
  set_resource(b, memory_bench::data, 0, 0x4000, 0);
  for (uint32_t& v : b.vgprs[0].lane) v = 0;
  b.state.scalar[m0] = memory_bench::lds_bytes - 16;
  expect_fault(b, encode_mubuf(memory_row("buffer_load_dword"), to_lds), 4, {"buffer_load_dword to LDS"});
  b.state.scalar[m0] = 2;
  expect_fault(b, encode_mubuf(memory_row("buffer_load_dword"), to_lds), 0, {"buffer_load_dword to LDS"});
  // Data format 0 is none, 32 bits are not normalised, 8 bits no float.
  for (const unsigned fields : {0u << 15 | 4u << 12, 15u << 15 | 4u << 12, 4u << 15, 1u << 15 | 7u << 12}) {
    set_resource(b, memory_bench::data, 0, 64, fields);
    expect_fault(b, encode_mubuf(memory_row("buffer_load_format_x"), f), program_error::no_lane, {"no buffer format"});
  }
}

// Leaving the wavefront's own scratch is reported, although the resource's range covers other wavefronts' as well.
TEST(memory_faults, scratch_overflow) {
  memory_bench b;
  set_resource(b, memory_bench::scratch, swizzle, 1 << 24, element_4 | index_stride_64 | add_tid);
  for (uint32_t& v : b.vgprs[0].lane) v = 0;
  b.vgprs[0].lane[lane] = memory_bench::scratch_per_lane - 4;
  mubuf_fields f;
  f.data = 40;
  f.offen = true;
  b.execute(encode_mubuf(memory_row("buffer_store_dword"), f));
  b.vgprs[0].lane[lane] += 4;
  expect_fault(b, encode_mubuf(memory_row("buffer_store_dword"), f), lane,
               {"private access out of range", "0x200", "512 bytes of scratch"});
  f.offen = false;
  f.soffset = 20;
  b.state.scalar[20] = 508 * 64;
  b.execute(encode_mubuf(memory_row("buffer_load_dword"), f));
  b.state.scalar[20] = 512 * 64;
  expect_fault(b, encode_mubuf(memory_row("buffer_load_dword"), f), 0, {"private access out of range", "0x200"});
  b.set_mask(0);
  b.execute(encode_mubuf(memory_row("buffer_load_dword"), f));
}

}  // namespace pws::isa::test::memory_faults_test
