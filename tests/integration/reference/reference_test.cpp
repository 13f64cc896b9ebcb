// SPDX-License-Identifier: Apache-2.0
// The references against second implementations that share no code and, where there is one, no algorithm with them.
#include <gtest/gtest.h>

#include <array>
#include <cfloat>
#include <cmath>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <numeric>
#include <queue>

#include "tests/integration/reference/alu_chain.h"
#include "tests/integration/reference/bfs.h"
#include "tests/integration/reference/case_builder.h"
#include "tests/integration/reference/divergent_break.h"
#include "tests/integration/reference/f32.h"
#include "tests/integration/reference/fully_divergent.h"
#include "tests/integration/reference/histogram.h"
#include "tests/integration/reference/matrix_multiply.h"
#include "tests/integration/reference/needleman_wunsch.h"
#include "tests/integration/reference/odd_even_loop.h"
#include "tests/integration/reference/pointer_chase.h"
#include "tests/integration/reference/reduction.h"
#include "tests/integration/reference/saxpy.h"
#include "tests/integration/reference/spiking_neuron.h"
#include "tests/integration/reference/vector_add.h"

namespace pws::reference::reference_test {
namespace {

uint32_t bits(float v) {
  uint32_t b;
  std::memcpy(&b, &v, sizeof b);
  return b;
}

// A double holds twice the digits of a float and two more, so that rounding the double result of one operation gives
// the correctly rounded float.
float rounded(double v) {
  return static_cast<float>(v);
}

TEST(f32, flushes_denormals_and_keeps_signs) {
  constexpr float tiny = std::numeric_limits<float>::denorm_min();
  EXPECT_EQ(bits(flush(tiny)), 0u);
  EXPECT_EQ(bits(flush(-tiny)), 0x80000000u);
  EXPECT_EQ(bits(flush(FLT_MIN)), bits(FLT_MIN));
  EXPECT_EQ(bits(add(1.5f * FLT_MIN, -FLT_MIN)), 0u);
  EXPECT_EQ(bits(multiply(tiny, 0x1p100f)), 0u);
  EXPECT_EQ(bits(fused(0x1p-100f, 0x1p-40f, 1.0f)), bits(1.0f));
  EXPECT_TRUE(std::isnan(flush(std::numeric_limits<float>::quiet_NaN())));
  EXPECT_TRUE(std::isinf(multiply(FLT_MAX, 2.0f)));
}

TEST(vector_add, agrees_with_double_precision) {
  const std::vector<float> a = random_f32(1, 10'000);
  const std::vector<float> b = random_f32(2, 10'000);
  const std::vector<float> c = vector_add(a, b);
  for (size_t i = 0; i < a.size(); ++i) {
    const double exact = a[i] > 0 ? double{a[i]} + b[i] : double{a[i]} - 2.0 * b[i];
    ASSERT_EQ(bits(c[i]), bits(rounded(exact))) << i;
  }
}

TEST(saxpy, agrees_with_double_precision_rounded_twice_and_is_not_fused) {
  const std::vector<float> x = random_f32(1, 10'000);
  const std::vector<float> y = random_f32(2, 10'000);
  const std::vector<float> result = saxpy(1.7f, x, y);
  size_t unlike_fused = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    ASSERT_EQ(bits(result[i]), bits(rounded(double{rounded(double{1.7f} * x[i])} + y[i]))) << i;
    if (bits(result[i]) != bits(std::fma(1.7f, x[i], y[i]))) ++unlike_fused;
  }
  EXPECT_GT(unlike_fused, 100u);
}

TEST(matrix_multiply, agrees_with_inner_products) {
  for (const uint32_t n : {1u, 2u, 17u, 64u, 65u}) {
    const std::vector<float> a = random_f32(3, size_t{n} * n);
    const std::vector<float> b = random_f32(4, size_t{n} * n);
    const std::vector<float> c = matrix_multiply(a, b, n);
    for (uint32_t column = 0; column < n; ++column) {
      for (uint32_t row = 0; row < n; ++row) {
        float sum = 0.0f;
        for (uint32_t k = 0; k < n; ++k) {
          sum = rounded(double{sum} + rounded(double{a[row * n + k]} * b[k * n + column]));
        }
        ASSERT_EQ(bits(c[row * n + column]), bits(sum)) << row << "," << column;
      }
    }
  }
}

TEST(reduction, agrees_with_plain_sums) {
  for (const uint32_t n : {1u, 255u, 256u, 257u, 4097u}) {
    std::vector<int32_t> in(n);
    random_source source(n);
    for (int32_t& v : in) v = static_cast<int32_t>(static_cast<uint32_t>(source.next()));
    const std::vector<int32_t> partial = reduction(in, 256);
    ASSERT_EQ(partial.size(), (n + 255) / 256);
    for (size_t g = 0; g < partial.size(); ++g) {
      int64_t sum = 0;
      for (size_t i = 256 * g; i < std::min<size_t>(n, 256 * (g + 1)); ++i) sum += in[i];
      EXPECT_EQ(static_cast<uint32_t>(partial[g]), static_cast<uint32_t>(sum)) << g;
    }
  }
}

// In the tree, element j of a row with 2 s elements left is node(j, s): the recursion names each sum's operands top
// down.
TEST(reduction, f32_agrees_with_the_recursive_definition) {
  for (const uint32_t workgroup : {1u, 2u, 64u, 256u}) {
    const std::vector<float> in = random_f32(workgroup, 1000);
    const std::function<float(size_t, size_t, uint32_t)> node = [&](size_t base, size_t j, uint32_t stride) -> float {
      if (stride == workgroup) return base + j < in.size() ? in[base + j] : 0.0f;
      return rounded(double{node(base, j, 2 * stride)} + node(base, j + stride, 2 * stride));
    };
    const std::vector<float> partial = reduction_f32(in, workgroup);
    ASSERT_EQ(partial.size(), (1000 + workgroup - 1) / workgroup);
    for (size_t g = 0; g < partial.size(); ++g) ASSERT_EQ(bits(partial[g]), bits(node(g * workgroup, 0, 1))) << g;
  }
}

TEST(bfs, levels_agree_with_a_queue) {
  for (const uint32_t n : {1u, 2u, 65u, 1000u, 20'000u}) {
    const graph g = random_graph(n, n);
    bfs_state s = bfs_start(n, 0);
    for (uint32_t level = 1;; ++level) {
      s.again[0] = 0;
      bfs_step(g, s, level);
      bfs_update(s);
      if (s.again[0] == 0) break;
    }
    std::vector<uint32_t> distance(n, bfs_unreached);
    std::queue<uint32_t> waiting;
    distance[0] = 0;
    waiting.push(0);
    while (!waiting.empty()) {
      const uint32_t node = waiting.front();
      waiting.pop();
      for (uint32_t e = g.offset[node]; e < g.offset[node + 1]; ++e) {
        if (distance[g.target[e]] != bfs_unreached) continue;
        distance[g.target[e]] = distance[node] + 1;
        waiting.push(g.target[e]);
      }
    }
    EXPECT_EQ(s.cost, distance) << n;
    EXPECT_EQ(s.frontier, std::vector<uint8_t>(n, 0));
    EXPECT_EQ(s.next, std::vector<uint8_t>(n, 0));
  }
}

// Best score over all alignments, enumerated from the ends of both prefixes.
int32_t best_alignment(const std::vector<uint8_t>& a, const std::vector<uint8_t>& b, size_t i, size_t j,
                       const substitution_table& table, int32_t gap) {
  if (i == 0) return -gap * static_cast<int32_t>(j);
  if (j == 0) return -gap * static_cast<int32_t>(i);
  const int32_t both = best_alignment(a, b, i - 1, j - 1, table, gap) + table[a[i - 1] * 4u + b[j - 1]];
  const int32_t only_a = best_alignment(a, b, i - 1, j, table, gap) - gap;
  const int32_t only_b = best_alignment(a, b, i, j - 1, table, gap) - gap;
  return std::max({both, only_a, only_b});
}

TEST(needleman_wunsch, agrees_with_enumeration_of_all_alignments) {
  const substitution_table table = {5, -4, -3, -4, -4, 5, -4, -2, -3, -4, 5, -4, -4, -2, -4, 5};
  for (uint32_t seed = 0; seed < 8; ++seed) {
    const std::vector<uint8_t> a = random_u8(seed, 7, 4);
    const std::vector<uint8_t> b = random_u8(seed + 100, 7, 4);
    const std::vector<int32_t> score = needleman_wunsch(a, b, table, 3);
    for (size_t i = 0; i <= 7; ++i) {
      for (size_t j = 0; j <= 7; ++j)
        EXPECT_EQ(score[i * 8 + j], best_alignment(a, b, i, j, table, 3)) << i << "," << j;
    }
  }
}

TEST(needleman_wunsch, launches_along_all_diagonals_fit_together) {
  // What one launch leaves is what the next one of the same length expects to find.
  std::map<std::string, kernel_case> made;
  for (const case_entry& entry : needleman_wunsch_cases()) {
    if (entry.name.rfind("needleman_wunsch_63_", 0) == 0) made[entry.name] = entry.make();
  }
  ASSERT_EQ(made.size(), 3u);
  const kernel_case& longest = made.at("needleman_wunsch_63_diagonal_3");
  const kernel_case& following = made.at("needleman_wunsch_63_diagonal_4");
  EXPECT_TRUE(longest.args[0].expected == following.args[0].bytes);
  EXPECT_EQ(longest.grid[0], 64u);
  EXPECT_EQ(following.grid[0], 48u);
}

TEST(histogram, agrees_with_a_map) {
  const std::vector<uint8_t> data = random_u8(5, 30'000, 200);
  std::map<uint8_t, uint32_t> count;
  for (const uint8_t v : data) ++count[v];
  std::vector<uint32_t> bins(256, 10);
  bins[0] = 0xffffffffu;
  const std::vector<uint32_t> result = histogram(data, bins);
  for (uint32_t v = 0; v < 256; ++v) {
    const uint32_t counted = count.count(static_cast<uint8_t>(v)) != 0 ? count[static_cast<uint8_t>(v)] : 0;
    EXPECT_EQ(result[v], bins[v] + counted) << v;
  }
}

// Steps to 1 by recursion on 64-bit numbers; only for starts whose sequences stay below 2^32.
uint32_t collatz_length(uint64_t x) {
  if (x == 1) return 0;
  return 1 + collatz_length((x & 1) != 0 ? 3 * x + 1 : x >> 1);
}

TEST(divergent_break, agrees_with_recursion_and_known_lengths) {
  std::vector<uint32_t> start(5000);
  std::iota(start.begin(), start.end(), 1u);
  const std::vector<uint32_t> steps = divergent_break(start, 1000);
  const std::vector<uint32_t> limited = divergent_break(start, 20);
  for (size_t i = 0; i < start.size(); ++i) {
    ASSERT_EQ(steps[i], collatz_length(start[i])) << start[i];
    ASSERT_EQ(limited[i], std::min(steps[i], 20u)) << start[i];
  }
  EXPECT_EQ(steps[26], 111u);  // 27, the well-known long one
  EXPECT_EQ(divergent_break({0}, 77)[0], 77u);
}

// The generator's steps as a matrix over bits, whose 32nd power is one mixing.
TEST(odd_even_loop, agrees_with_powers_of_a_matrix) {
  using matrix = std::array<uint32_t, 32>;  // the image of each bit
  const auto apply = [](const matrix& m, uint32_t x) {
    uint32_t out = 0;
    for (unsigned k = 0; k < 32; ++k) out ^= (x >> k & 1) != 0 ? m[k] : 0;
    return out;
  };
  matrix mixing{};
  for (unsigned k = 0; k < 32; ++k) {
    const uint32_t a = uint32_t{1} << k, b = a ^ a << 13, c = b ^ b >> 17;
    mixing[k] = c ^ c << 5;
  }
  for (unsigned power = 1; power < 32; power *= 2) {
    matrix squared{};
    for (unsigned k = 0; k < 32; ++k) squared[k] = apply(mixing, mixing[k]);
    mixing = squared;
  }
  const std::vector<uint32_t> data{1, 1, 0x80000000, 0xffffffff, 12345, 0};
  for (const uint32_t iterations : {0u, 1u, 2u, 3u, 9u, 128u}) {
    const std::vector<uint32_t> result = odd_even_loop(data, iterations);
    for (size_t t = 0; t < data.size(); ++t) {
      uint32_t x = data[t];
      for (uint32_t n = 0; n < iterations / 2; ++n) x = apply(mixing, x) + 1;
      EXPECT_EQ(result[t], x) << iterations << ", " << t;
    }
  }
}

TEST(spiking_neuron, fires_as_its_current_is) {
  const auto run = [](double current, uint32_t max_spikes, uint32_t limit) {
    return spiking_neuron({static_cast<uint32_t>(static_cast<int32_t>(current * 65536))}, max_spikes, limit)[0];
  };
  EXPECT_EQ(run(0, 8, 100), 100u);  // never
  EXPECT_EQ(run(-3, 8, 100), 100u);
  EXPECT_EQ(run(100, 3, 100) >> 16, 3u);  // until it has fired often enough
  EXPECT_LT(run(100, 3, 100) & 0xffff, 20u);
  EXPECT_EQ(run(100, 0, 100), 0u);
  EXPECT_EQ(run(100, 8, 0), 0u);
  uint32_t before = 0;
  for (const double current : {2.0, 3.0, 5.0, 9.0}) {
    const uint32_t spikes = run(current, 1000, 1000) >> 16;
    EXPECT_GE(spikes, before) << current;
    before = spikes;
  }
  EXPECT_GT(before, 50u);
}

TEST(pointer_chase, ring_is_one_cycle_through_all_nodes) {
  for (const uint32_t nodes : {1u, 2u, 63u, 1000u}) {
    for (const uint32_t stride : {1u, 16u}) {
      const std::vector<uint32_t> ring = random_ring(nodes, nodes, stride);
      ASSERT_EQ(ring.size(), size_t{nodes} * stride);
      std::vector<bool> seen(ring.size(), false);
      uint32_t at = 0;
      for (uint32_t hop = 0; hop < nodes; ++hop) {
        EXPECT_EQ(at % stride, 0u);
        EXPECT_FALSE(seen[at]);
        seen[at] = true;
        EXPECT_EQ(pointer_chase(ring, 0, hop), at);
        at = ring[at];
      }
      EXPECT_EQ(at, 0u);
    }
  }
}

// x ^= x << s (or >> -s) on single bits: bit b of the result is bit b xor bit b - s of x.
uint32_t xor_shifted(uint32_t x, int s) {
  uint32_t result = 0;
  for (int b = 0; b < 32; ++b) {
    const int other = b - s;
    const uint32_t moved = other >= 0 && other < 32 ? (x >> other) & 1u : 0u;
    result |= (((x >> b) & 1u) ^ moved) << b;
  }
  return result;
}

TEST(fully_divergent, agrees_with_bitwise_definition_lane_by_lane) {
  const std::vector<uint32_t> data = random_u32(7, 300, 0xffffffffu);
  for (const uint64_t mask : {uint64_t{0}, ~uint64_t{0}, uint64_t{0x5555555555555555}, uint64_t{1} << 63}) {
    for (const uint32_t rounds : {0u, 1u, 3u}) {
      const std::vector<uint32_t> result = fully_divergent(data, mask, rounds, 100);
      for (uint32_t i = 0; i < data.size(); ++i) {
        const uint32_t lane = (i % 100) % 64;
        uint32_t x = data[i];
        for (uint32_t step = 0; step < 8 * rounds; ++step) {
          for (const int s : (mask >> lane & 1) != 0 ? std::array{13, -17, 5} : std::array{5, -9, 7})
            x = xor_shifted(x, s);
        }
        ASSERT_EQ(result[i], x) << i;
      }
    }
  }
}

// Fused multiply-add without fma: the product is exact in double; the sum is rounded to odd, which keeps the second
// rounding correct.
float fma_by_round_to_odd(float a, float b, float c) {
  const double product = double{a} * b;
  const double sum = product + c;
  const double c_part = sum - product;
  const double error = (product - (sum - c_part)) + (c - c_part);
  uint64_t pattern;
  std::memcpy(&pattern, &sum, sizeof pattern);
  if (error != 0 && (pattern & 1) == 0) return rounded(std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL));
  return rounded(sum);
}

TEST(alu_chain, agrees_with_emulated_fma_and_is_not_split_into_two_roundings) {
  const std::vector<float> data = random_f32(8, 2000);
  const std::vector<float> result = alu_chain(data, 0.99f, 0.01f, 50);
  size_t unlike_unfused = 0;
  for (size_t i = 0; i < data.size(); ++i) {
    float x = data[i];
    float unfused = data[i];
    for (int step = 0; step < 50; ++step) {
      x = fma_by_round_to_odd(x, 0.99f, 0.01f);
      unfused = add(multiply(unfused, 0.99f), 0.01f);
    }
    ASSERT_EQ(bits(result[i]), bits(x)) << i;
    if (bits(unfused) != bits(x)) ++unlike_unfused;
  }
  EXPECT_GT(unlike_unfused, 100u);
}

}  // namespace
}  // namespace pws::reference::reference_test
