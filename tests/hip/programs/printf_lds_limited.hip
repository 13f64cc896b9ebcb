// expect: fail
// clang 15 sets M0 once for the kernel, and printf leaves the number of a message there: the machine says so and stops.
// If this passes some day, docs/hip.md has one trap too many.
#include "printf_lds.h"

int main() {
  const int wrong = rotated_wrongly();
  if (wrong == 0) std::puts("PASS");
  return wrong == 0 ? 0 : 1;
}
// SPDX-License-Identifier: Apache-2.0
