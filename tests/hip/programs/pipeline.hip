// timing: yes
// queues: yes
// Five kernels in one stream, each reading what the one before wrote, twice over the same buffers; no synchronisation
// but the stream's order and the final hipMemcpy.
#include <algorithm>

#include "check.h"

__global__ void widen(const uint8_t* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] - 128;
}
__global__ void smooth(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int left = in[i > 0 ? i - 1 : 0];
  const int right = in[i + 1 < n ? i + 1 : n - 1];
  out[i] = (left + 2 * in[i] + right) >> 2;
}
__global__ void clamp_in_place(int* data, int low, int high, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] = min(max(data[i], low), high);
}
__global__ void reverse(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[n - 1 - i] = in[i];
}
__global__ void narrow(const int* in, uint8_t* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = static_cast<uint8_t>(in[i] + 128);
}

static std::vector<uint8_t> reference(std::vector<uint8_t> data) {
  const int n = static_cast<int>(data.size());
  std::vector<int> wide(n), other(n);
  for (int i = 0; i < n; ++i) wide[i] = data[i] - 128;
  for (int i = 0; i < n; ++i) {
    other[i] = (wide[std::max(i - 1, 0)] + 2 * wide[i] + wide[std::min(i + 1, n - 1)]) >> 2;
    other[i] = std::min(std::max(other[i], -50), 60);
  }
  std::reverse(other.begin(), other.end());
  for (int i = 0; i < n; ++i) data[i] = static_cast<uint8_t>(other[i] + 128);
  return data;
}

int main() {
  const int n = 3001;
  const unsigned block = 192;
  const unsigned blocks = check::blocks_for(n, block);
  check::random_source random(2);
  std::vector<uint8_t> image(n);
  for (auto& pixel : image) pixel = static_cast<uint8_t>(random.bits() >> 11);

  check::device_array<uint8_t> bytes(image);
  check::device_array<int> first(n), second(n);
  std::vector<uint8_t> want = image;
  for (int pass = 0; pass < 2; ++pass) {
    widen<<<blocks, block>>>(bytes.get(), first.get(), n);
    smooth<<<blocks, block>>>(first.get(), second.get(), n);
    clamp_in_place<<<blocks, block>>>(second.get(), -50, 60, n);
    reverse<<<blocks, block>>>(second.get(), first.get(), n);
    narrow<<<blocks, block>>>(first.get(), bytes.get(), n);
    CHECK_LAUNCH();
    want = reference(want);
  }
  CHECK_SAME("image", bytes.download(), want);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
