// SPDX-License-Identifier: Apache-2.0
// C++ names as a user types them: demangled, with or without parameter list, and the nearest one to a misspelt name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pws::loader {

// "_Z4axpyPf" -> "axpy(float*)"; what is not a mangled name comes back as it is. A suffix that the compiler appended
// after a dot (".kd", ".intern.1234") is dropped before demangling.
std::string demangle(std::string_view name);
// "void ns::axpy<float>(float*)" -> "ns::axpy<float>": no return type, no parameter list.
std::string without_parameters(std::string_view demangled);
// A kernel by its mangled or demangled name, or that without_parameters.
bool is_name_of(const std::string& given, const std::string& mangled, const std::string& demangled);
// The candidate with the fewest edits from `name`, or "" if none is near (more than half of the letters differ).
std::string nearest_name(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace pws::loader
