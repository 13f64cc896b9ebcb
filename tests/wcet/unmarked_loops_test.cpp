// SPDX-License-Identifier: Apache-2.0
// Kernels without a single mark: their loops are bounded by what the code counts, or refused with what is missing. No
// run takes longer than its bound, or goes round more often than was counted. The kernels of loops/ as they are without
// their marks, and random ones, are in loop_kernels_test.cpp and loop_soundness_test.cpp.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <random>
#include <stdexcept>

#include "base/error.h"
#include "sw/loader/llvm_version.h"
#include "tests/integration/child_run.h"
#include "tests/wcet/bounded_launches.h"
#include "tests/wcet/random_bounds.h"
#include "tests/wcet/random_counters.h"

namespace pws::test::unmarked_loops_test {
namespace {

using ::testing::AnyOf;
using ::testing::HasSubstr;

// -O0 loads the addresses of functions from memory before it calls them.
constexpr const char* call = "the target of this call is not known";
constexpr const char* levels[] = {"-O0", "-O1", "-O2", "-O3", "-Os"};

struct loop {
  std::string name;
  // With x (the work-item's own word, which nothing is known of), data, table, n = 23, m = 5, and lane.
  std::string body;
  // At every level of optimisation but -O0, which keeps counters in memory: it has a bound. Empty; else what the
  // refusal says.
  std::string refusal = "";
};

const std::vector<loop> counted = {
    // --- Counters and conditions
    {"up", "for (uint32_t i = 0; i < n; ++i) x = mixed(x + i);"},
    {"up_to", "for (uint32_t i = 1; i <= n; ++i) x = mixed(x + i);"},
    {"up_by_three", "for (uint32_t i = 0; i < n; i += 3) x = mixed(x + i);"},
    {"up_until_equal", "for (uint32_t i = 0; i != n; ++i) x = mixed(x + i);"},
    {"up_from_below_zero", "for (int i = -int(n); i < int(m); i += 2) x = mixed(x + i);"},
    {"down", "for (int i = n; i > 0; --i) x = mixed(x + i);"},
    {"down_to", "for (int i = n; i >= 0; i -= 4) x = mixed(x + i);"},
    {"down_until_zero", "for (uint32_t i = n; i != 0; --i) x = mixed(x + i);"},
    {"down_while", "uint32_t i = n; while (i-- > 0) x = mixed(x + i);"},
    {"do_while", "uint32_t i = 0; do { x = mixed(x + i); } while (++i < n);"},
    {"do_while_once", "uint32_t i = 0; do { x = mixed(x + i); } while (++i < m - 5);"},
    {"forever_with_break", "for (uint32_t i = 0;; ++i) { if (i >= n) break; x = mixed(x + i); }"},
    {"goto_back", "uint32_t i = 0; again: x = mixed(x + i); if (++i < n) goto again;"},
    {"halves", "for (uint32_t i = n * 40; i != 0; i /= 2) x = mixed(x + i);"},
    {"halves_what_is_loaded", "for (uint32_t i = x; i != 0; i >>= 1) n = mixed(n + i);"},
    {"doubles", "for (uint32_t i = 1; i < n * 40; i *= 2) x = mixed(x + i);"},
    {"triples", "for (uint32_t i = 1; i < n * 40; i *= 3) x = mixed(x + i);"},
    {"bits", "for (uint32_t i = x; i != 0; i &= i - 1) n = mixed(n + i);"},
    {"in_64_bits", "for (uint64_t i = 0; i < uint64_t(n) * 3; i += 2) x = mixed(x + uint32_t(i));"},
    {"signed_in_64_bits", "for (int64_t i = n; i >= 0; --i) x = mixed(x + uint32_t(i));"},
    {"of_a_short", "for (unsigned short i = 0; i < n; ++i) x = mixed(x + i);"},
    {"of_a_byte", "for (unsigned char i = 3; i < n; ++i) x = mixed(x + i);"},
    {"size_of_a_type", "for (size_t i = 0; i < sizeof(double) * 4; ++i) x = mixed(x + uint32_t(i));"},
    {"pointers", "for (const uint32_t *p = table, *e = table + n; p != e; ++p) x = mixed(x + *p);"},
    {"pointers_below", "for (const uint32_t *p = table, *e = table + n; p < e; p += 2) x = mixed(x + *p);"},
    {"unrolled", "_Pragma(\"unroll 4\") for (uint32_t i = 0; i < n; ++i) x = mixed(x + table[i]);"},
    {"unrolled_completely", "_Pragma(\"unroll\") for (uint32_t i = 0; i < 12; ++i) x = mixed(x + table[i * m]);"},
    {"step_of_an_argument", "for (uint32_t i = 0; i < n; i += m) x = mixed(x + i);"},
    {"limit_of_a_mask", "for (uint32_t i = 0, e = x & 15; i < e; ++i) n = mixed(n + i);"},
    {"limit_of_a_shift", "for (uint32_t i = 0, e = x >> 27; i < e; ++i) n = mixed(n + i);"},
    {"limit_of_a_minimum", "for (uint32_t i = 0, e = x < 9 ? x : 9; i < e; ++i) n = mixed(n + i);"},
    {"limit_of_a_byte",
     "const unsigned char e = reinterpret_cast<const unsigned char*>(table)[lane]; for (uint32_t i = 0; i < e; ++i) x "
     "= mixed(x + i);"},
    {"two_counters", "for (uint32_t i = 0, j = n; i < j; ++i) x = mixed(x + i * j);"},
    // --- Other ways out
    {"two_conditions", "for (uint32_t i = 0; i < n && x != 77; ++i) x = mixed(x + i);"},
    {"either_condition", "uint32_t i = 0; while (true) { if (x % 64 == 7) break; x = mixed(x); if (++i == n) break; }"},
    {"breaks", "for (uint32_t i = 0; i < n; ++i) { x = mixed(x + i); if (x % 16 == 3) break; x += 5; }"},
    {"continues", "for (uint32_t i = 0; i < n; ++i) { if (x % 4 == 1) { ++x; continue; } x = mixed(x + i); }"},
    {"returns", "for (uint32_t i = 0; i < n; ++i) { x = mixed(x + i); if (x % 64 == 3) return; }"},
    {"goes_out_of_two",
     "for (uint32_t i = 0; i < m; ++i) for (uint32_t j = 0; j < m; ++j) { x = mixed(x + j); if (x % 64 == 3) goto out; "
     "} out:;"},
    {"search", "uint32_t i = 0; while (i < n && table[i] != x % 64) ++i; x += i;"},
    // --- By lane
    {"by_lane", "for (uint32_t i = 0; i < lane; ++i) x = mixed(x + i);"},
    {"by_lane_down", "for (int i = lane; i >= 0; i -= 2) x = mixed(x + i);"},
    {"from_the_lane", "for (uint32_t i = lane; i < n * 8; i += 64) x = mixed(x + i);"},
    {"grid_stride",
     "for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < 2000; i += blockDim.x * gridDim.x) x = mixed(x + "
     "i);"},
    {"under_an_if", "if (x % 2 == 0) for (uint32_t i = 0; i < n; ++i) x = mixed(x + i);"},
    {"in_both_sides",
     "if (x % 2 == 0) for (uint32_t i = 0; i < n; ++i) x = mixed(x + i); else for (uint32_t i = m; i > 0; --i) x = x * "
     "x + i;"},
    {"an_if_inside", "for (uint32_t i = 0; i < n; ++i) if (x % 2 == 0) x = mixed(x + i); else x = x * 3 + table[i];"},
    {"a_step_under_an_if", "for (uint32_t i = 0; i < n; i += x % 2 == 0 ? 1 : 2) x = mixed(x + i);"},
    // --- Nests
    {"nest", "for (uint32_t i = 0; i < m; ++i) for (uint32_t j = 0; j < n; ++j) x = mixed(x + i * j);"},
    {"triangle", "for (uint32_t i = 0; i < n; ++i) for (uint32_t j = i; j < n; ++j) x = mixed(x + i * j);"},
    {"lower_triangle", "for (uint32_t i = 0; i < n; ++i) for (uint32_t j = 0; j <= i; ++j) x = mixed(x + i * j);"},
    {"three_deep",
     "for (uint32_t i = 0; i < m; ++i) for (uint32_t j = 0; j < m; ++j) for (uint32_t k = 0; k < m; ++k) x = mixed(x + "
     "i * j + k);"},
    {"inner_by_halves", "for (uint32_t i = 0; i < n; ++i) for (uint32_t j = 64; j > 1; j /= 2) x = mixed(x + j);"},
    {"reduction",
     "for (uint32_t s = 128; s > 0; s >>= 1) { if (lane < s) x += table[(lane + s) & 4095]; x = mixed(x); }"},
    {"one_after_the_other",
     "for (uint32_t i = 0; i < n; ++i) x = mixed(x + i); for (uint32_t i = n; i > 0; --i) x = x * x + i;"},
    {"counter_of_the_outer_is_the_limit",
     "for (uint32_t i = 1; i < n; i *= 2) for (uint32_t j = 0; j < i; ++j) x = mixed(x + j);"},
    // --- Functions and templates
    {"template_bound", "x = repeated<7>(x);"},
    {"inlined_function", "x = walked(x, n); x = walked(x, m);"},
    {"called_function", "x = called(x, n);"},
    {"lambda",
     "const auto f = [&](uint32_t times) { for (uint32_t i = 0; i < times; ++i) x = mixed(x + i); }; f(n); f(m);"},
};

// What they do in each pass is seen outside, so that the compiler cannot leave them out.
const std::vector<loop> not_counted = {
    {"limit_from_memory", "for (uint32_t i = 0, e = table[lane]; i < e; ++i) x = mixed(x + i);",
     "what is not known is loaded by "},
    {"chase", "for (uint32_t i = x % 4096; i != 7; i = table[i]) atomicAdd(data, 1);",
     "what is not known is loaded by "},
    {"collatz", "for (; x != 1; x = x % 2 == 0 ? x / 2 : 3 * x + 1) atomicAdd(data, 1);",
     "is not computed from registers of the pass before"},
    {"endless",
     "for (uint32_t i = 0; i <= 0xffffffffu; ++i) { x = mixed(x + i); if (x == n) return; atomicAdd(data, 1); }",
     "goes round"},
    {"unsigned_at_least_zero",
     "for (uint32_t i = n; i >= 0; --i) { x = mixed(x + i); if (x == m) return; atomicAdd(data, 1); }", "goes round"},
    {"steps_over", "for (uint32_t i = 0; i != n; i += 2) { x = mixed(x + i); if (x == m) return; }",
     "it may step over that"},
    {"step_of_zero", "for (uint32_t i = 0; i < n; i += table[0] & 1) x = mixed(x + i);",
     "does not come nearer to that in every pass"},
    {"floating_point", "for (float f = float(x & 7); f < 20; f += 1) n = mixed(n + uint32_t(f)); x = n;",
     "compares no integers"},
    {"volatile_counter", "for (volatile uint32_t i = 0; i < n; i = i + 1) x = mixed(x);", "goes round"},
    {"limit_that_runs_away",
     "for (uint32_t i = 0, e = n; i != e; i += 2) { x = mixed(x); e += x & 1; atomicAdd(data, 1); }",
     "next to nothing is known"},
};

std::string text_of(const std::vector<loop>& loops) {
  std::string text = R"(#include "common.h"
template <uint32_t times>
__device__ __forceinline__ uint32_t repeated(uint32_t x) {
#pragma unroll 1
  for (uint32_t i = 0; i < times; ++i) x = mixed(x + i);
  return x;
}
__device__ __forceinline__ uint32_t walked(uint32_t x, uint32_t times) {
  while (times-- != 0) x = mixed(x + times);
  return x;
}
__device__ __attribute__((noinline)) uint32_t called(uint32_t x, uint32_t times) {
  for (uint32_t i = 0; i < times; ++i) x = mixed(x + i);
  return x;
}
)";
  for (const loop& l : loops)
    text += fmt::format(
        "LOOP_KERNEL {}(uint32_t* data, const uint32_t* table, uint32_t n, uint32_t m) {{\n  uint32_t x = "
        "data[item()];\n"
        "  const uint32_t lane = threadIdx.x;\n  {}\n  data[item()] = x + n + m + lane;\n}}\n",
        l.name, l.body);
  return text;
}

// Each kernel in all contexts of the machine.
std::vector<bounded_result> results_of(const std::vector<loop>& loops, const std::string& level,
                                       uint32_t work_items = 8 * 64) {
  const temporary_file source(".hip");
  std::ofstream(source.path()) << text_of(loops);
  const loader::program_image program = compile_hip(source.path(), {level});
  std::vector<bounded_launch> launches;
  for (const loop& l : loops) {
    bounded_launch launch;
    launch.kernel = l.name;
    launch.n = 23;
    launch.m = 5;
    launch.work_items = work_items;
    launches.push_back(launch);
  }
  return bound_and_run(predictable({1, 2, 4, 16, models::divergence_kind::none, 0}), program, launches);
}

class unmarked_loops : public ::testing::TestWithParam<std::string> {};

TEST_P(unmarked_loops, are_counted_or_refused_and_none_is_above) {
  // -O0 has its variables in memory, of which nothing is known.
  const bool in_registers = GetParam() != "-O0";
  const auto results = results_of(counted, GetParam());
  ASSERT_EQ(results.size(), counted.size());
  size_t bounded = 0;
  for (size_t k = 0; k < counted.size(); ++k) {
    const bounded_result& r = results[k];
    EXPECT_EQ(r.error, "") << counted[k].name;
    if (!r.refusal.empty()) {
      EXPECT_FALSE(in_registers) << counted[k].name << ": " << r.refusal;
      EXPECT_THAT(r.refusal, AnyOf(HasSubstr("the code does not say how often it goes round: "), HasSubstr(call)))
          << counted[k].name;
      continue;
    }
    EXPECT_GE(r.bound, r.observed) << counted[k].name;
    ++bounded;
  }
  fmt::print("{}: {} of {} kernels without a mark have a bound\n", GetParam(), bounded, counted.size());
}

// Also where there are too many wavefronts to follow one by one.
TEST_P(unmarked_loops, are_counted_in_large_launches) {
  if (GetParam() == "-O0") return;
  constexpr uint32_t many = 600 * 64;
  const std::vector<loop> some(counted.begin(), counted.begin() + 12);
  const auto results = results_of(some, GetParam(), many);
  for (size_t k = 0; k < results.size(); ++k) {
    EXPECT_EQ(results[k].refusal, "") << some[k].name;
    EXPECT_EQ(results[k].error, "") << some[k].name;
    EXPECT_GE(results[k].bound, results[k].observed) << some[k].name;
  }
}

TEST_P(unmarked_loops, that_nothing_counts_say_why) {
  // One by one: some never end.
  for (const loop& l : not_counted) {
    const temporary_file source(".hip");
    std::ofstream(source.path()) << text_of({l});
    const loader::program_image program = compile_hip(source.path(), {GetParam()});
    bounded_launch launch;
    launch.kernel = l.name;
    launch.n = 23;
    launch.m = 5;
    const std::string refusal = refusal_of(predictable({}), program, launch);
    if (GetParam() == "-O0")
      EXPECT_THAT(refusal, AnyOf(HasSubstr("goes round"), HasSubstr(call))) << l.name;
    else
      EXPECT_THAT(refusal, HasSubstr(l.refusal)) << l.name;
  }
}

// Whatever a loop counts with: what is found is no less than what a run does, which is stopped where it goes round more
// often. PWS_WCET_COUNTERS says how many kernels are tried, PWS_WCET_COUNTERS_SEED the first one.
TEST(random_counters, no_random_counter_goes_round_more_often) {
  const auto number_of = [](const char* variable, unsigned otherwise) {
    const char* n = std::getenv(variable);
    return n == nullptr ? otherwise : static_cast<unsigned>(std::atoi(n));
  };
  const unsigned wanted = number_of("PWS_WCET_COUNTERS", 96), first = number_of("PWS_WCET_COUNTERS_SEED", 1);
  const models::machine_config machine = predictable({1, 2, 4, 16, models::divergence_kind::none, 0});
  constexpr unsigned batch = 16;
  unsigned bounded = 0, loops = 0;
  std::vector<uint32_t> table = ring_table(), short_table = table;
  table[0] = 300;
  short_table[0] = 20;
  for (unsigned seed = first; seed < first + wanted; seed += batch) {
    const char* const level = levels[1 + seed / batch % 4];
    const temporary_file source(".hip");
    std::ofstream text(source.path());
    text << "#include \"common.h\"\n";
    for (unsigned k = 0; k < batch; ++k) text << random_counter_kernel(fmt::format("k{}", k), seed + k);
    text.close();
    const loader::program_image program = compile_hip(source.path(), {level});
    for (unsigned k = 0; k < batch; ++k) {
      std::mt19937 random(seed + k);
      bounded_launch launch;
      launch.kernel = fmt::format("k{}", k);
      static constexpr uint32_t numbers[] = {0, 1, 2, 5, 23, 64, 100, 0x7fffffff, 0x80000000, 0xffffffff};
      launch.n = numbers[random() % std::size(numbers)];
      launch.m = numbers[random() % std::size(numbers)];
      // Where there are many wavefronts, none is followed alone.
      const bool many = random() % 4 == 0;
      launch.work_items = many ? 520 * 64 : 64 * (1 + random() % 3);
      launch.table = many ? &short_table : &table;
      ++loops;
      const auto which = [&] {
        return fmt::format("seed {}, {}, n {}, m {}\n{}", seed + k, level, launch.n, launch.m,
                           random_counter_kernel(launch.kernel, seed + k));
      };
      try {
        if (!refusal_of(machine, program, launch).empty()) continue;
        ++bounded;
        const bounded_result r = bound_and_run(machine, program, {launch}).front();
        ASSERT_EQ(r.error, "") << which();
        ASSERT_GE(r.bound, r.observed) << which();
      } catch (const std::runtime_error& e) {
        FAIL() << e.what() << which();
      }
    }
  }
  fmt::print("{} of {} random kernels have a bound\n", bounded, loops);
  EXPECT_GT(bounded, loops / 8);
}

INSTANTIATE_TEST_SUITE_P(all, unmarked_loops,
                         ::testing::ValuesIn(std::vector<std::string>(std::begin(levels), std::end(levels))),
                         [](const auto& tested) { return tested.param.substr(1); });

}  // namespace
}  // namespace pws::test::unmarked_loops_test
