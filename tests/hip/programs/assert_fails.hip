// expect: fail
// assert that fails in one work-item: the message goes to stderr, the program cannot end with exit code 0 and PASS.
#undef NDEBUG
#include <cassert>

#include "check.h"

__global__ void refuse(int bad) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  assert(i != bad);
}

int main() {
  refuse<<<3, 50>>>(77);
  CHECK_LAUNCH();
  HIP_CHECK(hipDeviceSynchronize());
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
