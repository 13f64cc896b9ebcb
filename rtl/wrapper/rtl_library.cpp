// SPDX-License-Identifier: Apache-2.0
#include "rtl/wrapper/rtl_library.h"

#include <dlfcn.h>

#include <cstring>

#include "base/error.h"
#include "base/installation.h"

namespace pws::rtl {

namespace {

constexpr const char* file_name = "libspsimd_rtl.so";
constexpr const char* what_builds_it =
    "In the project's folder, `cmake --preset release && cmake --build build --target spsimd_rtl` builds it";

const rtl_library* current = nullptr;

const rtl_library* open_library(const std::string& file) {
  void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return nullptr;
  using entry = const rtl_library* (*)();
  const auto function = reinterpret_cast<entry>(dlsym(handle, "pws_rtl_library"));
  if (function == nullptr)
    throw input_error(file + ": no RTL of the SpSIMD unit: it has no function pws_rtl_library. " + what_builds_it);
  const rtl_library* library = function();
  if (library == nullptr || library->interface == nullptr || std::strcmp(library->interface, PWS_RTL_INTERFACE) != 0)
    throw input_error(file + ": the RTL of the SpSIMD unit there belongs to other sources than this program. " +
                      what_builds_it);
  return library;
}

const rtl_library* find_library() {
  std::string looked_for;
  try {
    const std::string file = installed(std::string("lib/") + file_name).string();
    if (const rtl_library* library = open_library(file)) return library;
    throw input_error(std::string(dlerror()) + " (the RTL of the SpSIMD unit). " + what_builds_it);
  } catch (const not_installed& e) {
    looked_for = e.what();
  }
  // A program that has the machine as a library is linked with a path on which it is.
  if (const rtl_library* library = open_library(file_name)) return library;
  throw input_error("there is no RTL of the SpSIMD unit, which machine.cosim asks for: " + looked_for + ". " +
                    what_builds_it);
}

}  // namespace

const rtl_library& loaded_library() {
  if (current == nullptr) current = find_library();
  return *current;
}

std::string why_there_is_no_rtl() {
  try {
    loaded_library();
    return "";
  } catch (const input_error& e) {
    return e.what();
  }
}

void use_library(const std::string& file) {
  current = open_library(file);
  if (current == nullptr) throw input_error(dlerror());
}

std::unique_ptr<spsimd_rtl> spsimd_rtl::make(bool simd_unit) {
  return loaded_library().make(simd_unit);
}
unsigned spsimd_rtl::stages() {
  return loaded_library().stages;
}
unsigned spsimd_rtl::handover_registers() {
  return loaded_library().handover_registers;
}
void spsimd_rtl::check_assertions(bool on) {
  loaded_library().check_assertions(on);
}

}  // namespace pws::rtl
