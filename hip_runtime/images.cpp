// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/images.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <iterator>

namespace pws::hip {

namespace {

constexpr unsigned known_flags = hipArrayLayered | hipArraySurfaceLoadStore | hipArrayCubemap | hipArrayTextureGather;
constexpr unsigned faces_of_cube = 6;
constexpr size_t flags_in_array = 60;  // bytes

void check_extent(const hipExtent& e, unsigned flags) {
  if ((flags & ~known_flags) != 0)
    throw failure(hipErrorInvalidValue, fmt::format("flags {:#x} of an array are unknown", flags));
  const bool layered = (flags & hipArrayLayered) != 0, cube = (flags & hipArrayCubemap) != 0;
  const bool shape = e.width != 0 && (layered ? e.depth != 0 : e.depth == 0 || e.height != 0) &&
                     e.width <= most_texels && e.height <= most_texels && e.depth <= most_planes;
  const bool cubic =
      !cube || (e.width == e.height && (layered ? e.depth % faces_of_cube == 0 : e.depth == faces_of_cube));
  const bool gathers = (flags & hipArrayTextureGather) == 0 || (e.height != 0 && e.depth == 0);
  if (!shape || !cubic || !gathers)
    throw failure(hipErrorInvalidValue, fmt::format("there are no arrays of {} x {} x {} with flags {:#x}", e.width,
                                                    e.height, e.depth, flags));
}

unsigned texture_type(const hipExtent& e, unsigned flags) {
  const bool layered = (flags & hipArrayLayered) != 0;
  if ((flags & hipArrayCubemap) != 0) return layered ? hipTextureTypeCubemapLayered : hipTextureTypeCubemap;
  if (layered) return e.height == 0 ? hipTextureType1DLayered : hipTextureType2DLayered;
  return e.depth != 0 ? hipTextureType3D : e.height != 0 ? hipTextureType2D : hipTextureType1D;
}

// The side of a copy; `origin` in bytes, rows and planes.
struct copy_side {
  hipPitchedPtr pointer;
  hipPos origin;
};
copy_side side_of(const image_table& images, hipArray_t array, const hipPitchedPtr& pointer, const hipPos& at,
                  const hipExtent& extent, const char* which) {
  if (array == nullptr) return {pointer, at};
  if (pointer.ptr != nullptr)
    throw failure(hipErrorInvalidValue, fmt::format("the {} is both an array and a pointer", which));
  const device_array& a = images.array_of(array);
  const auto fits = [](size_t first, size_t n, size_t size) { return first <= size && n <= size - first; };
  if (!fits(at.x, extent.width, a.width) || !fits(at.y, extent.height, a.height) || !fits(at.z, extent.depth, a.depth))
    throw failure(hipErrorInvalidValue,
                  fmt::format("{}: {} x {} x {} texels at ({}, {}, {}) pass the end of an array of {} x {} x {}", which,
                              extent.width, extent.height, extent.depth, at.x, at.y, at.z, a.width, a.height, a.depth));
  return {a.pointer(), {at.x * a.format.bytes(), at.y, at.z}};
}

}  // namespace

image_shape device_array::shape() const {
  using type = image_shape::type;
  image_shape s;
  switch (seen.textureType) {
    case hipTextureType1D:
      s.kind = type::d1;
      break;
    case hipTextureType2D:
      s.kind = type::d2;
      break;
    case hipTextureType3D:
      s.kind = type::d3;
      break;
    case hipTextureType1DLayered:
      s.kind = type::d1_array;
      break;
    case hipTextureType2DLayered:
      s.kind = type::d2_array;
      break;
    default:
      s.kind = type::cube;
      break;
  }
  s.address = address;
  s.format = format;
  s.width = width;
  s.height = height;
  (s.kind == type::d3 ? s.depth : s.n_layers) = depth;
  s.pitch = static_cast<uint32_t>(pitch / format.bytes());
  return s;
}

hipPitchedPtr device_array::pointer() const {
  return {reinterpret_cast<void*>(address), pitch, width * format.bytes(), height};
}

// ---- arrays

hipArray_t image_table::make_array(memory& m, const channel_format& f, hipExtent e, unsigned flags, bool by_driver) {
  check_extent(e, flags);
  auto a = std::make_unique<device_array>();
  a->format = f;
  a->flags = flags;
  a->width = static_cast<uint32_t>(e.width);
  a->height = static_cast<uint32_t>(std::max<size_t>(e.height, 1));
  a->depth = static_cast<uint32_t>(std::max<size_t>(e.depth, 1));
  a->pitch = (a->width * f.bytes() + image_alignment - 1) / image_alignment * image_alignment;
  a->address = m.allocate(a->pitch * a->height * a->depth, memory_kind::device, 0);
  a->seen.data = reinterpret_cast<void*>(a->address);
  a->seen.desc = f.description();
  a->seen.type = flags;
  a->seen.width = static_cast<unsigned>(e.width);
  a->seen.height = static_cast<unsigned>(e.height);
  a->seen.depth = static_cast<unsigned>(e.depth);
  a->seen.Format = f.array_format();
  a->seen.NumChannels = f.channels;
  a->seen.isDrv = by_driver;
  a->seen.textureType = texture_type(e, flags);
  // 5.7 has the flags behind them, where 5.2 has padding: programs of both read their own.
  static_assert(sizeof a->seen == flags_in_array + sizeof flags);
  std::memcpy(reinterpret_cast<char*>(&a->seen) + flags_in_array, &flags, sizeof flags);
  hipArray_t handle = &a->seen;
  arrays_[handle] = std::move(a);
  return handle;
}

void image_table::free_array(memory& m, hipArray_const_t handle) {
  find(handle, memory_misuse::release);
  const auto at = arrays_.find(handle);
  m.release(at->second->address, {memory_kind::device}, hipErrorInvalidValue);
  if (freed_.size() == longest_history) freed_.pop_front();
  freed_.push_back(std::move(at->second));
  arrays_.erase(at);
}

const device_array& image_table::array_of(hipArray_const_t handle) const {
  return *find(handle, memory_misuse::access)->second;
}

image_table::arrays::const_iterator image_table::find(hipArray_const_t handle, memory_misuse wanted) const {
  const auto it = arrays_.find(handle);
  if (it != arrays_.end()) return it;
  const std::string which = fmt::format("{} is ", static_cast<const void*>(handle));
  for (const auto& a : freed_)
    if (&a->seen == handle)
      throw memory_failure(hipErrorInvalidHandle, which + "an array that has been freed", wanted, a->address,
                           a->pitch * a->height * a->depth);
  throw failure(hipErrorInvalidHandle, which + "no array");
}

// ---- objects

uint64_t image_table::place_words(memory& m, device_runtime& runtime, const image_words& w) {
  const uint64_t address = m.allocate(sizeof w, memory_kind::device, 0, isa::memory_use::images);
  runtime.write(address, w.data(), sizeof w);
  return address;
}

hipSurfaceObject_t image_table::make_surface(memory& m, device_runtime& runtime, const hipResourceDesc& r,
                                             channel_reading reading) {
  require(r.resType == hipResourceTypeArray, hipErrorInvalidValue, "surfaces are of arrays");
  image_words w{};
  put_image(w, array_of(r.res.array.array).shape(), reading);
  auto* handle = reinterpret_cast<hipSurfaceObject_t>(place_words(m, runtime, w));
  surfaces_[handle] = r;
  return handle;
}

void image_table::free_surface(memory& m, hipSurfaceObject_t s) {
  require(surfaces_.erase(s) != 0, hipErrorInvalidValue, "no surface object of the program");
  m.release(reinterpret_cast<uint64_t>(s), {memory_kind::device}, hipErrorInvalidValue);
}

void image_table::free_texture(memory& m, hipTextureObject_t t) {
  require(textures_.erase(t) != 0, hipErrorInvalidValue, "no texture object of the program");
  m.release(reinterpret_cast<uint64_t>(t), {memory_kind::device}, hipErrorInvalidValue);
}

const texture_object& image_table::texture_of(hipTextureObject_t t) const {
  const auto it = textures_.find(t);
  require(it != textures_.end(), hipErrorInvalidValue, "no texture object of the program");
  return it->second;
}

void image_table::forget(const memory& m) {
  const auto forget_in = [](auto& all, auto is_there) {
    for (auto at = all.begin(); at != all.end();) at = is_there(*at) ? all.erase(at) : std::next(at);
  };
  forget_in(arrays_, [&](const auto& a) { return m.is_own(a.second->address); });
  forget_in(freed_, [&](const auto& a) { return m.is_own(a->address); });
  const auto object = [&](const auto& o) { return m.is_own(reinterpret_cast<uint64_t>(o.first)); };
  forget_in(textures_, object);
  forget_in(surfaces_, object);
}

hipMemcpy3DParms without_arrays(const image_table& images, const hipMemcpy3DParms& p) {
  if (p.srcArray == nullptr && p.dstArray == nullptr) return p;
  const copy_side from = side_of(images, p.srcArray, p.srcPtr, p.srcPos, p.extent, "source");
  const copy_side to = side_of(images, p.dstArray, p.dstPtr, p.dstPos, p.extent, "target");
  const auto texel = [&](hipArray_t a) { return images.array_of(a).format.bytes(); };
  require(p.srcArray == nullptr || p.dstArray == nullptr || texel(p.srcArray) == texel(p.dstArray),
          hipErrorInvalidValue, "arrays of texels of different sizes");
  hipMemcpy3DParms q{};
  q.srcPtr = from.pointer;
  q.srcPos = from.origin;
  q.dstPtr = to.pointer;
  q.dstPos = to.origin;
  q.extent = p.extent;
  q.extent.width *= texel(p.srcArray != nullptr ? p.srcArray : p.dstArray);
  q.kind = p.kind;
  return q;
}

}  // namespace pws::hip
