// SPDX-License-Identifier: Apache-2.0
// Texture references: binding, and asking and setting what they are.
#include <climits>

#include "hip_runtime/channel_format.h"
#include "hip_runtime/context.h"

using namespace pws::hip;

namespace {

template <class T>
T& said(T* r) {
  require(r != nullptr, hipErrorInvalidValue, "no texture reference");
  return *r;
}

// A texture's memory has to be aligned; the program reads from `offset` on where its own is not.
size_t offset_for(const void* memory, size_t* offset) {
  const size_t n = reinterpret_cast<uint64_t>(memory) % image_alignment;
  require(offset != nullptr || n == 0, hipErrorInvalidValue,
          "the memory is not aligned, and the address for the offset is null");
  if (offset != nullptr) *offset = n;
  return n;
}
void* aligned_before(const void* memory, size_t bytes) {
  return const_cast<uint8_t*>(static_cast<const uint8_t*>(memory) - bytes);
}

// UINT_MAX, the default of the headers: all that there is of its block.
size_t bytes_bound(context& c, const void* memory, size_t bytes) {
  if (bytes != UINT_MAX) return bytes;
  const auto address = reinterpret_cast<uint64_t>(memory);
  const memory_block* b = c.gpu().memory->find(address);
  require(b != nullptr, hipErrorInvalidValue, "no memory of the device");
  return b->address + b->bytes - address;
}

void bind_linear(context& c, size_t* offset, const textureReference* r, const void* memory,
                 const hipChannelFormatDesc& desc, size_t bytes) {
  require(memory != nullptr, hipErrorInvalidValue, "a null pointer");
  const size_t skipped = offset_for(memory, offset);
  hipResourceDesc d{};
  d.resType = hipResourceTypeLinear;
  d.res.linear.devPtr = aligned_before(memory, skipped);
  d.res.linear.desc = desc;
  d.res.linear.sizeInBytes = bytes_bound(c, memory, bytes) + skipped;
  c.references.bind(c, r, d, skipped);
}

void bind_pitched(context& c, const textureReference* r, const void* memory, const hipChannelFormatDesc& desc,
                  size_t width, size_t height, size_t pitch, size_t skipped) {
  hipResourceDesc d{};
  d.resType = hipResourceTypePitch2D;
  d.res.pitch2D.devPtr = aligned_before(memory, skipped);
  d.res.pitch2D.desc = desc;
  d.res.pitch2D.width = width + skipped / channel_format::from(desc).bytes();
  d.res.pitch2D.height = height;
  d.res.pitch2D.pitchInBytes = pitch;
  c.references.bind(c, r, d, skipped);
}

void bind_array(context& c, const textureReference* r, hipArray_const_t a) {
  hipResourceDesc d{};
  d.resType = hipResourceTypeArray;
  d.res.array.array = const_cast<hipArray_t>(a);
  c.references.bind(c, r, d);
}

int axis_of(int dim) {
  require(dim >= 0 && dim < 3, hipErrorInvalidValue, "textures have three axes");
  return dim;
}

}  // namespace

