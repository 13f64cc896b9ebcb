// SPDX-License-Identifier: Apache-2.0
// Random assembly in lockstep: every row, encoding and modifier of the unit's ALUs, in nested splits whose SWFs end
// early and are taken over, with memory between. PWS_COSIM_INSTRUCTIONS sets how many instructions the RTL is to
// execute.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iostream>

#include "platform/machine/coverage_report.h"
#include "tests/cosim/random_programs.h"
#include "tests/cosim/rare_programs.h"

namespace pws::test::lockstep_random_test {
namespace {

uint64_t instructions_wanted() {
  const char* n = std::getenv("PWS_COSIM_INSTRUCTIONS");
  return n == nullptr ? 600'000 : std::strtoull(n, nullptr, 10);
}

TEST(lockstep_random, every_instruction_agrees) {
  random_instructions instructions(1);
  batch_cosim sum;
  std::map<std::string, uint64_t> by_the_model;
  uint64_t splits = 0, merges = 0, batches = 0;
  std::vector<platform::cosim::cover_point> covered;
  while (sum.executed < instructions_wanted()) {
    const random_batch batch = make_random_batch(++batches, instructions);
    const batch_report r = run_batch(batch.machine, batch.program, batch.launches, 600, rtl_coverage::counted);
    ASSERT_EQ(r.launches.size(), batch.launches.size()) << "batch " << batches << ": " << r.launches.back().error;
    ASSERT_EQ(r.launches.back().error, "") << "batch " << batches;
    sum.executed += r.cosim.executed;
    sum.by_the_model += r.cosim.by_the_model;
    for (const auto& [name, n] : r.by_the_model) by_the_model[name] += n;
    sum.compared += r.cosim.compared;
    splits += r.divergence.splits;
    merges += r.divergence.merges;
    std::vector<platform::cosim::cover_point> more = platform::cosim::coverage_of(r.coverage, "batch");
    if (covered.empty())
      covered = std::move(more);
    else
      platform::cosim::add_coverage(covered, more, "batch");
  }
  platform::cosim::print_coverage(std::cout, covered, 40);
  if (const char* file = std::getenv("PWS_COSIM_COVERAGE"))
    std::ofstream(file) << platform::cosim::coverage_file(covered);
  fmt::print("{} programs: {} instructions by the RTL, {} by the model, {} results compared; {} splits, {} merges\n",
             batches * random_batch::programs, sum.executed, sum.by_the_model, sum.compared, splits, merges);
  // All of its rows, many times over; some SWFs have ended before their merge.
  EXPECT_GT(instructions.given().size(), 450u);
  EXPECT_LT(merges, splits);
  // What the model executes is what docs/rtl.md says that the unit leaves to it.
  for (const auto& [name, n] : by_the_model) EXPECT_TRUE(is_left_to_the_model(name)) << n << " " << name;
  // What so few programs have to reach. More of them leave fewer holes (docs/rtl.md).
  const std::pair<const char*, double> shares[] = {{"scalar instruction", 0.95},
                                                   {"vector instruction", 0.95},
                                                   {"lanes", 0.75},
                                                   {"sdwa field", 1},
                                                   {"dpp control", 1},
                                                   {"dpp row", 0.85},
                                                   {"vector register", 1},
                                                   {"m0", 1},
                                                   {"hardware register", 1},
                                                   {"left to the model", 1},
                                                   {"lane mask", 0.9},
                                                   {"divergence", 0.9},
                                                   {"divergence mask", 1},
                                                   {"context", 1}};
  for (const auto& [name, share] : shares) {
    for (const platform::cosim::cover_point& p : covered) {
      if (p.name != name) continue;
      EXPECT_GE(static_cast<double>(p.covered()), share * static_cast<double>(p.wanted())) << name;
    }
  }
}

// With the RTL alone driving the machine, memory and cycles are those of the model.
TEST(lockstep_random, the_rtl_alone_computes_the_same) {
  random_instructions instructions(2);
  for (uint64_t seed = 1001; seed <= 1004; ++seed) {
    random_batch batch = make_random_batch(seed, instructions);
    batch.machine.cosim.mode = models::cosim_mode::model;
    const batch_report model = run_batch(batch.machine, batch.program, batch.launches, 600);
    batch.machine.cosim.mode = models::cosim_mode::rtl;
    const batch_report rtl = run_batch(batch.machine, batch.program, batch.launches, 600);
    ASSERT_EQ(rtl.launches.size(), batch.launches.size()) << "batch " << seed << ": " << rtl.launches.back().error;
    for (size_t k = 0; k < batch.launches.size(); ++k) {
      EXPECT_EQ(rtl.launches[k].error, "");
      EXPECT_EQ(rtl.launches[k].memory, model.launches[k].memory) << "batch " << seed << ", k" << k;
      EXPECT_EQ(rtl.launches[k].cycles, model.launches[k].cycles) << "batch " << seed << ", k" << k;
    }
  }
}

}  // namespace
}  // namespace pws::test::lockstep_random_test
