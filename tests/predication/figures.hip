// The control flow of paper 004's figures 4, 5, 8 and 9, and loops that are left and continued in all ways. Every block
// of a figure stores to a row of its own, and leaves a comment in the assembly, by which code.py finds it. Prints PASS
// if all rows are as on the host.
#include <hip/hip_runtime.h>

#include <cstdio>
#include <string>
#include <vector>

constexpr int rows = 14, lanes = 192;
struct lane {
  int x, y;      // different in every work-item
  int u;         // the same in all
  int *out, at;  // row r: out[r * lanes + at]
  template <int row>
  __host__ __device__ void block(int value) const {
    out[row * lanes + at] = value;
#ifdef __HIP_DEVICE_COMPILE__
    asm volatile("; row %0" ::"n"(row));  // also keeps the compiler from making one store of two blocks'
#endif
  }
};

using work = int (*)(int);
__device__ __attribute__((noinline)) int twice(int a) {
  return a * 2;
}
__device__ __attribute__((noinline)) int square(int a) {
  return a * a;
}
__device__ __attribute__((noinline)) int negative(int a) {
  return -a;
}
__device__ work table[3] = {twice, square, negative};
static int on_host(int which, int a) {
  return which == 0 ? a * 2 : which == 1 ? a * a : -a;
}

// A value that is the same in all work-items, which the compiler does not see.
__host__ __device__ inline int hidden(int u) {
#ifdef __HIP_DEVICE_COMPILE__
  int v;
  asm("v_mov_b32 %0, %1" : "=v"(v) : "s"(u));
  return v;
#else
  return u;
#endif
}
__host__ __device__ inline void missed_condition(const lane& l) {
  if (hidden(l.u) > 4)  // the missed one
    l.block<1>(l.x * 3);
  else
    l.block<2>(l.y);
}

// Both sides of one divergent branch.
__host__ __device__ inline void figure_4(const lane& l) {
  if (l.x < l.y)
    l.block<2>(l.x * 3 + l.y);  // op2
  else
    l.block<3>(l.y * 5 - l.x);  // op3
  l.block<4>(l.x + l.y);        // op4
}
// P1 around P2; P1 is the same in all work-items in the second.
__host__ __device__ inline void figure_5a(const lane& l, bool p1) {
  l.block<1>(l.x);  // N1
  if (p1) {
    l.block<4>(l.x * 7);  // N4
    if (l.y & 1)
      l.block<6>(l.x ^ 77);  // N6
    else
      l.block<5>(l.x - 5);  // N5
    l.block<7>(l.y + 3);    // N7
  } else {
    l.block<3>(l.y * 11);  // N3
  }
  l.block<8>(l.x * l.y);  // N8
}
// A loop with two exits that lead to different places.
__host__ __device__ inline void figure_5c(const lane& l) {
  int k = 0, sum = l.x;
  for (;;) {
    l.block<5>(sum);       // N5
    if (sum > 50 + l.y) {  // the first exit
      l.block<9>(k);       // N9
      break;
    }
    sum += 7 + (k & 3);
    l.block<6>(sum);                               // N6
    if (++k > (l.y & 7)) return l.block<10>(sum);  // N10, the second exit
  }
  l.block<12>(sum);  // N12
}
// A short circuit: N4 is reached from N2 and N3, before all work-items meet at N5.
__host__ __device__ inline void figure_8(const lane& l) {
  bool more;
  if (l.x > 40) {
    l.block<2>(l.x);  // N2
    more = (l.y & 1) != 0;
  } else {
    l.block<3>(l.y);  // N3
    more = (l.y & 2) != 0;
  }
  if (more) l.block<4>(l.x * l.y + 1);  // N4
  l.block<5>(l.x - l.y);                // N5
}
__host__ __device__ inline void leave_and_continue(const lane& l) {
  int sum = 0;
  for (int k = 0; k < (l.x & 15); ++k) {
    if (((l.y + k) & 3) == 0) continue;
    if (sum > l.y) break;
    if (k == 9 && l.x > 80) return l.block<6>(sum);
    sum += l.x + k;
    l.block<7>(sum);
  }
  l.block<8>(sum);
}
// Conditions that are the same in all work-items, nested in all ways; a switch; a loop that may not run at all.
__host__ __device__ inline void uniform_conditions(const lane& l, int n) {
  if (l.u > 3) l.block<1>(l.x * 9 + l.y);
  if (l.x & 1) {
    l.block<2>(l.y);
    if (l.u & 2) l.block<3>(l.y * 3);
  }
  switch (l.u) {
    case 1:
      l.block<4>(l.x);
      break;
    case 5:
      l.block<5>(l.y);
      break;
    case 6:
      l.block<6>(l.x + 1);
      break;
    case 77:
      l.block<7>(l.y - 1);
      break;
  }
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += (l.x >> k) * 3;
  l.block<8>(sum);
}
// Where n is 0 the table is at no address.
__host__ __device__ inline void load(const lane& l, const int* table, int n) {
  if (n > 0) l.block<9>(table[n - 1] + l.x);  // the load
}
__host__ __device__ inline long long long_division(const lane& l, long long a, long long b) {
  return l.u > 2 ? a / b + l.x : a - b;
}

