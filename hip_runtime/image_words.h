// SPDX-License-Identifier: Apache-2.0
// The words of a texture or surface object in device memory, as the device library of ROCm 5.2 reads them: the image's
// resource in words 0 to 7 (T#, or V# in words 0 to 3 for linear memory; GCN3 ISA 8.1 and 8.2), its channels' type and
// order as HSA numbers them in words 8 and 9, its width in word 10, and the sampler (S#) from word
// HIP_SAMPLER_OBJECT_OFFSET_DWORD on.
#pragma once

#include <array>
#include <cstdint>

#include "hip_runtime/channel_format.h"

namespace pws::hip {

using image_words = std::array<uint32_t, HIP_TEXTURE_OBJECT_SIZE_DWORD>;

// How stored channels become what a kernel gets.
enum class channel_reading {
  as_they_are,  // integers or floats
  normalized,   // integers of 8 or 16 bits as floats of 0..1 or -1..1
  srgb,         // bytes as floats of 0..1, from sRGB
  numbers       // integers of 8 or 16 bits as floats of the same value: what surface functions of HIP 5.2 convert
};

// An image in device memory.
struct image_shape {
  // As T# TYPE has them.
  enum class type : uint32_t { d1 = 8, d2, d3, cube, d1_array, d2_array };
  type kind = type::d2;
  uint64_t address = 0;  // a multiple of 256
  channel_format format;
  uint32_t width = 1, height = 1, depth = 1;  // texels
  uint32_t first_layer = 0, n_layers = 1;     // cubes: faces
  uint32_t pitch = 1;                         // texels from row to row
};

// Limits of the fields, which are those of textures (hipDeviceProp_t).
constexpr uint32_t most_texels = 16384, most_planes = 8192;
constexpr uint32_t image_alignment = 256;  // bytes

void put_image(image_words& w, const image_shape& shape, channel_reading reading);
// `texels` of linear memory, which loads by index read.
void put_linear(image_words& w, uint64_t address, uint64_t texels, const channel_format& f, channel_reading reading);
// Throws failure: hipErrorNotSupported for border colours other than transparent or opaque black and opaque white, and
// anisotropic filters.
void put_sampler(image_words& w, const hipTextureDesc& d);

}  // namespace pws::hip
