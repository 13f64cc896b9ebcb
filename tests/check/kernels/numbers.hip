// Kernels in which NaNs, infinities and divisions by zero arise, and right ones. Each says what the check `numbers` finds
// in it, and nothing else:
//
//   NUMBERS(name, body)  // finds: rule, rule
//
// What is found by lines of functions alone is marked "(by lines)": without them it may be found or not.
//
// Work-item t has t in f[t], d[t], i[t] and l[t]; f[128 + t] is infinite. Results go to [64 + t].
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>

#define NUMBERS(name, ...)                                                             \
  __global__ void name(float* f, double* d, int* i, long long* l, unsigned* u) {       \
    const int t = threadIdx.x;                                                         \
    [[maybe_unused]] const float x = f[t];                                             \
    [[maybe_unused]] const double y = d[t];                                            \
    [[maybe_unused]] const int a = i[t];                                               \
    [[maybe_unused]] const long long b = l[t];                                         \
    __VA_ARGS__;                                                                       \
  }

NUMBERS(one_by_zero, f[64 + t] = 1.0f / x)                                     // finds: infinity_arises
NUMBERS(zero_by_zero, f[64 + t] = x / x)                                       // finds: nan_arises
NUMBERS(one_by_zero_in_double, d[64 + t] = 1.0 / y)                            // finds: infinity_arises
NUMBERS(one_by_zero_in_half, ((_Float16*)f)[256 + t] = (_Float16)1 / (_Float16)x)  // finds: infinity_arises
NUMBERS(too_large, f[64 + t] = x * 3e38f)                                      // finds: infinity_arises
NUMBERS(too_large_for_half, ((_Float16*)f)[256 + t] = (_Float16)(x * 1e5f))    // finds: infinity_arises
NUMBERS(root_of_minus_one, f[64 + t] = sqrtf(x - 1))                           // finds: nan_arises
NUMBERS(logarithm_of_zero, f[64 + t] = __logf(x))                              // finds: infinity_arises
NUMBERS(a_sum_with_it, f[64 + t] = 1 / x + t)                                  // finds: infinity_arises
NUMBERS(integer, i[64 + t] = 100 / a)                                          // finds: integer_division_by_zero
NUMBERS(remainder, u[64 + t] = 100u % u[t])                                    // finds: integer_division_by_zero
NUMBERS(short_integer, i[64 + t] = (short)100 / (short)a)                      // finds: integer_division_by_zero
NUMBERS(long_integer, l[64 + t] = 100000000000ll / b)                          // finds: integer_division_by_zero
NUMBERS(small_long_integer, l[64 + t] = 100ll / b)                             // finds: integer_division_by_zero


NUMBERS(root_of_minus_one_in_double, d[64 + t] = sqrt(y - 1))                  // finds: nan_arises
NUMBERS(logarithm_of_minus_one, d[64 + t] = log(-1 - y))                       // finds: nan_arises (by lines)
NUMBERS(power_of_minus_one, f[64 + t] = powf(-1 - x, 0.5f))                    // finds: nan_arises (by lines)
NUMBERS(power_too_large, d[64 + t] = pow(y + 2, 2000.0))                       // finds: infinity_arises (by lines)
NUMBERS(exponential_too_large, f[64 + t] = expf(100 + 100 * x))                // finds: infinity_arises (by lines)
NUMBERS(arc_cosine_of_two, d[64 + t] = acos(y + 2))                            // finds: nan_arises
NUMBERS(arc_sine_of_two, f[64 + t] = asinf(x + 2))                             // finds: nan_arises
NUMBERS(remainder_by_zero, f[64 + t] = fmodf(1, x))                            // finds: nan_arises (by lines)
NUMBERS(cosine_of_infinity, f[64 + t] = cosf(1 / x))                           // finds: infinity_arises (by lines)
NUMBERS(sum_in_memory, atomicAdd(f + 64, x * 5e36f))                           // finds: infinity_arises
NUMBERS(sum_in_memory_in_double, atomicAdd(d + 64, y * 1e306))                 // finds: infinity_arises
NUMBERS(sum_in_lds, __shared__ float s; s = 0; __syncthreads(); __hip_atomic_fetch_add(&s, x * 5e36f, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP))  // finds: infinity_arises
NUMBERS(sum_in_lds_in_double, __shared__ double s; s = 0; __syncthreads(); __hip_atomic_fetch_add(&s, y * 1e306, __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_WORKGROUP))  // finds: infinity_arises
NUMBERS(largest_in_memory, atomicMax(f + 64, 1 / x))                           // finds: infinity_arises
NUMBERS(smallest_in_memory, atomicMin(f + 64, -1 / x))                         // finds: infinity_arises
NUMBERS(exchanged, atomicExch(f + 64 + t, 1 / x))                              // finds: infinity_arises
NUMBERS(compared_and_swapped, atomicCAS(f + 64 + t, 0.0f, 1 / x))              // finds: infinity_arises
NUMBERS(one_lane, if (t == 0) atomicAdd(f + 64, 1 / x))                        // finds: infinity_arises
NUMBERS(of_another_lane, f[64 + t] = __shfl(1 / x, 0))                         // finds: infinity_arises

