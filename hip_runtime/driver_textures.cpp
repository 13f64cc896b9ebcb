// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/driver_textures.h"

#include <algorithm>

#include "hip_runtime/channel_format.h"

namespace pws::hip {

hipResourceDesc from_driver(const HIP_RESOURCE_DESC& d) {
  require(d.flags == 0, hipErrorInvalidValue, "the resource has flags");
  hipResourceDesc r{};
  r.resType = static_cast<hipResourceType>(d.resType);  // the numbers are the same
  switch (d.resType) {
    case HIP_RESOURCE_TYPE_ARRAY:
      r.res.array.array = d.res.array.hArray;
      break;
    case HIP_RESOURCE_TYPE_LINEAR:
      r.res.linear.devPtr = d.res.linear.devPtr;
      r.res.linear.desc = channel_format::from(d.res.linear.format, d.res.linear.numChannels).description();
      r.res.linear.sizeInBytes = d.res.linear.sizeInBytes;
      break;
    case HIP_RESOURCE_TYPE_PITCH2D:
      r.res.pitch2D.devPtr = d.res.pitch2D.devPtr;
      r.res.pitch2D.desc = channel_format::from(d.res.pitch2D.format, d.res.pitch2D.numChannels).description();
      r.res.pitch2D.width = d.res.pitch2D.width;
      r.res.pitch2D.height = d.res.pitch2D.height;
      r.res.pitch2D.pitchInBytes = d.res.pitch2D.pitchInBytes;
      break;
    default:
      r.res.mipmap.mipmap = d.res.mipmap.hMipmappedArray;
      break;
  }
  return r;
}

HIP_RESOURCE_DESC to_driver(const hipResourceDesc& d) {
  HIP_RESOURCE_DESC r{};
  r.resType = static_cast<HIPresourcetype>(d.resType);
  switch (d.resType) {
    case hipResourceTypeArray:
      r.res.array.hArray = d.res.array.array;
      break;
    case hipResourceTypeLinear: {
      const channel_format f = channel_format::from(d.res.linear.desc);
      r.res.linear.devPtr = d.res.linear.devPtr;
      r.res.linear.format = f.array_format();
      r.res.linear.numChannels = f.channels;
      r.res.linear.sizeInBytes = d.res.linear.sizeInBytes;
      break;
    }
    case hipResourceTypePitch2D: {
      const channel_format f = channel_format::from(d.res.pitch2D.desc);
      r.res.pitch2D.devPtr = d.res.pitch2D.devPtr;
      r.res.pitch2D.format = f.array_format();
      r.res.pitch2D.numChannels = f.channels;
      r.res.pitch2D.width = d.res.pitch2D.width;
      r.res.pitch2D.height = d.res.pitch2D.height;
      r.res.pitch2D.pitchInBytes = d.res.pitch2D.pitchInBytes;
      break;
    }
    default:
      r.res.mipmap.hMipmappedArray = d.res.mipmap.mipmap;
      break;
  }
  return r;
}

hipTextureDesc from_driver(const HIP_TEXTURE_DESC& d) {
  hipTextureDesc t{};
  for (unsigned axis = 0; axis < 3; ++axis)
    t.addressMode[axis] = static_cast<hipTextureAddressMode>(d.addressMode[axis]);
  t.filterMode = static_cast<hipTextureFilterMode>(d.filterMode);
  t.readMode = (d.flags & flag_read_as_integer) != 0 ? hipReadModeElementType : hipReadModeNormalizedFloat;
  t.normalizedCoords = (d.flags & flag_normalized_coordinates) != 0 ? 1 : 0;
  t.sRGB = (d.flags & flag_srgb) != 0 ? 1 : 0;
  t.maxAnisotropy = d.maxAnisotropy;
  t.mipmapFilterMode = static_cast<hipTextureFilterMode>(d.mipmapFilterMode);
  t.mipmapLevelBias = d.mipmapLevelBias;
  t.minMipmapLevelClamp = d.minMipmapLevelClamp;
  t.maxMipmapLevelClamp = d.maxMipmapLevelClamp;
  std::copy(d.borderColor, d.borderColor + 4, t.borderColor);
  return t;
}

HIP_TEXTURE_DESC to_driver(const hipTextureDesc& t) {
  HIP_TEXTURE_DESC d{};
  for (unsigned axis = 0; axis < 3; ++axis) d.addressMode[axis] = static_cast<HIPaddress_mode>(t.addressMode[axis]);
  d.filterMode = static_cast<HIPfilter_mode>(t.filterMode);
  d.flags = (t.readMode == hipReadModeElementType ? flag_read_as_integer : 0) |
            (t.normalizedCoords != 0 ? flag_normalized_coordinates : 0) | (t.sRGB != 0 ? flag_srgb : 0);
  d.maxAnisotropy = t.maxAnisotropy;
  d.mipmapFilterMode = static_cast<HIPfilter_mode>(t.mipmapFilterMode);
  d.mipmapLevelBias = t.mipmapLevelBias;
  d.minMipmapLevelClamp = t.minMipmapLevelClamp;
  d.maxMipmapLevelClamp = t.maxMipmapLevelClamp;
  std::copy(t.borderColor, t.borderColor + 4, d.borderColor);
  return d;
}

hipResourceViewDesc from_driver(const HIP_RESOURCE_VIEW_DESC& d) {
  return {static_cast<hipResourceViewFormat>(d.format),
          d.width,
          d.height,
          d.depth,
          d.firstMipmapLevel,
          d.lastMipmapLevel,
          d.firstLayer,
          d.lastLayer};
}

HIP_RESOURCE_VIEW_DESC to_driver(const hipResourceViewDesc& v) {
  HIP_RESOURCE_VIEW_DESC d{};
  d.format = static_cast<HIPresourceViewFormat>(v.format);
  d.width = v.width;
  d.height = v.height;
  d.depth = v.depth;
  d.firstMipmapLevel = v.firstMipmapLevel;
  d.lastMipmapLevel = v.lastMipmapLevel;
  d.firstLayer = v.firstLayer;
  d.lastLayer = v.lastLayer;
  return d;
}

}  // namespace pws::hip
