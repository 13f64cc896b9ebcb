// SPDX-License-Identifier: Apache-2.0
#include "image_statistics.h"

#include <hip/hip_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace {

constexpr unsigned block = 256;

void check(hipError_t e) {
  if (e == hipSuccess) return;
  std::fprintf(stderr, "%s\n", hipGetErrorString(e));
  std::exit(1);
}

__global__ void histogram_kernel(const uint8_t* pixels, unsigned n, uint32_t* bins) {
  __shared__ uint32_t mine[block];
  mine[threadIdx.x] = 0;
  __syncthreads();
  const unsigned i = blockIdx.x * block + threadIdx.x;
  if (i < n) atomicAdd(&mine[pixels[i]], 1u);
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

__global__ void sum_kernel(const uint8_t* pixels, unsigned n, unsigned long long* total) {
  __shared__ uint32_t part[block];
  const unsigned i = blockIdx.x * block + threadIdx.x;
  part[threadIdx.x] = i < n ? pixels[i] : 0;
  for (unsigned half = block / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) atomicAdd(total, static_cast<unsigned long long>(part[0]));
}

// Memory of the device.
template <class T>
class device_array {
 public:
  explicit device_array(size_t n) { check(hipMalloc(&data_, n * sizeof(T))); }
  ~device_array() { check(hipFree(data_)); }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;
  T* get() { return data_; }

 private:
  T* data_ = nullptr;
};

unsigned blocks_for(size_t n) {
  return static_cast<unsigned>((n + block - 1) / block);
}

}  // namespace

std::array<uint32_t, 256> histogram(const std::vector<uint8_t>& pixels) {
  std::array<uint32_t, 256> bins{};
  if (pixels.empty()) return bins;
  device_array<uint8_t> in(pixels.size());
  device_array<uint32_t> out(bins.size());
  check(hipMemcpy(in.get(), pixels.data(), pixels.size(), hipMemcpyHostToDevice));
  check(hipMemset(out.get(), 0, sizeof bins));
  histogram_kernel<<<blocks_for(pixels.size()), block>>>(in.get(), static_cast<unsigned>(pixels.size()), out.get());
  check(hipMemcpy(bins.data(), out.get(), sizeof bins, hipMemcpyDeviceToHost));
  return bins;
}

uint64_t sum(const std::vector<uint8_t>& pixels) {
  unsigned long long total = 0;
  if (pixels.empty()) return total;
  device_array<uint8_t> in(pixels.size());
  device_array<unsigned long long> out(1);
  check(hipMemcpy(in.get(), pixels.data(), pixels.size(), hipMemcpyHostToDevice));
  check(hipMemset(out.get(), 0, sizeof total));
  sum_kernel<<<blocks_for(pixels.size()), block>>>(in.get(), static_cast<unsigned>(pixels.size()), out.get());
  check(hipMemcpy(&total, out.get(), sizeof total, hipMemcpyDeviceToHost));
  return total;
}
