// 64-bit indices: a base pointer far before its array and indices beyond 2^33, negative 64-bit offsets, pointer
// differences, strides that need 64-bit products.
#include "check.h"

__global__ void biased(uintptr_t in_base, uintptr_t out_base, int64_t bias, int64_t stride, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int* const in = reinterpret_cast<const int*>(in_base);  // in[bias] is the array's first element
  int64_t* const out = reinterpret_cast<int64_t*>(out_base);
  const int64_t row = i / 7;
  const int64_t column = i % 7;
  const int64_t index = bias + row * 7 + column;
  const int* const element = in + index;
  // The product does not fit in 32 bits; modulo n it chooses another element.
  const int64_t other = (row * stride + column * stride * stride) % n;
  out[index] = *element + (static_cast<int64_t>(in[bias + other]) << 20) + (element - in);
}
__global__ void backwards(const short* end, int64_t* sums, int64_t n, int64_t step) {
  const int64_t t = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  int64_t sum = 0;
  for (int64_t offset = -1 - t; offset >= -n; offset -= step) sum += end[offset];
  sums[t] = sum;
}

int main() {
  const int n = 1009;
  const int64_t bias = (int64_t{1} << 33) + 12345;
  const int64_t stride = 1234567;
  check::random_source random(34);
  std::vector<int> in(n);
  for (auto& x : in) x = static_cast<int>(random.bits() >> 8);
  check::device_array<int> device_in(in);
  check::device_array<int64_t> device_out(n);
  const uintptr_t in_base = reinterpret_cast<uintptr_t>(device_in.get()) - static_cast<uintptr_t>(bias) * sizeof(int);
  const uintptr_t out_base =
      reinterpret_cast<uintptr_t>(device_out.get()) - static_cast<uintptr_t>(bias) * sizeof(int64_t);
  biased<<<check::blocks_for(n, 256), 256>>>(in_base, out_base, bias, stride, n);
  CHECK_LAUNCH();
  std::vector<int64_t> want(n);
  for (int i = 0; i < n; ++i) {
    const int64_t other = (i / 7 * stride + i % 7 * stride * stride) % n;
    want[i] = in[i] + (static_cast<int64_t>(in[other]) << 20) + bias + i;
  }
  CHECK_SAME("biased", device_out.download(), want);

  const int items = 100;
  std::vector<short> shorts(n);
  std::vector<int64_t> sums(items);
  for (int i = 0; i < n; ++i) {
    shorts[i] = static_cast<short>(random.bits());
    sums[(n - 1 - i) % items] += shorts[i];
  }
  check::device_array<short> device_shorts(shorts);
  check::device_array<int64_t> device_sums(items);
  backwards<<<2, items / 2>>>(device_shorts.get() + n, device_sums.get(), n, items);
  CHECK_LAUNCH();
  CHECK_SAME("backwards", device_sums.download(), sums);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
