// SPDX-License-Identifier: Apache-2.0
// Texture and surface objects.
#include <cstring>

#include "hip_runtime/channel_format.h"
#include "hip_runtime/context.h"

using namespace pws::hip;

namespace {

void make_texture(context& c, hipTextureObject_t* to, const texture_object& of) {
  result(to) = nullptr;
  c.captures.refuse_unsafe_call();
  *to = c.images.make_texture(*c.gpu().memory, *c.gpu().runtime, of);
}

// A null object is none, and may be destroyed.
void release_texture(context& c, hipTextureObject_t t) {
  if (t == nullptr) return;
  c.captures.refuse_unsafe_call();
  c.finish_what_lives();
  c.images.free_texture(*c.gpu().memory, t);
}

const hipResourceViewDesc& view_of(context& c, hipTextureObject_t t) {
  const texture_object& o = c.images.texture_of(t);
  require(o.view.has_value(), hipErrorInvalidValue, "the texture object has no view");
  return *o.view;
}

}  // namespace

extern "C" {

hipError_t hipCreateTextureObject(hipTextureObject_t* to, const hipResourceDesc* resource,
                                  const hipTextureDesc* texture, const hipResourceViewDesc* view) {
  return call(__func__, [&](context& c) {
    require(resource != nullptr && texture != nullptr, hipErrorInvalidValue, "no description of the texture");
    texture_object o{*resource, *texture, std::nullopt};
    if (view != nullptr) o.view = *view;
    make_texture(c, to, o);
  });
}
hipError_t hipDestroyTextureObject(hipTextureObject_t t) {
  return call(__func__, [&](context& c) { release_texture(c, t); });
}
hipError_t hipGetTextureObjectResourceDesc(hipResourceDesc* to, hipTextureObject_t t) {
  return call(__func__, [&](context& c) { result(to) = c.images.texture_of(t).resource; });
}
hipError_t hipGetTextureObjectTextureDesc(hipTextureDesc* to, hipTextureObject_t t) {
  return call(__func__, [&](context& c) { result(to) = c.images.texture_of(t).texture; });
}
hipError_t hipGetTextureObjectResourceViewDesc(hipResourceViewDesc* to, hipTextureObject_t t) {
  return call(__func__, [&](context& c) { result(to) = view_of(c, t); });
}

hipError_t hipTexObjectCreate(hipTextureObject_t* to, const HIP_RESOURCE_DESC* resource,
                              const HIP_TEXTURE_DESC* texture, const HIP_RESOURCE_VIEW_DESC* view) {
  return call(__func__, [&](context& c) {
    require(resource != nullptr && texture != nullptr, hipErrorInvalidValue, "no description of the texture");
    texture_object o{from_driver(*resource), from_driver(*texture), std::nullopt};
    if (view != nullptr) o.view = from_driver(*view);
    make_texture(c, to, o);
  });
}
hipError_t hipTexObjectDestroy(hipTextureObject_t t) {
  return call(__func__, [&](context& c) { release_texture(c, t); });
}
hipError_t hipTexObjectGetResourceDesc(HIP_RESOURCE_DESC* to, hipTextureObject_t t) {
  return call(__func__, [&](context& c) { result(to) = to_driver(c.images.texture_of(t).resource); });
}
hipError_t hipTexObjectGetTextureDesc(HIP_TEXTURE_DESC* to, hipTextureObject_t t) {
  return call(__func__, [&](context& c) { result(to) = to_driver(c.images.texture_of(t).texture); });
}
hipError_t hipTexObjectGetResourceViewDesc(HIP_RESOURCE_VIEW_DESC* to, hipTextureObject_t t) {
  return call(__func__, [&](context& c) { result(to) = to_driver(view_of(c, t)); });
}

}  // extern "C"

// Surfaces are C++ functions in the headers of 5.2, and C functions in those of 5.7: programs of both find theirs.
namespace {
hipError_t create_surface(const char* name, hipSurfaceObject_t* to, const hipResourceDesc* resource,
                          channel_reading reading) {
  return call(name, [&](context& c) {
    result(to) = nullptr;
    require(resource != nullptr, hipErrorInvalidValue, "no description of the surface");
    c.captures.refuse_unsafe_call();
    *to = c.images.make_surface(*c.gpu().memory, *c.gpu().runtime, *resource, reading);
  });
}
hipError_t destroy_surface(const char* name, hipSurfaceObject_t s) {
  return call(name, [&](context& c) {
    if (s == nullptr) return;
    c.captures.refuse_unsafe_call();
    c.finish_what_lives();
    c.images.free_surface(*c.gpu().memory, s);
  });
}
constexpr const char* creating = "hipCreateSurfaceObject";
constexpr const char* destroying = "hipDestroySurfaceObject";
}  // namespace

// The name that a program calls tells whose headers its kernels have. Those of 5.2, which take an image's elements for
// floats, have C++ names; later ones have C names, and take them as they are.
#define PWS_SURFACE_FUNCTIONS(kind, create_name, destroy_name, reading)                                        \
  hipError_t hip_create_surface_##kind(hipSurfaceObject_t* to, const hipResourceDesc* r) __asm__(create_name); \
  hipError_t hip_create_surface_##kind(hipSurfaceObject_t* to, const hipResourceDesc* r) {                     \
    return create_surface(creating, to, r, reading);                                                           \
  }                                                                                                            \
  hipError_t hip_destroy_surface_##kind(hipSurfaceObject_t s) __asm__(destroy_name);                           \
  hipError_t hip_destroy_surface_##kind(hipSurfaceObject_t s) {                                                \
    return destroy_surface(destroying, s);                                                                     \
  }
PWS_SURFACE_FUNCTIONS(c, "hipCreateSurfaceObject", "hipDestroySurfaceObject", channel_reading::as_they_are)
PWS_SURFACE_FUNCTIONS(cxx, "_Z22hipCreateSurfaceObjectPP13__hip_surfacePK15hipResourceDesc",
                      "_Z23hipDestroySurfaceObjectP13__hip_surface", channel_reading::numbers)
#undef PWS_SURFACE_FUNCTIONS
