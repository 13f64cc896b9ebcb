// SPDX-License-Identifier: Apache-2.0
#include "models/isa/memory/image_taps.h"

#include <algorithm>
#include <cmath>

namespace pws::isa {

namespace {

using clamping = image_sampler::clamp;

constexpr double furthest_texel = 1 << 20;

int64_t modulo(int64_t n, int64_t size) {
  const int64_t m = n % size;
  return m < 0 ? m + size : m;
}

bool mirrors_once(clamping m) {
  return m == clamping::mirror_once_last_texel || m == clamping::mirror_once_half_border ||
         m == clamping::mirror_once_border;
}
bool is_half_border(clamping m) {
  return m == clamping::half_border || m == clamping::mirror_once_half_border;
}

}  // namespace

double sampled_axis::in_texels(float coordinate) const {
  const double n = size;
  double u = unnormalized ? coordinate : static_cast<double>(coordinate) * n;
  if (mode == clamping::wrap) u -= std::floor(u / n) * n;
  if (mode == clamping::mirror) u -= std::floor(u / (2 * n)) * (2 * n);
  if (std::isnan(u)) return 0;  // so is what infinity wraps to
  if (mirrors_once(mode)) u = std::fabs(u);
  if (is_half_border(mode)) u = std::clamp(u, 0.0, n);
  return std::clamp(u, -furthest_texel, furthest_texel);
}

uint32_t sampled_axis::place_of(int64_t i) const {
  const int64_t n = size;
  switch (mode) {
    case clamping::wrap:
      return static_cast<uint32_t>(modulo(i, n));
    case clamping::mirror: {
      const int64_t m = modulo(i, 2 * n);
      return static_cast<uint32_t>(m < n ? m : 2 * n - 1 - m);
    }
    case clamping::last_texel:
    case clamping::mirror_once_last_texel:
      return static_cast<uint32_t>(std::clamp<int64_t>(i, 0, n - 1));
    case clamping::half_border:
    case clamping::mirror_once_half_border:
      // A point at the very edge is still the last texel; it is filters that reach the border.
      if (!linear) return static_cast<uint32_t>(std::clamp<int64_t>(i, 0, n - 1));
      break;
    default:
      break;
  }
  if (i == -1 && mirrors_once(mode)) return 0;  // beside texel 0 is its image in the mirror
  return i < 0 || i >= n ? axis_taps::outside : static_cast<uint32_t>(i);
}

axis_taps sampled_axis::at(float coordinate) const {
  const double u = in_texels(coordinate) * 256;
  auto fixed = static_cast<int64_t>(truncates && !linear ? std::floor(u) : std::nearbyint(u));
  axis_taps t;
  if (!linear) {
    t.index[0] = place_of(fixed >> 8);
    return t;
  }
  fixed -= 128;  // texels have their values in their middle
  t.n = 2;
  t.index[0] = place_of(fixed >> 8);
  t.index[1] = place_of((fixed >> 8) + 1);
  t.weight = static_cast<uint32_t>(fixed & 255);
  return t;
}

uint32_t sampled_layer(const image_resource& r, float coordinate) {
  // NaN is 0 here, too.
  const double n = std::isnan(coordinate) ? 0 : std::clamp<double>(std::nearbyint(coordinate), 0, 1 << 20);
  auto layer = static_cast<uint32_t>(n);
  constexpr uint32_t faces = 6, apart = 8;
  if (r.kind == image_resource::dimension::cube) layer = layer / apart * faces + std::min(layer % apart, faces - 1);
  return r.first_layer + std::min(layer, r.n_layers - 1);
}

}  // namespace pws::isa
