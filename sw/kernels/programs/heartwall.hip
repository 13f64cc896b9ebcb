// Heart wall tracking: points on the inner and the outer wall of a heart are followed through ultrasound frames. Around
// a point's last position its template is correlated (normalised) with every position of a search window; the best one
// is the new position, and the template is blended with what is seen there. The probe sees a sector, outside of which
// pixels are 0: positions near its edge are correlated over the pixels that there are.
//
// Sizes:      1, 10, 100 frames of 160 x 160 pixels after the first; 20 inner and 30 outer points, templates of 11 x 11
// Kernels:    cut    frame u8[160][160], x and y i32[50], templates u8[50][121]; one block of 128 per point
//             track  frame and templates as above, x and y i32[50] (in and out), path_x, path_y i32[50] and
//                    score f32[50] of this frame; one block of 128 per point, the window and its integral images
//                    (sums from the upper left corner, which give a mean and a variance in four reads) in LDS;
//                    inner points search 11 x 11 positions, outer ones 17 x 17
// Divergence: track: templates that lie in the sector wholly need the cross sum alone, those across its edge sums over
//             the valid pixels (marked); the template's update of seen and unseen pixels; windows that leave the frame
// Rounding:   none in the sums: u8 pixels, at most 121^2 * 255^2 < 2^31. The score is two divisions and a product in
//             f32, each correctly rounded, of these integers: equal bit for bit
#include <algorithm>

#include "program.h"

