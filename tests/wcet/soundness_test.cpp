// SPDX-License-Identifier: Apache-2.0
// No run takes longer than its static bound: random structured programs with random inputs, the machine full of
// wavefronts and beyond (the critical instance, Lemma 5.4), every scheme. PWS_WCET_PROGRAMS sets how many are tried.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

#include "platform/run/program/machine_timing.h"
#include "tests/wcet/random_bounds.h"

namespace pws::test::soundness_test {
namespace {

unsigned programs_wanted() {
  const char* n = std::getenv("PWS_WCET_PROGRAMS");
  return n == nullptr ? 60 : static_cast<unsigned>(std::atoi(n));
}
constexpr unsigned batch = 10;

struct outcome {
  unsigned runs = 0, violations = 0;
  double tightest = 1e9, loosest = 0;
  std::string first;
};

struct random_batch {
  loader::program_image program;
  std::vector<batch_launch> launches;
};

random_batch make_batch(unsigned seed, unsigned programs) {
  assembly_file file;
  std::vector<batch_launch> launches;
  for (unsigned k = 0; k < programs; ++k) {
    std::mt19937_64 random(seed + k);
    program_options options;
    options.depth = 1 + static_cast<unsigned>(random() % 4);
    options.statements = 1 + static_cast<unsigned>(random() % 3);
    options.split_percent = random() % 4 == 0 ? 100 : 70;
    options.memory = random() % 4 != 0;  // without, time is all issue
    options.lds = random() % 2 != 0;
    file.add_program(seed + k, options);
    batch_launch l;
    l.kernel = fmt::format("k{}", k);
    l.workgroup = 64u << (random() % 3);
    // From one workgroup to several dispatches of all that fit.
    l.work_items = l.workgroup * (random() % 3 == 0 ? 1 : 1 + static_cast<uint32_t>(random() % 24));
    l.mode = random() % 4 == 0 ? 1 : 0;
    l.value = static_cast<uint32_t>(random());
    l.mul = static_cast<uint32_t>(random()) | 1;
    l.add = static_cast<uint32_t>(random());
    launches.push_back(l);
  }
  return {assemble(file.text()), launches};
}

// Runs the batch on the machine and compares with bounds from `timing`.
void compare(const random_batch& b, const models::machine_config& machine, const wcet::machine_timing& timing,
             const std::string& name, outcome& out) {
  const batch_report report = run_batch(machine, b.program, b.launches);
  ASSERT_EQ(report.launches.size(), b.launches.size()) << report.launches.back().error;
  for (size_t k = 0; k < b.launches.size(); ++k) {
    ASSERT_EQ(report.launches[k].error, "") << name;
    const platform::scheme_bound bound = bound_of(b.program, b.launches[k].kernel, machine, timing, b.launches[k]);
    const uint64_t observed = report.launches[k].cycles;
    const double ratio = static_cast<double>(bound.e_kernel) / static_cast<double>(observed);
    ++out.runs;
    out.tightest = std::min(out.tightest, ratio);
    out.loosest = std::max(out.loosest, ratio);
    if (bound.e_kernel >= observed) continue;
    if (out.violations++ == 0)
      out.first = fmt::format("{}, {}: {} work-items in workgroups of {}: {} cycles observed, bound {}", name,
                              b.launches[k].kernel, b.launches[k].work_items, b.launches[k].workgroup, observed,
                              bound.e_kernel);
  }
}

TEST(soundness, no_random_program_exceeds_its_bound) {
  outcome out;
  for (unsigned seed = 1; seed <= programs_wanted(); seed += batch) {
    const random_batch b = make_batch(seed, batch);
    for (const auto& [name, machine] : soundness_machines())
      compare(b, machine, platform::timing_of(machine), name, out);
    if (HasFatalFailure()) return;
  }
  EXPECT_EQ(out.violations, 0u) << out.first;
  EXPECT_LT(out.tightest, 3.0) << "no run comes near its bound: the test would not see a mistake";
  fmt::print("{} runs: {} above the bound; bound / observed {:.3f} to {:.1f}\n", out.runs, out.violations, out.tightest,
             out.loosest);
}

}  // namespace
}  // namespace pws::test::soundness_test
