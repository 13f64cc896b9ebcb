// pwscc: clang++ for HIP on gfx803, with the pass that places split and merge.
#include <csignal>
#include <exception>
#include <iostream>

#include "base/version.h"
#include "sw/pwscc/driver.h"

int main(int argc, char** argv) {
  try {
    std::signal(SIGPIPE, SIG_IGN);  // what cannot be written is said
    const int code =
        pws::pwscc::run_pwscc({argv + 1, argv + argc}, pws::version_of("pwscc").text, std::cout, std::cerr);
    if (std::cout.flush()) return code;
    std::cerr << "pwscc: standard output cannot be written\n";
    return 2;
  } catch (const std::exception& e) {
    std::cerr << "pwscc: internal error: " << e.what() << "\n";
    return 2;
  }
}
