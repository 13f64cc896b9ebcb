// Arrays in private memory, indexed in and out of their bounds. Each kernel says what the check of memory finds in it
// without optimisation, and what its text begins with.
#include <hip/hip_runtime.h>

struct framed {
  int head;
  int body[5];
};
__device__ int sum_of(const int* in, int at) {
  int called[6];
  for (int i = 0; i < 6; ++i) called[i] = in[i];
  return called[at];
}
__device__ __forceinline__ int inlined_sum(const int* in, int at) {
  int inner[3];
  for (int i = 0; i < 3; ++i) inner[i] = in[i];
  return inner[at];
}

#define KERNEL(name, ...)                                                   \
  __global__ void name(int* out, const int* in, int n) {                   \
    const int me = threadIdx.x;                                            \
    int first[4], second[7];                                               \
    for (int i = 0; i < 4; ++i) first[i] = in[i];                          \
    for (int i = 0; i < 7; ++i) second[i] = in[i];                         \
    __VA_ARGS__;                                                           \
    out[me] = first[0] + second[0];                                        \
  }
KERNEL(last_element, first[n - 1] = second[n + 2])               // finds: nothing
KERNEL(reads_one_behind, second[0] = first[n])                   // finds: first[4] is read, 0 bytes behind the end of first, lanes 0-63
KERNEL(writes_one_behind, second[n + 3] = 1)                     // finds: second[7] is written, 0 bytes behind the end of second, lanes 0-63
KERNEL(in_front, second[0] = second[n - 5])                      // finds: second[-1] is read, 4 bytes in front of second, lanes 0-63
KERNEL(of_the_other, first[n + 2] = 1)                           // finds: first[6] is written, 8 bytes behind the end of first, lanes 0-63
KERNEL(one_lane, first[me == 5 ? n : 0] = 1)                     // finds: first[4] is written, 0 bytes behind the end of first, lanes 5
KERNEL(no_lane, if (n == 7) first[n] = 1)                        // finds: nothing
KERNEL(by_a_pointer, int* p = first; p[n - 1] = 1; p[n] = 2)     // finds: nothing
KERNEL(two_levels, int m[3][4]; for (int i = 0; i < 12; ++i) m[i / 4][i % 4] = i; first[0] = m[n - 1][n - 4]) // finds: m + 0x30 is read, 0 bytes behind the end of m, lanes 0-63
KERNEL(in_a_struct, framed f; f.head = 1; f.body[n] = 2; f.body[n + 1] = 3)  // finds: f + 0x18 is written, 0 bytes behind the end of f, lanes 0-63
KERNEL(within_a_struct, framed f; f.head = 1; f.body[n - 5] = 2; first[0] = f.head)  // finds: nothing
KERNEL(inlined, first[0] = inlined_sum(in, n - 1) + inlined_sum(in, n - 2))  // finds: nothing
KERNEL(called, first[0] = sum_of(in, n + 2) + sum_of(in, 5))     // finds: called[6] is read, 0 bytes behind the end of called, lanes 0-63
KERNEL(bytes, char text[13]; for (int i = 0; i < 13; ++i) text[i] = i; first[0] = text[n + 8] + text[n + 9])  // finds: text[13] is read, 0 bytes behind the end of text, lanes 0-63
KERNEL(chosen, char text[99]; for (int i = 0; i < 99; ++i) text[i] = i; first[0] = text[n == 4 ? 48 : 24])  // finds: nothing

int main() {
  int *in, *out, numbers[16];
  for (int i = 0; i < 16; ++i) numbers[i] = i;
  if (hipMalloc(&in, sizeof numbers) != hipSuccess || hipMalloc(&out, 64 * sizeof(int)) != hipSuccess) return 1;
  if (hipMemcpy(in, numbers, sizeof numbers, hipMemcpyHostToDevice) != hipSuccess) return 1;
#define RUN(name) name<<<1, 64>>>(out, in, 4)
  RUN(last_element);
  RUN(reads_one_behind);
  RUN(writes_one_behind);
  RUN(in_front);
  RUN(of_the_other);
  RUN(one_lane);
  RUN(no_lane);
  RUN(by_a_pointer);
  RUN(two_levels);
  RUN(in_a_struct);
  RUN(within_a_struct);
  RUN(inlined);
  RUN(called);
  RUN(bytes);
  RUN(chosen);
  return hipDeviceSynchronize() == hipSuccess ? 0 : 1;
}
// SPDX-License-Identifier: Apache-2.0
