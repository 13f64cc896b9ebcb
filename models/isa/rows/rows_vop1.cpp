// SPDX-License-Identifier: Apache-2.0
// VOP1: one source. (GCN3 ISA, chapter 12, "VOP1 Instructions")
#include <cmath>

#include "models/isa/integer.h"
#include "models/isa/vector/lane_bits.h"
#include "models/isa/vector/lane_float.h"
#include "models/isa/vector/lane_transcendental.h"
#include "models/isa/vector/vector_executor.h"

namespace pws::isa {

std::vector<opcode_row> vop1_rows() {
  using o = operation;
  using t = data_type;
  using namespace row_option;
  const auto exp2_f32 = [](float x) { return exp2_lane(x); };
  const auto log2_f32 = [](float x) { return log2_lane(x); };
  const auto reciprocal = [](float x) { return 1.0f / x; };
  return {
      vector_integer<o::move, t::b32>(format::vop1, 0x01, "v_mov_b32"),

      // Conversions. To integers: truncating, saturating, NaN is 0.
      vop1<bitwise>(0x03, "v_cvt_i32_f64", {o::convert, t::f64}, [](double x) { return saturating<int32_t>(x); }),
      vop1<bitwise>(0x04, "v_cvt_f64_i32", {o::convert, t::i32}, [](int32_t x) { return static_cast<double>(x); }),
      vop1(0x05, "v_cvt_f32_i32", {o::convert, t::i32}, [](int32_t x) { return static_cast<float>(x); }),
      vop1(0x06, "v_cvt_f32_u32", {o::convert, t::u32}, [](uint32_t x) { return static_cast<float>(x); }),
      vop1<bitwise>(0x07, "v_cvt_u32_f32", {o::convert, t::f32}, [](float x) { return saturating<uint32_t>(x); }),
      vop1<bitwise>(0x08, "v_cvt_i32_f32", {o::convert, t::f32}, [](float x) { return saturating<int32_t>(x); }),
      vop1(0x0a, "v_cvt_f16_f32", {o::convert, t::f32}, [](float x) { return half(x); }),
      vop1(0x0b, "v_cvt_f32_f16", {o::convert, t::f16}, [](half x) { return quieted(static_cast<float>(x)); }),
      vop1(0x0c, "v_cvt_rpi_i32_f32",
           [](float x) { return saturating<int32_t>(whole_below(static_cast<double>(x) + 0.5)); }),
      vop1(0x0d, "v_cvt_flr_i32_f32", [](float x) { return saturating<int32_t>(whole_below(x)); }),
      vop1<bitwise>(0x0e, "v_cvt_off_f32_i4",
                    [](uint32_t x) { return static_cast<float>(static_cast<int32_t>(x << 28) >> 28) * 0.0625f; }),
      vop1<as_f32>(0x0f, "v_cvt_f32_f64", {o::convert, t::f64}, [](double x) { return static_cast<float>(x); }),
      vop1<as_f32>(0x10, "v_cvt_f64_f32", {o::convert, t::f32}, [](float x) { return static_cast<double>(x); }),
      vop1<bitwise>(0x11, "v_cvt_f32_ubyte0", {o::convert_byte, t::u8},
                    [](uint32_t x) { return static_cast<float>(static_cast<int32_t>(x & 0xff)); }),
      vop1<bitwise>(0x12, "v_cvt_f32_ubyte1", {o::convert_byte, t::u8},
                    [](uint32_t x) { return static_cast<float>(static_cast<int32_t>(x >> 8 & 0xff)); }),
      vop1<bitwise>(0x13, "v_cvt_f32_ubyte2", {o::convert_byte, t::u8},
                    [](uint32_t x) { return static_cast<float>(static_cast<int32_t>(x >> 16 & 0xff)); }),
      vop1<bitwise>(0x14, "v_cvt_f32_ubyte3", {o::convert_byte, t::u8},
                    [](uint32_t x) { return static_cast<float>(static_cast<int32_t>(x >> 24)); }),
      vop1<bitwise>(0x15, "v_cvt_u32_f64", {o::convert, t::f64}, [](double x) { return saturating<uint32_t>(x); }),
      vop1<bitwise>(0x16, "v_cvt_f64_u32", {o::convert, t::u32}, [](uint32_t x) { return static_cast<double>(x); }),

      // Rounding to whole numbers.
      vop1(0x17, "v_trunc_f64", [](double x) { return truncated(x); }),
      vop1(0x18, "v_ceil_f64", [](double x) { return whole_above(x); }),
      vop1(0x19, "v_rndne_f64", [](double x) { return round_even(x); }),
      vop1(0x1a, "v_floor_f64", [](double x) { return whole_below(x); }),
      vop1(0x1b, "v_fract_f32", [](float x) { return fraction(x); }),
      vop1(0x1c, "v_trunc_f32", [](float x) { return truncated(x); }),
      vop1(0x1d, "v_ceil_f32", [](float x) { return whole_above(x); }),
      vop1(0x1e, "v_rndne_f32", [](float x) { return round_even(x); }),
      vop1(0x1f, "v_floor_f32", [](float x) { return whole_below(x); }),

      // Transcendentals. Single and half precision: at most 0.54 units in the last place for exp, log, sin and cos,
      // correctly rounded for rcp, sqrt and rsq; the ISA promises 1. Double precision: rcp and sqrt correctly rounded,
      // rsq below 1.5; the ISA promises far less.
      vop1<transcendental>(0x20, "v_exp_f32", exp2_f32),
      vop1<transcendental>(0x21, "v_log_f32", log2_f32),
      vop1<transcendental>(0x22, "v_rcp_f32", {o::reciprocal, t::f32}, reciprocal),
      vop1<transcendental>(0x23, "v_rcp_iflag_f32", {o::reciprocal_of_integer, t::f32}, reciprocal),
      vop1<transcendental>(0x24, "v_rsq_f32",
                           [](float x) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x))); }),
      vop1<transcendental>(0x25, "v_rcp_f64", {o::reciprocal, t::f64}, [](double x) { return 1.0 / x; }),
      vop1<transcendental>(0x26, "v_rsq_f64", [](double x) { return 1.0 / std::sqrt(x); }),
      vop1<transcendental>(0x27, "v_sqrt_f32", [](float x) { return std::sqrt(x); }),
      vop1<transcendental>(0x28, "v_sqrt_f64", [](double x) { return std::sqrt(x); }),
      vop1<transcendental>(0x29, "v_sin_f32", [](float x) { return sin_turns_lane(x); }),
      vop1<transcendental>(0x2a, "v_cos_f32", [](float x) { return cos_turns_lane(x); }),

      // Bits.
      vector_integer<o::bit_not, t::b32>(format::vop1, 0x2b, "v_not_b32"),
      vop1(0x2c, "v_bfrev_b32", {o::bit_reverse, t::b32}, [](uint32_t x) { return reverse_bits(x); }),
      vop1(0x2d, "v_ffbh_u32", [](uint32_t x) { return first_bit_high(x); }),
      vop1(0x2e, "v_ffbl_b32", [](uint32_t x) { return first_bit_low(x); }),
      vop1(0x2f, "v_ffbh_i32", [](int32_t x) { return first_bit_high(static_cast<uint32_t>(x ^ (x >> 31))); }),

      // Exponent and mantissa.
      vop1(0x30, "v_frexp_exp_i32_f64", [](double x) { return frexp_exponent(x); }),
      vop1(0x31, "v_frexp_mant_f64", [](double x) { return frexp_mantissa(x); }),
      vop1(0x32, "v_fract_f64", [](double x) { return fraction(x); }),
      vop1(0x33, "v_frexp_exp_i32_f32", [](float x) { return frexp_exponent(x); }),
      vop1(0x34, "v_frexp_mant_f32", [](float x) { return frexp_mantissa(x); }),

      // Half precision.
      vop1(0x39, "v_cvt_f16_u16", {o::convert, t::u16}, [](uint16_t x) { return half(static_cast<float>(x)); }),
      vop1(0x3a, "v_cvt_f16_i16", {o::convert, t::i16}, [](int16_t x) { return half(static_cast<float>(x)); }),
      vop1(0x3b, "v_cvt_u16_f16", {o::convert, t::f16},
           [](half x) { return saturating<uint16_t>(static_cast<float>(x)); }),
      vop1(0x3c, "v_cvt_i16_f16", {o::convert, t::f16},
           [](half x) { return saturating<int16_t>(static_cast<float>(x)); }),
      vop1<transcendental>(0x3d, "v_rcp_f16", {o::reciprocal, t::f16}, [](half x) { return half(1.0f / x); }),
      vop1<transcendental>(0x3e, "v_sqrt_f16", [](half x) { return half(std::sqrt(static_cast<float>(x))); }),
      vop1<transcendental>(0x3f, "v_rsq_f16", [](half x) { return half(1.0f / std::sqrt(static_cast<float>(x))); }),
      vop1<transcendental>(0x40, "v_log_f16", [](half x) { return half(log2_lane(x)); }),
      vop1<transcendental>(0x41, "v_exp_f16", [](half x) { return half(exp2_lane(x)); }),
      vop1(0x42, "v_frexp_mant_f16", [](half x) { return half(frexp_mantissa(static_cast<float>(x))); }),
      vop1(0x43, "v_frexp_exp_i16_f16",
           [](half x) { return static_cast<int16_t>(frexp_exponent(static_cast<float>(x))); }),
      vop1(0x44, "v_floor_f16", [](half x) { return half(whole_below(static_cast<float>(x))); }),
      vop1(0x45, "v_ceil_f16", [](half x) { return half(whole_above(static_cast<float>(x))); }),
      vop1(0x46, "v_trunc_f16", [](half x) { return half(truncated(static_cast<float>(x))); }),
      vop1(0x47, "v_rndne_f16", [](half x) { return half(round_even(static_cast<float>(x))); }),
      vop1(0x48, "v_fract_f16", [](half x) { return half_fraction(x); }),
      vop1<transcendental>(0x49, "v_sin_f16", [](half x) { return half(sin_turns_lane(x)); }),
      vop1<transcendental>(0x4a, "v_cos_f16", [](half x) { return half(cos_turns_lane(x)); }),

      vop1<transcendental>(0x4b, "v_exp_legacy_f32", exp2_f32),
      vop1<transcendental>(0x4c, "v_log_legacy_f32", log2_f32),
  };
}

}  // namespace pws::isa
