// SPDX-License-Identifier: Apache-2.0
// Memory instructions that are not one access per lane with plain data: lane exchanges, formatted buffers,
// floating-point atomics, scalar memory, cache control; and the order of lanes.
#include <gtest/gtest.h>

#include "base/error.h"
#include "tests/isa/memory_fixture.h"

namespace pws::isa::test::memory_special_test {

namespace {

uint32_t bits_of(float f) {
  uint32_t v;
  std::memcpy(&v, &f, sizeof v);
  return v;
}
bool active(uint64_t mask, int l) {
  return (mask >> l & 1) != 0;
}

// Runs a lane exchange under every mask; expected(lane) gives the source lane, or -1 for 0.
template <class F>
void expect_exchange(const std::vector<uint32_t>& code, unsigned from, F expected) {
  for (const uint64_t mask : lane_masks()) {
    memory_bench b(99);
    const vgpr_row data = b.vgprs[from], old = b.vgprs[40];
    b.set_mask(mask);
    memory_access record;
    record.mask = 1;
    b.state.access = &record;
    b.execute(code);
    EXPECT_EQ(record.mask, 0u);
    for (int l = 0; l < wave_size; ++l) {
      const int source = expected(b, l, mask);
      const uint32_t value = source < 0 || !active(mask, source) ? 0 : data.lane[source];
      EXPECT_EQ(b.vgprs[40].lane[l], active(mask, l) ? value : old.lane[l])
          << "lane " << l << " mask " << std::hex << mask;
    }
  }
}

}  // namespace

TEST(memory_special, swizzle) {
  const opcode_row& r = memory_row("ds_swizzle_b32");
  const auto code = [&](unsigned offset) { return encode_ds(r, 40, 8, 0, 0, offset); };
  expect_exchange(code(0x8000 | 0x1b), 8,
                  [](auto&, int l, uint64_t) { return (l & ~3) | (3 - (l & 3)); });  // reverse quads
  expect_exchange(code(0x8000 | 0x00), 8, [](auto&, int l, uint64_t) { return l & ~3; });
  expect_exchange(code(0x001f), 8, [](auto&, int l, uint64_t) { return l; });
  expect_exchange(code(0x041f), 8, [](auto&, int l, uint64_t) { return l ^ 1; });
  expect_exchange(code(0x7c1f), 8, [](auto&, int l, uint64_t) { return l ^ 31; });
  expect_exchange(code(0x00e0), 8, [](auto&, int l, uint64_t) { return (l & 32) | 7; });
  expect_exchange(code(0x2a73), 8, [](auto&, int l, uint64_t) { return (l & 32) | (((l & 19) | 19) ^ 10); });
}

TEST(memory_special, bpermute) {
  expect_exchange(encode_ds(memory_row("ds_bpermute_b32"), 40, 12, 8, 0, 0), 8,
                  [](memory_bench& b, int l, uint64_t) { return static_cast<int>(b.vgprs[12].lane[l] >> 2 & 63); });
  expect_exchange(encode_ds(memory_row("ds_bpermute_b32"), 40, 12, 8, 0, 20), 8, [](memory_bench& b, int l, uint64_t) {
    return static_cast<int>((b.vgprs[12].lane[l] + 20) >> 2 & 63);
  });
}

TEST(memory_special, permute_takes_the_highest_sender) {
  for (const unsigned offset : {0u, 8u})
    expect_exchange(encode_ds(memory_row("ds_permute_b32"), 40, 12, 8, 0, offset), 8,
                    [&](memory_bench& b, int l, uint64_t mask) {
                      int sender = -1;
                      for (int k = 0; k < wave_size; ++k)
                        if (active(mask, k) && static_cast<int>((b.vgprs[12].lane[k] + offset) >> 2 & 63) == l)
                          sender = k;
                      return sender;
                    });
}

// The destination may be the data or the address.
TEST(memory_special, exchanges_in_place) {
  memory_bench b;
  vgpr_row data = b.vgprs[8];
  for (int l = 0; l < wave_size; ++l) b.vgprs[12].lane[l] = 4u * static_cast<unsigned>(l + 1);
  b.execute(encode_ds(memory_row("ds_bpermute_b32"), 8, 12, 8, 0, 0));
  for (int l = 0; l < wave_size; ++l) EXPECT_EQ(b.vgprs[8].lane[l], data.lane[(l + 1) % 64]);
  data = b.vgprs[8];
  b.execute(encode_ds(memory_row("ds_permute_b32"), 12, 12, 8, 0, 0));
  for (int l = 0; l < wave_size; ++l) EXPECT_EQ(b.vgprs[12].lane[l], data.lane[(l + 63) % 64]);
  b.execute(encode_ds(memory_row("ds_nop"), 0, 0, 0, 0, 0));
}

// A barrier of the grid is the machine's business: no register and no memory changes.
TEST(memory_special, grid_barrier_touches_nothing) {
  memory_bench b;
  const vgpr_row before = b.vgprs[12];
  memory_access access;
  b.state.access = &access;
  b.execute(encode_ds(memory_row("ds_gws_barrier"), 0, 12, 0, 0, 0));
  EXPECT_EQ(access.where, memory_access::space::none);
  for (int l = 0; l < wave_size; ++l) EXPECT_EQ(b.vgprs[12].lane[l], before.lane[l]);
}

// A wavefront split in two: exchanges, like all instructions, see EXEC and the split mask.
TEST(memory_special, split_mask_counts) {
  memory_bench b;
  for (int l = 0; l < wave_size; ++l) b.vgprs[12].lane[l] = 0;
  b.state.split_mask = ~uint64_t{1};
  const uint32_t lane0 = b.vgprs[40].lane[0];
  b.execute(encode_ds(memory_row("ds_bpermute_b32"), 40, 12, 8, 0, 0));
  EXPECT_EQ(b.vgprs[40].lane[0], lane0);
  EXPECT_EQ(b.vgprs[40].lane[1], 0u);
}

TEST(memory_special, lanes_in_order) {
  memory_bench b;
  for (int l = 0; l < wave_size; ++l) {
    b.vgprs[1].lane[l] = 64;
    b.vgprs[8].lane[l] = static_cast<unsigned>(l) + 1;
    b.set_address(2, l, memory_bench::data + 64);
  }
  std::memset(&b.lds[64], 0, 4);
  b.execute(encode_ds(memory_row("ds_add_rtn_u32"), 40, 1, 8, 0, 0));
  for (unsigned l = 0; l < wave_size; ++l) EXPECT_EQ(b.vgprs[40].lane[l], l * (l + 1) / 2);
  b.execute(encode_ds(memory_row("ds_write_b32"), 0, 1, 8, 0, 0));
  EXPECT_EQ(b.lds[64], 64);
  b.execute(encode_flat(memory_row("flat_store_dword"), 0, 2, 8, false));
  EXPECT_EQ(*b.host(memory_bench::data + 64), 64);
  b.execute(encode_flat(memory_row("flat_atomic_swap"), 40, 2, 8, true));
  EXPECT_EQ(b.vgprs[40].lane[0], 64u);
  EXPECT_EQ(b.vgprs[40].lane[63], 63u);
}

TEST(memory_special, float_atomics) {
  memory_bench b;
  const auto run = [&](const char* name, uint32_t old, uint32_t data, uint32_t data2 = 0) {
    std::memcpy(&b.lds[0], &old, 4);
    b.vgprs[1].lane[0] = 0;
    b.vgprs[8].lane[0] = data;
    b.vgprs[16].lane[0] = data2;
    b.set_mask(1);
    b.execute(encode_ds(memory_row(name), 40, 1, 8, 16, 0));
    uint32_t v;
    std::memcpy(&v, &b.lds[0], 4);
    return v;
  };
  constexpr uint32_t denormal = 1, nan = 0x7fc00000, minus_zero = 0x80000000;
  b.state.mode = 0xf0;
  EXPECT_EQ(run("ds_add_f32", bits_of(1.5f), bits_of(2.25f)), bits_of(3.75f));
  EXPECT_EQ(run("ds_add_f32", denormal, denormal), 2u);
  b.state.mode = 0xc0;  // single-precision denormals flushed
  EXPECT_EQ(run("ds_add_f32", denormal, denormal), 0u);
  b.state.mode = 0xf3;  // towards zero
  EXPECT_EQ(run("ds_add_f32", bits_of(1.0f), bits_of(0x1.8p-24f)), bits_of(1.0f));
  b.state.mode = 0xf1;  // towards infinity
  EXPECT_EQ(run("ds_add_f32", bits_of(1.0f), bits_of(0x1.0p-30f)), bits_of(0x1.000002p0f));
  b.state.mode = 0;
  EXPECT_EQ(run("ds_min_f32", denormal, minus_zero), minus_zero);  // comparisons see denormals
  EXPECT_EQ(run("ds_min_f32", bits_of(2.0f), nan), bits_of(2.0f));
  EXPECT_EQ(run("ds_max_f32", bits_of(2.0f), bits_of(3.0f)), bits_of(3.0f));
  EXPECT_EQ(run("ds_max_f32", bits_of(-2.0f), bits_of(-3.0f)), bits_of(-2.0f));
  EXPECT_EQ(run("ds_cmpst_f32", minus_zero, 0, 77), 77u);  // -0 equals +0
  EXPECT_EQ(run("ds_cmpst_f32", nan, nan, 77), nan);       // a NaN equals nothing
  EXPECT_EQ(run("ds_cmpst_b32", minus_zero, 0, 77), minus_zero);
}

TEST(memory_special, formatted_buffers) {
  const struct { unsigned data_format, components; } formats[] = {{4, 1}, {11, 2}, {13, 3}, {14, 4}};
  const char* const loads[] = {"buffer_load_format_x", "buffer_load_format_xy", "buffer_load_format_xyz",
                               "buffer_load_format_xyzw"};
  const char* const stores[] = {"buffer_store_format_x", "buffer_store_format_xy", "buffer_store_format_xyz",
                                "buffer_store_format_xyzw"};
  for (const auto& f : formats)
    for (unsigned n = 1; n <= 4; ++n) {
      memory_bench b;
      b.state.scalar[8] = static_cast<uint32_t>(memory_bench::data);
      b.state.scalar[9] = static_cast<uint32_t>(memory_bench::data >> 32) | (4 * f.components) << 16;
      b.state.scalar[10] =
          50 * 4 * f.components + 4;  // lane 50 is out of range as a whole, even where its first dword is not
      b.state.scalar[11] = 4 | 5 << 3 | 6 << 6 | 7 << 9 | 7u << 12 | f.data_format << 15;
      for (int l = 0; l < wave_size; ++l) b.vgprs[0].lane[l] = static_cast<uint32_t>(l);
      mubuf_fields m;
      m.data = 40;
      m.idxen = true;
      b.execute(encode_mubuf(memory_row(loads[n - 1]), m));
      for (unsigned c = 0; c < n; ++c)
        for (unsigned l = 0; l < wave_size; ++l) {
          uint32_t expected = c == 3 ? bits_of(1.0f) : 0;
          const bool in_range = l < 50 || (l == 50 && f.components == 1);
          if (c < f.components) {
            expected = 0;
            if (in_range) std::memcpy(&expected, b.host(memory_bench::data + (l * f.components + c) * 4), 4);
          }
          EXPECT_EQ(b.vgprs[40 + c].lane[l], expected) << f.data_format << " component " << c << " lane " << l;
        }
      if (n != f.components) {
        EXPECT_THROW(b.execute(encode_mubuf(memory_row(stores[n - 1]), m)), program_error);
        continue;
      }
      const memory_bench before(b);
      b.execute(encode_mubuf(memory_row(stores[n - 1]), m));
      EXPECT_EQ(b.difference(before), "");  // what was loaded is stored again, and nothing out of range
    }
  // Constant and reordered components.
  memory_bench b;
  b.state.scalar[8] = static_cast<uint32_t>(memory_bench::data);
  b.state.scalar[9] = static_cast<uint32_t>(memory_bench::data >> 32);
  b.state.scalar[10] = 64;
  b.state.scalar[11] = 5 | 4 << 3 | 0 << 6 | 1 << 9 | 4u << 12 | 11u << 15;
  mubuf_fields m;
  m.data = 40;
  b.execute(encode_mubuf(memory_row("buffer_load_format_xyzw"), m));
  uint32_t first[2];
  std::memcpy(first, b.host(memory_bench::data), 8);
  EXPECT_EQ(b.vgprs[40].lane[5], first[1]);
  EXPECT_EQ(b.vgprs[41].lane[5], first[0]);
  EXPECT_EQ(b.vgprs[42].lane[5], 0u);
  EXPECT_EQ(b.vgprs[43].lane[5], 1u);
}

TEST(memory_special, scalar_loads_and_stores) {
  const struct {
    const char *load, *store, *buffer_load;
    unsigned n;
  } cases[] = {{"s_load_dword", "s_store_dword", "s_buffer_load_dword", 1},
               {"s_load_dwordx2", "s_store_dwordx2", "s_buffer_load_dwordx2", 2},
               {"s_load_dwordx4", "s_store_dwordx4", "s_buffer_load_dwordx4", 4},
               {"s_load_dwordx8", nullptr, "s_buffer_load_dwordx8", 8},
               {"s_load_dwordx16", nullptr, "s_buffer_load_dwordx16", 16}};
  for (const auto& c : cases)
    for (const bool imm : {true, false})
      for (const unsigned low_bits : {0u, 3u}) {
        memory_bench b;
        b.set_mask(0);  // EXEC does not matter
        b.state.set_scalar64(4, memory_bench::data + 32 + low_bits);
        b.state.scalar[3] = 64;
        memory_access record;
        b.state.access = &record;
        b.execute(encode_smem(memory_row(c.load), 16, 4, imm ? 64 : 3, imm));
        EXPECT_EQ(std::memcmp(&b.state.scalar[16], b.host(memory_bench::data + 96), 4 * c.n), 0) << c.load;
        EXPECT_EQ(record.where, memory_access::space::scalar);
        EXPECT_EQ(record.address[0], memory_bench::data + 96);
        EXPECT_EQ(record.bytes_per_lane, 4 * c.n);
        EXPECT_EQ(record.mask, 1u);
        if (c.store == nullptr) continue;
        b.execute(encode_smem(memory_row(c.store), 16, 4, 0, true));
        EXPECT_EQ(std::memcmp(b.host(memory_bench::data + 32), b.host(memory_bench::data + 96), 4 * c.n), 0) << c.store;
        EXPECT_TRUE(record.is_store);
      }
  memory_bench b;
  b.state.set_scalar64(4, memory_bench::data + memory_bench::data_bytes - 8);
  b.execute(encode_smem(memory_row("s_load_dwordx2"), 16, 4, 0, true));
  EXPECT_THROW(b.execute(encode_smem(memory_row("s_load_dwordx4"), 16, 4, 0, true)), program_error);
  b.state.set_scalar64(4, memory_bench::constants);
  EXPECT_THROW(b.execute(encode_smem(memory_row("s_store_dword"), 16, 4, 0, true)), program_error);
}

TEST(memory_special, scalar_buffers_of_every_width) {
  const struct {
    const char *load, *store;
    unsigned n;
  } cases[] = {{"s_buffer_load_dword", "s_buffer_store_dword", 1},
               {"s_buffer_load_dwordx2", "s_buffer_store_dwordx2", 2},
               {"s_buffer_load_dwordx4", "s_buffer_store_dwordx4", 4},
               {"s_buffer_load_dwordx8", nullptr, 8},
               {"s_buffer_load_dwordx16", nullptr, 16}};
  for (const auto& c : cases)
    for (const bool imm : {true, false}) {
      memory_bench b;
      b.state.scalar[4] = static_cast<uint32_t>(memory_bench::data);
      b.state.scalar[5] = static_cast<uint32_t>(memory_bench::data >> 32);
      b.state.scalar[6] = 256;
      b.state.scalar[3] = 64;
      b.state.scalar[16 + c.n] = 0xdeadbeef;
      b.execute(encode_smem(memory_row(c.load), 16, 4, imm ? 64 : 3, imm));
      EXPECT_EQ(std::memcmp(&b.state.scalar[16], b.host(memory_bench::data + 64), 4 * c.n), 0) << c.load;
      EXPECT_EQ(b.state.scalar[16 + c.n], 0xdeadbeefu) << c.load;
      if (c.store == nullptr) continue;
      uint32_t beyond;
      std::memcpy(&beyond, b.host(memory_bench::data + 128 + 4 * c.n), 4);
      b.execute(encode_smem(memory_row(c.store), 16, 4, 128, true));
      EXPECT_EQ(std::memcmp(b.host(memory_bench::data + 128), b.host(memory_bench::data + 64), 4 * c.n), 0) << c.store;
      EXPECT_EQ(std::memcmp(b.host(memory_bench::data + 128 + 4 * c.n), &beyond, 4), 0) << c.store;
    }
}

TEST(memory_special, scalar_buffers_are_bounded) {
  for (const uint32_t stride : {0u, 16u})
    for (const unsigned inside : {0u, 1u, 3u, 8u}) {
      memory_bench b;
      const uint32_t bytes = 32;
      b.state.scalar[4] = static_cast<uint32_t>(memory_bench::data);
      b.state.scalar[5] = static_cast<uint32_t>(memory_bench::data >> 32) | stride << 16;
      b.state.scalar[6] = stride == 0 ? bytes : bytes / stride;
      const uint32_t offset = bytes - 4 * inside;
      b.execute(encode_smem(memory_row("s_buffer_load_dwordx8"), 16, 4, offset, true));
      for (unsigned k = 0; k < 8; ++k) {
        uint32_t expected = 0;
        if (k < inside) std::memcpy(&expected, b.host(memory_bench::data + offset + 4 * k), 4);
        EXPECT_EQ(b.state.scalar[16 + k], expected) << stride << " " << inside << " " << k;
      }
      std::vector<uint8_t> before(b.host(memory_bench::data), b.host(memory_bench::data) + 128);
      for (unsigned k = 0; k < 4; ++k) b.state.scalar[16 + k] = 0x11111111 * (k + 1);
      b.execute(encode_smem(memory_row("s_buffer_store_dwordx4"), 16, 4, offset, true));
      for (unsigned k = 0; k < 4 && k < inside; ++k)
        std::memset(&before[offset + 4 * k], static_cast<int>(0x11 * (k + 1)), 4);
      EXPECT_EQ(std::memcmp(before.data(), b.host(memory_bench::data), 128), 0) << stride << " " << inside;
    }
}

TEST(memory_special, time_and_cache_control) {
  memory_bench b;
  b.state.time = 0x1234567890;
  memory_access record;
  b.state.access = &record;
  for (const char* name : {"s_memtime", "s_memrealtime"}) {
    record.mask = 1;
    b.execute(encode_smem(memory_row(name), 16, 0, 0, false));
    EXPECT_EQ(b.state.scalar64(16), 0x1234567890u);
    EXPECT_EQ(record.mask, 0u);
  }
  const memory_bench before(b);
  for (const char* name : {"s_dcache_inv", "s_dcache_wb", "s_dcache_inv_vol", "s_dcache_wb_vol"})
    b.execute(encode_smem(memory_row(name), 0, 0, 0, false));
  for (const char* name : {"buffer_wbinvl1", "buffer_wbinvl1_vol"}) {
    record.mask = 1;
    b.execute(encode_mubuf(memory_row(name), {}));
    EXPECT_EQ(record.mask, 0u);
  }
  EXPECT_EQ(b.difference(before), "");
}

}  // namespace pws::isa::test::memory_special_test
