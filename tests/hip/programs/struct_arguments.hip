// Kernel arguments by value: a large struct with an array, packed and over-aligned structs, odd sizes between small
// types, bool and char, long argument lists, an empty struct, no argument at all.
#include "check.h"

struct large {
  int head;
  double values[60];
  char tail[5];
};
struct __attribute__((packed)) unaligned {
  char a;
  int b;
  short c;
  double d;
};
struct alignas(32) aligned {
  float x[5];
};
struct odd {
  char c[3];
};
struct nothing {};

__device__ int no_argument_calls;

__global__ void take_large(large l, double* out) {
  const int i = threadIdx.x;
  if (i < 60) out[i] = l.values[59 - i] * l.head + l.tail[i % 5];
}
__global__ void take_odd(char a, unaligned u, bool b, aligned v, odd o, nothing, short s, double* out, float f, odd p,
                         int64_t last) {
  const double values[] = {static_cast<double>(a),
                           static_cast<double>(u.a),
                           static_cast<double>(u.b),
                           static_cast<double>(u.c),
                           u.d,
                           b ? 1.0 : 0.0,
                           v.x[0],
                           v.x[4],
                           static_cast<double>(o.c[2]),
                           static_cast<double>(s),
                           f,
                           static_cast<double>(p.c[0]),
                           static_cast<double>(last)};
  if (threadIdx.x < sizeof values / sizeof values[0]) out[threadIdx.x] = values[threadIdx.x];
}
__global__ void take_many(int* out, int a0, short a1, int a2, char a3, int64_t a4, uint8_t a5, int a6, uint16_t a7,
                          int a8, int a9, int a10, int8_t a11, int a12, int a13, int a14, int a15) {
  if (threadIdx.x == 0) {
    out[0] = a0 + 2 * a1 + 3 * a2 + 4 * a3 + 5 * static_cast<int>(a4) + 6 * a5 + 7 * a6 + 8 * a7 + 9 * a8 + 10 * a9 +
             11 * a10 + 12 * a11 + 13 * a12 + 14 * a13 + 15 * a14 + 16 * a15;
  }
}
__global__ void take_none() {
  if (threadIdx.x == 17) atomicAdd(&no_argument_calls, 1);
}

int main() {
  large l;
  l.head = -3;
  for (int i = 0; i < 60; ++i) l.values[i] = i * 1.5 - 20;
  std::memcpy(l.tail, "\1\2\3\4\5", 5);
  check::device_array<double> out(60);
  take_large<<<1, 64>>>(l, out.get());
  l.head = 1000;  // the launch has taken its copy
  CHECK_LAUNCH();
  std::vector<double> want(60);
  for (int i = 0; i < 60; ++i) want[i] = l.values[59 - i] * -3 + (i % 5 + 1);
  CHECK_SAME("large struct", out.download(), want);

  const unaligned u = {-1, 123456789, -3000, 2.5};
  const aligned v = {{1.5f, 0, 0, 0, -7.25f}};
  check::device_array<double> odd_out(13);
  take_odd<<<1, 64>>>('x', u, true, v, odd{{1, 2, 3}}, nothing{}, -12345, odd_out.get(), 0.125f, odd{{9, 8, 7}},
                      -(int64_t{1} << 40));
  CHECK_LAUNCH();
  CHECK_SAME("odd arguments", odd_out.download(),
             std::vector<double>{'x', -1, 123456789, -3000, 2.5, 1, 1.5, -7.25, 3, -12345, 0.125, 9,
                                 -static_cast<double>(int64_t{1} << 40)});

  check::device_array<int> sum(1);
  take_many<<<1, 1>>>(sum.get(), 1, -2, 3, -4, 5, 250, 7, 65000, 9, -10, 11, -12, 13, 14, -15, 16);
  CHECK_LAUNCH();
  CHECK_SAME(
      "many arguments", sum.download(),
      std::vector<int>{1 - 4 + 9 - 16 + 25 + 6 * 250 + 49 + 8 * 65000 + 81 - 100 + 121 - 144 + 169 + 196 - 225 + 256});
  for (int i = 0; i < 3; ++i) take_none<<<5, 20>>>();
  CHECK_LAUNCH();
  int calls = 0;
  HIP_CHECK(hipMemcpyFromSymbol(&calls, HIP_SYMBOL(no_argument_calls), sizeof calls));
  CHECK(calls == 15, "%d calls without arguments, expected 15", calls);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
