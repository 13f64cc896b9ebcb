// Calls that the compiler cannot inline away: the callee's stack frame, arguments in registers and on the stack,
// addresses of functions as data.
#include <hip/hip_runtime.h>

#include <cstdint>

__device__ __attribute__((noinline)) uint32_t mix(uint32_t a, uint32_t b) { return (a ^ b) * 2654435761u + (a >> 7); }

// More arguments than the calling convention passes in registers, and a large result through memory.
struct wide {
  uint32_t v[40];
};
__device__ __attribute__((noinline)) wide spread(uint32_t a, wide w, uint64_t b, double c) {
  for (int i = 0; i < 40; ++i) w.v[i] = mix(w.v[i] + a, static_cast<uint32_t>(b >> (i & 31)) + static_cast<uint32_t>(c));
  return w;
}

extern "C" __global__ void noinline_calls(const uint32_t* in, uint32_t* out) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  wide w;
  for (int k = 0; k < 40; ++k) w.v[k] = in[i] + k;
  w = spread(i, w, 0x0123456789abcdefull, 3.75 * i);
  uint32_t sum = 0;
  for (int k = 0; k < 40; ++k) sum = mix(sum, w.v[k]);
  out[i] = sum;
}

__device__ __attribute__((noinline)) uint32_t ackermann(uint32_t m, uint32_t n) {
  if (m == 0) return n + 1;
  if (n == 0) return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
__device__ __attribute__((noinline)) uint32_t fibonacci(uint32_t n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }
// Every work-item recurses to another depth.
extern "C" __global__ void recursion(uint32_t* out) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  out[2 * i] = ackermann(2, i % 5);
  out[2 * i + 1] = fibonacci(i % 12);
}

__device__ __attribute__((noinline)) void quicksort(int32_t* v, int low, int high) {
  if (low >= high) return;
  const int32_t pivot = v[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (v[i] < pivot) ++i;
    while (v[j] > pivot) --j;
    if (i <= j) {
      const int32_t t = v[i];
      v[i++] = v[j];
      v[j--] = t;
    }
  }
  quicksort(v, low, j);
  quicksort(v, i, high);
}
// Sorts a private array through a generic pointer, then stores it.
extern "C" __global__ void sorts(const int32_t* in, int32_t* out) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  int32_t v[24];
  for (int k = 0; k < 24; ++k) v[k] = in[i * 24 + k];
  quicksort(v, 0, 23);
  for (int k = 0; k < 24; ++k) out[i * 24 + k] = v[k];
}

// As deep as the stack allows: `depth` frames of about 80 bytes.
__device__ __attribute__((noinline)) uint32_t deep(uint32_t depth, uint32_t seed) {
  volatile uint32_t frame[16];
  frame[depth % 16] = seed;
  const uint32_t below = depth == 0 ? seed : deep(depth - 1, seed * 3 + 1);
  return below + frame[depth % 16];
}
extern "C" __global__ void deep_recursion(uint32_t* out, uint32_t depth) {
  out[threadIdx.x] = deep(depth, threadIdx.x);
}

__device__ __attribute__((noinline)) uint32_t add(uint32_t a, uint32_t b) { return a + b; }
__device__ __attribute__((noinline)) uint32_t subtract(uint32_t a, uint32_t b) { return a - b; }
__device__ __attribute__((noinline)) uint32_t multiply(uint32_t a, uint32_t b) { return a * b; }
using binary = uint32_t (*)(uint32_t, uint32_t);
__device__ binary operations[] = {add, subtract, multiply, mix};
// A different function in neighbouring lanes.
extern "C" __global__ void function_pointers(const uint32_t* in, uint32_t* out) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = operations[in[i] % 4](in[i], i);
}

struct shape {
  __device__ virtual float area() const { return 0.0f; }
  __device__ virtual int corners() const { return 0; }
};
struct square : shape {
  float side;
  __device__ explicit square(float s) : side(s) {}
  __device__ float area() const override { return side * side; }
  __device__ int corners() const override { return 4; }
};
struct disc : shape {
  float radius;
  __device__ explicit disc(float r) : radius(r) {}
  __device__ float area() const override { return 3.0f * radius * radius; }
};
__device__ __attribute__((noinline)) float describe(const shape& s) { return s.area() * 10.0f + s.corners(); }
extern "C" __global__ void virtual_functions(const uint32_t* in, float* out) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  const square a(static_cast<float>(i));
  const disc b(static_cast<float>(in[i] & 63));
  out[i] = describe((in[i] & 1) != 0 ? static_cast<const shape&>(a) : b);
}

// A switch that becomes a table of jumps or a tree of branches.
extern "C" __global__ void switches(const uint32_t* in, uint32_t* out) {
  const uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t x = in[i];
  switch (in[0] % 9 + blockIdx.x % 9) {  // uniform
    case 0: x += 3; break;
    case 1: x *= 7; break;
    case 2: x ^= 0x55; break;
    case 3: x -= 11; break;
    case 4: x = ~x; break;
    case 5: x <<= 3; break;
    case 6: x >>= 2; break;
    case 7: x = x * x; break;
    case 8: x = x / 3; break;
    case 9: x |= 0xf0; break;
    default: x = 0; break;
  }
  switch (x & 7) {  // divergent
    case 0: x += 13; break;
    case 1: x *= 17; break;
    case 2: x ^= 0x5555; break;
    case 3: x -= 111; break;
    case 5: x <<= 1; break;
    case 6: return;
    default: x |= 1; break;
  }
  out[i] = x;
}

// A loop around more code than a 16-bit branch offset reaches (128 KiB). The compiler estimates the size of assembly by
// its lines.
#define TEN(x) x x x x x x x x x x
extern "C" __global__ void long_branch(uint32_t* out, uint32_t rounds) {
  uint32_t x = threadIdx.x;
  for (uint32_t r = 0; r < rounds; ++r) {
    x = x * 5 + r;
    asm volatile(TEN(TEN(TEN(TEN("s_nop 0\n") TEN("s_nop 0\n") TEN("s_nop 0\n") TEN("s_nop 0\n")))));
  }
  out[threadIdx.x] = x;
}
// SPDX-License-Identifier: Apache-2.0
