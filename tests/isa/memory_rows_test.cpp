// SPDX-License-Identifier: Apache-2.0
// Every DS, FLAT and MUBUF row that accesses memory, under every mask and address pattern, against the plain reference.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <set>

#include "models/isa/code/opcode_table.h"
#include "models/isa/memory/memory_lanes.h"
#include "tests/isa/memory_reference.h"

namespace pws::isa::test::memory_rows_test {

namespace {

using addresses = std::array<uint64_t, wave_size>;

enum class pattern { run, uniform, stride, random, colliding, reversed, last_break };
constexpr pattern patterns[] = {pattern::run,       pattern::uniform,  pattern::stride,    pattern::random,
                                pattern::colliding, pattern::reversed, pattern::last_break};

// Offsets below `limit`, multiples of `align`.
addresses make_offsets(pattern p, uint32_t limit, uint32_t align, uint32_t bytes, std::mt19937& random) {
  const uint32_t step = (bytes + align - 1) / align * align;
  addresses a;
  for (uint32_t l = 0; l < wave_size; ++l) {
    switch (p) {
      case pattern::run:
        a[l] = align * 4 + l * step;
        break;
      case pattern::uniform:
        a[l] = align * 3;
        break;
      case pattern::stride:
        a[l] = l * step * 3;
        break;
      case pattern::random:
        a[l] = random() % (limit / align) * align;
        break;
      case pattern::colliding:
        a[l] = random() % 5 * align;
        break;
      case pattern::reversed:
        a[l] = (wave_size - 1 - l) * step;
        break;
      case pattern::last_break:
        a[l] = l == 63 ? 0 : align * 4 + l * step;
        break;
    }
  }
  return a;
}

// An instruction's inactive lanes must not matter: their addresses are wild.
void set_wild(memory_bench& b, unsigned row, bool pair, uint64_t mask, std::mt19937& random) {
  for (int l = 0; l < wave_size; ++l) {
    if ((mask >> l & 1) != 0) continue;
    b.vgprs[row].lane[l] = static_cast<uint32_t>(random());
    if (pair) b.vgprs[row + 1].lane[l] = static_cast<uint32_t>(random());
  }
}

std::string context(const opcode_row& r, pattern p, uint64_t mask) {
  return fmt::format("{} pattern {} mask {:016x}", r.mnemonic, static_cast<int>(p), mask);
}

void expect_recorded(const memory_access& a, memory_access::space where, const memory_operation& o, uint64_t mask,
                     const addresses& at, const std::string& what) {
  EXPECT_EQ(a.where, where) << what;
  EXPECT_EQ(a.mask, mask) << what;
  EXPECT_EQ(a.bytes_per_lane, o.bytes) << what;
  EXPECT_EQ(a.is_store, o.what == memory_operation::kind::store) << what;
  EXPECT_EQ(a.is_atomic, o.what == memory_operation::kind::atomic) << what;
  for (int l = 0; l < wave_size; ++l)
    if ((mask >> l & 1) != 0) {
      EXPECT_EQ(a.address[l], at[l]) << what << " lane " << l;
    }
}

bool is_memory_row(const opcode_row& r) {
  return r.exec != nullptr && parse_mnemonic(r.mnemonic).what != memory_operation::kind::other;
}

}  // namespace

// The rows that this file does not reach, so that a new row cannot go untested.
TEST(memory_rows, every_row_is_tested) {
  std::set<std::string> elsewhere = {"ds_nop",
                                     "ds_gws_barrier",
                                     "ds_swizzle_b32",
                                     "ds_permute_b32",
                                     "ds_bpermute_b32",
                                     "buffer_load_format_x",
                                     "buffer_load_format_xy",
                                     "buffer_load_format_xyz",
                                     "buffer_load_format_xyzw",
                                     "buffer_store_format_x",
                                     "buffer_store_format_xy",
                                     "buffer_store_format_xyz",
                                     "buffer_store_format_xyzw",
                                     "buffer_wbinvl1",
                                     "buffer_wbinvl1_vol",
                                     "ds_condxchg32_rtn_b64",
                                     "ds_append",
                                     "ds_consume",
                                     "tbuffer_load_format_x",
                                     "tbuffer_load_format_xy",
                                     "tbuffer_load_format_xyz",
                                     "tbuffer_load_format_xyzw",
                                     "tbuffer_store_format_x",
                                     "tbuffer_store_format_xy",
                                     "tbuffer_store_format_xyz",
                                     "tbuffer_store_format_xyzw",
                                     "ds_add_src2_u32",
                                     "ds_sub_src2_u32",
                                     "ds_rsub_src2_u32",
                                     "ds_inc_src2_u32",
                                     "ds_dec_src2_u32",
                                     "ds_min_src2_i32",
                                     "ds_max_src2_i32",
                                     "ds_min_src2_u32",
                                     "ds_max_src2_u32",
                                     "ds_and_src2_b32",
                                     "ds_or_src2_b32",
                                     "ds_xor_src2_b32",
                                     "ds_write_src2_b32",
                                     "ds_min_src2_f32",
                                     "ds_max_src2_f32",
                                     "ds_add_src2_u64",
                                     "ds_sub_src2_u64",
                                     "ds_rsub_src2_u64",
                                     "ds_inc_src2_u64",
                                     "ds_dec_src2_u64",
                                     "ds_min_src2_i64",
                                     "ds_max_src2_i64",
                                     "ds_min_src2_u64",
                                     "ds_max_src2_u64",
                                     "ds_and_src2_b64",
                                     "ds_or_src2_b64",
                                     "ds_xor_src2_b64",
                                     "ds_write_src2_b64",
                                     "ds_min_src2_f64",
                                     "ds_max_src2_f64",
                                     "ds_add_src2_f32"};
  for (const opcode_row& r : memory_rows()) {
    if (r.native == format::smem || r.exec == nullptr || is_memory_row(r)) continue;
    EXPECT_EQ(elsewhere.erase(r.mnemonic), 1u) << r.mnemonic;
  }
  EXPECT_TRUE(elsewhere.empty()) << *elsewhere.begin();
}

TEST(memory_rows, ds) {
  std::mt19937 random(7);
  unsigned rows = 0;
  for (const opcode_row& r : memory_rows()) {
    if (r.native != format::ds || !is_memory_row(r)) continue;
    ++rows;
    const memory_operation o = parse_mnemonic(r.mnemonic);
    const uint32_t align = o.bytes > 8 ? 16 : o.bytes;
    for (pattern p : patterns)
      for (uint64_t mask : lane_masks())
        for (const bool over_address : {false, true}) {
          const std::string what = context(r, p, mask);
          memory_bench real(static_cast<unsigned>(random()));
          real.state.mode = 0xf0;
          if (o.what == memory_operation::kind::atomic && random() % 2 == 0) real.make_small();
          const unsigned offset0 = o.accesses == 2 ? 3 : align * 2, offset1 = 1;
          const addresses a = make_offsets(p, 0x2000, align, o.bytes, random);
          for (int l = 0; l < wave_size; ++l) real.vgprs[1].lane[l] = static_cast<uint32_t>(a[l]);
          set_wild(real, 1, false, mask, random);
          real.set_mask(mask);
          memory_bench expected(real);
          // The destination may begin at, or contain, the address register.
          const unsigned dst = over_address ? (o.registers() * o.accesses > 1 ? 0 : 1) : 40;
          memory_access record;
          if (!over_address) real.state.access = &record;
          real.execute(encode_ds(r, dst, 1, 8, 16, offset0, offset1));
          reference_execute(expected, o, dst, 8, 16, o.always_returns, [&](int l, unsigned n, unsigned k) {
            const uint64_t offset = o.accesses == 2 ? (n == 0 ? offset0 : offset1) * o.unit : offset0;
            return &expected.lds[a[l] + offset + k];
          });
          ASSERT_EQ(real.difference(expected), "") << what << (over_address ? " dst over address" : "");
          if (over_address) continue;
          addresses first = a;
          for (uint64_t& x : first) x += o.accesses == 2 ? offset0 * o.unit : offset0;
          expect_recorded(record, memory_access::space::lds, o, mask, first, what);
          if (mask != 0 && o.accesses == 2) {
            EXPECT_EQ(record.second_offset, (offset1 - offset0) * o.unit) << what;
          }
        }
  }
  EXPECT_GE(rows, 90u);
}

namespace {

enum class target { global, unaligned, shared, scratch, mixed };

uint64_t scratch_byte(uint64_t offset, int lane) {
  return memory_bench::scratch + offset / 4 * 256 + static_cast<uint64_t>(lane) * 4 + offset % 4;
}

// Which segment a lane's access goes to.
target segment_of_lane(target t, int lane) {
  if (t != target::mixed) return t;
  return lane % 3 == 0 ? target::global : lane % 3 == 1 ? target::shared : target::scratch;
}

uint64_t segment_base(target t) {
  switch (t) {
    case target::shared:
      return memory_bench::shared_aperture;
    case target::scratch:
      return memory_bench::private_aperture;
    default:
      return memory_bench::data;
  }
}

void run_flat(const opcode_row& r, target t, pattern p, uint64_t mask, bool glc, bool over_address,
              std::mt19937& random) {
  const memory_operation o = parse_mnemonic(r.mnemonic);
  if (o.what == memory_operation::kind::atomic && t == target::unaligned) return;
  const std::string what = fmt::format("{} target {}", context(r, p, mask), static_cast<int>(t));
  const uint32_t natural = o.what == memory_operation::kind::atomic ? o.bytes : std::min(o.bytes, 4u);
  const uint32_t align = t == target::unaligned ? 1 : natural;
  const bool small = t == target::scratch || t == target::mixed;
  memory_bench real(static_cast<unsigned>(random()));
  if (o.what == memory_operation::kind::atomic && random() % 2 == 0) real.make_small();
  addresses offset = make_offsets(p, small ? 448 : 0x2fc0, align, o.bytes, random);
  if (small)
    for (uint64_t& x : offset) x = x % 448 / align * align;
  for (int l = 0; l < wave_size; ++l) real.set_address(0, l, segment_base(segment_of_lane(t, l)) + offset[l]);
  set_wild(real, 0, true, mask, random);
  real.set_mask(mask);
  memory_bench expected(real);
  const unsigned dst = over_address ? 1 : 40;
  memory_access record;
  if (!over_address) real.state.access = &record;
  real.execute(encode_flat(r, dst, 0, 8, glc));
  reference_execute(expected, o, dst, 8, 8 + o.registers(), glc, [&](int l, unsigned, unsigned k) {
    switch (segment_of_lane(t, l)) {
      case target::shared:
        return &expected.lds[offset[l] + k];
      case target::scratch:
        return expected.host(scratch_byte(offset[l] + k, l));
      default:
        return expected.host(memory_bench::data + offset[l] + k);
    }
  });
  ASSERT_EQ(real.difference(expected), "") << what;
  if (over_address) return;
  // Recorded: LDS offsets if all lanes are in LDS, else the device addresses of the others.
  uint64_t lds_lanes = 0;
  addresses device{};
  for (int l = 0; l < wave_size; ++l) {
    const target s = segment_of_lane(t, l);
    if (s == target::shared) lds_lanes |= uint64_t{1} << l;
    device[l] = s == target::scratch  ? scratch_byte(offset[l], l)
                : s == target::shared ? offset[l]
                                      : memory_bench::data + offset[l];
  }
  lds_lanes &= mask;
  const bool all_lds = mask != 0 && lds_lanes == mask;
  expect_recorded(record, all_lds ? memory_access::space::lds : memory_access::space::global, o,
                  all_lds ? mask : mask & ~lds_lanes, device, what);
}

}  // namespace

TEST(memory_rows, flat) {
  std::mt19937 random(11);
  unsigned rows = 0;
  for (const opcode_row& r : memory_rows()) {
    if (r.native != format::flat) continue;
    ++rows;
    for (const target t : {target::global, target::unaligned, target::shared, target::scratch, target::mixed})
      for (pattern p : patterns)
        for (uint64_t mask : lane_masks())
          for (const bool glc : {false, true}) run_flat(r, t, p, mask, glc, false, random);
    for (uint64_t mask : lane_masks()) run_flat(r, target::global, pattern::random, mask, true, true, random);
    for (uint64_t mask : lane_masks()) run_flat(r, target::scratch, pattern::random, mask, true, true, random);
    if (testing::Test::HasFatalFailure()) return;
  }
  EXPECT_EQ(rows, 14u + 26u);
}

namespace {

// A buffer resource and the manual's address rule for it.
struct resource {
  uint64_t base = memory_bench::data;
  uint32_t stride = 0;
  bool swizzle = false;
  uint32_t num_records = 0x7000;
  uint32_t element_bytes = 4, index_stride = 64;
  bool add_tid = false;

