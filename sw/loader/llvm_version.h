// SPDX-License-Identifier: Apache-2.0
// The version of LLVM and clang that the project is configured for (cmake/llvm.cmake), and what Debian and Ubuntu call
// its programs and packages. The compiler's plugins are of this version too.
#pragma once

#include <string>
#include <string_view>

namespace pws::loader {

// 15 to 19.
int llvm_version();
// Whether tables, bounds and outputs in the documents are of the code that it makes.
bool is_llvm_of_documents();
// The program or package of that version: "clang++-15" of "clang++".
std::string of_llvm_version(std::string_view name);
// The package of the device libraries.
std::string device_library_package();
// The folder in which that package has them.
std::string packaged_device_libraries();

}  // namespace pws::loader
