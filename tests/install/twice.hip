// SPDX-License-Identifier: Apache-2.0
// A HIP program that prints "twice" if its kernel has doubled 64 numbers.
#include <hip/hip_runtime.h>

#include <cstdio>
__global__ void twice(int* x) { x[threadIdx.x] *= 2; }
int main() {
  int host[64], *x = nullptr;
  for (int i = 0; i < 64; ++i) host[i] = i;
  if (hipMalloc(&x, sizeof host) != hipSuccess) return 3;
  if (hipMemcpy(x, host, sizeof host, hipMemcpyHostToDevice) != hipSuccess) return 4;
  twice<<<1, 64>>>(x);
  if (hipMemcpy(host, x, sizeof host, hipMemcpyDeviceToHost) != hipSuccess) return 5;
  for (int i = 0; i < 64; ++i)
    if (host[i] != 2 * i) return 6;
  std::puts("twice");
}
