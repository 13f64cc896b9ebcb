// Back-propagation: one training step of a network with one hidden layer of 16 units and one output. The device has
// what is large, the weights from the inputs to the hidden layer; the host does the few units behind them.
//
// Sizes:      256, 262144, 16777216 inputs. Device memory at size large: 2.3 GB; the host has a part of the weights at
//             a time
// Kernels:    layer_forward   a workgroup of 16 x 16 work-items (x: hidden unit, y: input) per 16 inputs: input f32[n],
//                             weight f32[n + 1][16] (row 0: bias), partial f32[n / 16][16] = sums over 16 inputs, by
//                             a tree in LDS
//             adjust_weights  the same shape: delta f32[16], weight and old_step f32[n + 1][16]; every weight moves by
//                             rate * delta * input + momentum * its last step
// Divergence: one side only, there is nothing to split: a column of work-items loads the inputs, the tree's upper half
//             of each level idles, the first row handles the bias and stores the sums.
// Rounding:   f32 against f64, bounds from the number of roundings (u = 2^-24): a partial sum is a product and four
//             sums deep, 5 u times the sum of the terms' sizes; a step has two products and a sum, 3 u, the new
//             weight one sum more. Half an u to spare for the products of the bounds.
#include <algorithm>

#include "program.h"

namespace {

constexpr uint32_t hidden = 16;
constexpr uint32_t rows = 16;
constexpr float rate = 0.3f, momentum = 0.3f;
constexpr double rounding = 0x1p-24;

__global__ void layer_forward(const float* input, const float* weight, float* partial) {
  __shared__ float node[rows];
  __shared__ float product[rows][hidden];
  const uint32_t unit = threadIdx.x, row = threadIdx.y;
  const uint32_t first = blockIdx.x * rows;
  if (unit == 0) node[row] = input[first + row];
  __syncthreads();
  product[row][unit] = weight[(first + row + 1) * hidden + unit] * node[row];
  __syncthreads();
#pragma unroll
  for (uint32_t stride = 1; stride < rows; stride *= 2) {
    if (row % (2 * stride) == 0) product[row][unit] += product[row + stride][unit];
    __syncthreads();
  }
  if (row == 0) partial[blockIdx.x * hidden + unit] = product[0][unit];
}

__device__ __forceinline__ void adjust(float* weight, float* old_step, uint32_t index, float delta, float input) {
  const float step = rate * delta * input + momentum * old_step[index];
  weight[index] += step;
  old_step[index] = step;
}

__global__ void adjust_weights(const float* input, const float* delta, float* weight, float* old_step) {
  const uint32_t unit = threadIdx.x, row = blockIdx.x * rows + threadIdx.y;
  adjust(weight, old_step, (row + 1) * hidden + unit, delta[unit], input[row]);
  if (row == 0) adjust(weight, old_step, unit, delta[unit], 1);
}

// The network's large arrays, made piece by piece: any piece can be made again when its result is checked.
class weight_source {
 public:
  weight_source(uint32_t seed, uint32_t inputs)
      // Sums of the inputs' random terms stay where the sigmoid is steep.
      : seed_(seed), inputs_(inputs), limit_(1 / std::sqrt(static_cast<float>(inputs))) {}

  static constexpr uint32_t rows_per_piece = 65536;
  uint32_t pieces() const { return program::blocks_of(inputs_ + 1, rows_per_piece); }
  size_t begin(uint32_t piece) const { return size_t{piece} * rows_per_piece * hidden; }
  void make(uint32_t piece, std::vector<float>& weight, std::vector<float>& old_step) const {
    program::random_source random(seed_ + 1000003u * (piece + 1));
    const uint32_t count = std::min(rows_per_piece, inputs_ + 1 - piece * rows_per_piece) * hidden;
    weight.resize(count);
    old_step.resize(count);
    for (uint32_t k = 0; k < count; ++k) {
      weight[k] = random.real(-limit_, limit_);
      old_step[k] = random.real(-limit_, limit_) * 0.125f;
    }
  }
  float limit() const { return limit_; }

