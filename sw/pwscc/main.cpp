// SPDX-License-Identifier: Apache-2.0
// pwscc: clang++ for HIP on gfx803, with the pass that places split and merge.
#include <exception>
#include <iostream>

#include "base/standard_output.h"
#include "base/version.h"
#include "sw/pwscc/driver.h"

int main(int argc, char** argv) {
  try {
    pws::ignore_broken_pipe();
    const int code =
        pws::pwscc::run_pwscc({argv + 1, argv + argc}, pws::version_of("pwscc").text, std::cout, std::cerr);
    if (pws::flush_standard_output()) return code;
    std::cerr << "pwscc: standard output cannot be written\n";
    return 2;
  } catch (const std::exception& e) {
    std::cerr << "pwscc: internal error: " << e.what() << "\n";
    return 2;
  }
}
