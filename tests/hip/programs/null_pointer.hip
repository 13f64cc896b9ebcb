// expect: fail
// One work-item of 300 reads through a null pointer.
#include "check.h"

__global__ void read_through(int* const* pointers, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = *pointers[i];
}

int main() {
  check::device_array<int> target(1), out(300);
  target.fill(0);
  std::vector<int*> pointers(300, target.get());
  pointers[217] = nullptr;
  check::device_array<int*> device_pointers(pointers);
  read_through<<<3, 100>>>(device_pointers.get(), out.get());
  CHECK_LAUNCH();
  HIP_CHECK(hipDeviceSynchronize());
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
