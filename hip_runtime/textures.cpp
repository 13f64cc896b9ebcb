// SPDX-License-Identifier: Apache-2.0
// Texture objects: what may be bound, and how it is read.
#include <fmt/format.h>

#include "hip_runtime/images.h"

namespace pws::hip {

namespace {

channel_reading reading_of(const hipTextureDesc& d, const channel_format& f) {
  require(d.readMode == hipReadModeElementType || d.readMode == hipReadModeNormalizedFloat, hipErrorInvalidValue,
          "no read mode");
  const bool normalizes = d.readMode == hipReadModeNormalizedFloat && f.is_integer();
  require(!normalizes || f.bits < 32, hipErrorInvalidValue, "integers of 32 bits cannot be read as normalized floats");
  require(d.filterMode != hipFilterModeLinear || normalizes || !f.is_integer(), hipErrorInvalidValue,
          "linear filters are for what is read as floats");
  // As in CUDA it is for unsigned bytes that are read as floats, and means nothing elsewhere.
  const bool bytes = f.bits == 8 && f.kind == hipChannelFormatKindUnsigned;
  if (normalizes && d.sRGB != 0 && bytes) return channel_reading::srgb;
  return normalizes ? channel_reading::normalized : channel_reading::as_they_are;
}

// Aligned memory of the device.
uint64_t memory_of(const memory& m, const void* pointer, uint64_t bytes) {
  const place p = m.locate(pointer, bytes, "the texture's memory");
  require(p.on_device, hipErrorInvalidValue, "the texture's memory is not the device's");
  if (p.address % image_alignment != 0)
    throw failure(hipErrorInvalidValue, fmt::format("textures begin at multiples of {} bytes, which {:#x} is not",
                                                    image_alignment, p.address));
  return p.address;
}

void put_view(image_shape& s, const hipResourceViewDesc& v) {
  require(v.firstMipmapLevel == 0 && v.lastMipmapLevel == 0, hipErrorNotSupported, "mipmaps are not supported");
  if (v.format != hipResViewFormatNone) {
    const channel_format f = channel_format::from(v.format);
    require(f.bytes() == s.format.bytes(), hipErrorInvalidValue, "the view's texels have another size");
    s.format = f;
  }
  const bool is_3d = s.kind == image_shape::type::d3;
  require((v.width == 0 || v.width == s.width) && (v.height == 0 || v.height == s.height) &&
              (!is_3d || v.depth == 0 || v.depth == s.depth),
          hipErrorInvalidValue, "the view has another extent than the array");
  if (s.kind < image_shape::type::cube) {
    require(v.firstLayer == 0 && v.lastLayer == 0, hipErrorInvalidValue, "a view of layers that there are not");
    return;
  }
  if (v.firstLayer == 0 && v.lastLayer == 0) return;
  require(v.firstLayer <= v.lastLayer && v.lastLayer < s.n_layers, hipErrorInvalidValue,
          "a view of layers that there are not");
  s.first_layer = v.firstLayer;
  s.n_layers = v.lastLayer - v.firstLayer + 1;
}

}  // namespace

hipTextureObject_t image_table::make_texture(memory& m, device_runtime& runtime, const texture_object& of) {
  const hipResourceDesc& r = of.resource;
  require(!of.view || r.resType == hipResourceTypeArray, hipErrorInvalidValue, "views are of arrays");
  image_words w{};
  switch (r.resType) {
    case hipResourceTypeArray: {
      image_shape s = array_of(r.res.array.array).shape();
      if (of.view) put_view(s, *of.view);
      put_image(w, s, reading_of(of.texture, s.format));
      break;
    }
    case hipResourceTypeLinear: {
      const channel_format f = channel_format::from(r.res.linear.desc);
      const uint64_t texels = r.res.linear.sizeInBytes / f.bytes();
      require(texels != 0 && r.res.linear.sizeInBytes <= UINT32_MAX, hipErrorInvalidValue,
              "a texture of linear memory has less than 4 GiB, and more than nothing");
      put_linear(w, memory_of(m, r.res.linear.devPtr, texels * f.bytes()), texels, f, reading_of(of.texture, f));
      break;
    }
    case hipResourceTypePitch2D: {
      const auto& p = r.res.pitch2D;
      image_shape s;
      s.format = channel_format::from(p.desc);
      const uint64_t texel = s.format.bytes();
      require(p.width != 0 && p.height != 0 && p.width <= most_texels && p.height <= most_texels, hipErrorInvalidValue,
              "a texture of so many texels");
      require(p.pitchInBytes % image_alignment == 0 && p.pitchInBytes >= p.width * texel &&
                  p.pitchInBytes / texel <= most_texels,
              hipErrorInvalidValue, "the texture's pitch is no multiple of 256 bytes, or too small or large");
      s.address = memory_of(m, p.devPtr, p.pitchInBytes * (p.height - 1) + p.width * texel);
      s.width = static_cast<uint32_t>(p.width);
      s.height = static_cast<uint32_t>(p.height);
      s.pitch = static_cast<uint32_t>(p.pitchInBytes / texel);
      put_image(w, s, reading_of(of.texture, s.format));
      break;
    }
    case hipResourceTypeMipmappedArray:
      throw failure(hipErrorNotSupported, "mipmaps are not supported");
    default:
      throw failure(hipErrorInvalidValue, "no type of resource");
  }
  put_sampler(w, of.texture);
  auto* handle = reinterpret_cast<hipTextureObject_t>(place_words(m, runtime, w));
  textures_[handle] = of;
  return handle;
}

}  // namespace pws::hip