  void store(uint32_t* w) const {
    const auto log = [](uint32_t v) { return static_cast<uint32_t>(__builtin_ctz(v)); };
    w[0] = static_cast<uint32_t>(base);
    w[1] = static_cast<uint32_t>(base >> 32) | stride << 16 | (swizzle ? 1u << 31 : 0u);
    w[2] = num_records;
    w[3] = 4 | 5 << 3 | 6 << 6 | 7 << 9 | 4 << 12 | (log(element_bytes) - 1) << 19 | (log(index_stride) - 3) << 21 |
           (add_tid ? 1u << 23 : 0u);
  }
  // Offset within the buffer of a dword (or less) at `offset` of element `index`.
  uint64_t place(uint64_t index, uint64_t offset) const {
    if (!swizzle) return index * stride + offset;
    return (index / index_stride * stride + offset / element_bytes * element_bytes) * index_stride +
           index % index_stride * element_bytes + offset % element_bytes;
  }
  bool in_range(uint64_t index, uint64_t offset, uint32_t bytes, uint32_t soffset) const {
    if (stride != 0 && swizzle) return index < num_records;
    return place(index, offset) + bytes + soffset <= num_records;
  }
};

struct buffer_case {
  const char* name;
  resource r;
  bool offen, idxen;
  uint32_t soffset;
  uint32_t max_offset, max_index;
};

const std::vector<buffer_case>& buffer_cases() {
  static const std::vector<buffer_case> cases = [] {
    std::vector<buffer_case> v;
    resource raw;
    v.push_back({"raw, no VGPR", raw, false, false, 64, 0, 0});
    v.push_back({"raw, offset", raw, true, false, 128, 0x4000, 0});
    raw.num_records = 0x400;
    v.push_back({"raw, some out of range", raw, true, false, 64, 0x800, 0});
    raw.num_records = 32;
    v.push_back({"raw, scalar offset beyond the end", raw, true, false, 64, 0x100, 0});
    resource strided;
    strided.stride = 20;
    v.push_back({"strided, index", strided, false, true, 0, 0, 500});
    v.push_back({"strided, index and offset", strided, true, true, 8, 100, 500});
    strided.num_records = 0x200;
    v.push_back({"strided, some out of range (bytes)", strided, false, true, 0, 0, 60});
    resource swizzled;
    swizzled.stride = 32;
    swizzled.swizzle = true;
    swizzled.num_records = 300;
    for (const uint32_t element : {4u, 8u, 16u})
      for (const uint32_t index_stride : {8u, 16u, 32u, 64u}) {
        swizzled.element_bytes = element;
        swizzled.index_stride = index_stride;
        v.push_back({"swizzled", swizzled, true, true, 16, 20, 400});
      }
    resource tid = swizzled;
    tid.add_tid = true;
    v.push_back({"swizzled, lane number added", tid, true, false, 0, 20, 0});
    resource linear_tid;
    linear_tid.stride = 16;
    linear_tid.add_tid = true;
    v.push_back({"linear, lane number added", linear_tid, true, false, 4, 64, 0});
    resource private_like;
    private_like.swizzle = private_like.add_tid = true;
    v.push_back({"private layout, no VGPR", private_like, false, false, 256, 0, 0});
    v.push_back({"private layout, offset", private_like, true, false, 512, 80, 0});
    private_like.num_records = 0x1000;
    v.push_back({"private layout, some out of range", private_like, true, false, 0, 128, 0});
    return v;
  }();
  return cases;
}

void run_buffer(const opcode_row& r, const buffer_case& c, uint64_t mask, bool glc, bool over_address, bool same,
                std::mt19937& random) {
  const memory_operation o = parse_mnemonic(r.mnemonic);
  const bool atomic = o.what == memory_operation::kind::atomic;
  // Swizzled buffers keep neither 64-bit atomics in 4-byte elements nor unaligned accesses together: a fault, tested
  // elsewhere.
  if (atomic && o.bytes == 8 && c.r.swizzle && c.r.element_bytes < 8) return;
  if (atomic && (c.r.stride | c.soffset) % o.bytes != 0) return;
  const uint32_t align = atomic ? o.bytes : std::min(o.bytes, 4u);
  const unsigned inst_offset = atomic ? o.bytes : 4;
  const std::string what = fmt::format("{} in {} (element {}, index stride {}) mask {:016x}", r.mnemonic, c.name,
                                       c.r.element_bytes, c.r.index_stride, mask);
  memory_bench real(static_cast<unsigned>(random()));
  if (atomic && random() % 2 == 0) real.make_small();
  std::array<uint32_t, wave_size> index{}, offset{};
  for (int l = 0; l < wave_size; ++l) {
    if (c.idxen) index[l] = c.max_index == 0 ? 0 : static_cast<uint32_t>(random() % c.max_index);
    if (c.offen) offset[l] = same ? align : static_cast<uint32_t>(random() % (c.max_offset / align) * align);
    if (c.idxen) real.vgprs[0].lane[l] = index[l];
    if (c.offen) real.vgprs[c.idxen ? 1 : 0].lane[l] = offset[l];
  }
  set_wild(real, 0, true, mask, random);
  real.set_mask(mask);
  c.r.store(&real.state.scalar[8]);
  real.state.scalar[20] = c.soffset;
  memory_bench expected(real);
  mubuf_fields f;
  f.data = over_address ? 0 : 40;
  f.soffset = 20;
  f.offset = inst_offset;
  f.offen = c.offen;
  f.idxen = c.idxen;
  f.glc = glc;
  memory_access record;
  real.state.access = &record;
  real.execute(encode_mubuf(r, f));
  uint64_t in_range = 0;
  reference_execute(expected, o, f.data, f.data, f.data + o.registers(), glc,
                    [&](int l, unsigned, unsigned k) -> uint8_t* {
                      const uint64_t i = uint64_t{index[l]} + (c.r.add_tid ? static_cast<unsigned>(l) : 0u);
                      // Dword by dword, but atomics as a whole.
                      const uint32_t piece = atomic ? o.bytes : std::min(o.bytes, 4u);
                      const uint64_t at = uint64_t{offset[l]} + inst_offset + k / piece * piece;
                      if (!c.r.in_range(i, at, piece, c.soffset)) return nullptr;
                      if (k < 4) in_range |= uint64_t{1} << l;
                      return expected.host(c.r.base + c.soffset + c.r.place(i, at)) + k % piece;
                    });
  ASSERT_EQ(real.difference(expected), "") << what;
  EXPECT_EQ(record.mask, in_range) << what;
}

}  // namespace

TEST(memory_rows, mubuf) {
  std::mt19937 random(13);
  unsigned rows = 0;
  for (const opcode_row& r : memory_rows()) {
    if (r.native != format::mubuf || !is_memory_row(r)) continue;
    ++rows;
    const bool load = parse_mnemonic(r.mnemonic).what == memory_operation::kind::load;
    for (const buffer_case& c : buffer_cases())
      for (uint64_t mask : lane_masks())
        for (const bool flag : {false, true}) {
          run_buffer(r, c, mask, flag, false, false, random);
          run_buffer(r, c, mask, true, load && flag, true, random);
          if (testing::Test::HasFatalFailure()) return;
        }
  }
  EXPECT_EQ(rows, 14u + 26u);
}

}  // namespace pws::isa::test::memory_rows_test