namespace {

constexpr int edge = 160;  // of a frame
constexpr int inner_points = 20, outer_points = 30, point_count = inner_points + outer_points;
constexpr int reach = 5, side = 2 * reach + 1, pixels = side * side;  // of a template
constexpr int inner_search = 5, outer_search = 8;
constexpr int max_positions = (2 * outer_search + 1) * (2 * outer_search + 1);
constexpr int max_window = side + 2 * outer_search;
constexpr int block = 128;
constexpr int least_valid = pixels / 2;
constexpr float rejected = -2;  // below every score

// The correlation coefficient squared, with its sign: the same order, and no square root. From the number of pixels,
// the frame's and the template's sums, sums of squares, and the sum of products.
__host__ __device__ __forceinline__ float score_of(int n, int sum_f, int sum_t, int squares_f, int squares_t,
                                                   int products) {
  const int covariance = n * products - sum_f * sum_t;
  const int variance_f = n * squares_f - sum_f * sum_f, variance_t = n * squares_t - sum_t * sum_t;
  if (n < least_valid || variance_f <= 0 || variance_t <= 0) return rejected;
  const float c = static_cast<float>(covariance);
  return (c / static_cast<float>(variance_t)) * (fabsf(c) / static_cast<float>(variance_f));
}

__device__ __forceinline__ uint8_t pixel(const uint8_t* frame, int x, int y) {
  return x >= 0 && x < edge && y >= 0 && y < edge ? frame[y * edge + x] : 0;
}

__global__ void cut(const uint8_t* frame, const int* x, const int* y, uint8_t* templates) {
  const int point = blockIdx.x, item = threadIdx.x;
  if (item < pixels)
    templates[point * pixels + item] = pixel(frame, x[point] - reach + item % side, y[point] - reach + item / side);
}

// Sums over a rectangle's pixels from an integral image: of its lower right corner, less what is above and left of it.
using integral_image = int[max_window + 1][max_window + 1];
__device__ __forceinline__ int sum_of_template(const integral_image& image, int x, int y) {
  return image[y + side][x + side] - image[y][x + side] - image[y + side][x] + image[y][x];
}

__global__ __launch_bounds__(block) void track(const uint8_t* frame, uint8_t* templates, int* x, int* y, int* path_x,
                                               int* path_y, float* score) {
  __shared__ int window[max_window][max_window];
  __shared__ integral_image sums, squares, unseen;
  __shared__ int model[side][side];  // the template
  __shared__ int model_sum, model_squares, model_seen;
  __shared__ float best_score[block];
  __shared__ int best_position[block];
  const int point = blockIdx.x, item = threadIdx.x;
  const int search = point < inner_points ? inner_search : outer_search;
  const int width = side + 2 * search, across = 2 * search + 1;
  const int left = x[point] - search - reach, top = y[point] - search - reach;

  if (item == 0) model_sum = model_squares = model_seen = 0;
#pragma unroll 1
  for (int k = item; k < width * width; k += block) {
    PWS_LOOP_BOUND((max_window * max_window + block - 1) / block);
    window[k / width][k % width] = pixel(frame, left + k % width, top + k / width);
  }
  __syncthreads();
  if (item < pixels) {
    const int value = templates[point * pixels + item];
    model[item / side][item % side] = value;
    atomicAdd(&model_sum, value);
    atomicAdd(&model_squares, value * value);
    atomicAdd(&model_seen, value != 0 ? 1 : 0);
  }
  // Integral images: along the rows, then down the columns.
  if (item <= width) sums[0][item] = squares[0][item] = unseen[0][item] = 0;
  if (item < width) {
    int sum = 0, square_sum = 0, unseen_sum = 0;
    sums[item + 1][0] = squares[item + 1][0] = unseen[item + 1][0] = 0;
#pragma unroll 1
    for (int column = 0; column < width; ++column) {
      PWS_LOOP_BOUND(max_window);
      const int value = window[item][column];
      sums[item + 1][column + 1] = sum += value;
      squares[item + 1][column + 1] = square_sum += value * value;
      unseen[item + 1][column + 1] = unseen_sum += value == 0 ? 1 : 0;
    }
  }
  __syncthreads();
  if (item < width) {
    int sum = 0, square_sum = 0, unseen_sum = 0;
#pragma unroll 1
    for (int row = 1; row <= width; ++row) {
      PWS_LOOP_BOUND(max_window);
      sums[row][item + 1] = sum += sums[row][item + 1];
      squares[row][item + 1] = square_sum += squares[row][item + 1];
      unseen[row][item + 1] = unseen_sum += unseen[row][item + 1];
    }
  }
  __syncthreads();

  float best = rejected;
  int best_at = max_positions;
#pragma unroll 1
  for (int position = item; position < across * across; position += block) {
    PWS_LOOP_BOUND((max_positions + block - 1) / block);
    const int px = position % across, py = position / across;
    int n = pixels, sum_f = 0, sum_t = 0, squares_f = 0, squares_t = 0, products = 0;
    const int missing = sum_of_template(unseen, px, py) + pixels - model_seen;
    PWS_SPLIT();
    if (missing == 0) {
      sum_f = sum_of_template(sums, px, py);
      squares_f = sum_of_template(squares, px, py);
      sum_t = model_sum;
      squares_t = model_squares;
#pragma unroll 1
      for (int row = 0; row < side; ++row) {
        PWS_LOOP_BOUND(side);
#pragma unroll
        for (int column = 0; column < side; ++column) products += window[py + row][px + column] * model[row][column];
      }
    } else {
      n = 0;
#pragma unroll 1
      for (int row = 0; row < side; ++row) {
        PWS_LOOP_BOUND(side);
#pragma unroll
        for (int column = 0; column < side; ++column) {
          const int seen = window[py + row][px + column], wanted = model[row][column];
          const bool valid = seen != 0 && wanted != 0;
          const int f = valid ? seen : 0, t = valid ? wanted : 0;
          n += valid ? 1 : 0;
          sum_f += f;
          sum_t += t;
          squares_f += f * f;
          squares_t += t * t;
          products += f * t;
        }
      }
    }
    const float s = score_of(n, sum_f, sum_t, squares_f, squares_t, products);
    if (s > best) {
      best = s;
      best_at = position;
    }
  }

  // The best of all work-items, the lowest position of equal ones.
  best_score[item] = best;
  best_position[item] = best_at;
  __syncthreads();
#pragma unroll 1
  for (int half = block / 2; half > 0; half /= 2) {
    PWS_LOOP_BOUND(7);
    static_assert(block == 1 << 7);
    if (item < half) {
      const float other = best_score[item + half];
      const int other_at = best_position[item + half];
      if (other > best || (other == best && other_at < best_at)) {
        best_score[item] = best = other;
        best_position[item] = best_at = other_at;
      }
    }
    __syncthreads();
  }
  // A point of which nothing is seen stays where it was.
  const float found = best_score[0];
  const int at = found == rejected ? search * across + search : best_position[0];
  const int px = at % across, py = at / across;
  if (item < pixels) {
    const int seen = window[py + item / side][px + item % side], old = model[item / side][item % side];
    int blended = max(seen, old);  // one of them is 0
    if (seen != 0 && old != 0) blended = (7 * old + seen + 4) / 8;
    templates[point * pixels + item] = static_cast<uint8_t>(blended);
  }
  if (item == 0) {
    x[point] = path_x[point] = left + px + reach;
    y[point] = path_y[point] = top + py + reach;
    score[point] = found;
  }
}

struct paths {
  std::vector<int> x, y;  // [frame][point]
  std::vector<float> score;
};

// Speckle that moves with the tissue, which contracts towards the heart's centre and relaxes again.
class heart {
 public:
  explicit heart(program::random_source& random) : random_(random), speckle_(lattice * lattice) {
    for (float& s : speckle_) s = random_.real(0.1f, 1);
  }
  // Where a point of the first frame is.
  static float x_at(int frame, float x) { return centre_x + (x - centre_x) * scale(frame); }
  static float y_at(int frame, float y) { return centre_y + (y - centre_y) * scale(frame); }
  // Numbers of the walls: 0 the inner one.
  static void on_wall(int wall, float angle_cosine, float angle_sine, float& x, float& y) {
    x = centre_x + (wall == 0 ? 25 : 42) * angle_cosine;
    y = centre_y + (wall == 0 ? 30 : 48) * angle_sine;
  }

