// timing: yes
// unchecked: they stop at accesses that are forgiven here
// Accesses past the end of a buffer but in its last page, which hardware lets pass: loads and stores of one place each,
// by scalar and vector instructions, over and over. With the argument `far`, one page further.
#include "check.h"

__global__ void next_ones(const int* in, int* out, int n, int further) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i + 1 + further] - in[i + further];
}
__global__ void count_behind(int* data, int n) {
  if (threadIdx.x < 4) data[n + threadIdx.x] = data[n + threadIdx.x] + 1;
}

int main(int argc, char**) {
  const int n = 1000, page = 1024, rounds = 3;
  const int further = argc > 1 ? page : 0;
  check::device_array<int> in(n), out(n);
  std::vector<int> numbers(n);
  for (int i = 0; i < n; ++i) numbers[i] = 5 * i;
  in.upload(numbers);
  for (int k = 0; k < rounds; ++k) next_ones<<<4, 256>>>(in.get(), out.get(), n, further);
  CHECK_LAUNCH();
  HIP_CHECK(hipDeviceSynchronize());
  const std::vector<int> got = out.download();
  for (int i = 0; further == 0 && i < n - 1; ++i) CHECK(got[i] == 5, "[%d] is %d", i, got[i]);
  for (int k = 0; k < rounds; ++k) count_behind<<<1, 64>>>(in.get(), n);
  CHECK_LAUNCH();
  HIP_CHECK(hipDeviceSynchronize());
  CHECK_SAME("the buffer itself", in.download(), numbers);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
