// flags: -mllvm -amdgpu-enable-merge-m0=0
// LDS is whole behind a call of printf where clang sets its limit (M0) in front of each access.
#include "printf_lds.h"

int main() {
  if (rotated_wrongly() != 0) return 1;
  std::puts("PASS");
}
// SPDX-License-Identifier: Apache-2.0
