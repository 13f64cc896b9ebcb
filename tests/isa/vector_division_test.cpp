// SPDX-License-Identifier: Apache-2.0
// Division as compiled code does it: scale, reciprocal, Newton steps, fmas, fixup. The whole must equal the host's
// correctly rounded division. And the argument reduction step v_trig_preop_f64.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/isa/vector_machine.h"
#include "tests/isa/vector_reference.h"

namespace pws::isa::test::vector_division_test {

namespace {

class division : public ::testing::Test {
 protected:
  // Registers: numerator 0, denominator 2, then temporaries; pairs in double precision.
  void vop3(const char* mnemonic, unsigned dst, std::vector<unsigned> src, unsigned neg = 0,
            unsigned sdst = vcc_field) {
    vop3_fields f;
    f.dst = dst;
    f.sdst = sdst;
    f.neg = neg;
    for (size_t n = 0; n < src.size(); ++n) f.src[n] = src[n];
    machine_.run(words_vop3(row_named(mnemonic), f));
  }
  // The sequence of clang for gfx803: denormals are on for the steps between scale and fmas.
  lanes divide32(const lanes& n, const lanes& d, bool keep_denormals) {
    machine_.write(0, 1, n);
    machine_.write(2, 1, d);
    const uint32_t mode = keep_denormals ? 0x3f0 : 0x3c0;
    machine_.state.mode = mode;
    vop3("v_div_scale_f32", 4, {v(2), v(2), v(0)}, 0, 40);
    vop3("v_div_scale_f32", 6, {v(0), v(2), v(0)});
    vop3("v_rcp_f32", 8, {v(4)});
    machine_.state.mode = 0x3f0;
    vop3("v_fma_f32", 10, {v(4), v(8), 242}, 1);
    vop3("v_fma_f32", 8, {v(10), v(8), v(8)});
    vop3("v_mul_f32", 10, {v(6), v(8)});
    vop3("v_fma_f32", 12, {v(4), v(10), v(6)}, 1);
    vop3("v_fma_f32", 10, {v(12), v(8), v(10)});
    vop3("v_fma_f32", 4, {v(4), v(10), v(6)}, 1);
    machine_.state.mode = mode;
    vop3("v_div_fmas_f32", 4, {v(4), v(8), v(10)});
    vop3("v_div_fixup_f32", 4, {v(4), v(2), v(0)});
    return machine_.read(4, 1);
  }
  lanes divide64(const lanes& n, const lanes& d) {
    machine_.write(0, 2, n);
    machine_.write(2, 2, d);
    machine_.state.mode = default_mode;
    vop3("v_div_scale_f64", 4, {v(2), v(2), v(0)}, 0, 40);
    vop3("v_rcp_f64", 6, {v(4)});
    vop3("v_fma_f64", 8, {v(4), v(6), 242}, 1);
    vop3("v_fma_f64", 6, {v(6), v(8), v(6)});
    vop3("v_fma_f64", 8, {v(4), v(6), 242}, 1);
    vop3("v_fma_f64", 6, {v(6), v(8), v(6)});
    vop3("v_div_scale_f64", 10, {v(0), v(2), v(0)});
    vop3("v_mul_f64", 8, {v(10), v(6)});
    vop3("v_fma_f64", 4, {v(4), v(8), v(10)}, 1);
    vop3("v_div_fmas_f64", 4, {v(4), v(6), v(8)});
    vop3("v_div_fixup_f64", 4, {v(4), v(2), v(0)});
    return machine_.read(4, 2);
  }
  vector_machine machine_;
};

uint64_t pick(const std::vector<uint64_t>& edges, uint64_t n, uint64_t mask) {
  const uint64_t choice = random_value(n);
  return choice % 4 == 0 ? edges[(choice >> 8) % edges.size()] : random_value(n + 0x10000000) & mask;
}

TEST_F(division, single_precision_is_correctly_rounded) {
  for (const bool keep : {false, true})
    for (uint64_t round = 0; round < 2000; ++round) {
      lanes n, d;
      for (unsigned l = 0; l < wave_size; ++l) {
        n[l] = pick(edge_values(type::f32), 2 * (round * 64 + l), 0xffffffff);
        d[l] = pick(edge_values(type::f32), 2 * (round * 64 + l) + 1, 0xffffffff);
      }
      const lanes q = divide32(n, d, keep);
      for (unsigned l = 0; l < wave_size; ++l) {
        const float x = keep ? single(n[l]) : flushed(single(n[l])), y = keep ? single(d[l]) : flushed(single(d[l]));
        const float want = x / y, got = single(q[l]);
        if (std::isnan(want)) {
          ASSERT_TRUE(std::isnan(got)) << x << " / " << y;
        } else if (std::fabs(want) >= 0x1p-125f || want == 0) {
          ASSERT_EQ(q[l], bits_of(want)) << std::hexfloat << x << " / " << y << " = " << got << " not " << want;
        } else if (keep) {  // denormal quotients are rounded twice: within one unit in the last place
          ASSERT_LE(std::fabs(double{got} - want), 0x1p-149) << std::hexfloat << x << " / " << y;
        } else {
          ASSERT_LE(std::fabs(got), 0x1p-125f) << std::hexfloat << x << " / " << y;
        }
      }
    }
}

TEST_F(division, double_precision_is_correctly_rounded) {
  for (uint64_t round = 0; round < 3000; ++round) {
    lanes n, d;
    for (unsigned l = 0; l < wave_size; ++l) {
      n[l] = pick(edge_values(type::f64), 2 * (round * 64 + l), everyone);
      d[l] = pick(edge_values(type::f64), 2 * (round * 64 + l) + 1, everyone);
    }
    const lanes q = divide64(n, d);
    for (unsigned l = 0; l < wave_size; ++l) {
      const double want = dbl(n[l]) / dbl(d[l]), got = dbl(q[l]);
      if (std::isnan(want))
        ASSERT_TRUE(std::isnan(got)) << dbl(n[l]) << " / " << dbl(d[l]);
      else if (std::fabs(want) >= 0x1p-1021 || want == 0)
        ASSERT_EQ(q[l], bits_of(want)) << std::hexfloat << dbl(n[l]) << " / " << dbl(d[l]) << " = " << got;
      else
        ASSERT_LE(std::fabs(got - want), 0x1p-1074) << std::hexfloat << dbl(n[l]) << " / " << dbl(d[l]);
    }
  }
}

TEST_F(division, neighbouring_magnitudes) {
  // Mantissas close to each other and to powers of two, where a wrong last step shows.
  for (uint64_t round = 0; round < 500; ++round) {
    lanes n, d;
    for (unsigned l = 0; l < wave_size; ++l) {
      n[l] = 0x3f800000 + (random_value(round * 64 + l) & 0xff) - 0x80;
      d[l] = 0x3f800000 + (random_value(round * 64 + l + 1000000) & 0xffffff);
    }
    const lanes q = divide32(n, d, false);
    for (unsigned l = 0; l < wave_size; ++l) ASSERT_EQ(q[l], bits_of(single(n[l]) / single(d[l])));
  }
}

TEST_F(division, scale_flags_follow_exec) {
  machine_.state.set_scalar64(exec_lo, 0x00ff00ff00ff00ff);
  machine_.state.set_scalar64(vcc_lo, everyone);
  lanes huge, tiny;
  huge.fill(bits_of(0x1p100f));
  tiny.fill(bits_of(0x1p-20f));
  machine_.write(0, 1, huge);
  machine_.write(2, 1, tiny);
  vop3("v_div_scale_f32", 4, {v(2), v(2), v(0)});
  EXPECT_EQ(machine_.state.vcc(), 0x00ff00ff00ff00ffu);
  EXPECT_EQ(machine_.read(4, 1)[0], bits_of(0x1p44f));
  EXPECT_EQ(machine_.read(4, 1)[8], 0u);
}

// x * 2/pi modulo 8, from three segments, against the same in long double where that is exact enough.
TEST_F(division, trig_preop_gives_the_bits_of_two_over_pi) {
  const double values[] = {1.0, 2.5, 1000.0, 0x1p30, 0x1.23456789abcdep+52};
  for (const double x : values) {
    lanes in;
    in.fill(bits_of(x));
    machine_.write(0, 2, in);
    long double sum = 0;
    for (unsigned segment = 0; segment < 3; ++segment) {
      vop3("v_trig_preop_f64", 4, {v(0), integer_field(static_cast<int>(segment))});
      const double part = dbl(machine_.read(4, 2)[63]);
      EXPECT_LT(part, std::ldexp(1.0, -53 * static_cast<int>(segment)));
      sum += part;
    }
    EXPECT_LT(std::fabs(sum - 0.636619772367581343075535053490057448L), 1e-18L) << x;
  }
  // Above 2^54 the leading bits, which contribute whole turns only, are left out: what remains of 1e22 * 2/pi has the
  // fraction that a thousand digits of 2/pi give.
  lanes in;
  in.fill(bits_of(1e22));
  machine_.write(0, 2, in);
  double part[3];
  for (unsigned segment = 0; segment < 3; ++segment) {
    vop3("v_trig_preop_f64", 4, {v(0), integer_field(static_cast<int>(segment))});
    part[segment] = dbl(machine_.read(4, 2)[0]);
  }
  // Quarters of a turn modulo 4, product by product without losing the low bits.
  double turns = 0;
  for (const double p : part) {
    const double high = 1e22 * p, low = std::fma(1e22, p, -high);
    turns = std::fmod(std::fmod(high, 4.0) + std::fmod(low, 4.0) + turns, 4.0);
  }
  EXPECT_NEAR(std::sin(turns * 1.57079632679489661923), -0.8522008497671888, 1e-9);
}

}  // namespace

}  // namespace pws::isa::test::vector_division_test
