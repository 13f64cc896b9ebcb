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

}  // namespace pws::hip
