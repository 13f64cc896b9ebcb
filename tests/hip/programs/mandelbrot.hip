// timing: yes
// Mandelbrot set in fixed point: every work-item leaves its loop at its own time; 2-D grid; also with a nested branch.
#include "check.h"

constexpr int fraction = 24;

__host__ __device__ inline int escape_time(int32_t cx, int32_t cy, int limit) {
  int64_t x = 0, y = 0;
  int k = 0;
  while (k < limit) {
    const int64_t xx = x * x >> fraction;
    const int64_t yy = y * y >> fraction;
    if (xx + yy > int64_t{4} << fraction) break;
    y = (2 * x * y >> fraction) + cy;
    x = xx - yy + cx;
    ++k;
  }
  return k;
}
__host__ __device__ inline int colour(int k, int limit) {
  if (k == limit) return 0;
  if (k % 2 == 0) return k * 3 + 1;
  return k > 10 ? 1000 - k : k * k;
}
__global__ void mandelbrot(int* out, int width, int height, int limit) {
  const int px = blockIdx.x * blockDim.x + threadIdx.x;
  const int py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  const int32_t cx = (px * (3 << fraction) / width) - (2 << fraction);
  const int32_t cy = (py * (2 << fraction) / height) - (1 << fraction);
  out[py * width + px] = colour(escape_time(cx, cy, limit), limit);
}

int main() {
  const int width = 41, height = 29, limit = 60;
  check::device_array<int> out(width * height);
  mandelbrot<<<dim3(check::blocks_for(width, 16), check::blocks_for(height, 8)), dim3(16, 8)>>>(out.get(), width,
                                                                                                height, limit);
  CHECK_LAUNCH();
  std::vector<int> want(width * height);
  for (int py = 0; py < height; ++py) {
    for (int px = 0; px < width; ++px) {
      const int32_t cx = (px * (3 << fraction) / width) - (2 << fraction);
      const int32_t cy = (py * (2 << fraction) / height) - (1 << fraction);
      want[py * width + px] = colour(escape_time(cx, cy, limit), limit);
    }
  }
  CHECK_SAME("pixels", out.download(), want);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
