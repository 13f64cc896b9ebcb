// SPDX-License-Identifier: Apache-2.0
// The kernels of tests/wcet/loops, whose loops the compiler merges, copies and turns round: each loop runs as often as
// its mark says at most, in all contexts of the machine at a time, and takes no longer than its bound, which is not
// far above. Or the analysis says where it does not see that.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>

#include "tests/wcet/bounded_launches.h"
#include "tests/wcet/random_bounds.h"

namespace pws::test::loop_kernels_test {
namespace {

using models::divergence_kind;
using pwscc::split_choice;

struct loop_kernel {
  std::string name;
  uint32_t n = 0, m = 0;  // arguments with which every loop runs as often as its mark says
  // The most that bound / observed may be. It is above the usual where iterations take turns between a long and a short
  // path, or lanes' addresses, which the analysis does not know, are in fewer lines than they could be.
  double limit = 1.8;
};

struct loop_file {
  std::string name;
  std::vector<loop_kernel> kernels;
};

void PrintTo(const loop_file& f, std::ostream* out) {
  *out << f.name;
}

const std::vector<loop_file> files = {
    {"merged",
     {{"nested_do_whiles", 6, 8},
      {"three_deep_do_whiles", 4, 3},
      {"outer_test_in_inner", 20, 2},
      {"outer_test_in_two_inner", 5, 3},
      {"outer_test_in_inner_divergent", 12, 2},
      {"do_in_while", 28, 28},
      {"while_in_do", 5, 6},
      {"continue_of_the_outer", 9, 4},
      {"one_condition_for_two", 25},
      {"inner_runs_once", 25},
      {"do_whiles_of_loads", 3, 5},
      {"do_whiles_with_continue", 8, 4, 2}}},
    {"tested",
     {{"test_that_is_not_copied", 15},
      {"test_that_is_not_copied_once", 1},
      {"test_that_loads", 10},
      {"test_of_three_parts", 12},
      {"test_that_counts", 18},
      {"test_with_a_comma", 11},
      {"for_loop", 20},
      {"do_loop", 20},
      {"do_loop_once", 1},
      {"never_reaches_its_body", 0, 0},
      {"left_in_the_middle", 14},
      {"left_in_two_places", 14},
      {"left_in_two_places_by_lane", 14},
      {"body_of_a_mark_only", 9},
      {"body_under_an_if", 16},
      {"counts_down_by_three", 30},
      {"counts_in_64_bits", 40},
      {"counts_in_float", 8},
      {"two_counters", 30},
      {"bound_of_a_million", 3, 0, 1e6}}},
    {"unrolled",
     {{"unrolled_by_2", 17},
      {"unrolled_by_3", 20},
      {"unrolled_by_4", 23},
      {"unrolled_by_4_of_22", 3},
      {"unrolled_by_8_of_7", 7},
      {"unrolled_with_break", 21, 0, 3.5},
      {"unrolled_while", 13, 0, 2.1},
      {"unrolled_divergent", 23, 0, 2.5},
      {"unrolled_completely", 3},
      {"unrolled_completely_in_a_loop", 6},
      {"unrolled_around_a_loop", 7, 5},
      {"unrolled_both", 5, 7},
      {"unrolled_loads", 6, 8},
      {"unroll_1", 12},
      {"unroll_disabled", 3},
      {"vector_length", 32, 0, 2.2},
      {"first_is_different", 16, 0, 2.7},
      {"first_two_are_different", 16},
      {"last_is_different", 16, 0, 2.3},
      {"unswitched", 16, 3},
      {"split_by_index", 16, 8, 2.2},
      {"foreseen", 30, 3, 11},
      {"one_after_the_other", 10, 22},
      {"dead_loop", 5}}},
    {"left",
     {{"breaks", 15},
      {"breaks_by_lane", 15},
      {"continues", 15, 8},
      {"continues_while", 15, 16, 8.5},
      {"continues_out_of_a_scope", 12, 4096, 6.5},
      {"returns", 15},
      {"returns_by_lane", 15},
      {"goes_out_of_two", 5, 6},
      {"returns_from_two", 5, 6},
      {"breaks_inner_by_lane", 5, 6},
      {"switch_in_loop", 12, 0, 2.5},
      {"switch_by_lane_in_loop", 12, 0, 2.4},
      {"loop_in_switch", 12, 1, 2.3},
      {"states", 16, 0, 5.5},
      {"continue_over_a_loop", 6, 4},
      {"loop_in_the_last_iteration", 6, 4, 5}}},
    {"inlined",
     {{"two_instances", 20, 3},
      {"twice", 8, 8},
      {"in_a_loop", 6, 8},
      {"in_both_sides", 8, 8},
      {"in_a_test", 5, 8},
      {"that_returns_early", 10, 3},
      {"lambda", 9, 4},
      {"generic_lambda", 12, 4},
      {"nest_of_instances", 2},
      {"member", 6, 6},
      {"passed_on", 5, 5}}},
    {"lanes",
     {{"each_lane_its_own", 19},
      {"each_lane_its_own_line", 7},
      {"left_by_a_carry", 5, 6},
      {"nest_of_their_own", 5, 6, 4},
      {"in_turn", 5, 6},
      {"triangle", 8, 0, 2.6},
      {"under_a_divergent_if", 14},
      {"in_sides_that_split", 10, 3},
      {"newton", 12},
      {"newton_that_never_ends", 10},
      {"binary_search", 1024},
      {"chase", 8},
      {"chase_of_all", 8, 3},
      {"linked_list", 9, 0, 2.1},
      {"greatest_divisor", 233, 144},
      {"bits"},
      {"any", 15},
      {"all", 15},
      {"ballots"},
      {"one_value_at_a_time", 11},
      {"atomics", 4},
      {"exchanges", 2, 3},
      {"volatile_counter", 5},
      {"with_barriers", 0},
      {"rows_of_a_table", 5, 6}}},
    // In scratch memory, whose addresses the analysis does not know.
    {"unoptimised", {{"plain", 5, 0, 15}, {"plain_nest", 4, 3, 15}, {"plain_by_lane", 5, 0, 15}}},
};

struct way {
  std::string level;
  divergence_kind scheme = divergence_kind::none;
  uint32_t s = 0;
  std::string name() const { return fmt::format("{}, {}", level, s == 0 ? "none" : fmt::format("pws S={}", s)); }
};
const std::vector<way> ways = {
    {"-O1"}, {"-O3"}, {"-Os"}, {"-Oz"}, {"-O2", divergence_kind::pws, 1}, {"-O3", divergence_kind::pws, 3}};

// A switch or a loop nest whose blocks the compiler copied into the loop from elsewhere: two entries, which the
// analysis does not see through. The error names a line.
const char* const two_entries = "two entries";
const std::set<std::string> may_be_refused = {"switch_in_loop", "states", "nest_of_instances"};

class bounded_loops : public ::testing::TestWithParam<loop_file> {
 protected:
  std::filesystem::path source() const {
    return std::filesystem::path(PWS_SOURCE_DIR "/tests/wcet/loops") / (GetParam().name + ".hip");
  }
};

TEST_P(bounded_loops, every_kernel_is_in_the_table) {
  std::ifstream in(source());
  std::vector<std::string> there, here;
  const std::regex definition("^LOOP_KERNEL ([a-z0-9_]+)\\(.*");
  for (std::string line; std::getline(in, line);)
    if (std::smatch m; std::regex_match(line, m, definition)) there.push_back(m[1]);
  for (const loop_kernel& k : GetParam().kernels) here.push_back(k.name);
  EXPECT_THAT(here, ::testing::UnorderedElementsAreArray(there));
}

TEST_P(bounded_loops, take_no_longer_and_not_much_less) {
  double tightest = 1e9, loosest = 0;
  size_t runs = 0, refused = 0;
  std::vector<way> all = ways;
  if (GetParam().name == "unoptimised") all.push_back({"-O0"});
  for (const way& w : all) {
    const models::machine_config machine = predictable({1, 2, 4, 16, w.scheme, w.s});
    const loader::program_image program =
        compile_hip(source(), {w.level, w.s == 0 ? split_choice::none : split_choice::all, w.s});
    std::vector<bounded_launch> launches;
    for (const loop_kernel& k : GetParam().kernels) {
      bounded_launch l;
      l.kernel = k.name;
      l.n = k.n;
      l.m = k.m;
      l.work_items = 8 * 64;  // every context
      launches.push_back(l);
    }
    const std::vector<bounded_result> results = bound_and_run(machine, program, launches);
    for (size_t k = 0; k < results.size(); ++k) {
      const bounded_result& r = results[k];
      const loop_kernel& kernel = GetParam().kernels[k];
      const std::string what = kernel.name + ", " + w.name();
      EXPECT_EQ(r.error, "") << what;
      if (may_be_refused.count(kernel.name) != 0 && !r.refusal.empty()) {
        EXPECT_THAT(r.refusal, ::testing::AllOf(::testing::HasSubstr(two_entries),
                                                ::testing::ContainsRegex("\\.hip:[0-9]+: " + kernel.name)))
            << what;
        ++refused;
        continue;
      }
      EXPECT_EQ(r.refusal, "") << what;
      if (!r.error.empty() || !r.refusal.empty()) continue;
      const double ratio = static_cast<double>(r.bound) / static_cast<double>(r.observed);
      EXPECT_GE(r.bound, r.observed) << what;
      EXPECT_LE(ratio, kernel.limit) << what;
      tightest = std::min(tightest, ratio);
      if (kernel.limit < 1000) loosest = std::max(loosest, ratio);
      ++runs;
    }
    EXPECT_EQ(results.size(), launches.size());
  }
  fmt::print("{}: {} runs, {} refused; bound / observed {:.3f} to {:.2f}\n", GetParam().name, runs, refused, tightest,
             loosest);
}

// Without a mark it is the code that counts, or there is no bound: then the message says why.
TEST_P(bounded_loops, without_their_marks) {
  size_t bounded = 0, runs = 0;
  for (const way& w : ways) {
    const models::machine_config machine = predictable({1, 2, 4, 16, w.scheme, w.s});
    const loader::program_image program =
        compile_hip(source(), {w.level, w.s == 0 ? split_choice::none : split_choice::all, w.s, false});
    for (const loop_kernel& k : GetParam().kernels) {
      bounded_launch l;
      l.kernel = k.name;
      l.n = k.n;
      l.m = k.m;
      l.work_items = 8 * 64;
      ++runs;
      if (!refusal_of(machine, program, l).empty()) continue;
      ++bounded;
      const bounded_result r = bound_and_run(machine, program, {l}).front();
      EXPECT_EQ(r.error, "") << k.name << ", " << w.name();
      EXPECT_GE(r.bound, r.observed) << k.name << ", " << w.name();
    }
  }
  fmt::print("{}: {} of {} have a bound without a mark\n", GetParam().name, bounded, runs);
  EXPECT_GT(bounded, 0u);
}

INSTANTIATE_TEST_SUITE_P(loop_kernels, bounded_loops, ::testing::ValuesIn(files),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace pws::test::loop_kernels_test
