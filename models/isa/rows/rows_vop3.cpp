// SPDX-License-Identifier: Apache-2.0
// VOP3: the instructions that have no shorter form. (GCN3 ISA, chapter 12, "VOP3 Instructions")
#include <cmath>

#include "models/isa/vector/lane_bits.h"
#include "models/isa/vector/lane_division.h"
#include "models/isa/vector/lane_float.h"
#include "models/isa/vector/vector_executor.h"

namespace pws::isa {

namespace {

uint32_t pack(uint16_t low, uint16_t high) {
  return low | uint32_t{high} << 16;
}

// Normalised: [-1, 1] to [-32767, 32767] and [0, 1] to [0, 65535], to nearest even; NaN is 0.
uint16_t normalised_i16(float x) {
  return static_cast<uint16_t>(saturating<int32_t>(round_even(clamp_float(x, -1.0f) * 32767.0f)));
}
uint16_t normalised_u16(float x) {
  return static_cast<uint16_t>(saturating<int32_t>(round_even(clamp_float(x, 0.0f) * 65535.0f)));
}

// Saturation to 16 bits.
uint16_t narrow(uint32_t x) {
  return static_cast<uint16_t>(smaller<uint32_t>(x, 0xffff));
}
uint16_t narrow(int32_t x) {
  return static_cast<uint16_t>(larger(smaller(x, 32767), -32768));
}

// The sum of products of halves needs up to 40 bits: exact enough in double.
half fused(half a, half b, half c) {
  return half(static_cast<double>(a) * static_cast<double>(b) + static_cast<double>(c));
}

uint64_t multiply_add(uint32_t a, uint32_t b, uint64_t c) {
  return uint64_t{a} * b + c;
}

// Lanes below this one, in the low and in the high half of the wavefront.
uint32_t lanes_below_low(uint32_t lane) {
  return lane >= 32 ? ~uint32_t{0} : low_mask<uint32_t>(lane);
}
uint32_t lanes_below_high(uint32_t lane) {
  return lane < 32 ? 0 : low_mask<uint32_t>(lane - 32);
}

// Distances of four bytes from a sliding window over eight, added to the four halves of c, which wrap around.
template <auto Distance>
uint64_t quad_distances(uint64_t a, uint32_t b, uint64_t c) {
  uint64_t r = 0;
  for (unsigned n = 0; n < 4; ++n) {
    const auto sum = static_cast<uint32_t>(c >> (16 * n)) + Distance(static_cast<uint32_t>(a >> (8 * n)), b);
    r |= uint64_t{static_cast<uint16_t>(sum)} << (16 * n);
  }
  return r;
}

// The major axis of a cube map's direction: z before y before x where equal. (GCN3 ISA, V_CUBEID_F32 and following)
float cube_choice(float x, float y, float z, float if_x, float if_y, float if_z) {
  const float ax = std::fabs(x), ay = std::fabs(y), az = std::fabs(z);
  const float xy = ay >= ax ? if_y : if_x;
  return both(az >= ax, az >= ay) ? if_z : xy;
}
float cube_axis(float x, float y, float z) {
  return cube_choice(x, y, z, x, y, z);
}
float cube_face(float x, float y, float z) {
  return cube_choice(x, y, z, x < 0.0f ? 1.0f : 0.0f, y < 0.0f ? 3.0f : 2.0f, z < 0.0f ? 5.0f : 4.0f);
}
float cube_s(float x, float y, float z) {
  return cube_choice(x, y, z, x < 0.0f ? z : -z, x, z < 0.0f ? -x : x);
}
float cube_t(float x, float y, float z) {
  return cube_choice(x, y, z, -y, y < 0.0f ? -z : z, -y);
}

// Puts the converted byte at position `n` of `old`.
uint32_t pack_byte(float x, uint32_t n, uint32_t old) {
  const uint32_t shift = 8 * (n & 3);
  const uint32_t byte = smaller<uint32_t>(saturating<uint32_t>(x), 255);
  return (old & ~(uint32_t{0xff} << shift)) | byte << shift;
}

}  // namespace

std::vector<opcode_row> vop3_rows() {
  using o = operation;
  using t = data_type;
  using namespace row_option;
  return {
      // Multiply-add: v_mad rounds the product and flushes denormals, v_fma does neither.
      vop3<flush>(0x1c0, "v_mad_legacy_f32", [](float a, float b, float c) { return multiply_legacy(a, b) + c; }),
      vop3<flush>(0x1c1, "v_mad_f32", {o::multiply_add, t::f32}, [](float a, float b, float c) { return a * b + c; }),
      vector_integer<o::multiply_add, t::i24>(format::vop3, 0x1c2, "v_mad_i32_i24"),
      vector_integer<o::multiply_add, t::u24>(format::vop3, 0x1c3, "v_mad_u32_u24"),
      vop3(0x1cb, "v_fma_f32", [](float a, float b, float c) { return std::fma(a, b, c); }),
      vop3(0x1cc, "v_fma_f64", [](double a, double b, double c) { return std::fma(a, b, c); }),
      vop3<half_rate>(0x1e8, "v_mad_u64_u32", {o::multiply_add, t::u32},
                      [](uint32_t a, uint32_t b, uint64_t c) {
                        const uint64_t r = multiply_add(a, b, c);
                        return with_flag<uint64_t>{r, r < c};
                      }),
      // The flag is the sum's overflow as a signed number.
      vop3<half_rate>(0x1e9, "v_mad_i64_i32", {o::multiply_add, t::i32},
                      [](int32_t a, int32_t b, int64_t c) {
                        const int64_t product = int64_t{a} * b;
                        const auto r = static_cast<int64_t>(static_cast<uint64_t>(product) + static_cast<uint64_t>(c));
                        return with_flag<int64_t>{r, ((product ^ r) & (c ^ r)) < 0};
                      }),
      vop3(0x1ea, "v_mad_f16", {o::multiply_add, t::f16},
           [](half a, half b, half c) { return multiply_add_flushed(a, b, c); }),
      vector_integer<o::multiply_add, t::u16>(format::vop3, 0x1eb, "v_mad_u16"),
      vector_integer<o::multiply_add, t::i16>(format::vop3, 0x1ec, "v_mad_i16"),
      vop3(0x1ee, "v_fma_f16", [](half a, half b, half c) { return fused(a, b, c); }),

      // Bit fields.
      vector_integer<o::bit_field_extract, t::u32>(format::vop3, 0x1c8, "v_bfe_u32"),
      vector_integer<o::bit_field_extract, t::i32>(format::vop3, 0x1c9, "v_bfe_i32"),
      vector_integer<o::bit_field_insert, t::b32>(format::vop3, 0x1ca, "v_bfi_b32"),
      vop3(0x1ce, "v_alignbit_b32", {o::align_bits, t::b32},
           [](uint32_t a, uint32_t b, uint32_t n) { return funnel_right(a, b, n & 31); }),
      vop3(0x1cf, "v_alignbyte_b32", {o::align_bytes, t::b32},
           [](uint32_t a, uint32_t b, uint32_t n) { return funnel_right(a, b, 8 * (n & 3)); }),
      vop3(0x1ed, "v_perm_b32", {o::permute_bytes, t::b32},
           [](uint32_t a, uint32_t b, uint32_t selectors) { return permute_bytes(a, b, selectors); }),
      vop3(0x293, "v_bfm_b32",
           [](uint32_t width, uint32_t offset) { return low_mask<uint32_t>(width & 31) << (offset & 31); }),
      vop3(0x28b, "v_bcnt_u32_b32", [](uint32_t x, uint32_t base) { return count_bits(x) + base; }),
      vop3(0x28c, "v_mbcnt_lo_u32_b32", {o::count_lanes_below, t::b32},
           [](uint32_t mask, uint32_t base, lane_index l) {
             return count_bits(mask & lanes_below_low(l.value)) + base;
           }),
      vop3(0x28d, "v_mbcnt_hi_u32_b32", {o::count_lanes_below, t::b32},
           [](uint32_t mask, uint32_t base, lane_index l) {
             return count_bits(mask & lanes_below_high(l.value)) + base;
           }),

      // Minimum, maximum and median of three.
      vop3<bitwise>(0x1d0, "v_min3_f32", {o::minimum3, t::f32},
                    [](float a, float b, float c, fp_mode m) { return min_of(min_of(a, b, m), c, m); }),
      vector_integer<o::minimum3, t::i32>(format::vop3, 0x1d1, "v_min3_i32"),
      vector_integer<o::minimum3, t::u32>(format::vop3, 0x1d2, "v_min3_u32"),
      vop3<bitwise>(0x1d3, "v_max3_f32", {o::maximum3, t::f32},
                    [](float a, float b, float c, fp_mode m) { return max_of(max_of(a, b, m), c, m); }),
      vector_integer<o::maximum3, t::i32>(format::vop3, 0x1d4, "v_max3_i32"),
      vector_integer<o::maximum3, t::u32>(format::vop3, 0x1d5, "v_max3_u32"),
      vop3<bitwise>(0x1d6, "v_med3_f32", {o::median3, t::f32},
                    [](float a, float b, float c, fp_mode m) { return median_of(a, b, c, m); }),
      vector_integer<o::median3, t::i32>(format::vop3, 0x1d7, "v_med3_i32"),
      vector_integer<o::median3, t::u32>(format::vop3, 0x1d8, "v_med3_u32"),

      // Bytes and words.
      vop3(0x1cd, "v_lerp_u8", [](uint32_t a, uint32_t b, uint32_t round) { return average_bytes(a, b, round); }),
      vop3(0x1d9, "v_sad_u8", [](uint32_t a, uint32_t b, uint32_t c) { return byte_distances(a, b) + c; }),
      vop3(0x1da, "v_sad_hi_u8", [](uint32_t a, uint32_t b, uint32_t c) { return (byte_distances(a, b) << 16) + c; }),
      vop3(0x1db, "v_sad_u16",
           [](uint32_t a, uint32_t b, uint32_t c) {
             return distance(a & 0xffff, b & 0xffff) + distance(a >> 16, b >> 16) + c;
           }),
      vop3(0x1dc, "v_sad_u32", [](uint32_t a, uint32_t b, uint32_t c) { return distance(a, b) + c; }),
      vop3(0x1dd, "v_cvt_pk_u8_f32", [](float x, uint32_t n, uint32_t old) { return pack_byte(x, n, old); }),
      vop3(0x1e4, "v_msad_u8", [](uint32_t a, uint32_t b, uint32_t c) { return masked_byte_distances(a, b) + c; }),

      vop3<half_rate>(0x1e5, "v_qsad_pk_u16_u8",
                      [](uint64_t a, uint32_t b, uint64_t c) { return quad_distances<byte_distances>(a, b, c); }),
      vop3<half_rate>(
          0x1e6, "v_mqsad_pk_u16_u8",
          [](uint64_t a, uint32_t b, uint64_t c) { return quad_distances<masked_byte_distances>(a, b, c); }),

      // Cube maps: face, coordinates on it, twice the major axis.
      vop3(0x1c4, "v_cubeid_f32", [](float x, float y, float z) { return cube_face(x, y, z); }),
      vop3(0x1c5, "v_cubesc_f32", [](float x, float y, float z) { return cube_s(x, y, z); }),
      vop3(0x1c6, "v_cubetc_f32", [](float x, float y, float z) { return cube_t(x, y, z); }),
      vop3(0x1c7, "v_cubema_f32", [](float x, float y, float z) { return cube_axis(x, y, z) * 2.0f; }),

      // Division.
      vop3<own_nan>(0x1de, "v_div_fixup_f32", {o::divide_fixup, t::f32},
                    [](float q, float d, float n) { return divide_fixup(q, d, n); }),
      vop3<own_nan>(0x1df, "v_div_fixup_f64", {o::divide_fixup, t::f64},
                    [](double q, double d, double n) { return divide_fixup(q, d, n); }),
      vop3(0x1e0, "v_div_scale_f32", {o::divide_scale, t::f32},
           [](float x, float d, float n) { return divide_scale(x, d, n); }),
      vop3(0x1e1, "v_div_scale_f64", {o::divide_scale, t::f64},
           [](double x, double d, double n) { return divide_scale(x, d, n); }),
      vop3<implicit_vcc>(0x1e2, "v_div_fmas_f32", {o::divide_fmas, t::f32},
                         [](float a, float b, float c, lane_flag f, fp_mode m) {
                           return divide_fma(a, b, c, f.bit != 0, (m.bits & 3) == 0);
                         }),
      vop3<implicit_vcc>(0x1e3, "v_div_fmas_f64", {o::divide_fmas, t::f64},
                         [](double a, double b, double c, lane_flag f, fp_mode m) {
                           return divide_fma(a, b, c, f.bit != 0, (m.bits & 12) == 0);
                         }),
      vop3<own_nan>(0x1ef, "v_div_fixup_f16", {o::divide_fixup, t::f16},
                    [](half q, half d, half n) { return divide_fixup(q, d, n); }),

      // Double precision.
      vop3(0x280, "v_add_f64", {o::add, t::f64}, [](double a, double b) { return a + b; }),
      vop3(0x281, "v_mul_f64", {o::multiply, t::f64}, [](double a, double b) { return a * b; }),
      vop3<bitwise>(0x282, "v_min_f64", {o::minimum, t::f64},
                    [](double a, double b, fp_mode m) { return min_of(a, b, m); }),
      vop3<bitwise>(0x283, "v_max_f64", {o::maximum, t::f64},
                    [](double a, double b, fp_mode m) { return max_of(a, b, m); }),
      vop3(0x284, "v_ldexp_f64", [](double x, int32_t n) { return scale_by_power(x, n); }),
      vop3<sparse>(0x292, "v_trig_preop_f64",
                   [](double x, uint32_t segment) { return two_over_pi_segment(x, segment); }),

      // 32- and 64-bit integers.
      vector_integer<o::multiply, t::u32, half_rate>(format::vop3, 0x285, "v_mul_lo_u32"),
      vector_integer<o::multiply_high, t::u32, half_rate>(format::vop3, 0x286, "v_mul_hi_u32"),
      vector_integer<o::multiply_high, t::i32, half_rate>(format::vop3, 0x287, "v_mul_hi_i32"),
      vector_integer<o::shift_left, t::b64, half_rate>(format::vop3, 0x28f, "v_lshlrev_b64"),
      vector_integer<o::shift_right, t::b64, half_rate>(format::vop3, 0x290, "v_lshrrev_b64"),
      vector_integer<o::shift_right, t::i64, half_rate>(format::vop3, 0x291, "v_ashrrev_i64"),

      // Scaling and packing.
      vop3(0x288, "v_ldexp_f32", [](float x, int32_t n) { return scale_by_power(x, n); }),
      vop3(0x294, "v_cvt_pknorm_i16_f32", [](float a, float b) { return pack(normalised_i16(a), normalised_i16(b)); }),
      vop3(0x295, "v_cvt_pknorm_u16_f32", [](float a, float b) { return pack(normalised_u16(a), normalised_u16(b)); }),
      vop3(0x296, "v_cvt_pkrtz_f16_f32", {o::convert_two, t::f32},
           [](float a, float b) { return pack(truncate_to_half(a), truncate_to_half(b)); }),
      vop3(0x297, "v_cvt_pk_u16_u32", [](uint32_t a, uint32_t b) { return pack(narrow(a), narrow(b)); }),
      vop3(0x298, "v_cvt_pk_i16_i32", [](int32_t a, int32_t b) { return pack(narrow(a), narrow(b)); }),
      vop3<reads_dst>(0x1f0, "v_cvt_pkaccum_u8_f32",
                      [](float x, uint32_t n, uint32_t old) { return pack_byte(x, n, old); }),
  };
}

}  // namespace pws::isa
