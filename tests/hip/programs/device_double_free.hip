// flags: --hip-version
// A large block that kernels free twice. Where accesses outside of allocations stop the machine, this does.
#include "check.h"

__global__ void take(void** block) {
  *block = malloc(100000);
}
__global__ void give(void** block) {
  free(*block);
}

int main() {
  check::device_array<void*> block(1);
  take<<<1, 1>>>(block.get());
  give<<<1, 1>>>(block.get());
  CHECK_LAUNCH();
  give<<<1, 1>>>(block.get());
  CHECK_LAUNCH();
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
