// expect: fail with clang 15
// clang 15 sets M0 once for the kernel, and printf leaves the number of a message there: the machine says so and stops.
// (Later versions set it in front of each access.)
#include "printf_lds.h"

int main() {
  const int wrong = rotated_wrongly();
  if (wrong == 0) std::puts("PASS");
  return wrong == 0 ? 0 : 1;
}
// SPDX-License-Identifier: Apache-2.0
