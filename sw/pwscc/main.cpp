// pwscc: clang++ for HIP on gfx803, with the pass that places split and merge.
#include <exception>
#include <iostream>

#include "sw/pwscc/driver.h"

int main(int argc, char** argv) {
  try {
    return pws::pwscc::run_pwscc({argv + 1, argv + argc}, std::cout, std::cerr);
  } catch (const std::exception& e) {
    std::cerr << "pwscc: internal error: " << e.what() << "\n";
    return 2;
  }
}
