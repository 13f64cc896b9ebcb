// SPDX-License-Identifier: Apache-2.0
#include "tests/models/simulation.h"

#include <cstdlib>
#include <systemc>

#include "tests/integration/child_process.h"

// SystemC's library wants this symbol for its own main().
int sc_main(int, char**) {
  return 0;
}

// In builds with AddressSanitizer: what is lost by now; 0 where detect_leaks is off. A child ends without the look at
// its end.
extern "C" __attribute__((weak)) int __lsan_do_recoverable_leak_check();

namespace pws::test {

void simulate(void (*body)()) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  const auto run = [body](const message_sink&) {
    body();
    const bool leaks = __lsan_do_recoverable_leak_check != nullptr && __lsan_do_recoverable_leak_check() != 0;
    return testing::Test::HasFailure() || leaks ? 1 : 0;
  };
  const child_result child = in_child(run, 60);
  const bool warned = child.log.find("Warning:") != std::string::npos || child.log.find("Error:") != std::string::npos;
  if (child.status != 0 || warned)
    ADD_FAILURE() << "simulation: " << describe_status(child.status) << "\n" << child.log;
}

}  // namespace pws::test
