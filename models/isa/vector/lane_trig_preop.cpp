// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "models/isa/vector/lane_division.h"

namespace pws::isa {

namespace {

// The first 1201 bits of the fraction of 2/pi, most significant first; zeros after them.
constexpr uint64_t two_over_pi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561, 0xb7246e3a424dd2e0,
    0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484, 0xe99c7026b45f7e41, 0x3991d639835339f4,
    0x9c845f8bbdf9283b, 0x1ff897ffde05980f, 0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d,
    0x7527bac7ebe5f17b, 0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b0000,
};
constexpr uint32_t n_words = sizeof two_over_pi / sizeof two_over_pi[0];

uint64_t word(uint32_t k) {
  return k < n_words ? two_over_pi[k] : 0;
}

}  // namespace

double two_over_pi_segment(double x, uint32_t segment) {
  const int exponent = exponent_field(x);
  uint32_t shift = (segment & 31) * 53;
  if (exponent > 1077) shift += static_cast<uint32_t>(exponent - 1077);
  const uint32_t k = shift / 64, within = shift % 64;
  const uint64_t window = within == 0 ? word(k) : word(k) << within | word(k + 1) >> (64 - within);
  int scale = -53 - static_cast<int>(shift);
  if (exponent >= 1968) scale += 128;
  return scale_by_power(static_cast<double>(window >> 11), scale);
}

}  // namespace pws::isa
