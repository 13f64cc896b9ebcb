// expect: fail
// A kernel that writes far outside of every allocation: the run stops or hipDeviceSynchronize reports it; never PASS.
#include "check.h"

__global__ void wild_store(int* data, size_t offset) {
  data[offset + threadIdx.x] = 1;
}

int main() {
  check::device_array<int> data(100);
  wild_store<<<1, 64>>>(data.get(), size_t{1} << 40);
  CHECK_LAUNCH();
  HIP_CHECK(hipDeviceSynchronize());
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
