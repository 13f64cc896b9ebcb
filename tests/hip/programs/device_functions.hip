// Calls on the device: noinline functions with many arguments, a struct returned by value, pointers to local variables
// (scratch memory), direct and mutual recursion, all with divergent callers.
#include "check.h"

struct range {
  int low, high;
  double middle;
};

__host__ __device__ __attribute__((noinline)) range make_range(int a, int b) {
  return a < b ? range{a, b, (a + b) * 0.5} : range{b, a, (a + b) * 0.5};
}
__host__ __device__ __attribute__((noinline)) int many(int a, int b, int c, int d, int64_t e, float f, char g, int h,
                                                       int i, int j, int k, int l) {
  return a + 2 * b + 3 * c + 4 * d + static_cast<int>(5 * e) + static_cast<int>(6 * f) + 7 * g + 8 * h + 9 * i +
         10 * j + 11 * k + 12 * l;
}
__host__ __device__ __attribute__((noinline)) void divide(int a, int b, int* quotient, int* remainder) {
  *quotient = a / b;
  *remainder = a % b;
}
__host__ __device__ __attribute__((noinline)) int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__host__ __device__ bool is_odd(int n);
__host__ __device__ __attribute__((noinline)) bool is_even(int n) {
  return n == 0 ? true : is_odd(n - 1);
}
__host__ __device__ __attribute__((noinline)) bool is_odd(int n) {
  return n == 0 ? false : is_even(n - 1);
}
__host__ __device__ __attribute__((noinline)) int ackermann(int m, int n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}

__host__ __device__ inline int everything(int i) {
  const range r = make_range(i * 37 % 50, i * 11 % 50);
  int quotient, remainder;
  divide(i + 1000, r.high + 1, &quotient, &remainder);
  int result = r.low + static_cast<int>(2 * r.middle) + quotient * 1000 + remainder;
  result +=
      many(i, i + 1, r.low, r.high, int64_t{i} << 3, i * 0.5f, static_cast<char>(i % 100), 8, 9, 10, -i, quotient);
  if (i % 3 == 0) result += fibonacci(i % 9);
  if (i % 5 == 1) result += is_even(i % 13) ? 100000 : 200000;
  if (i % 7 == 2) result += ackermann(2, i % 4) * 1000000;
  return result;
}

__global__ void call_everything(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = everything(i);
}

int main() {
  const int n = 333;
  check::device_array<int> out(n);
  call_everything<<<check::blocks_for(n, 128), 128>>>(out.get(), n);
  CHECK_LAUNCH();
  HIP_CHECK(hipDeviceSynchronize());
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i) want[i] = everything(i);
  CHECK_SAME("results", out.download(), want);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
