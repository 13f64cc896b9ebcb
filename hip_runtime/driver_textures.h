// SPDX-License-Identifier: Apache-2.0
// The driver API's descriptions of textures, which say what the runtime API's say, differently.
#pragma once

#include "hip_runtime/failure.h"

namespace pws::hip {

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
