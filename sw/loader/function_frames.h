// SPDX-License-Identifier: Apache-2.0
// Where a function's variables are in its frame in private memory, from a code object's DWARF (-g). Only of functions
// that were compiled without optimisation: an optimiser moves parts of an index into the constant that an address
// begins with, so nothing tells any more which variable it was.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pws::loader {

// A variable or parameter.
struct frame_variable {
  std::string name;
  uint64_t offset = 0;   // of its first byte in the work-item's frame
  uint64_t bytes = 0;    // at least 1
  uint64_t element = 0;  // bytes of an element, where it is an array of one dimension; else 0
};

// A function with the variables that have a place in its frame.
struct function_frame {
  uint64_t begin = 0, end = 0;  // its code: offsets from the base of the loaded code object
  std::vector<frame_variable> variables;
};

// In ascending order of their code. What is damaged, or has no such entries, has none; there is no error.
std::vector<function_frame> function_frames(std::vector<uint8_t> code_object);

}  // namespace pws::loader
