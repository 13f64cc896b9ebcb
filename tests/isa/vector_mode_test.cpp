// SPDX-License-Identifier: Apache-2.0
// The MODE register: rounding and denormals of each precision, IEEE mode, and the host's own floating-point state
// around it.
#include <gtest/gtest.h>
#include <xmmintrin.h>

#include <cfenv>
#include <cmath>

#include "models/isa/host_fp.h"
#include "tests/isa/vector_machine.h"
#include "tests/isa/vector_reference.h"

namespace pws::isa::test::vector_mode_test {

namespace {

constexpr uint64_t denormal32 = 0x00400000;  // 2^-127
constexpr uint64_t denormal64 = 0x0008000000000000;
constexpr uint64_t denormal16 = 0x0200;

uint64_t run_binary(const char* mnemonic, uint32_t mode, uint64_t a, uint64_t b, uint64_t c = 0, unsigned neg = 0) {
  const opcode_row& row = row_named(mnemonic);
  vector_machine m;
  m.state.mode = mode;
  lanes x;
  const uint64_t values[] = {a, b, c};
  for (unsigned n = 0; n < 3; ++n) {
    x.fill(values[n]);
    m.write(2 + 2 * n, 2, x);
  }
  vop3_fields f;
  f.dst = 10;
  f.neg = neg;
  for (unsigned n = 0; n < source_count(row); ++n) f.src[n] = v(2 + 2 * n);
  m.run(words_vop3(row, f));
  const lanes r = m.read(10, dwords_of(row.dst));
  for (const uint64_t lane : r) EXPECT_EQ(lane, r[0]);
  return r[0];
}

TEST(vector_mode, denormal_bits_of_single_precision) {
  const uint64_t one = bits_of(1.0f), half_of_one = bits_of(0.5f), tiny = 0x00800000, two = bits_of(2.0f);
  for (uint32_t bits = 0; bits < 4; ++bits) {
    const uint32_t mode = 0x3c0 | bits << 4;
    const bool keeps_in = (bits & 1) != 0, keeps_out = (bits & 2) != 0;
    EXPECT_EQ(run_binary("v_mul_f32", mode, denormal32, two), keeps_in ? 0x00800000u : 0u);
    EXPECT_EQ(run_binary("v_mul_f32", mode, tiny, half_of_one), keeps_out ? denormal32 : 0u);
    EXPECT_EQ(run_binary("v_fma_f32", mode, tiny, half_of_one, 0), keeps_out ? denormal32 : 0u);
    EXPECT_EQ(run_binary("v_fma_f32", mode, denormal32, two, 0), keeps_in ? 0x00800000u : 0u);
    // Multiply-add always flushes, minimum and maximum never do.
    EXPECT_EQ(run_binary("v_mad_f32", mode, denormal32, two, 0), 0u);
    EXPECT_EQ(run_binary("v_mad_f32", mode, tiny, half_of_one, 0), 0u);
    EXPECT_EQ(run_binary("v_min_f32", mode, denormal32, one), denormal32);
    EXPECT_EQ(run_binary("v_max_f32", mode, denormal32, 0), denormal32);
    // The other precisions have bits of their own.
    EXPECT_EQ(run_binary("v_mul_f64", mode, denormal64, bits_of(1.0)), denormal64);
    EXPECT_EQ(run_binary("v_mul_f16", mode, denormal16, 0x3c00), denormal16);
  }
}

TEST(vector_mode, denormal_bits_of_double_and_half_precision) {
  for (uint32_t bits = 0; bits < 4; ++bits) {
    const uint32_t mode = 0x330 | bits << 6;
    const bool keeps_in = (bits & 1) != 0, keeps_out = (bits & 2) != 0;
    EXPECT_EQ(run_binary("v_mul_f64", mode, denormal64, bits_of(2.0)), keeps_in ? 0x0010000000000000u : 0u) << bits;
    EXPECT_EQ(run_binary("v_mul_f64", mode, 0x0010000000000000, bits_of(0.5)), keeps_out ? denormal64 : 0u) << bits;
    EXPECT_EQ(run_binary("v_mul_f16", mode, denormal16, 0x4000), keeps_in ? 0x0400u : 0u) << bits;
    EXPECT_EQ(run_binary("v_mul_f16", mode, 0x0400, 0x3800), keeps_out ? denormal16 : 0u) << bits;
    EXPECT_EQ(run_binary("v_mad_f16", mode, 0x0400, 0x3800, 0), 0u) << bits;
    // Minimum and maximum never flush, with modifiers neither.
    EXPECT_EQ(run_binary("v_max_f16", mode, denormal16, 0), denormal16) << bits;
    EXPECT_EQ(run_binary("v_max_f16", mode, 0x8000 | denormal16, 0, 0, 1), denormal16) << bits;
    EXPECT_EQ(run_binary("v_mul_f16", mode, 0x8400, 0x3800, 0, 1), keeps_out ? denormal16 : 0u) << bits;
    EXPECT_EQ(run_binary("v_mul_f32", mode, denormal32, bits_of(1.0f)), denormal32) << bits;
  }
}

TEST(vector_mode, rounding_modes) {
  const int host[] = {FE_TONEAREST, FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO};
  const volatile float a = 1.0f, b = 0x1.8p-24f, minus_a = -1.0f, minus_b = -0x1.8p-24f;
  const volatile double c = 1.0, e = 0x1.8p-53;
  const volatile int whole = 16777219;
  for (uint32_t round = 0; round < 4; ++round) {
    const uint32_t mode = default_mode | round;
    const uint32_t mode64 = default_mode | round << 2;
    std::fesetround(host[round]);
    const volatile float up = a + b, down = minus_a + minus_b, fused = std::fma(a, b, a);
    const volatile float converted = static_cast<float>(whole);
    const volatile double up64 = c + e, down64 = -c - e;
    std::fesetround(FE_TONEAREST);
    EXPECT_EQ(run_binary("v_add_f32", mode, bits_of(1.0f), bits_of(0x1.8p-24f)), bits_of(up)) << round;
    EXPECT_EQ(run_binary("v_add_f32", mode, bits_of(-1.0f), bits_of(-0x1.8p-24f)), bits_of(down)) << round;
    EXPECT_EQ(run_binary("v_mad_f32", mode, bits_of(1.0f), bits_of(1.0f), bits_of(0x1.8p-24f)), bits_of(up)) << round;
    EXPECT_EQ(run_binary("v_fma_f32", mode, bits_of(1.0f), bits_of(0x1.8p-24f), bits_of(1.0f)), bits_of(fused))
        << round;
    EXPECT_EQ(run_binary("v_cvt_f32_i32", mode, 16777219, 0), bits_of(converted)) << round;
    EXPECT_EQ(run_binary("v_add_f64", mode64, bits_of(1.0), bits_of(0x1.8p-53)), bits_of(up64)) << round;
    EXPECT_EQ(run_binary("v_add_f64", mode64, bits_of(-1.0), bits_of(-0x1.8p-53)), bits_of(down64)) << round;
    // Single precision does not look at the other field, nor the other way round.
    EXPECT_EQ(run_binary("v_add_f64", mode, bits_of(1.0), bits_of(0x1.8p-53)), bits_of(1.0 + 0x1.8p-53)) << round;
    EXPECT_EQ(run_binary("v_add_f32", mode64, bits_of(1.0f), bits_of(0x1.8p-24f)), bits_of(1.0f + 0x1.8p-24f)) << round;
    // Whatever the mode: truncation, rounding to even, transcendentals.
    EXPECT_EQ(run_binary("v_cvt_i32_f32", mode, bits_of(-2.7f), 0), 0xfffffffeu) << round;
    EXPECT_EQ(run_binary("v_rndne_f32", mode, bits_of(2.5f), 0), bits_of(2.0f)) << round;
    EXPECT_EQ(run_binary("v_rndne_f64", mode64, bits_of(-3.5), 0), bits_of(-4.0)) << round;
    EXPECT_EQ(run_binary("v_rcp_f32", mode, bits_of(3.0f), 0), bits_of(1.0f / 3.0f)) << round;
  }
  // Half precision: 1 + 2^-11 * 1.5 and the edge of overflow, nearest, up, down, towards zero.
  const uint64_t sums[] = {0x3c01, 0x3c01, 0x3c00, 0x3c00};
  const uint64_t overflows[] = {0x7c00, 0x7c00, 0x7bff, 0x7bff};
  const uint64_t negative_overflows[] = {0xfc00, 0xfbff, 0xfc00, 0xfbff};
  for (uint32_t round = 0; round < 4; ++round) {
    const uint32_t mode = default_mode | round << 2;
    EXPECT_EQ(run_binary("v_add_f16", mode, 0x3c00, 0x1200), sums[round]) << round;
    EXPECT_EQ(run_binary("v_mul_f16", mode, 0x7bff, 0x4000), overflows[round]) << round;
    EXPECT_EQ(run_binary("v_mul_f16", mode, 0xfbff, 0x4000), negative_overflows[round]) << round;
    EXPECT_EQ(run_binary("v_fma_f16", mode, 0x3c00, 0x1200, 0x3c00), sums[round]) << round;
  }
}

TEST(vector_mode, ieee_bit_decides_about_signalling_nans_in_minimum) {
  const uint64_t signalling = 0x7f800001, one = bits_of(1.0f);
  EXPECT_EQ(run_binary("v_min_f32", default_mode, signalling, one), 0x7fc00001u);
  EXPECT_EQ(run_binary("v_max_f32", default_mode, one, signalling), 0x7fc00001u);
  EXPECT_EQ(run_binary("v_min_f32", default_mode & ~0x200u, signalling, one), one);
  EXPECT_EQ(run_binary("v_max_f32", default_mode & ~0x200u, one, signalling), one);
}

TEST(host_fp, scope_restores_what_it_found) {
  const unsigned before = _mm_getcsr();
  {
    const host_fp_scope outer;
    host_fp::want(host_fp::current, host_fp::csr_f32(default_mode));
    EXPECT_EQ(_mm_getcsr() & ~0x3fu, host_fp::nearest_flush);
    {
      const host_fp_scope inner;
      EXPECT_EQ(_mm_getcsr() & ~0x3fu, host_fp::nearest);
      host_fp::want(host_fp::current, host_fp::csr_f64(default_mode | 3u << 2));
      EXPECT_EQ(_mm_getcsr() & 0x6000u, 0x6000u);
    }
    EXPECT_EQ(_mm_getcsr() & ~0x3fu, host_fp::nearest_flush);
    EXPECT_EQ(host_fp::current, host_fp::nearest_flush);
  }
  EXPECT_EQ(_mm_getcsr(), before);
}

}  // namespace

}  // namespace pws::isa::test::vector_mode_test