#define KERNEL(name, call)                                                                                         \
  __global__ void name(const int* __restrict__ x, const int* __restrict__ y, int u, const int* __restrict__ table, \
                       int n, int* __restrict__ out) {                                                             \
    const int i = blockIdx.x * blockDim.x + threadIdx.x;                                                           \
    const lane l{x[i], y[i], u, out, i};                                                                           \
    call;                                                                                                          \
  }
KERNEL(fig4, figure_4(l))
KERNEL(fig5a, figure_5a(l, l.x > 30))
KERNEL(fig5a_uniform, figure_5a(l, u > 3))
KERNEL(fig5c, figure_5c(l))
KERNEL(fig8, figure_8(l))
KERNEL(loops, leave_and_continue(l))
KERNEL(uniform, uniform_conditions(l, n))
KERNEL(missed, missed_condition(l))
KERNEL(guarded_load, load(l, table, n))
KERNEL(divide, l.block<1>(static_cast<int>(long_division(l, 0x123456789abLL * u, u + 0x100000000LL * n + 1))))
KERNEL(
    synchronise, if (u > 3) {
      __shared__ int shared[64];
      shared[threadIdx.x] = l.x;
      __syncthreads();
      l.block<1>(shared[63 - threadIdx.x]);
    })
__global__ void fig9(const int* x, const int* y, int u, const int*, int, int* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[lanes + i] = x[i] > 20 ? table[(y[i] & 0xff) % 3](x[i]) : u;
}

static bool check(hipError_t e) {
  if (e != hipSuccess) std::printf("%s\n", hipGetErrorString(e));
  return e == hipSuccess;
}

int main() {
  std::vector<int> x(lanes), y(lanes), from(rows * lanes), expected, got(rows * lanes);
  for (int i = 0; i < lanes; ++i) {
    x[i] = (i * 37 + 11) % 101;
    y[i] = (i * 53 + 5) % 97;
    if (i >= 128) x[i] = y[i] = 3;  // a wavefront in which all go the same way
  }
  bool good = true;
  using kernel = void (*)(const int*, const int*, int, const int*, int, int*);
  struct {
    const char* name;
    kernel run;
  } const kernels[] = {{"fig4", fig4},
                       {"fig5a", fig5a},
                       {"fig5a_uniform", fig5a_uniform},
                       {"fig5c", fig5c},
                       {"fig8", fig8},
                       {"loops", loops},
                       {"uniform", uniform},
                       {"missed", missed},
                       {"divide", divide},
                       {"synchronise", synchronise},
                       {"guarded_load", guarded_load},
                       {"fig9", fig9}};
  int *dx, *dy, *dout, *dtable;
  const int numbers[4] = {100, 200, 300, 400};
  if (!check(hipMalloc(&dx, 4 * lanes)) || !check(hipMalloc(&dy, 4 * lanes)) ||
      !check(hipMalloc(&dout, 4 * rows * lanes)) || !check(hipMalloc(&dtable, sizeof numbers)))
    return 1;
  check(hipMemcpy(dx, x.data(), 4 * lanes, hipMemcpyHostToDevice));
  check(hipMemcpy(dy, y.data(), 4 * lanes, hipMemcpyHostToDevice));
  check(hipMemcpy(dtable, numbers, sizeof numbers, hipMemcpyHostToDevice));
  for (const auto& k : kernels)
    for (const int u : {0, 1, 4, 5, 6, 77})
      for (const int n : {0, 1, 4}) {
        expected.assign(rows * lanes, -1);
        check(hipMemcpy(dout, expected.data(), 4 * rows * lanes, hipMemcpyHostToDevice));
        hipLaunchKernelGGL(k.run, dim3(lanes / 64), dim3(64), 0, nullptr, dx, dy, u, n == 0 ? nullptr : dtable, n,
                           dout);
        if (!check(hipDeviceSynchronize())) return 1;
        check(hipMemcpy(got.data(), dout, 4 * rows * lanes, hipMemcpyDeviceToHost));
        const std::string name = k.name;
        for (int i = 0; i < lanes; ++i) {
          const lane l{x[i], y[i], u, expected.data(), i};
          if (name == "fig4") figure_4(l);
          if (name == "fig5a") figure_5a(l, l.x > 30);
          if (name == "fig5a_uniform") figure_5a(l, u > 3);
          if (name == "fig5c") figure_5c(l);
          if (name == "fig8") figure_8(l);
          if (name == "loops") leave_and_continue(l);
          if (name == "uniform") uniform_conditions(l, n);
          if (name == "missed") missed_condition(l);
          if (name == "guarded_load") load(l, numbers, n);
          if (name == "divide")
            l.block<1>(static_cast<int>(long_division(l, 0x123456789abLL * u, u + 0x100000000LL * n + 1)));
          if (name == "synchronise" && u > 3) l.block<1>(x[i / 64 * 64 + 63 - i % 64]);
          if (name == "fig9") l.block<1>(x[i] > 20 ? on_host(y[i] % 3, x[i]) : u);
        }
        if (got == expected) continue;
        good = false;
        for (int r = 0; r < rows * lanes; ++r)
          if (got[r] != expected[r]) {
            std::printf("%s, u = %d, n = %d: row %d of work-item %d is %d, not %d\n", k.name, u, n, r / lanes,
                        r % lanes, got[r], expected[r]);
            break;
          }
      }
  std::printf(good ? "PASS\n" : "FAIL\n");
  return good ? 0 : 1;
}
// SPDX-License-Identifier: Apache-2.0
