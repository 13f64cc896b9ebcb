// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/channel_format.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>

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

namespace {

// What both interfaces have, under the same names; enumerators have the same numbers.
template <class From, class To>
void copy_sampling(const From& from, To& to) {
  for (unsigned axis = 0; axis < 3; ++axis)
    to.addressMode[axis] = static_cast<std::decay_t<decltype(to.addressMode[0])>>(from.addressMode[axis]);
  to.filterMode = static_cast<decltype(to.filterMode)>(from.filterMode);
  to.maxAnisotropy = from.maxAnisotropy;
  to.mipmapFilterMode = static_cast<decltype(to.mipmapFilterMode)>(from.mipmapFilterMode);
  to.mipmapLevelBias = from.mipmapLevelBias;
  to.minMipmapLevelClamp = from.minMipmapLevelClamp;
  to.maxMipmapLevelClamp = from.maxMipmapLevelClamp;
  std::copy(from.borderColor, from.borderColor + 4, to.borderColor);
}
template <class To, class From>
To copied_view(const From& v) {
  To to{};
  to.format = static_cast<decltype(to.format)>(v.format);
  to.width = v.width;
  to.height = v.height;
  to.depth = v.depth;
  to.firstMipmapLevel = v.firstMipmapLevel;
  to.lastMipmapLevel = v.lastMipmapLevel;
  to.firstLayer = v.firstLayer;
  to.lastLayer = v.lastLayer;
  return to;
}

}  // namespace

hipTextureDesc from_driver(const HIP_TEXTURE_DESC& d) {
  hipTextureDesc t{};
  copy_sampling(d, t);
  t.readMode = (d.flags & flag_read_as_integer) != 0 ? hipReadModeElementType : hipReadModeNormalizedFloat;
  t.normalizedCoords = (d.flags & flag_normalized_coordinates) != 0 ? 1 : 0;
  t.sRGB = (d.flags & flag_srgb) != 0 ? 1 : 0;
  return t;
}

HIP_TEXTURE_DESC to_driver(const hipTextureDesc& t) {
  HIP_TEXTURE_DESC d{};
  copy_sampling(t, d);
  d.flags = (t.readMode == hipReadModeElementType ? flag_read_as_integer : 0) |
            (t.normalizedCoords != 0 ? flag_normalized_coordinates : 0) | (t.sRGB != 0 ? flag_srgb : 0);
  return d;
}

hipResourceViewDesc from_driver(const HIP_RESOURCE_VIEW_DESC& d) {
  return copied_view<hipResourceViewDesc>(d);
}

HIP_RESOURCE_VIEW_DESC to_driver(const hipResourceViewDesc& v) {
  return copied_view<HIP_RESOURCE_VIEW_DESC>(v);
}

}  // namespace pws::hip