 private:
  uint32_t seed_, inputs_;
  float limit_;
};

double sigmoid(double x) {
  return 1 / (1 + std::exp(-x));
}

// Errors of the hidden units, passed back from the output's.
std::vector<float> hidden_deltas(const std::vector<double>& sums, const std::vector<float>& output_weight,
                                 double target) {
  double output_sum = output_weight[0];
  for (uint32_t unit = 0; unit < hidden; ++unit) output_sum += output_weight[unit + 1] * sigmoid(sums[unit]);
  const double output = sigmoid(output_sum), output_delta = output * (1 - output) * (target - output);
  std::vector<float> delta(hidden);
  for (uint32_t unit = 0; unit < hidden; ++unit) {
    const double activation = sigmoid(sums[unit]);
    delta[unit] = static_cast<float>(activation * (1 - activation) * output_delta * output_weight[unit + 1]);
  }
  return delta;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const uint32_t n = o.pick(16u * 16, 512u * 512, 4096u * 4096);
  std::printf("backprop (%s): %u inputs, %u hidden units, seed %u\n", o.size_name(), n, hidden, o.seed);

  program::random_source random(o.seed);
  std::vector<float> input(n), output_weight(hidden + 1);
  for (float& x : input) x = random.real(0, 1);
  for (float& w : output_weight) w = random.real(-1, 1);
  const float target = random.real(0.1f, 0.9f);

  // The reference of the forward pass comes with the making: sums over everything, and over 16 inputs each.
  program::device_array<float> device_input(input), device_weight(size_t{n + 1} * hidden),
      device_old_step(size_t{n + 1} * hidden), device_partial(n / rows * hidden), device_delta(hidden);
  const weight_source source(o.seed, n);
  std::vector<float> weight, old_step;
  std::vector<double> bias(hidden), expected_sum(hidden), sum_of_sizes(hidden);
  std::vector<double> expected_partial(n / rows * hidden);
  for (uint32_t piece = 0; piece < source.pieces(); ++piece) {
    source.make(piece, weight, old_step);
    const size_t begin = source.begin(piece);
    PROGRAM_HIP(
        hipMemcpy(device_weight.get() + begin, weight.data(), weight.size() * sizeof(float), hipMemcpyHostToDevice));
    PROGRAM_HIP(hipMemcpy(device_old_step.get() + begin, old_step.data(), old_step.size() * sizeof(float),
                          hipMemcpyHostToDevice));
    for (size_t k = 0; k < weight.size(); ++k) {
      const size_t row = (begin + k) / hidden, unit = k % hidden;
      const double term = row == 0 ? double{weight[k]} : double{weight[k]} * input[row - 1];
      expected_sum[unit] += term;
      if (row == 0) {
        bias[unit] = term;
      } else {
        expected_partial[(row - 1) / rows * hidden + unit] += term;
        sum_of_sizes[unit] += std::fabs(term);
      }
    }
  }

  layer_forward<<<n / rows, dim3(hidden, rows)>>>(device_input.get(), device_weight.get(), device_partial.get());
  PROGRAM_LAUNCHED();
  const std::vector<float> partial = device_partial.download();
  std::vector<double> sum = bias;
  for (size_t k = 0; k < partial.size(); ++k) sum[k % hidden] += double{partial[k]};
  const std::vector<float> delta = hidden_deltas(sum, output_weight, target);
  device_delta.upload(delta);
  adjust_weights<<<n / rows, dim3(hidden, rows)>>>(device_input.get(), device_delta.get(), device_weight.get(),
                                                   device_old_step.get());
  PROGRAM_LAUNCHED();

  program::verdict verdict;
  const double forward_roundings = 5.5 * rounding;
  verdict.close("partial sums", std::vector<double>(partial.begin(), partial.end()), expected_partial, 0,
                forward_roundings * rows * double{source.limit()});
  const double sum_tolerance = forward_roundings * *std::max_element(sum_of_sizes.begin(), sum_of_sizes.end());
  verdict.close("hidden sums", sum, expected_sum, 0, sum_tolerance);
  // Hidden sums' errors reach a delta through the output, 16 times slopes of 1/4, 1/4 and 1/4 at most and weights of 1,
  // and through its own slope, 1/40 at most: less than a half.
  verdict.close("deltas", delta, hidden_deltas(expected_sum, output_weight, target), 0x1p-22, 0.5 * sum_tolerance);

  size_t wrong_weights = 0, wrong_steps = 0, compared = 0;
  std::vector<float> got_weight, got_step;
  for (uint32_t piece = 0; piece < source.pieces(); ++piece) {
    source.make(piece, weight, old_step);
    const size_t begin = source.begin(piece), bytes = weight.size() * sizeof(float);
    got_weight.resize(weight.size());
    got_step.resize(weight.size());
    PROGRAM_HIP(hipMemcpy(got_weight.data(), device_weight.get() + begin, bytes, hipMemcpyDeviceToHost));
    PROGRAM_HIP(hipMemcpy(got_step.data(), device_old_step.get() + begin, bytes, hipMemcpyDeviceToHost));
    compared += weight.size();
    for (size_t k = 0; k < weight.size(); ++k) {
      const size_t row = (begin + k) / hidden;
      const double learned = double{rate} * delta[k % hidden] * (row == 0 ? 1.0 : double{input[row - 1]});
      const double kept = double{momentum} * old_step[k], step = learned + kept;
      const double tolerance = 3.5 * rounding * (std::fabs(learned) + std::fabs(kept));
      // Written so that a NaN is wrong.
      if (!(std::fabs(got_step[k] - step) <= tolerance)) ++wrong_steps;
      if (!(std::fabs(got_weight[k] - (weight[k] + step)) <= tolerance + 1.5 * rounding * std::fabs(weight[k] + step)))
        ++wrong_weights;
    }
  }
  std::printf("weights: %zu of %zu beyond their rounding; steps: %zu\n", wrong_weights, compared, wrong_steps);
  verdict.that("all weights and steps are right", wrong_weights == 0 && wrong_steps == 0);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
