// SPDX-License-Identifier: Apache-2.0
// Whole kernels, as clang compiles them, run from their initial state: the prolog, scratch by buffer and by flat
// addresses, calls, ids. Results are compared with the same computation on the host.
#include <gtest/gtest.h>

#include "tests/isa/abi_object.h"
#include "tests/isa/memory_fixture.h"

namespace pws::isa::test::abi_kernels_test {

namespace {

template <class... T>
std::vector<uint8_t> arguments(T... values) {
  std::vector<uint8_t> bytes;
  const auto put = [&](auto v) {
    const size_t at = (bytes.size() + sizeof v - 1) / sizeof v * sizeof v;
    bytes.resize(at + sizeof v);
    std::memcpy(bytes.data() + at, &v, sizeof v);
  };
  (put(values), ...);
  return bytes;
}

template <class T>
T value(small_device& d, uint64_t address) {
  T v;
  std::memcpy(&v, d.host(address), sizeof v);
  return v;
}

}  // namespace

TEST(abi_kernels, plain) {
  small_device d(compile_hip("abi_kernels.hip"));
  for (unsigned k = 0; k < 400; ++k) {
    const float f = static_cast<float>(k) + 0.5f;
    std::memcpy(d.host(d.buffer() + 4 * k), &f, 4);
  }
  d.run("abi_plain", {384, 1, 1}, {128, 1, 1}, arguments(d.buffer(), 300));
  for (unsigned k = 0; k < 400; ++k)
    EXPECT_EQ(value<float>(d, d.buffer() + 4 * k), (static_cast<float>(k) + 0.5f) * (k < 300 ? 2.0f : 1.0f)) << k;
}

TEST(abi_kernels, ids_of_three_dimensions) {
  small_device d(compile_hip("abi_kernels.hip"));
  const unsigned gx = 3, gy = 2, gz = 2, bx = 7, by = 5, bz = 3;  // 105 work-items: a full and a partial wavefront
  d.run("abi_ids", {gx * bx, gy * by, gz * bz}, {bx, by, bz}, arguments(d.buffer()));
  for (unsigned z = 0; z < gz * bz; ++z)
    for (unsigned y = 0; y < gy * by; ++y)
      for (unsigned x = 0; x < gx * bx; ++x) {
        const unsigned group = x / bx + 4 * (y / by) + 16 * (z / bz);
        const unsigned expected = x % bx | (y % by) << 8 | (z % bz) << 16 | group << 24;
        EXPECT_EQ(value<uint32_t>(d, d.buffer() + 4 * ((z * gy * by + y) * gx * bx + x)), expected)
            << x << "," << y << "," << z;
      }
}

TEST(abi_kernels, scratch_through_the_resource) {
  small_device d(compile_hip("abi_kernels.hip"));
  const int n = 23;
  d.run("abi_scratch", {256, 1, 1}, {128, 1, 1}, arguments(d.buffer(), n));
  for (int t = 0; t < 256; ++t) {
    const int tid = t % 128;
    int sum = 0;
    for (int k = 0; k < n; ++k)
      sum += ((k * tid) & 63) * n + tid + static_cast<signed char>((k + tid) % 37 * 3 + tid) * 7 +
             static_cast<short>((k * 3 + tid) % 29 * 5 - tid);
    EXPECT_EQ(value<int>(d, d.buffer() + 4 * static_cast<unsigned>(t)), sum) << t;
  }
}

// One pointer is to scratch, to global memory or to LDS, lane by lane.
TEST(abi_kernels, flat_pointers_to_three_segments) {
  small_device d(compile_hip("abi_kernels.hip"));
  const uint64_t in = d.buffer() + 0x1000;
  for (unsigned k = 0; k < 16; ++k) {
    const int v = 7000 + static_cast<int>(k);
    std::memcpy(d.host(in + 4 * k), &v, 4);
  }
  d.run("abi_flat", {192, 1, 1}, {64, 1, 1}, arguments(d.buffer(), in, 5), 4096);
  for (int t = 0; t < 192; ++t) {
    const int tid = t % 64, k = (tid + 5) & 15;
    const int expected = tid % 3 == 0 ? tid * 100 + k : tid % 3 == 1 ? 7000 + k : k * 1000;
    EXPECT_EQ(value<int>(d, d.buffer() + 4 * static_cast<unsigned>(t)), expected) << t;
  }
}

TEST(abi_kernels, recursion) {
  small_device d(compile_hip("abi_kernels.hip"));
  struct host {
    static int depth(int n, const int* above) {
      const int here[4] = {n, n + 1, n + 2, *above};
      if (n == 0) return here[3];
      return depth(n - 1, &here[n & 3]) + here[1];
    }
  };
  d.run("abi_recursion", {64, 1, 1}, {64, 1, 1}, arguments(d.buffer(), 5), 4096);
  for (int t = 0; t < 64; ++t)
    EXPECT_EQ(value<int>(d, d.buffer() + 4 * static_cast<unsigned>(t)), host::depth(5 + (t & 3), &t)) << t;
  // Too little scratch for the recursion is an error, not a wrong result.
  EXPECT_THROW(d.run("abi_recursion", {64, 1, 1}, {64, 1, 1}, arguments(d.buffer(), 50), 256), std::runtime_error);
}

// What a store through the private segment's resource writes at offset o, a flat access finds at private aperture + o,
// and the other way round; for bytes, shorts and dwords, with the offset in the instruction, the VGPR or (times 64) the
// SGPR.
TEST(abi_kernels, resource_and_aperture_reach_the_same_bytes) {
  memory_bench b;
  const auto resource =
      private_segment_resource(memory_bench::scratch - 0x3000, memory_bench::scratch_per_lane * wave_size + 0x3000);
  std::copy(resource.begin(), resource.end(), &b.state.scalar[8]);
  // The kernel's prolog: s_add_u32 s8, s8, wave offset; s_addc_u32 s9, s9, 0.
  const uint64_t base = b.state.scalar64(8) + 0x3000;
  b.state.set_scalar64(8, base);
  const struct {
    const char *store, *buffer_load, *flat_store, *flat_load;
    unsigned bytes;
  } widths[] = {{"buffer_store_byte", "buffer_load_ubyte", "flat_store_byte", "flat_load_ubyte", 1},
                {"buffer_store_short", "buffer_load_ushort", "flat_store_short", "flat_load_ushort", 2},
                {"buffer_store_dword", "buffer_load_dword", "flat_store_dword", "flat_load_dword", 4}};
  for (const auto& w : widths)
    for (const uint64_t mask : {~uint64_t{0}, uint64_t{0x5555'0000'ffff'0001}})
      for (unsigned offset = 0; offset < memory_bench::scratch_per_lane; offset += w.bytes)
        for (const int way : {0, 1, 2}) {
          const uint32_t want = w.bytes == 4 ? ~0u : (1u << 8 * w.bytes) - 1;
          mubuf_fields f;
          f.addr = 1;
          f.data = 20;
          f.soffset = 30;
          f.offset = way == 0 ? offset : offset % 8;
          f.offen = way == 1;
          b.state.scalar[30] = way == 2 ? offset / 8 * 8 * 64 : 0;
          b.set_mask(mask);
          for (int l = 0; l < wave_size; ++l) {
            b.vgprs[1].lane[l] = offset / 8 * 8;
            b.set_address(2, l, memory_bench::private_aperture + offset);
            b.vgprs[20].lane[l] = offset * 0x01010101u + static_cast<unsigned>(l) * 0x10305u;
            b.vgprs[21].lane[l] = ~b.vgprs[20].lane[l];
          }
          b.execute(encode_mubuf(memory_row(w.store), f));
          b.execute(encode_flat(memory_row(w.flat_load), 22, 2, 0, false));
          b.execute(encode_flat(memory_row(w.flat_store), 0, 2, 21, false));
          f.data = 23;
          b.execute(encode_mubuf(memory_row(w.buffer_load), f));
          for (int l = 0; l < wave_size; ++l) {
            if ((mask >> l & 1) == 0) continue;
            ASSERT_EQ(b.vgprs[22].lane[l], b.vgprs[20].lane[l] & want)
                << w.store << " offset " << offset << " way " << way;
            ASSERT_EQ(b.vgprs[23].lane[l], b.vgprs[21].lane[l] & want)
                << w.store << " offset " << offset << " way " << way;
          }
        }
}

}  // namespace pws::isa::test::abi_kernels_test
