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

}  // namespace pws::hip
