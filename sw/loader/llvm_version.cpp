// SPDX-License-Identifier: Apache-2.0
#include "sw/loader/llvm_version.h"

#include <fmt/format.h>

namespace pws::loader {

int llvm_version() {
  return PWS_LLVM;
}

bool is_llvm_of_documents() {
  return PWS_LLVM == PWS_LLVM_OF_DOCUMENTS;
}

std::string of_llvm_version(std::string_view name) {
  return fmt::format("{}-{}", name, llvm_version());
}

std::string device_library_package() {
  return PWS_DEVICE_LIBRARY_PACKAGE;
}

std::string packaged_device_libraries() {
  return PWS_DEVICE_LIBRARIES;
}

}  // namespace pws::loader
