// SPDX-License-Identifier: Apache-2.0
// No run of a kernel with marked loops takes longer than its bound: random HIP kernels, at every level of optimisation,
// each loop at its mark or below, the machine full of wavefronts and beyond, every scheme. All have their marks, and
// none is refused but for the few in which the compiler has made a loop with two entries. PWS_WCET_LOOP_PROGRAMS sets
// how many are tried, PWS_WCET_LOOP_SEED the first one, PWS_WCET_LOOP_MACHINE the only machine; with
// PWS_WCET_LOOP_SHOW=FOLDER every refusal is printed and the sources are kept.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <random>
#include <regex>

#include "sw/loader/llvm_version.h"
#include "tests/integration/child_run.h"
#include "tests/wcet/bounded_launches.h"
#include "tests/wcet/random_bounds.h"
#include "tests/wcet/random_loops.h"

namespace pws::test::loop_soundness_test {
namespace {

unsigned number_of(const char* variable, unsigned otherwise) {
  const char* n = std::getenv(variable);
  return n == nullptr ? otherwise : static_cast<unsigned>(std::atoi(n));
}
constexpr unsigned batch = 8;

struct loop_batch {
  std::string text, level;
  pwscc::split_choice split = pwscc::split_choice::all;
  std::vector<uint32_t> table;
  std::vector<bounded_launch> launches;
};

loop_batch make_batch(unsigned seed, unsigned programs) {
  std::mt19937_64 random(seed);
  loop_batch b;
  static constexpr const char* levels[] = {"-O1", "-O2", "-O3", "-O3", "-Os", "-Oz"};
  b.level = levels[random() % std::size(levels)];
  if (random() % 4 == 0) b.split = pwscc::split_choice::marked;
  for (uint32_t k = 0; k < table_words; ++k) b.table.push_back(static_cast<uint32_t>(random()));
  random_loops source;
  for (unsigned k = 0; k < programs; ++k) {
    random_loops_options options;
    options.depth = 1 + static_cast<unsigned>(random() % 4);
    options.statements = 1 + static_cast<unsigned>(random() % 3);
    options.memory = random() % 3 != 0;  // without, time is all issue
    options.leaves = random() % 3 != 0;
    source.add_kernel(seed + k, options);
    bounded_launch l;
    l.kernel = fmt::format("k{}", k);
    static constexpr uint32_t modes[] = {0, 0, 0, 0, 2, 2, 2, 1, 1, 3};
    l.n = modes[random() % std::size(modes)];
    l.m = static_cast<uint32_t>(random());
    l.workgroup = 64u << (random() % 3);
    // From one workgroup to several dispatches of all that fit.
    l.work_items = l.workgroup * (random() % 3 == 0 ? 1 : 1 + static_cast<uint32_t>(random() % 12));
    b.launches.push_back(l);
  }
  b.text = source.text();
  return b;
}

struct outcome {
  unsigned runs = 0, violations = 0, refusals = 0, two_entries = 0;
  double tightest = 1e9;
  std::string first, first_refusal;
};

// The compiler has jumped into a loop; the source's line is named.
bool names_two_entries(const std::string& refusal) {
  return std::regex_search(refusal, std::regex("\\.hip:[1-9][0-9]*: .*: a loop with two entries"));
}

void compare(const std::vector<bounded_result>& results, const std::vector<bounded_launch>& launches,
             const std::string& where, outcome& out) {
  for (size_t k = 0; k < results.size(); ++k) {
    const bounded_result& r = results[k];
    const std::string what =
        fmt::format("{} {} (n = {}, m = {}, {} work-items in workgroups of {})", where, launches[k].kernel,
                    launches[k].n, launches[k].m, launches[k].work_items, launches[k].workgroup);
    ASSERT_EQ(r.error, "") << what;
    if (!r.refusal.empty()) {
      if (std::getenv("PWS_WCET_LOOP_SHOW") != nullptr) fmt::print("{}: {}\n", what, r.refusal);
      if (names_two_entries(r.refusal))
        ++out.two_entries;
      else if (out.refusals++ == 0)
        out.first_refusal = what + ": " + r.refusal;
      continue;
    }
    ++out.runs;
    out.tightest = std::min(out.tightest, static_cast<double>(r.bound) / static_cast<double>(r.observed));
    if (r.bound < r.observed && out.violations++ == 0)
      out.first = fmt::format("{}: {} cycles observed, bound {}", what, r.observed, r.bound);
  }
  ASSERT_EQ(results.size(), launches.size());
}

// `wanted` programs from a seed on; on all machines, or on one; with the marks that they have, or without.
void try_programs(unsigned first, unsigned wanted, const std::string& only, outcome& out, bool marks = true) {
  for (unsigned seed = first; seed < first + wanted; seed += batch) {
    loop_batch b = make_batch(seed, std::min(batch, first + wanted - seed));
    for (bounded_launch& l : b.launches) l.table = &b.table;
    const temporary_file source(".hip");
    std::ofstream(source.path()) << b.text;
    if (const char* folder = std::getenv("PWS_WCET_LOOP_SHOW"))
      std::ofstream(fmt::format("{}/{}.hip", folder, seed)) << b.text;
    std::map<uint32_t, loader::program_image> programs;  // by S
    for (const auto& [name, machine] : soundness_machines()) {
      if (!only.empty() && name != only) continue;
      const uint32_t s = machine.spsimd_per_simd;
      if (programs.count(s) == 0)
        programs.emplace(s,
                         compile_hip(source.path(), {b.level, s == 0 ? pwscc::split_choice::none : b.split, s, marks}));
      compare(bound_and_run(machine, programs.at(s), b.launches), b.launches,
              fmt::format("seed {}, {}, {}:", seed, b.level, name), out);
      if (testing::Test::HasFatalFailure()) return;
    }
  }
}

TEST(loop_soundness, no_random_kernel_exceeds_its_bound) {
  const char* only = std::getenv("PWS_WCET_LOOP_MACHINE");
  outcome out;
  try_programs(number_of("PWS_WCET_LOOP_SEED", 1), number_of("PWS_WCET_LOOP_PROGRAMS", 8), only == nullptr ? "" : only,
               out);
  if (HasFatalFailure()) return;
  EXPECT_EQ(out.violations, 0u) << out.first;
  EXPECT_EQ(out.refusals, 0u) << out.first_refusal;
  EXPECT_LE(out.two_entries, out.runs / 1000);  // none of as many as are tried if nothing else is said
  EXPECT_LT(out.tightest, 1.5) << "no run comes near its bound: the test would not see a mistake";
  fmt::print("{} runs: {} above the bound, {} refused, {} with two entries; bound / observed at least {:.3f}\n",
             out.runs, out.violations, out.refusals, out.two_entries, out.tightest);
}

// What is refused has no count in the code.
TEST(loop_soundness, no_random_kernel_without_marks_exceeds_its_bound) {
  const char* only = std::getenv("PWS_WCET_LOOP_MACHINE");
  outcome out;
  try_programs(number_of("PWS_WCET_LOOP_SEED", 1), number_of("PWS_WCET_LOOP_PROGRAMS", 8), only == nullptr ? "" : only,
               out, false);
  if (HasFatalFailure()) return;
  EXPECT_EQ(out.violations, 0u) << out.first;
  EXPECT_GT(out.runs, 0u);
  fmt::print("{} runs without marks: {} above the bound, {} refused; bound / observed at least {:.3f}\n", out.runs,
             out.violations, out.refusals, out.tightest);
}

// Nests five deep, unrolled, whose work-items go tens of thousands of ways.
TEST(loop_soundness, programs_of_many_ways_have_bounds) {
  for (const unsigned seed : {156u, 346u}) {
    outcome out;
    try_programs(seed, batch, "none", out);
    if (HasFatalFailure()) return;
    EXPECT_EQ(out.violations, 0u) << out.first;
    EXPECT_EQ(out.refusals, 0u) << out.first_refusal;
    EXPECT_EQ(out.runs, batch);
  }
}

// Also where the block that is jumped to has no line of its own. Later versions of clang make no such loops of these
// programs.
TEST(loop_soundness, loops_with_two_entries_are_named_by_line) {
  outcome out;
  try_programs(1341, batch, "none", out);
  if (HasFatalFailure()) return;
  EXPECT_EQ(out.violations, 0u) << out.first;
  EXPECT_EQ(out.refusals, 0u) << out.first_refusal;
  if (loader::llvm_version() == 15) {
    EXPECT_GT(out.two_entries, 0u);
  }
}

}  // namespace
}  // namespace pws::test::loop_soundness_test
