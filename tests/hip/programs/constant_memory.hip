// misuses: memory
// __constant__ arrays: initialised, written with hipMemcpyToSymbol (whole, with offset, asynchronously), read back with
// hipMemcpyFromSymbol, found with hipGetSymbolAddress and hipGetSymbolSize; wrong sizes are refused.
#include "check.h"

constexpr int n_taps = 9;
__constant__ float taps[n_taps];
__constant__ int preset[5] = {10, 20, 30, 40, 50};

struct settings {
  double scale;
  int16_t offset;
  char name[6];
};
__constant__ settings current;

__global__ void filter(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < n_taps; ++k) {
    const int j = i + k - n_taps / 2;
    if (j >= 0 && j < n) sum += in[j] * taps[k];
  }
  out[i] = sum;
}
__global__ void read_all(int* out_preset, double* scaled, int* letters) {
  const int i = threadIdx.x;
  if (i < 5) out_preset[i] = preset[i];
  scaled[i] = i * current.scale + current.offset;
  if (i < 6) letters[i] = current.name[i];
}

int main() {
  const int n = 1234;
  check::random_source random(6);
  std::vector<float> in(n), want(n);
  // Small integers: every sum is exact, so the order and fusing of additions do not matter.
  for (auto& x : in) x = static_cast<float>(random.below(201)) - 100;
  float coefficients[n_taps];
  for (auto& tap : coefficients) tap = static_cast<float>(random.below(21)) - 10;

  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(taps), coefficients, sizeof coefficients));
  coefficients[7] = 99;
  coefficients[8] = -99;
  HIP_CHECK(hipMemcpyToSymbol(HIP_SYMBOL(taps), &coefficients[7], 2 * sizeof(float), 7 * sizeof(float)));
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < n_taps; ++k) {
      const int j = i + k - n_taps / 2;
      if (j >= 0 && j < n) want[i] += in[j] * coefficients[k];
    }
  }
  check::device_array<float> device_in(in), device_out(n);
  filter<<<check::blocks_for(n, 256), 256>>>(device_in.get(), device_out.get(), n);
  CHECK_LAUNCH();
  CHECK_SAME("filter", device_out.download(), want);

  std::vector<float> back(n_taps, 0);
  HIP_CHECK(hipMemcpyFromSymbol(back.data(), HIP_SYMBOL(taps), n_taps * sizeof(float)));
  CHECK_SAME("taps", back, std::vector<float>(coefficients, coefficients + n_taps));
  float last = 0;
  HIP_CHECK(hipMemcpyFromSymbol(&last, HIP_SYMBOL(taps), sizeof last, 8 * sizeof(float)));
  CHECK(last == -99, "taps[8] is %g, expected -99", static_cast<double>(last));

  const settings chosen = {0.125, -7, "abcde"};
  hipStream_t stream;
  HIP_CHECK(hipStreamCreate(&stream));
  HIP_CHECK(hipMemcpyToSymbolAsync(HIP_SYMBOL(current), &chosen, sizeof chosen, 0, hipMemcpyHostToDevice, stream));
  check::device_array<int> device_preset(5), letters(6);
  check::device_array<double> scaled(70);
  read_all<<<1, 70, 0, stream>>>(device_preset.get(), scaled.get(), letters.get());
  CHECK_LAUNCH();
  HIP_CHECK(hipStreamSynchronize(stream));
  CHECK_SAME("preset", device_preset.download(), std::vector<int>{10, 20, 30, 40, 50});
  std::vector<double> want_scaled(70);
  for (int i = 0; i < 70; ++i) want_scaled[i] = i * 0.125 - 7;
  CHECK_SAME("scaled", scaled.download(), want_scaled);
  CHECK_SAME("letters", letters.download(), std::vector<int>{'a', 'b', 'c', 'd', 'e', 0});

  void* address = nullptr;
  size_t size = 0;
  HIP_CHECK(hipGetSymbolAddress(&address, HIP_SYMBOL(preset)));
  HIP_CHECK(hipGetSymbolSize(&size, HIP_SYMBOL(preset)));
  CHECK(size == 5 * sizeof(int), "size of preset is %zu", size);
  std::vector<int> through_address(5);
  HIP_CHECK(hipMemcpy(through_address.data(), address, size, hipMemcpyDeviceToHost));
  CHECK_SAME("preset by address", through_address, std::vector<int>{10, 20, 30, 40, 50});

  EXPECT_ERROR(hipErrorInvalidValue, hipMemcpyToSymbol(HIP_SYMBOL(taps), coefficients, sizeof coefficients, 4));
  EXPECT_ERROR(hipErrorInvalidSymbol, hipGetSymbolAddress(&address, &n));
  HIP_CHECK(hipStreamDestroy(stream));
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
