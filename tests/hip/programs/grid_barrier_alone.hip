// expect: fail
// timing: yes
// flags: --hip-version
// A barrier of the grid in a launch that is not cooperative: blocks that are not there would be waited for for ever.
#include <hip/hip_runtime.h>
// It needs the other before it.
#include <hip/hip_cooperative_groups.h>

#include "check.h"

__global__ void meet(int* data) {
  data[blockIdx.x] = 1;
  cooperative_groups::this_grid().sync();
  data[blockIdx.x] = 2;
}

int main() {
  check::device_array<int> data(4);
  meet<<<4, 64>>>(data.get());
  CHECK_LAUNCH();
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
