// Kernels in which NaNs, infinities and divisions by zero arise, and right ones. Each says what the check `numbers` finds
// in it, and nothing else:
//
//   NUMBERS(name, body)  // finds: rule, rule
//
// Work-item t has t in f[t], d[t], i[t] and l[t]; f[128 + t] is infinite. Results go to [64 + t].
#include <hip/hip_runtime.h>

#include <cmath>
#include <cstdio>

#define NUMBERS(name, body)                                                            \
  __global__ void name(float* f, double* d, int* i, long long* l, unsigned* u) {       \
    const int t = threadIdx.x;                                                         \
    [[maybe_unused]] const float x = f[t];                                             \
    [[maybe_unused]] const double y = d[t];                                            \
    [[maybe_unused]] const int a = i[t];                                               \
    [[maybe_unused]] const long long b = l[t];                                         \
    body;                                                                              \
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

NUMBERS(not_by_zero, f[64 + t] = x > 0 ? 1.0f / x : 0)                         // finds: nothing
NUMBERS(thrown_away, f[64 + t] = fminf(1 / x, 100.f))                          // finds: nothing
NUMBERS(from_memory, f[64 + t] = f[128 + t] * 2)                               // finds: nothing
NUMBERS(meant, f[64 + t] = INFINITY)                                           // finds: nothing
NUMBERS(integer_not_by_zero, i[64 + t] = a != 0 ? 100 / a : 7)                 // finds: nothing
NUMBERS(integers, i[64 + t] = 100 / (a + 1) + t / 7 + t % 13)                  // finds: nothing
NUMBERS(long_integers, l[64 + t] = t * 100000000007ll / (b + 3) % 77)          // finds: nothing
NUMBERS(functions, f[64 + t] = expf(-100 * x) + sinf(x) + powf(x, 0.5f) + sqrtf(x) + x / (x + 1) + cbrtf(x) + atan2f(x, 1))  // finds: nothing
NUMBERS(functions_of_doubles, d[64 + t] = exp(-1000 * y) + sqrt(y) + y / (y + 1) + log(y + 1))  // finds: nothing

int main() {
  float hf[192];
  double hd[64];
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
       {one_by_zero, zero_by_zero, one_by_zero_in_double, one_by_zero_in_half, too_large, too_large_for_half,
        root_of_minus_one, logarithm_of_zero, a_sum_with_it, integer, remainder, short_integer, long_integer,
        small_long_integer, not_by_zero, thrown_away, from_memory, meant, integer_not_by_zero, integers, long_integers,
        functions, functions_of_doubles}) {
    (void)hipMemcpy(f, hf, sizeof hf, hipMemcpyHostToDevice);
    (void)hipMemcpy(d, hd, sizeof hd, hipMemcpyHostToDevice);
    (void)hipMemcpy(i, hi, sizeof hi, hipMemcpyHostToDevice);
    (void)hipMemcpy(u, hi, sizeof hi, hipMemcpyHostToDevice);
    (void)hipMemcpy(l, hl, sizeof hl, hipMemcpyHostToDevice);
    k<<<1, 64>>>(f, d, i, l, u);
    if (hipDeviceSynchronize() != hipSuccess) return 1;
  }
}
