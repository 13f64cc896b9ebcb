// SPDX-License-Identifier: Apache-2.0
// One launch of one kernel with all that is needed to run and check it: plain data, independent of the platform.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace pws::reference {

struct kernel_case {
  std::string name;                            // unique, letters, digits and '_' only
  std::string source;                          // from the repository's root: "sw/kernels/vector_add.hip"
  std::string kernel;                          // symbol in the code object
  std::array<uint32_t, 3> grid{1, 1, 1};       // work-items; a multiple of workgroup in each dimension
  std::array<uint32_t, 3> workgroup{1, 1, 1};  // work-items, at most 1024 in all
  uint32_t dynamic_lds = 0;                    // bytes, on top of the kernel's static LDS

  struct arg {
    std::string name;
    bool is_buffer = false;
    std::vector<uint8_t> bytes;     // buffer: contents before the launch, never empty; scalar: the value, little endian
    std::vector<uint8_t> expected;  // buffer: contents after the launch, same size as bytes; scalar: empty
  };
  std::vector<arg> args;  // in the order of the kernel's parameters
};

// A case that is made when it is run: the largest ones hold tens of megabytes.
struct case_entry {
  std::string name;         // of the case it makes
  uint64_t work_items = 0;  // in the grid before it is rounded up to whole workgroups, to choose cases by
  std::function<kernel_case()> make;
};

// Every case of every kernel in sw/kernels, grouped by kernel. Deterministic: the same bytes on every call and machine.
std::vector<case_entry> all_cases();

}  // namespace pws::reference
