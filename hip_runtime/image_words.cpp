// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/image_words.h"

#include <fmt/format.h>

#include <algorithm>

namespace pws::hip {

namespace {

// Data formats of the resource (GCN3 ISA, table "Data Format").
uint32_t data_format(const channel_format& f) {
  const unsigned size = f.bits == 8 ? 0 : f.bits == 16 ? 1 : 2;
  constexpr uint32_t of_one[] = {1, 2, 4}, of_two[] = {3, 5, 11}, of_four[] = {10, 12, 14};
  return f.channels == 1 ? of_one[size] : f.channels == 2 ? of_two[size] : of_four[size];
}

// Number formats (table "Number Format").
uint32_t number_format(const channel_format& f, channel_reading reading) {
  constexpr uint32_t unorm = 0, snorm = 1, uscaled = 2, sscaled = 3, uint = 4, sint = 5, floats = 7, srgb = 9;
  if (!f.is_integer()) return floats;
  const bool is_signed = f.kind == hipChannelFormatKindSigned;
  switch (reading) {
    case channel_reading::normalized:
      return is_signed ? snorm : unorm;
    case channel_reading::srgb:
      return srgb;
    case channel_reading::numbers:
      return f.bits == 32 ? (is_signed ? sint : uint) : is_signed ? sscaled : uscaled;
    default:
      return is_signed ? sint : uint;
  }
}

// hsa_ext_image_channel_type_t
uint32_t hsa_type(const channel_format& f, channel_reading reading) {
  const uint32_t size = f.bits == 8 ? 0 : f.bits == 16 ? 1 : 2;
  constexpr uint32_t snorm = 0, unorm = 2, sint = 8, uint = 11, half = 14, floats = 15;
  if (!f.is_integer()) return f.bits == 16 ? half : floats;
  const bool is_signed = f.kind == hipChannelFormatKindSigned;
  if (reading == channel_reading::normalized || reading == channel_reading::srgb)
    return (is_signed ? snorm : unorm) + size;
  return (is_signed ? sint : uint) + size;
}

// hsa_ext_image_channel_order_t: R, RG and RGBA
uint32_t hsa_order(const channel_format& f) {
  return f.channels == 1 ? 1 : f.channels == 2 ? 3 : 8;
}

// DST_SEL: what there is of x, y, z and w, else 0, and 1 for w.
uint32_t selection(const channel_format& f) {
  constexpr uint32_t x = 4, one = 1;
  uint32_t s = 0;
  for (unsigned c = 0; c < 4; ++c) s |= (c < f.channels ? x + c : c == 3 ? one : 0) << (3 * c);
  return s;
}

void put_channels(image_words& w, const channel_format& f, channel_reading reading, uint64_t width) {
  constexpr unsigned type = 8, order = 9, columns = 10;
  w[type] = hsa_type(f, reading);
  w[order] = hsa_order(f);
  w[columns] = static_cast<uint32_t>(width);
}

// S# CLAMP_X and so on. Coordinates in texels do not wrap: as in CUDA, both modes that do are clamping then.
uint32_t clamp_of(hipTextureAddressMode mode, bool normalized) {
  constexpr uint32_t wrap = 0, mirror = 1, last_texel = 2, border = 6;
  switch (mode) {
    case hipAddressModeWrap:
      return normalized ? wrap : last_texel;
    case hipAddressModeMirror:
      return normalized ? mirror : last_texel;
    case hipAddressModeClamp:
      return last_texel;
    case hipAddressModeBorder:
      return border;
  }
  throw failure(hipErrorInvalidValue, fmt::format("{} is no address mode", static_cast<int>(mode)));
}

uint32_t border_type(const float (&colour)[4]) {
  const auto is = [&](float rgb, float a) {
    return std::all_of(colour, colour + 3, [rgb](float c) { return c == rgb; }) && colour[3] == a;
  };
  if (is(0, 0)) return 0;
  if (is(0, 1)) return 1;
  if (is(1, 1)) return 2;
  throw failure(hipErrorNotSupported,
                fmt::format("the border colour ({}, {}, {}, {}) is not supported: only (0, 0, 0, 0), "
                            "(0, 0, 0, 1) and (1, 1, 1, 1) are",
                            colour[0], colour[1], colour[2], colour[3]));
}

}  // namespace

void put_image(image_words& w, const image_shape& s, channel_reading reading) {
  constexpr uint32_t linear_aligned = 8;  // TILING_INDEX
  const uint64_t base = s.address / image_alignment;
  const bool layered = s.kind >= image_shape::type::cube;
  w[0] = static_cast<uint32_t>(base);
  w[1] = static_cast<uint32_t>(base >> 32) | data_format(s.format) << 20 | number_format(s.format, reading) << 26;
  w[2] = (s.width - 1) | (s.height - 1) << 14;
  w[3] = selection(s.format) | linear_aligned << 20 | static_cast<uint32_t>(s.kind) << 28;
  const uint32_t last_layer = s.first_layer + s.n_layers - 1;
  w[4] = (layered ? last_layer : s.depth - 1) | (s.pitch - 1) << 13;
  w[5] = layered ? s.first_layer | last_layer << 13 : 0;
  w[6] = w[7] = 0;
  put_channels(w, s.format, reading, s.width);
}

void put_linear(image_words& w, uint64_t address, uint64_t texels, const channel_format& f, channel_reading reading) {
  require(reading != channel_reading::srgb, hipErrorNotSupported, "sRGB in linear memory is not supported");
  w[0] = static_cast<uint32_t>(address);
  w[1] = static_cast<uint32_t>(address >> 32) | static_cast<uint32_t>(f.bytes()) << 16;
  w[2] = static_cast<uint32_t>(texels * f.bytes());
  w[3] = selection(f) | number_format(f, reading) << 12 | data_format(f) << 15;
  put_channels(w, f, reading, texels);
}

void put_sampler(image_words& w, const hipTextureDesc& d) {
  constexpr unsigned s = HIP_SAMPLER_OBJECT_OFFSET_DWORD;
  constexpr uint32_t disable_cube_wrap = 1u << 28, force_unnormalized = 1u << 15, highest_lod = 0xfff;
  require(d.filterMode == hipFilterModePoint || d.filterMode == hipFilterModeLinear, hipErrorInvalidValue,
          "no filter mode");
  require(d.maxAnisotropy <= 1, hipErrorNotSupported, "anisotropic filters are not supported");
  const bool normalized = d.normalizedCoords != 0;
  w[s] = disable_cube_wrap | (normalized ? 0 : force_unnormalized);
  for (unsigned axis = 0; axis < 3; ++axis) w[s] |= clamp_of(d.addressMode[axis], normalized) << (3 * axis);
  w[s + 1] = highest_lod << 12;
  const uint32_t filter = d.filterMode == hipFilterModeLinear ? 1 : 0;
  w[s + 2] = filter << 20 | filter << 22 | (filter + 1) << 24;  // magnifying, minifying, z
  const bool has_border =
      std::any_of(d.addressMode, d.addressMode + 3, [](hipTextureAddressMode m) { return m == hipAddressModeBorder; });
  w[s + 3] = has_border ? border_type(d.borderColor) << 30 : 0;
}

}  // namespace pws::hip
