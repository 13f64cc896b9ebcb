// SPDX-License-Identifier: Apache-2.0
// The program's arrays, and its texture and surface objects. An array is a pitched block of device memory: rows begin
// at multiples of 256 bytes, planes and layers follow each other. All throw failure.
#pragma once

#include <deque>
#include <map>
#include <memory>
#include <optional>

#include "hip_runtime/image_words.h"
#include "hip_runtime/memory.h"

namespace pws::hip {

// An array: what the program sees of it, which HIP declares, and what it does not.
struct device_array {
  hipArray seen{};
  channel_format format;
  uint32_t flags = 0;                         // of hipMalloc3DArray
  uint64_t address = 0, pitch = 0;            // bytes
  uint32_t width = 1, height = 1, depth = 1;  // texels, rows, planes or layers; 1 where the array has no such axis

  image_shape shape() const;
  hipPitchedPtr pointer() const;
};

struct texture_object {
  hipResourceDesc resource{};
  hipTextureDesc texture{};
  std::optional<hipResourceViewDesc> view;
};

class image_table {
 public:
  // As hipMalloc3DArray takes them: 0 for an axis that there is not. hipErrorInvalidValue, hipErrorOutOfMemory.
  hipArray_t make_array(memory& m, const channel_format& f, hipExtent extent, unsigned flags, bool by_driver);
  // hipErrorInvalidHandle for what is no array of the program, with the memory that it was where it has been freed; so
  // does array_of.
  void free_array(memory& m, hipArray_const_t a);
  const device_array& array_of(hipArray_const_t a) const;

  hipTextureObject_t make_texture(memory& m, device_runtime& runtime, const texture_object& of);
  void free_texture(memory& m, hipTextureObject_t t);
  // hipErrorInvalidValue for what is none; so does free_texture.
  const texture_object& texture_of(hipTextureObject_t t) const;

  hipSurfaceObject_t make_surface(memory& m, device_runtime& runtime, const hipResourceDesc& resource,
                                  channel_reading reading);
  void free_surface(memory& m, hipSurfaceObject_t s);

  // hipDeviceReset: what lies in this memory goes with it.
  void forget(const memory& m);

 private:
  static constexpr size_t longest_history = 4096;  // freed arrays
  // Puts an object in device memory, where the device library reads it.
  static uint64_t place_words(memory& m, device_runtime& runtime, const image_words& w);
  using arrays = std::map<hipArray_const_t, std::unique_ptr<device_array>>;
  arrays::const_iterator find(hipArray_const_t a, memory_misuse wanted) const;
  arrays arrays_;
  std::deque<std::unique_ptr<device_array>> freed_;  // the last ones: no other array gets the handle of one of them
  std::map<hipTextureObject_t, texture_object> textures_;
  std::map<hipSurfaceObject_t, hipResourceDesc> surfaces_;
};

// The memory that a copy's arrays are: the same copy without arrays, in bytes. Extents are in texels where there is an
// array, and so are positions in arrays. hipErrorInvalidValue beyond an array's end, and for a side that is both.
hipMemcpy3DParms without_arrays(const image_table& images, const hipMemcpy3DParms& p);

}  // namespace pws::hip
