// SPDX-License-Identifier: Apache-2.0
// A csmith program, which is C with one set of globals and a main(), made into something that every lane of a wavefront
// can run: a C++ struct with the globals as members and the functions as member functions.
#pragma once

#include <string>

namespace pws::test {

// `generated` is csmith's output for --lang-cpp --cpp11 --no-argc. The result includes device/program_begin.h and
// device/program_end.h. Throws std::runtime_error where the text is not what csmith 2.3 writes.
std::string lane_program(const std::string& generated);

}  // namespace pws::test
