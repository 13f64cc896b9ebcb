// SPDX-License-Identifier: Apache-2.0
// What a texel of an array or texture is, in the two ways in which HIP describes it, and the images' own.
#pragma once

#include <cstddef>
#include <cstdint>

#include "hip_runtime/failure.h"

namespace pws::hip {

// Channels of one size: 1, 2 or 4 of 8, 16 or 32 bits.
struct channel_format {
  unsigned channels = 1;
  unsigned bits = 32;  // of each
  hipChannelFormatKind kind = hipChannelFormatKindFloat;

  size_t bytes() const { return size_t{channels} * bits / 8; }
  bool is_integer() const { return kind != hipChannelFormatKindFloat; }

  // Throw failure (hipErrorInvalidValue) for what images do not have.
  static channel_format from(const hipChannelFormatDesc& d);
  static channel_format from(hipArray_Format format, unsigned channels);
  // The format of a view; hipErrorNotSupported for compressed blocks.
  static channel_format from(hipResourceViewFormat format);
  hipChannelFormatDesc description() const;
  hipArray_Format array_format() const;
};

// ---- The driver API's descriptions of textures, which say what the runtime API's say, differently

// Flags of HIP_TEXTURE_DESC and texture references. HIP's headers do not name them all.
constexpr unsigned flag_read_as_integer = 0x01, flag_normalized_coordinates = 0x02, flag_srgb = 0x10;

// Throw failure: hipErrorInvalidValue.
hipResourceDesc from_driver(const HIP_RESOURCE_DESC& d);
hipTextureDesc from_driver(const HIP_TEXTURE_DESC& d);
hipResourceViewDesc from_driver(const HIP_RESOURCE_VIEW_DESC& d);
HIP_RESOURCE_DESC to_driver(const hipResourceDesc& d);
HIP_TEXTURE_DESC to_driver(const hipTextureDesc& d);
HIP_RESOURCE_VIEW_DESC to_driver(const hipResourceViewDesc& d);

}  // namespace pws::hip
