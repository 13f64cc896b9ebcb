// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/channel_format.h"

#include <fmt/format.h>

#include <algorithm>

namespace pws::hip {

namespace {

channel_format checked(channel_format f) {
  const bool exists = (f.channels == 1 || f.channels == 2 || f.channels == 4) &&
                      (f.bits == 8 || f.bits == 16 || f.bits == 32) &&
                      (f.kind != hipChannelFormatKindFloat || f.bits != 8);
  if (!exists)
    throw failure(hipErrorInvalidValue,
                  fmt::format("there are no images of {} channels of {} bits ({})", f.channels, f.bits,
                              f.kind == hipChannelFormatKindFloat ? "floats" : "integers"));
  return f;
}

}  // namespace

channel_format channel_format::from(const hipChannelFormatDesc& d) {
  const int bits[] = {d.x, d.y, d.z, d.w};
  channel_format f;
  f.channels = static_cast<unsigned>(std::count_if(bits, bits + 4, [](int b) { return b != 0; }));
  for (unsigned c = 0; c < 4; ++c)
    require((c < f.channels ? d.x : 0) == bits[c], hipErrorInvalidValue, "channels of different sizes");
  require(d.f == hipChannelFormatKindSigned || d.f == hipChannelFormatKindUnsigned || d.f == hipChannelFormatKindFloat,
          hipErrorInvalidValue, "a channel of no kind");
  f.bits = static_cast<unsigned>(d.x);
  f.kind = d.f;
  return checked(f);
}

channel_format channel_format::from(hipArray_Format format, unsigned channels) {
  channel_format f;
  f.channels = channels;
  switch (format) {
    case HIP_AD_FORMAT_UNSIGNED_INT8:
    case HIP_AD_FORMAT_UNSIGNED_INT16:
    case HIP_AD_FORMAT_UNSIGNED_INT32:
      f.kind = hipChannelFormatKindUnsigned;
      f.bits = 8u << (format - HIP_AD_FORMAT_UNSIGNED_INT8);
      break;
    case HIP_AD_FORMAT_SIGNED_INT8:
    case HIP_AD_FORMAT_SIGNED_INT16:
    case HIP_AD_FORMAT_SIGNED_INT32:
      f.kind = hipChannelFormatKindSigned;
      f.bits = 8u << (format - HIP_AD_FORMAT_SIGNED_INT8);
      break;
    case HIP_AD_FORMAT_HALF:
      f.bits = 16;
      break;
    case HIP_AD_FORMAT_FLOAT:
      break;
    default:
      throw failure(hipErrorInvalidValue, fmt::format("{:#x} is no format of arrays", static_cast<int>(format)));
  }
  return checked(f);
}

channel_format channel_format::from(hipResourceViewFormat format) {
  require(format < hipResViewFormatUnsignedBlockCompressed1, hipErrorNotSupported,
          "compressed texels are not supported");
  require(format > hipResViewFormatNone, hipErrorInvalidValue, "no format of a view");
  // In threes, of 1, 2 and 4 channels: unsigned and signed bytes, shorts and ints, then halves and floats.
  const unsigned n = static_cast<unsigned>(format) - hipResViewFormatUnsignedChar1, group = n / 3;
  constexpr unsigned n_integers = 6;
  channel_format f;
  f.channels = 1u << (n % 3);
  f.bits = group < n_integers ? 8u << (group / 2) : 16u << (group - n_integers);
  f.kind = group >= n_integers ? hipChannelFormatKindFloat
           : group % 2 == 0    ? hipChannelFormatKindUnsigned
                               : hipChannelFormatKindSigned;
  return f;
}

hipChannelFormatDesc channel_format::description() const {
  const int b = static_cast<int>(bits);
  return {b, channels > 1 ? b : 0, channels > 2 ? b : 0, channels > 2 ? b : 0, kind};
}

hipArray_Format channel_format::array_format() const {
  const int size = bits == 8 ? 0 : bits == 16 ? 1 : 2;
  if (kind == hipChannelFormatKindFloat) return bits == 16 ? HIP_AD_FORMAT_HALF : HIP_AD_FORMAT_FLOAT;
  const int first = kind == hipChannelFormatKindUnsigned ? HIP_AD_FORMAT_UNSIGNED_INT8 : HIP_AD_FORMAT_SIGNED_INT8;
  return static_cast<hipArray_Format>(first + size);
}

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
