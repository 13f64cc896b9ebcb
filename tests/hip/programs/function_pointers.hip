// Device function pointers: a __device__ table filled at load time, a pointer read back by the host and given to a
// kernel as an argument, a divergent choice of callee per lane, virtual functions of objects made on the device.
#include "check.h"

using operation = int (*)(int, int);

__device__ __attribute__((noinline)) int add(int a, int b) {
  return a + b;
}
__device__ __attribute__((noinline)) int subtract(int a, int b) {
  return a - b;
}
__device__ __attribute__((noinline)) int multiply(int a, int b) {
  return a * b;
}
__device__ __attribute__((noinline)) int larger(int a, int b) {
  return a > b ? a : b;
}
__device__ operation operations[4] = {add, subtract, multiply, larger};

static int on_host(int which, int a, int b) {
  switch (which) {
    case 0:
      return a + b;
    case 1:
      return a - b;
    case 2:
      return a * b;
    default:
      return a > b ? a : b;
  }
}

struct shape {
  __device__ virtual int area() const { return -1; }
};
struct square final : shape {
  __device__ explicit square(int side) : side_(side) {}
  __device__ int area() const override { return side_ * side_; }
  int side_;
};
struct rectangle final : shape {
  __device__ rectangle(int width, int height) : width_(width), height_(height) {}
  __device__ int area() const override { return width_ * height_; }
  int width_, height_;
};

__global__ void uniform_call(operation op, const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = op(a[i], b[i]);
}
__global__ void divergent_call(const uint8_t* which, const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = operations[which[i]](a[i], b[i]);
}
__global__ void areas(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const square s(i);
  const rectangle r(i, 3);
  const shape* chosen = i % 3 == 0 ? static_cast<const shape*>(&s) : &r;
  out[i] = chosen->area();
}

int main() {
  const int n = 450;
  const unsigned block = 96;
  const unsigned blocks = check::blocks_for(n, block);
  check::random_source random(10);
  std::vector<int> a(n), b(n);
  std::vector<uint8_t> which(n);
  for (int i = 0; i < n; ++i) {
    a[i] = static_cast<int>(random.below(2001)) - 1000;
    b[i] = static_cast<int>(random.below(2001)) - 1000;
    which[i] = static_cast<uint8_t>(random.bits() >> 30);
  }
  check::device_array<int> device_a(a), device_b(b), out(n);
  check::device_array<uint8_t> device_which(which);
  operation table[4];
  HIP_CHECK(hipMemcpyFromSymbol(table, HIP_SYMBOL(operations), sizeof table));
  std::vector<int> want(n);
  for (int k = 0; k < 4; ++k) {
    uniform_call<<<blocks, block>>>(table[k], device_a.get(), device_b.get(), out.get(), n);
    CHECK_LAUNCH();
    for (int i = 0; i < n; ++i) want[i] = on_host(k, a[i], b[i]);
    CHECK_SAME("uniform call", out.download(), want);
  }
  divergent_call<<<blocks, block>>>(device_which.get(), device_a.get(), device_b.get(), out.get(), n);
  CHECK_LAUNCH();
  for (int i = 0; i < n; ++i) want[i] = on_host(which[i], a[i], b[i]);
  CHECK_SAME("divergent call", out.download(), want);
  areas<<<blocks, block>>>(out.get(), n);
  CHECK_LAUNCH();
  for (int i = 0; i < n; ++i) want[i] = i % 3 == 0 ? i * i : i * 3;
  CHECK_SAME("virtual call", out.download(), want);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
