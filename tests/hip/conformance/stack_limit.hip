// SPDX-License-Identifier: Apache-2.0
// flags: --hip-version -mcode-object-version=5
// library: own
// hipLimitStackSize, of which kernels with recursion have their stack. The code object is of version 5, because clang 16
// and later say in no other that a kernel's stack has no known size.
#include "conformance.h"
#include "newer_api.h"

namespace {
constexpr int items = 64;

__device__ __attribute__((noinline)) int deep(int depth, int seed) {
  int kept[20];
  kept[depth % 20] = seed;
  const int below = depth == 0 ? seed : deep(depth - 1, seed * 3 + kept[(depth + 20) % 20]);
  return below + kept[depth % 20];
}
int expected(int depth, int seed) {
  const auto s = static_cast<unsigned>(seed);
  return static_cast<int>((depth == 0 ? s : static_cast<unsigned>(expected(depth - 1, static_cast<int>(s * 4)))) + s);
}
__global__ void descend(int* out, int depth) {
  out[threadIdx.x] = deep(depth, static_cast<int>(threadIdx.x));
}

void descends(int depth) {
  int* out = nullptr;
  int got[items] = {};
  OK(hipMalloc(reinterpret_cast<void**>(&out), sizeof got));
  descend<<<1, items>>>(out, depth);
  OK(hipGetLastError());
  OK(hipMemcpy(got, out, sizeof got, hipMemcpyDeviceToHost));
  OK(hipFree(out));
  for (int k = 0; k < items; ++k) SAME(got[k], expected(depth, k));
}
}  // namespace

CASE(the_stack_that_is_there_at_first) {
  descends(60);
}
CASE(as_deep_as_the_limit_lets) {
  OK(hipDeviceSetLimit(hipLimitStackSize, 100000));
  descends(600);
}
CASE(a_smaller_one_is_no_less_than_the_code_says) {
  OK(hipDeviceSetLimit(hipLimitStackSize, 0));
  descends(0);
}
// The error ends the device: the last case.
CASE(too_deep_is_an_error) {
  OK(hipDeviceSetLimit(hipLimitStackSize, 20000));
  int* out = nullptr;
  OK(hipMalloc(reinterpret_cast<void**>(&out), items * sizeof(int)));
  descend<<<1, items>>>(out, 600);
  EXPECT(hipDeviceSynchronize() != hipSuccess);
  OK(hipDeviceReset());
}
