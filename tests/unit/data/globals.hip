// Initialised, zero and constant variables, and tables of pointers that need relocation.
#include <hip/hip_runtime.h>

__constant__ int primes[4] = {2, 3, 5, 7};
__device__ int counter = 42;
__device__ int zeros[100];
__device__ int* pointers[2] = {&counter, &zeros[3]};
static __device__ __attribute__((used)) int hidden_from_others = 9;

__device__ __attribute__((used)) int twice(int a) { return 2 * a; }
__device__ __attribute__((used)) int (*function_pointer)(int) = twice;

__global__ void uses_globals(int* out) {
  *out = primes[*out & 3] + *pointers[*out & 1] + function_pointer(*out);
  atomicAdd(&counter, 1);
}
