// Kernels of every kind of name and argument.
#include <hip/hip_runtime.h>

struct pair {
  int first;
  double second;
};

extern "C" __global__ void plain(int* out) { *out = 1; }

__global__ void by_struct(pair p, char c, const float* in, double* out) { *out = p.first + p.second + c + *in; }

namespace geometry {
template <typename T>
__global__ void scale(T a, T* x) {
  x[threadIdx.x] *= a;
}
template __global__ void scale<float>(float, float*);
template __global__ void scale<int>(int, int*);

__global__ void only_here(void (*)(int), int* out) { *out = 2; }
}  // namespace geometry

__global__ void __launch_bounds__(128) reduces(float* data) {
  __shared__ float part[128];
  part[threadIdx.x] = data[threadIdx.x];
  __syncthreads();
  data[threadIdx.x] = part[127 - threadIdx.x];
}

// hostcall and the grid's geometry: hidden arguments.
__global__ void speaks(int* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<int>(gridDim.x);
  printf("%d\n", out[0]);
}

__device__ __noinline__ int calls_itself(int n, int* out) {
  out[n] = n;
  return n < 2 ? 1 : calls_itself(n - 1, out) + calls_itself(n - 2, out);
}
__global__ void recursive(int* out) { *out = calls_itself(*out, out); }
