// SPDX-License-Identifier: Apache-2.0
// Arrays: making, freeing and asking.
#include "hip_runtime/context.h"

using namespace pws::hip;

namespace {

void make_for(context& c, hipArray** to, const channel_format& f, hipExtent extent, unsigned flags, bool by_driver) {
  result(to) = nullptr;
  c.captures.refuse_unsafe_call();
  *to = c.images.make_array(*c.gpu().memory, f, extent, flags, by_driver);
}

void release_array(context& c, hipArray_const_t a) {
  require(a != nullptr, hipErrorInvalidValue, "a null array");
  c.captures.refuse_unsafe_call();
  c.finish_what_lives();
  c.images.free_array(*c.gpu().memory, a);
}

template <class T>
const T& description(const T* p) {
  require(p != nullptr, hipErrorInvalidValue, "no description of the array");
  return *p;
}

// What descriptors of two and of three dimensions have in common.
template <class Descriptor>
Descriptor& describe(Descriptor* d, const device_array& a) {
  Descriptor& r = result(d);
  r.Width = a.seen.width;
  r.Height = a.seen.height;
  r.Format = a.format.array_format();
  r.NumChannels = a.format.channels;
  return r;
}

}  // namespace

extern "C" {

hipError_t hipMallocArray(hipArray** array, const hipChannelFormatDesc* desc, size_t width, size_t height,
                          unsigned flags) {
  return call(__func__, [&](context& c) {
    constexpr unsigned layers = hipArrayLayered | hipArrayCubemap;
    require((flags & layers) == 0, hipErrorInvalidValue, "layers and cubes are hipMalloc3DArray's");
    make_for(c, array, channel_format::from(description(desc)), {width, height, 0}, flags, false);
  });
}
hipError_t hipMalloc3DArray(hipArray** array, const hipChannelFormatDesc* desc, hipExtent extent, unsigned flags) {
  return call(__func__,
              [&](context& c) { make_for(c, array, channel_format::from(description(desc)), extent, flags, false); });
}
hipError_t hipArrayCreate(hipArray** array, const HIP_ARRAY_DESCRIPTOR* d) {
  return call(__func__, [&](context& c) {
    const HIP_ARRAY_DESCRIPTOR& a = description(d);
    make_for(c, array, channel_format::from(a.Format, a.NumChannels), {a.Width, a.Height, 0}, 0, true);
  });
}
hipError_t hipArray3DCreate(hipArray** array, const HIP_ARRAY3D_DESCRIPTOR* d) {
  return call(__func__, [&](context& c) {
    const HIP_ARRAY3D_DESCRIPTOR& a = description(d);
    make_for(c, array, channel_format::from(a.Format, a.NumChannels), {a.Width, a.Height, a.Depth}, a.Flags, true);
  });
}
hipError_t hipFreeArray(hipArray* array) {
  return call(__func__, [&](context& c) { release_array(c, array); });
}
hipError_t hipArrayDestroy(hipArray* array) {
  return call(__func__, [&](context& c) { release_array(c, array); });
}
hipError_t hipGetChannelDesc(hipChannelFormatDesc* desc, hipArray_const_t array) {
  return call(__func__, [&](context& c) { result(desc) = c.images.array_of(array).format.description(); });
}

// What is not asked for may be null.
hipError_t hipArrayGetInfo(hipChannelFormatDesc* desc, hipExtent* extent, unsigned* flags, hipArray* array) {
  return call(__func__, [&](context& c) {
    const device_array& a = c.images.array_of(array);
    if (desc != nullptr) *desc = a.format.description();
    if (extent != nullptr) *extent = {a.seen.width, a.seen.height, a.seen.depth};
    if (flags != nullptr) *flags = a.flags;
  });
}
hipError_t hipArrayGetDescriptor(HIP_ARRAY_DESCRIPTOR* d, hipArray* array) {
  return call(__func__, [&](context& c) { describe(d, c.images.array_of(array)); });
}
hipError_t hipArray3DGetDescriptor(HIP_ARRAY3D_DESCRIPTOR* d, hipArray* array) {
  return call(__func__, [&](context& c) {
    const device_array& a = c.images.array_of(array);
    HIP_ARRAY3D_DESCRIPTOR& r = describe(d, a);
    r.Depth = a.seen.depth;
    r.Flags = a.flags;
  });
}

}  // extern "C"
