// SPDX-License-Identifier: Apache-2.0
// A kernel in assembly by hand, for analyses of its code.
#pragma once

#include <string>

#include "sw/pwscc/assembled_kernel.h"
#include "tests/splitting/split_program.h"

namespace pws::test {

struct hand_kernel {
  explicit hand_kernel(const std::string& body)
      : file(text_of(body), "hand.s"), kernel(pwscc::assemble_kernels(file).at(0)) {
    // Without what fills up the last line of code.
    while (kernel.code.instructions.back().unit != isa::unit::end) kernel.code.instructions.pop_back();
  }
  pwscc::assembly_file file;
  pwscc::assembled_kernel kernel;

 private:
  static std::string text_of(const std::string& body) {
    assembly_file file;
    file.add_kernel(body);
    return file.text();
  }
};

}  // namespace pws::test