  std::vector<uint8_t> frame(int number) {
    std::vector<uint8_t> out(edge * edge, 0);
    for (int row = 0; row < edge; ++row)
      for (int column = 0; column < edge; ++column) {
        const float dx = static_cast<float>(column) - centre_x, depth = static_cast<float>(row) + 10;
        const float noise = random_.real(-6, 6);
        if (std::fabs(dx) > 0.55f * depth || dx * dx + depth * depth > 160 * 160) continue;  // outside the sector
        const float x = dx / scale(number), y = (static_cast<float>(row) - centre_y) / scale(number);
        const bool wall =
            (x / 25) * (x / 25) + (y / 30) * (y / 30) > 1 && (x / 42) * (x / 42) + (y / 48) * (y / 48) < 1;
        const float value = (wall ? 200.0f : 90.0f) * speckle_at(x / 3 + 64, y / 3 + 64) + 10 + noise;
        out[row * edge + column] = static_cast<uint8_t>(std::min(std::max(value, 1.0f), 255.0f));
      }
    return out;
  }

 private:
  static constexpr int lattice = 128, beat = 25;
  static constexpr float centre_x = 80, centre_y = 85;
  static float scale(int frame) {
    const float phase = static_cast<float>(frame % beat) / beat;
    return 1 - 0.12f * 4 * phase * (1 - phase);
  }
  float speckle_at(float x, float y) const {
    const int column = static_cast<int>(x), row = static_cast<int>(y);
    const float right = x - static_cast<float>(column), below = y - static_cast<float>(row);
    const float* s = &speckle_[row * lattice + column];
    return (s[0] * (1 - right) + s[1] * right) * (1 - below) +
           (s[lattice] * (1 - right) + s[lattice + 1] * right) * below;
  }
  program::random_source& random_;
  std::vector<float> speckle_;
};

// Every position by itself, with all of its sums over the valid pixels.
paths reference(const std::vector<std::vector<uint8_t>>& frames, std::vector<int> x, std::vector<int> y) {
  const auto at = [](const std::vector<uint8_t>& frame, int column, int row) {
    return column < 0 || column >= edge || row < 0 || row >= edge ? 0 : int(frame[row * edge + column]);
  };
  paths out;
  out.x.resize((frames.size() - 1) * point_count);
  out.y = out.x;
  out.score.resize(out.x.size());
  for (int point = 0; point < point_count; ++point) {
    const int search = point < inner_points ? inner_search : outer_search;
    std::vector<int> model;
    for (int row = -reach; row <= reach; ++row)
      for (int column = -reach; column <= reach; ++column)
        model.push_back(at(frames[0], x[point] + column, y[point] + row));
    for (size_t f = 1; f < frames.size(); ++f) {
      float best = rejected;
      int best_x = x[point], best_y = y[point];
      for (int cy = y[point] - search; cy <= y[point] + search; ++cy)
        for (int cx = x[point] - search; cx <= x[point] + search; ++cx) {
          int n = 0, sum_f = 0, sum_t = 0, squares_f = 0, squares_t = 0, products = 0;
          for (int k = 0; k < pixels; ++k) {
            const int value = at(frames[f], cx - reach + k % side, cy - reach + k / side);
            if (value == 0 || model[k] == 0) continue;
            ++n;
            sum_f += value;
            sum_t += model[k];
            squares_f += value * value;
            squares_t += model[k] * model[k];
            products += value * model[k];
          }
          const float s = score_of(n, sum_f, sum_t, squares_f, squares_t, products);
          if (s <= best) continue;
          best = s;
          best_x = cx;
          best_y = cy;
        }
      x[point] = best_x;
      y[point] = best_y;
      for (int k = 0; k < pixels; ++k) {
        const int value = at(frames[f], best_x - reach + k % side, best_y - reach + k / side);
        if (model[k] == 0)
          model[k] = value;
        else if (value != 0)
          model[k] = (7 * model[k] + value + 4) / 8;
      }
      const size_t k = (f - 1) * point_count + point;
      out.x[k] = best_x;
      out.y[k] = best_y;
      out.score[k] = best;
    }
  }
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const program::options o = program::parse(argc, argv);
  const int frame_count = o.pick(1, 10, 100);
  std::printf("heartwall (%s): %d points, %d frames of %d x %d pixels, seed %u\n", o.size_name(), point_count,
              frame_count, edge, edge, o.seed);

  program::random_source random(o.seed);
  heart heart(random);
  std::vector<std::vector<uint8_t>> frames;
  for (int f = 0; f <= frame_count; ++f) frames.push_back(heart.frame(f));
  std::vector<int> x, y;
  for (int point = 0; point < point_count; ++point) {
    const bool inner = point < inner_points;
    const float angle = 6.2831853f * (inner ? float(point) / inner_points : float(point - inner_points) / outer_points);
    float wall_x = 0, wall_y = 0;
    heart::on_wall(inner ? 0 : 1, std::cos(angle), std::sin(angle), wall_x, wall_y);
    x.push_back(int(std::lround(wall_x)));
    y.push_back(int(std::lround(wall_y)));
  }

  const size_t steps = size_t(frame_count) * point_count;
  program::device_array<uint8_t> frame(frames[0]), templates(size_t{point_count} * pixels);
  program::device_array<int> device_x(x), device_y(y), path_x(steps), path_y(steps);
  program::device_array<float> score(steps);
  cut<<<point_count, block>>>(frame.get(), device_x.get(), device_y.get(), templates.get());
  PROGRAM_LAUNCHED();
  for (int f = 1; f <= frame_count; ++f) {
    frame.upload(frames[f]);
    const size_t at = size_t(f - 1) * point_count;
    track<<<point_count, block>>>(frame.get(), templates.get(), device_x.get(), device_y.get(), path_x.get() + at,
                                  path_y.get() + at, score.get() + at);
    PROGRAM_LAUNCHED();
  }

  const paths expected = reference(frames, x, y);
  const std::vector<int> got_x = path_x.download(), got_y = path_y.download();
  program::verdict verdict;
  verdict.equal("x", got_x, expected.x);
  verdict.equal("y", got_y, expected.y);
  verdict.equal("score", score.download(), expected.score);
  // Most points must have been followed; on a wall that moves by up to 6 pixels, not within 2 means lost.
  int followed = 0;
  for (int point = 0; point < point_count; ++point) {
    const size_t k = steps - point_count + point;
    const float off_x = std::fabs(float(got_x[k]) - heart::x_at(frame_count, float(x[point])));
    const float off_y = std::fabs(float(got_y[k]) - heart::y_at(frame_count, float(y[point])));
    followed += off_x <= 2 && off_y <= 2;
  }
  std::printf("%d of %d points followed\n", followed, point_count);
  verdict.that("nine of ten points are followed", followed * 10 >= point_count * 9);
  return verdict.finish();
}
// SPDX-License-Identifier: Apache-2.0
