// Kernel templates in several instantiations: element types from int8_t to double, a non-type block size, a functor
// parameter, a lambda; each is its own kernel symbol.
#include "check.h"

template <typename T>
struct plus {
  static constexpr const char* name = "plus";
  __host__ __device__ T operator()(T a, T b) const { return static_cast<T>(a + b); }
};
template <typename T>
struct smaller {
  static constexpr const char* name = "smaller";
  __host__ __device__ T operator()(T a, T b) const { return b < a ? b : a; }
};

// One partial result per block of `Block` work-items.
template <typename T, unsigned Block, typename Op>
__global__ void reduce(const T* in, T* out, int n, T neutral, Op op) {
  __shared__ T part[Block];
  const int i = blockIdx.x * Block + threadIdx.x;
  part[threadIdx.x] = i < n ? in[i] : neutral;
  __syncthreads();
  for (unsigned half = Block / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) part[threadIdx.x] = op(part[threadIdx.x], part[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

template <typename F>
__global__ void generate(int* out, int n, F f) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = f(i);
}

template <typename T, unsigned Block, template <typename> class Op>
static void run(const char* type, T neutral) {
  const int n = 1111;
  check::random_source random(sizeof(T) * 1000 + Block);
  std::vector<T> in(n);
  for (auto& x : in) x = static_cast<T>(random.below(100));
  const unsigned blocks = check::blocks_for(n, Block);
  check::device_array<T> device_in(in), device_out(blocks);
  reduce<T, Block><<<blocks, Block>>>(device_in.get(), device_out.get(), n, neutral, Op<T>{});
  CHECK_LAUNCH();
  std::vector<T> want(blocks, neutral);
  for (int i = 0; i < n; ++i) want[i / Block] = Op<T>{}(want[i / Block], in[i]);
  const std::string what = std::string(type) + " " + Op<T>::name + " block " + std::to_string(Block);
  CHECK_SAME(what.c_str(), device_out.download(), want);
}

int main() {
  run<int8_t, 64, plus>("int8_t", 0);
  run<uint16_t, 128, plus>("uint16_t", 0);
  run<int, 256, plus>("int", 0);
  run<int64_t, 512, plus>("int64_t", 0);
  run<float, 32, plus>("float", 0);
  run<double, 1024, plus>("double", 0);
  run<int8_t, 256, smaller>("int8_t", 127);
  run<uint64_t, 64, smaller>("uint64_t", ~0ull);
  run<double, 128, smaller>("double", 1e300);

  const int n = 321;
  const int factor = 17;
  const short offset = -5;
  check::device_array<int> out(n);
  generate<<<check::blocks_for(n, 64), 64>>>(out.get(), n, [=] __device__(int i) { return i * factor + offset; });
  CHECK_LAUNCH();
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i) want[i] = i * factor + offset;
  CHECK_SAME("lambda", out.download(), want);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
