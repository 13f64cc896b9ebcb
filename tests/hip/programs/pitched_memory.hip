// hipMallocPitch: rows of several types and odd widths, a kernel that walks rows by the pitch, a 3 x 3 filter over the
// image; alignment of rows.
#include "check.h"

template <typename T>
__global__ void box_filter(const char* in, size_t in_pitch, char* out, size_t out_pitch, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  T sum = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      const int row = min(max(y + dy, 0), height - 1);
      const int column = min(max(x + dx, 0), width - 1);
      sum += reinterpret_cast<const T*>(in + row * in_pitch)[column];
    }
  }
  reinterpret_cast<T*>(out + y * out_pitch)[x] = sum;
}

template <typename T>
static void run(int width, int height) {
  check::random_source random(width + 1000 * height);
  std::vector<T> image(static_cast<size_t>(width) * height), got(image.size()), want(image.size(), T(0));
  for (auto& pixel : image) pixel = static_cast<T>(random.below(1000));
  const size_t row = width * sizeof(T);
  char *in, *out;
  size_t in_pitch = 0, out_pitch = 0;
  HIP_CHECK(hipMallocPitch(reinterpret_cast<void**>(&in), &in_pitch, row, height));
  HIP_CHECK(hipMallocPitch(reinterpret_cast<void**>(&out), &out_pitch, row, height));
  CHECK(in_pitch >= row && in_pitch % sizeof(T) == 0, "pitch %zu of rows of %zu bytes", in_pitch, row);
  CHECK(in_pitch == out_pitch, "pitches %zu and %zu of the same width", in_pitch, out_pitch);
  HIP_CHECK(hipMemcpy2D(in, in_pitch, image.data(), row, row, height, hipMemcpyHostToDevice));
  const dim3 block(20, 5);
  box_filter<T><<<dim3(check::blocks_for(width, 20), check::blocks_for(height, 5)), block>>>(in, in_pitch, out,
                                                                                             out_pitch, width, height);
  CHECK_LAUNCH();
  HIP_CHECK(hipMemcpy2D(got.data(), row, out, out_pitch, row, height, hipMemcpyDeviceToHost));
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          const int from_y = std::min(std::max(y + dy, 0), height - 1);
          const int from_x = std::min(std::max(x + dx, 0), width - 1);
          want[y * width + x] += image[from_y * width + from_x];
        }
      }
    }
  }
  CHECK_SAME("filtered", got, want);
  HIP_CHECK(hipFree(in));
  HIP_CHECK(hipFree(out));
}

int main() {
  run<int>(33, 21);
  run<uint16_t>(101, 3);
  run<double>(1, 40);
  run<float>(64, 1);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
