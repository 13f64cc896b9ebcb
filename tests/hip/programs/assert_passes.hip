// assert in a kernel that holds for every work-item, some of them with side effects behind it; nothing is printed.
#undef NDEBUG
#include <cassert>

#include "check.h"

__global__ void checked_square(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  assert(in[i] >= 0 && in[i] < 1000);
  const int square = in[i] * in[i];
  assert(square >= in[i]);
  out[i] = square;
}

int main() {
  const int n = 200;
  check::random_source random(20);
  std::vector<int> in(n), want(n);
  for (int i = 0; i < n; ++i) {
    in[i] = static_cast<int>(random.below(1000));
    want[i] = in[i] * in[i];
  }
  check::device_array<int> device_in(in), device_out(n);
  checked_square<<<check::blocks_for(n, 64), 64>>>(device_in.get(), device_out.get(), n);
  CHECK_LAUNCH();
  CHECK_SAME("squares", device_out.download(), want);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
