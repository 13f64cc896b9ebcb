// SPDX-License-Identifier: Apache-2.0
// From coordinates to texels: which texels of an axis a sample reads, and with which weights. (GCN3 ISA 8.2 "Vector
// Memory Image Instructions"; the document gives address and filter modes by name, and the rest is assumed:)
//   - A coordinate is taken to 1/256 texel, to the nearest (ties to even), before it is split into index and weight: 8
//     bits of fraction, as graphics APIs ask for at least (Direct3D 11.3 functional specification, 7.18.8) and CUDA has
//     (Programming Guide, "Texture Fetching": "9-bit fixed point format with 8 bits of fractional value"). Point
//     filters take the same coordinate without its fraction; a sampler with TRUNC_COORD does not round it before.
//   - NaN is 0. Coordinates further than 2^20 texels from the image are as far as that; wrapping comes before.
#pragma once

#include <cstdint>

#include "models/isa/memory/image_resource.h"

namespace pws::isa {

// The one or two texels of an axis.
struct axis_taps {
  static constexpr uint32_t outside = ~uint32_t{0};  // no texel: the border colour
  uint32_t index[2] = {0, 0};
  unsigned n = 1;
  uint32_t weight = 0;  // of index[1], in 256ths
};

// How samples use one axis of an image.
struct sampled_axis {
  uint32_t size = 1;
  image_sampler::clamp mode = image_sampler::clamp::wrap;
  bool unnormalized = false;
  bool linear = false;
  bool truncates = false;

  axis_taps at(float coordinate) const;

 private:
  double in_texels(float coordinate) const;
  uint32_t place_of(int64_t index) const;
};

// The layer that a sample's coordinate names: the nearest, within the image. Of cubes the coordinate is the face plus 8
// for each cube.
uint32_t sampled_layer(const image_resource& r, float coordinate);

}  // namespace pws::isa