NUMBERS(no_lane, if (a > 1000) atomicAdd(f + 64, 1 / x))                       // finds: nothing
NUMBERS(not_swapped, atomicCAS(f + 64 + t, 1.0f, 1 / x))                       // finds: nothing
NUMBERS(sums_that_fit, atomicAdd(f + 64, x); atomicAdd(d + 64, y))             // finds: nothing
NUMBERS(meant_for_some, f[64 + t] = x < 2 ? INFINITY : x; d[64 + t] = y < 2 ? NAN : y)  // finds: nothing
NUMBERS(asked_for, f[64 + t] = isnan(x / x) ? 0 : isinf(1 / x) ? 1 : x)        // finds: nothing
NUMBERS(not_by_zero, f[64 + t] = x > 0 ? 1.0f / x : 0)                         // finds: nothing
NUMBERS(thrown_away, f[64 + t] = fminf(1 / x, 100.f))                          // finds: nothing
NUMBERS(from_memory, f[64 + t] = f[128 + t] * 2)                               // finds: nothing
NUMBERS(meant, f[64 + t] = INFINITY)                                           // finds: nothing
NUMBERS(integer_not_by_zero, i[64 + t] = a != 0 ? 100 / a : 7)                 // finds: nothing
NUMBERS(integers, i[64 + t] = 100 / (a + 1) + t / 7 + t % 13)                  // finds: nothing
NUMBERS(long_integers, l[64 + t] = t * 100000000007ll / (b + 3) % 77)          // finds: nothing
NUMBERS(functions, f[64 + t] = expf(-100 * x) + sinf(x) + powf(x, 0.5f) + sqrtf(x) + x / (x + 1) + cbrtf(x) + atan2f(x, 1))  // finds: nothing
NUMBERS(functions_of_doubles, d[64 + t] = exp(-1000 * y) + sqrt(y) + y / (y + 1) + log(y + 1))  // finds: nothing
NUMBERS(more_functions, f[64 + t] = acosf(x / 64) + asinf(x / 64) + fmodf(x, 7) + logf(x + 1) + tanf(x) + hypotf(x, 3) + rsqrtf(x + 1) + log1pf(x))  // finds: nothing
NUMBERS(more_functions_of_doubles, d[64 + t] = acos(y / 64) + pow(y, 3) + fmod(y, 7) + sin(1e30 * y) + hypot(y, 3) + tgamma(1 + y) + cbrt(y) + atan2(y, 0))  // finds: nothing
NUMBERS(functions_of_infinity, const float g = f[128 + t]; f[64 + t] = sqrtf(g) + logf(g) + powf(g, 2) + expf(g) + fmodf(x, g) + hypotf(g, x); f[t] = cosf(g) + fmodf(g, 2) + acosf(g))  // finds: nothing
NUMBERS(functions_of_infinity_in_double, const double g = f[128 + t]; d[64 + t] = sqrt(g) + log(g) + pow(g, 2) + pow(2, g) + exp(g) + fmod(y, g); d[t] = cos(g) + pow(-g, 0.5) + tgamma(-g))  // finds: nothing
NUMBERS(functions_of_nan, const double g = f[128 + t] - f[128 + t]; d[64 + t] = sqrt(g) + log(g) + pow(g, 2) + exp(g) + fmod(y, g) + acos(g); f[64 + t] = powf(static_cast<float>(g), x))  // finds: nothing

int main() {
  float hf[192];
  double hd[128] = {};
  int hi[64];
  long long hl[64];
  for (int t = 0; t < 64; ++t) {
    hf[t] = static_cast<float>(t);
    hf[64 + t] = 0;
    hf[128 + t] = INFINITY;
    hd[t] = hi[t] = t;
    hl[t] = t;
  }
  float* f;
  double* d;
  int* i;
  long long* l;
  unsigned* u;
  if (hipMalloc(&f, 1024) != hipSuccess || hipMalloc(&d, 1024) != hipSuccess || hipMalloc(&i, 1024) != hipSuccess ||
      hipMalloc(&l, 1024) != hipSuccess || hipMalloc(&u, 1024) != hipSuccess)
    return 1;
  using kernel = void (*)(float*, double*, int*, long long*, unsigned*);
  for (const kernel k :
       {one_by_zero, zero_by_zero, one_by_zero_in_double, one_by_zero_in_half, too_large, too_large_for_half, root_of_minus_one, logarithm_of_zero, a_sum_with_it, integer, remainder, short_integer, long_integer, small_long_integer, root_of_minus_one_in_double, logarithm_of_minus_one, power_of_minus_one, power_too_large, exponential_too_large, arc_cosine_of_two, arc_sine_of_two, remainder_by_zero, cosine_of_infinity, sum_in_memory, sum_in_memory_in_double, sum_in_lds, sum_in_lds_in_double, largest_in_memory, smallest_in_memory, exchanged, compared_and_swapped, one_lane, of_another_lane, no_lane, not_swapped, sums_that_fit, meant_for_some, asked_for, not_by_zero, thrown_away, from_memory, meant, integer_not_by_zero, integers, long_integers, functions, functions_of_doubles, more_functions, more_functions_of_doubles, functions_of_infinity, functions_of_infinity_in_double, functions_of_nan}) {
    (void)hipMemcpy(f, hf, sizeof hf, hipMemcpyHostToDevice);
    (void)hipMemcpy(d, hd, sizeof hd, hipMemcpyHostToDevice);
    (void)hipMemcpy(i, hi, sizeof hi, hipMemcpyHostToDevice);
    (void)hipMemcpy(u, hi, sizeof hi, hipMemcpyHostToDevice);
    (void)hipMemcpy(l, hl, sizeof hl, hipMemcpyHostToDevice);
    k<<<1, 64>>>(f, d, i, l, u);
    if (hipDeviceSynchronize() != hipSuccess) return 1;
  }
}
// SPDX-License-Identifier: Apache-2.0