extern "C" {

hipError_t hipBindTexture(size_t* offset, const textureReference* r, const void* memory,
                          const hipChannelFormatDesc* desc, size_t size) {
  return call(__func__, [&](context& c) { bind_linear(c, offset, r, memory, said(desc), size); });
}
hipError_t hipBindTexture2D(size_t* offset, const textureReference* r, const void* memory,
                            const hipChannelFormatDesc* desc, size_t width, size_t height, size_t pitch) {
  return call(__func__, [&](context& c) {
    require(memory != nullptr, hipErrorInvalidValue, "a null pointer");
    bind_pitched(c, r, memory, said(desc), width, height, pitch, offset_for(memory, offset));
  });
}
hipError_t hipBindTextureToArray(const textureReference* r, hipArray_const_t array, const hipChannelFormatDesc*) {
  return call(__func__, [&](context& c) { bind_array(c, r, array); });
}
hipError_t hipUnbindTexture(const textureReference* r) {
  return call(__func__, [&](context& c) { c.references.unbind(c, r); });
}
hipError_t hipGetTextureAlignmentOffset(size_t* offset, const textureReference* r) {
  return call(__func__, [&](context& c) { result(offset) = c.references.offset_of(r); });
}
hipError_t hipGetTextureReference(const textureReference** to, const void* symbol) {
  return call(__func__, [&](context& c) {
    const auto* r = static_cast<const textureReference*>(symbol);
    require(c.references.has(r), hipErrorInvalidSymbol, "no texture reference of the program");
    result(to) = r;
  });
}
hipError_t hipModuleGetTexRef(textureReference** to, hipModule_t module, const char* name) {
  return call(__func__, [&](context& c) {
    auto* const m = reinterpret_cast<code_module*>(module);
    require(name != nullptr, hipErrorInvalidValue, "no name");
    require(c.modules.is_loaded(m), hipErrorInvalidHandle, "no module of the program");
    result(to) = c.references.of_module(c, m, name);
  });
}

// ---- The driver API's: what is set counts from the next binding on

hipError_t hipTexRefSetAddress(size_t* offset, textureReference* r, hipDeviceptr_t memory, size_t bytes) {
  return call(__func__, [&](context& c) {
    const textureReference& own = said(r);
    const auto format = channel_format::from(own.format, static_cast<unsigned>(own.numChannels));
    bind_linear(c, offset, r, memory, format.description(), bytes);
  });
}
hipError_t hipTexRefSetAddress2D(textureReference* r, const HIP_ARRAY_DESCRIPTOR* d, hipDeviceptr_t memory,
                                 size_t pitch) {
  return call(__func__, [&](context& c) {
    require(memory != nullptr, hipErrorInvalidValue, "a null pointer");
    const HIP_ARRAY_DESCRIPTOR& a = said(d);
    bind_pitched(c, &said(r), memory, channel_format::from(a.Format, a.NumChannels).description(), a.Width, a.Height,
                 pitch, 0);
  });
}
hipError_t hipTexRefSetArray(textureReference* r, hipArray_const_t array, unsigned flags) {
  return call(__func__, [&](context& c) {
    constexpr unsigned override_format = 1;  // the only one, and the array's format counts in any case
    require(flags <= override_format, hipErrorInvalidValue, "unknown flags");
    const channel_format f = c.images.array_of(array).format;
    said(r).format = f.array_format();
    r->numChannels = static_cast<int>(f.channels);
    bind_array(c, r, array);
  });
}
hipError_t hipTexRefSetAddressMode(textureReference* r, int dim, hipTextureAddressMode mode) {
  return call(__func__, [&](context&) {
    require(mode >= hipAddressModeWrap && mode <= hipAddressModeBorder, hipErrorInvalidValue, "no address mode");
    said(r).addressMode[axis_of(dim)] = mode;
  });
}
hipError_t hipTexRefSetFilterMode(textureReference* r, hipTextureFilterMode mode) {
  return call(__func__, [&](context&) {
    require(mode == hipFilterModePoint || mode == hipFilterModeLinear, hipErrorInvalidValue, "no filter mode");
    said(r).filterMode = mode;
  });
}
hipError_t hipTexRefSetFlags(textureReference* r, unsigned flags) {
  return call(__func__, [&](context&) {
    constexpr unsigned known = flag_read_as_integer | flag_normalized_coordinates | flag_srgb;
    require((flags & ~known) == 0, hipErrorInvalidValue, "unknown flags");
    said(r).readMode = (flags & flag_read_as_integer) != 0 ? hipReadModeElementType : hipReadModeNormalizedFloat;
    r->normalized = (flags & flag_normalized_coordinates) != 0 ? 1 : 0;
    r->sRGB = (flags & flag_srgb) != 0 ? 1 : 0;
  });
}
hipError_t hipTexRefSetFormat(textureReference* r, hipArray_Format format, int channels) {
  return call(__func__, [&](context&) {
    said(r).channelDesc = channel_format::from(format, static_cast<unsigned>(channels)).description();
    r->format = format;
    r->numChannels = channels;
  });
}

hipError_t hipTexRefGetAddress(hipDeviceptr_t* to, const textureReference* r) {
  return call(__func__, [&](context& c) {
    const hipResourceDesc& d = c.images.texture_of(said(r).textureObject).resource;
    require(d.resType == hipResourceTypeLinear || d.resType == hipResourceTypePitch2D, hipErrorInvalidValue,
            "an array is bound to it");
    void* const base = d.resType == hipResourceTypeLinear ? d.res.linear.devPtr : d.res.pitch2D.devPtr;
    result(to) = static_cast<uint8_t*>(base) + c.references.offset_of(r);
  });
}
hipError_t hipTexRefGetAddressMode(hipTextureAddressMode* to, const textureReference* r, int dim) {
  return call(__func__, [&](context&) { result(to) = said(r).addressMode[axis_of(dim)]; });
}
hipError_t hipTexRefGetFilterMode(hipTextureFilterMode* to, const textureReference* r) {
  return call(__func__, [&](context&) { result(to) = said(r).filterMode; });
}
hipError_t hipTexRefGetFlags(unsigned* to, const textureReference* r) {
  return call(__func__, [&](context&) {
    const textureReference& own = said(r);
    result(to) = (own.readMode == hipReadModeElementType ? flag_read_as_integer : 0) |
                 (own.normalized != 0 ? flag_normalized_coordinates : 0) | (own.sRGB != 0 ? flag_srgb : 0);
  });
}
hipError_t hipTexRefGetFormat(hipArray_Format* format, int* channels, const textureReference* r) {
  return call(__func__, [&](context&) {
    result(format) = said(r).format;
    result(channels) = r->numChannels;
  });
}
hipError_t hipTexRefGetMaxAnisotropy(int* to, const textureReference* r) {
  return call(__func__, [&](context&) { result(to) = static_cast<int>(said(r).maxAnisotropy); });
}
hipError_t hipTexRefGetMipmapFilterMode(hipTextureFilterMode* to, const textureReference* r) {
  return call(__func__, [&](context&) { result(to) = said(r).mipmapFilterMode; });
}
hipError_t hipTexRefGetMipmapLevelBias(float* to, const textureReference* r) {
  return call(__func__, [&](context&) { result(to) = said(r).mipmapLevelBias; });
}
hipError_t hipTexRefGetMipmapLevelClamp(float* lowest, float* highest, const textureReference* r) {
  return call(__func__, [&](context&) {
    result(lowest) = said(r).minMipmapLevelClamp;
    result(highest) = r->maxMipmapLevelClamp;
  });
}

}  // extern "C"
