// expect: fail
// timing: yes
// flags: --hip-version
// One block ends and comes to no barrier: the others wait for ever, which is told and not waited for.
#include <hip/hip_runtime.h>
// It needs the other before it.
#include <hip/hip_cooperative_groups.h>

#include "check.h"

__global__ void meet(int* data) {
  if (blockIdx.x == 2) return;
  cooperative_groups::this_grid().sync();
  data[blockIdx.x] = 1;
}

int main() {
  check::device_array<int> data(4);
  int* p = data.get();
  void* arguments[] = {&p};
  if (hipLaunchCooperativeKernel(reinterpret_cast<const void*>(&meet), dim3(4), dim3(64), arguments, 0, nullptr) !=
      hipSuccess)
    return 1;
  CHECK_LAUNCH();
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
