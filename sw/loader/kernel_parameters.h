// SPDX-License-Identifier: Apache-2.0
// A kernel's parameters as its source has them, from a code object's DWARF (-g). The metadata of optimised code have no
// names.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pws::loader {

// What a number is kept as.
enum class number_kind : uint8_t { none, signed_integer, unsigned_integer, real };

// One of them.
struct kernel_parameter {
  std::string name;
  bool is_pointer = false;
  // What the parameter is, or what it points to. An array or a vector of numbers is one of them. None: it is no number.
  number_kind kind = number_kind::none;
  uint64_t bytes = 0;  // of a number; 0: it is none
};

// In the order of the source. `entry`: the kernel's first instruction, as an offset from the base of the loaded code
// object. None: the kernel has none, or nothing is known of it. What is damaged is not known; there is no error.
std::vector<kernel_parameter> kernel_parameters(std::vector<uint8_t> code_object, uint64_t entry);

}  // namespace pws::loader
