// SPDX-License-Identifier: Apache-2.0
// Texture references, deprecated since HIP has texture objects: `texture<>` variables of the program, and those of
// modules that it asks for by name. The device's variable is such a structure too, of which kernels read the texture
// object.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "hip_runtime/images.h"

namespace pws::hip {

class code_module;
class context;

class texture_references {
 public:
  // A variable of the program: also known to the table of variables, by the same address.
  void add_variable(const textureReference* r) { bound_[r]; }
  bool has(const textureReference* r) const { return bound_.count(r) != 0; }
  // The reference of a module's variable; the same for each call. Throws failure: hipErrorNotFound.
  textureReference* of_module(context& c, code_module* m, const std::string& name);
  // The module goes, or the program's own references with it.
  void forget(const code_module* m);

  // Binds it to what `resource` says, as the reference's members say; what was bound is free. `offset`: bytes between
  // the memory that was asked for and the aligned memory that is bound. Throws failure: hipErrorInvalidValue for what
  // is no reference.
  void bind(context& c, const textureReference* r, const hipResourceDesc& resource, size_t offset = 0);
  void unbind(context& c, const textureReference* r);
  // Throws failure: hipErrorInvalidValue.
  size_t offset_of(const textureReference* r) const;
  // hipDeviceReset: objects in this memory are not bound any more.
  void forget_objects(const memory& m);

 private:
  struct binding {
    size_t offset = 0;
    code_module* module = nullptr;            // of a module's variable
    std::string name;                         // its
    std::unique_ptr<textureReference> owned;  // the reference of a module's variable
  };
  void put(context& c, const textureReference* r, hipTextureObject_t object);
  const binding& binding_of(const textureReference* r) const;
  std::map<const textureReference*, binding> bound_;
};

}  // namespace pws::hip
