// timing: yes
// Sparse matrix times vector, compressed rows: a work-item per row (divergent trip counts), and a wavefront per row
// with
// __shfl_down; empty rows and one very long row.
#include "check.h"

__global__ void row_per_item(const int* begin, const int* column, const float* value, const float* x, float* y,
                             int rows) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int k = begin[row]; k < begin[row + 1]; ++k) sum += value[k] * x[column[k]];
  y[row] = sum;
}
__global__ void row_per_wavefront(const int* begin, const int* column, const float* value, const float* x, float* y,
                                  int rows) {
  const int lane = threadIdx.x % warpSize;
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / warpSize;
  if (row >= rows) return;
  float sum = 0;
  for (int k = begin[row] + lane; k < begin[row + 1]; k += warpSize) sum += value[k] * x[column[k]];
  for (int step = warpSize / 2; step > 0; step /= 2) sum += __shfl_down(sum, step);
  if (lane == 0) y[row] = sum;
}

int main() {
  const int rows = 203, columns = 177;
  check::random_source random(41);
  std::vector<int> begin = {0}, column;
  std::vector<float> value, x(columns), want(rows);
  for (auto& v : x) v = static_cast<float>(random.below(33)) - 16;  // integers: any order of additions is exact
  for (int row = 0; row < rows; ++row) {
    const int entries = row == 100 ? columns : row % 5 == 0 ? 0 : static_cast<int>(random.below(20));
    for (int k = 0; k < entries; ++k) {
      column.push_back(static_cast<int>(random.below(columns)));
      value.push_back(static_cast<float>(random.below(17)) - 8);
      want[row] += value.back() * x[column.back()];
    }
    begin.push_back(static_cast<int>(column.size()));
  }
  check::device_array<int> device_begin(begin), device_column(column);
  check::device_array<float> device_value(value), device_x(x), y(rows);
  row_per_item<<<check::blocks_for(rows, 64), 64>>>(device_begin.get(), device_column.get(), device_value.get(),
                                                    device_x.get(), y.get(), rows);
  CHECK_LAUNCH();
  CHECK_SAME("row per item", y.download(), want);
  y.fill(0xff);
  row_per_wavefront<<<check::blocks_for(rows * 64, 256), 256>>>(device_begin.get(), device_column.get(),
                                                                device_value.get(), device_x.get(), y.get(), rows);
  CHECK_LAUNCH();
  CHECK_SAME("row per wavefront", y.download(), want);
  return check::pass();
}
// SPDX-License-Identifier: Apache-2.0
