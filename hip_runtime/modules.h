// SPDX-License-Identifier: Apache-2.0
// Device code that the program brought: the bundles in its executable and libraries, and modules that it loads itself.
// Kernels by the host's handle for them, variables by the host's shadow of them. Code is read and placed in device
// memory when it is first needed: most executables register more than they use. Each device has a copy of its own of
// the program's code and variables; a module that the program loads itself is on one device. A device is named by its
// runtime.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "hip_runtime/failure.h"
#include "hip_runtime/memory.h"
#include "platform/machine/device_runtime.h"
#include "platform/run/program/scheme_use.h"
#include "sw/loader/program_image.h"

namespace pws::hip {

class code_module;

// What a hipFunction_t points at.
struct kernel_function {
  std::string name;  // mangled
  code_module* module = nullptr;
  const loader::code_object* object = nullptr;
  loaded_kernel loaded;
  mutable std::optional<code_points> points;  // once asked for

  const code_points& code() const;  // of it and what it calls; decoded when first asked for
};

class code_module {
 public:
  // For a registered bundle: its bytes stay in the executable, and are read when first needed.
  explicit code_module(const void* bundle) : bundle_(bundle) {}
  explicit code_module(loader::program_image image) : image_(std::move(image)) {}

  // Reads it and places it in a device's memory, once. Throws failure. False: it is there already.
  bool place(device_runtime& runtime);
  // What it holds, read if it has not been; throws failure.
  const loader::program_image& read();
  void remove(device_runtime& runtime);
  bool placed(const device_runtime& runtime) const { return functions_.count(&runtime) != 0; }
  const loader::program_image& image() const { return *image_; }

  // Throws failure: hipErrorNotFound.
  kernel_function& function(const std::string& name, const device_runtime& runtime);
  bool owns(const kernel_function* f) const;  // f: any value
  // A global variable in device memory, a managed one where its block is. Throws failure: hipErrorNotFound.
  loader::symbol variable(const std::string& name, const device_runtime& runtime) const;
  // For a module that the program loads itself: gives its __managed__ variables blocks, with their initial values.
  // Clang's code has a pointer by the variable's name, and the initial contents as NAME.managed.
  void give_managed(device_runtime& runtime, memory& blocks);
  void take_managed(memory& blocks);  // frees them

 private:
  const void* bundle_ = nullptr;
  std::optional<loader::program_image> image_;
  // Those that were asked for, by name; of each device that it is placed on.
  std::map<const device_runtime*, std::map<std::string, std::unique_ptr<kernel_function>>> functions_;
  std::map<std::string, loader::symbol> managed_;  // by name, where they are
};

// A variable of the program; the host knows it by the address of a shadow.
struct registered_variable {
  code_module* module = nullptr;
  std::string name;
  uint64_t bytes = 0;
  // A managed one:
  uint64_t managed_at = 0;        // address of its block; 0: it is where its module was placed
  void** pointer = nullptr;       // the host's, to the block
  const void* initial = nullptr;  // what it begins with; nullptr: zeros
};

class module_table {
 public:
  code_module* add_bundle(const void* bundle);
  // Forgets its kernels and variables, on those devices, which are all that there are.
  void remove_bundle(code_module* module, const std::vector<device_runtime*>& runtimes);
  void add_kernel(code_module* module, const void* handle, const char* name);
  void add_variable(code_module* module, const void* shadow, registered_variable variable);
  // A managed variable of module, by name: it gets a block of its own, to which the host's pointer and the device's
  // lead.
  void add_managed(registered_variable variable, device_runtime& runtime, memory& blocks);
  // For hipDeviceReset: modules that the program loaded go from the device, its own ones are placed again when they are
  // needed.
  void take_from_device(device_runtime& runtime, memory& blocks);
  // Behind that, when the old blocks are gone: those managed variables that had them there get new ones, of which the
  // other devices, `runtimes`, hear.
  void give_managed_again(device_runtime& runtime, memory& blocks, const std::vector<device_runtime*>& runtimes);

  // hipModule_t's. Throws failure: hipErrorInvalidImage.
  code_module* load(loader::program_image image, device_runtime& runtime, memory& blocks);
  void unload(code_module* module, memory& blocks);
  bool is_loaded(const code_module* module) const;
  // The device of a module that the program loaded.
  device_runtime& home_of(const code_module* module) const { return *loaded_.at(module); }

  // The kernel of a host stub on that device, or of a hipFunction_t. Throws failure: hipErrorInvalidDeviceFunction, or
  // hipErrorInvalidDevice for a function of a module that is on another device.
  kernel_function& kernel(const void* handle, device_runtime& runtime);
  bool is_function(const void* handle) const;
  // Address and bytes of a variable, of a managed one also by where it is; throws failure: hipErrorInvalidSymbol.
  std::pair<uint64_t, uint64_t> variable(const void* shadow, device_runtime& runtime);
  const char* kernel_name(const void* handle) const;  // nullptr if it is none
  std::vector<code_module*> all() const;

 private:
  struct stub {
    code_module* module = nullptr;
    std::string name;
    const device_runtime* on = nullptr;  // the device of the last that was asked for, and it
    kernel_function* found = nullptr;
  };
  void give_block(registered_variable& v, device_runtime& runtime, memory& blocks);
  // Where its block is, into the device's pointer to it.
  static void write_managed(const registered_variable& v, device_runtime& runtime);
  // With the addresses of its managed variables.
  void place(code_module& module, device_runtime& runtime);
  std::map<const code_module*, std::unique_ptr<code_module>> modules_;  // those loaded and those of bundles
  std::map<const code_module*, device_runtime*> loaded_;
  std::unordered_map<const void*, stub> stubs_;
  std::unordered_map<const void*, registered_variable> variables_;
};

// The program in memory at `image`, as hipModuleLoadData gets it: code object or bundle. Its size is what its own
// headers say, within what is mapped there. Throws input_error.
loader::program_image program_in_memory(const void* image, const std::string& name);

}  // namespace pws::hip
