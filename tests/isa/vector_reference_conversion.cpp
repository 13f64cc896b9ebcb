// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>

#include "tests/isa/vector_reference.h"

namespace pws::isa::test {

namespace vector_reference_conversion {
namespace {

using in = const lane_input&;

// Truncated and limited to [low, high]; NaN is 0.
uint64_t limited(double x, double low, double high) {
  if (std::isnan(x)) return 0;
  return static_cast<uint64_t>(static_cast<int64_t>(std::clamp(std::trunc(x), low, high)));
}
lane_output to_i32(double x) {
  return {limited(x, -2147483648.0, 2147483647.0) & 0xffffffff, false};
}
lane_output to_u32(double x) {
  return {limited(x, 0.0, 4294967295.0), false};
}
lane_output from(float x) {
  return {bits_of(x), false};
}
float s(in i, int n) {
  return flushed(single(i.src[n]));
}
int32_t s32(uint64_t x) {
  return static_cast<int32_t>(static_cast<uint32_t>(x));
}

uint64_t truncated_half(float x) {
  if (std::isnan(x)) return (bits_of(x) >> 16 & 0x8000) | 0x7e00 | (bits_of(x) >> 13 & 0x3ff);
  const uint64_t sign = std::signbit(x) ? 0x8000 : 0;
  const double m = std::fabs(double{x});
  if (std::isinf(m)) return sign | 0x7c00;
  // The largest half that is not larger, by bisection over the patterns, which are in order.
  uint64_t low = 0, high = 0x7c00;
  while (high - low > 1) {
    const uint64_t middle = (low + high) / 2;
    (half_value(middle) <= m ? low : high) = middle;
  }
  return sign | low;
}
uint64_t normalised(float x, double low, double scale) {
  if (std::isnan(x)) return 0;
  return static_cast<uint64_t>(
             static_cast<int64_t>(std::nearbyint(static_cast<float>(std::clamp(double{x}, low, 1.0) * scale)))) &
         0xffff;
}
lane_output pack_byte(in i, uint64_t old) {
  const uint64_t byte = limited(s(i, 0), 0, 255);
  const uint64_t shift = 8 * (i.src[1] & 3);
  return {((old & ~(uint64_t{0xff} << shift)) | byte << shift) & 0xffffffff, false};
}

}  // namespace
}  // namespace vector_reference_conversion

void add_conversion_references(std::vector<reference>& to) {
  using namespace vector_reference_conversion;
  const auto row = [&to](const char* name, lane_output (*f)(in)) { to.push_back({name, f, accuracy::any_nan}); };
  row("v_cvt_i32_f64", [](in i) { return to_i32(dbl(i.src[0])); });
  row("v_cvt_u32_f64", [](in i) { return to_u32(dbl(i.src[0])); });
  row("v_cvt_i32_f32", [](in i) { return to_i32(s(i, 0)); });
  row("v_cvt_u32_f32", [](in i) { return to_u32(s(i, 0)); });
  row("v_cvt_rpi_i32_f32", [](in i) { return to_i32(std::floor(double{s(i, 0)} + 0.5)); });
  row("v_cvt_flr_i32_f32", [](in i) { return to_i32(std::floor(double{s(i, 0)})); });
  row("v_cvt_f64_i32", [](in i) { return lane_output{bits_of(static_cast<double>(s32(i.src[0]))), false}; });
  row("v_cvt_f64_u32", [](in i) { return lane_output{bits_of(static_cast<double>(i.src[0] & 0xffffffff)), false}; });
  row("v_cvt_f32_i32", [](in i) { return from(static_cast<float>(static_cast<double>(s32(i.src[0])))); });
  row("v_cvt_f32_u32", [](in i) { return from(static_cast<float>(static_cast<double>(i.src[0] & 0xffffffff))); });
  row("v_cvt_f32_f64", [](in i) { return from(flushed(static_cast<float>(dbl(i.src[0])))); });
  row("v_cvt_f64_f32", [](in i) { return lane_output{bits_of(static_cast<double>(s(i, 0))), false}; });
  row("v_cvt_f32_ubyte0", [](in i) { return from(static_cast<float>(i.src[0] & 0xff)); });
  row("v_cvt_f32_ubyte1", [](in i) { return from(static_cast<float>(i.src[0] >> 8 & 0xff)); });
  row("v_cvt_f32_ubyte2", [](in i) { return from(static_cast<float>(i.src[0] >> 16 & 0xff)); });
  row("v_cvt_f32_ubyte3", [](in i) { return from(static_cast<float>(i.src[0] >> 24 & 0xff)); });
  row("v_cvt_off_f32_i4", [](in i) {
    const int nibble = static_cast<int>(i.src[0] & 15);
    return from(static_cast<float>(nibble < 8 ? nibble : nibble - 16) / 16);
  });
  row("v_cvt_f16_f32", [](in i) { return lane_output{half_bits(double{single(i.src[0])}), false}; });
  row("v_cvt_f32_f16", [](in i) { return from(static_cast<float>(half_value(i.src[0]))); });
  row("v_cvt_f16_u16", [](in i) { return lane_output{half_bits(static_cast<double>(i.src[0] & 0xffff)), false}; });
  row("v_cvt_f16_i16", [](in i) {
    return lane_output{half_bits(static_cast<double>(static_cast<int16_t>(i.src[0]))), false};
  });
  row("v_cvt_u16_f16", [](in i) { return lane_output{limited(half_value(i.src[0]), 0, 65535), false}; });
  row("v_cvt_i16_f16", [](in i) { return lane_output{limited(half_value(i.src[0]), -32768, 32767) & 0xffff, false}; });
  row("v_cvt_pkrtz_f16_f32", [](in i) {
    return lane_output{truncated_half(single(i.src[0])) | truncated_half(single(i.src[1])) << 16, false};
  });
  row("v_cvt_pknorm_i16_f32", [](in i) {
    return lane_output{normalised(s(i, 0), -1, 32767) | normalised(s(i, 1), -1, 32767) << 16, false};
  });
  row("v_cvt_pknorm_u16_f32", [](in i) {
    return lane_output{normalised(s(i, 0), 0, 65535) | normalised(s(i, 1), 0, 65535) << 16, false};
  });
  row("v_cvt_pk_u8_f32", [](in i) { return pack_byte(i, i.src[2]); });
  row("v_cvt_pkaccum_u8_f32", [](in i) { return pack_byte(i, i.old); });
}

}  // namespace pws::isa::test
