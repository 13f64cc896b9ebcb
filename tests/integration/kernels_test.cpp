// SPDX-License-Identifier: Apache-2.0
// Every kernel of sw/kernels leaves exactly the expected bytes: in both fidelities, and on machines whose timing has
// nothing in common.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tests/integration/machines.h"

namespace pws::test::kernels_test {
namespace {

void expect_memory(const reference::kernel_case& c, const models::machine_config& machine) {
  SCOPED_TRACE(c.name);
  const child_report r = run_in_child(launch_of(c, machine));
  ASSERT_TRUE(r.completed) << r.error;
  EXPECT_EQ(memory_difference(c, r), "");
  EXPECT_GT(r.cu.total_instructions(), 0u);
  if (machine.fidelity == models::fidelity::timing) {
    EXPECT_GT(r.cycles, machine.dispatch_latency);
  } else {
    EXPECT_EQ(r.cycles, 0u);
  }
}

models::machine_config functional() {
  models::machine_config m;
  m.fidelity = models::fidelity::functional;
  return m;
}

// The lists of this file against the table of cases.
TEST(kernels, no_case_is_left_out) {
  size_t small = 0;
  for (const std::string& kernel : kernel_names()) {
    const size_t n = small_cases(kernel).size();
    EXPECT_GT(n, 0u) << kernel;
    small += n;
  }
  EXPECT_EQ(small + large_cases().size(), reference::all_cases().size());
}

class small_kernels : public testing::TestWithParam<std::string> {};

TEST_P(small_kernels, functional) {
  for (const reference::kernel_case& c : small_cases(GetParam())) expect_memory(c, functional());
}

TEST_P(small_kernels, timing) {
  for (const reference::kernel_case& c : small_cases(GetParam())) expect_memory(c, {});
}

// Every third size on each machine, others on the next one; the largest on all. With PWS_KERNELS_ALL=1 every size on
// all.
TEST_P(small_kernels, on_other_machines) {
  const std::vector<reference::kernel_case> cases = small_cases(GetParam());
  for (size_t k = 0; k < cases.size(); ++k) {
    const std::vector<named_machine> machines = machines_for(cases[k]);
    for (size_t m = 0; m < machines.size(); ++m) {
      if ((k + m) % 3 != 0 && k + 1 != cases.size() && !every_case_wanted()) continue;
      SCOPED_TRACE(machines[m].name);
      expect_memory(cases[k], machines[m].config);
    }
  }
}

// Instructions are the program's, not the machine's: none of these kernels waits for a value in a loop.
TEST_P(small_kernels, same_instructions_in_both_fidelities) {
  for (const reference::kernel_case& c : small_cases(GetParam())) {
    SCOPED_TRACE(c.name);
    const child_report timing = run_in_child(launch_of(c, {}));
    const child_report fast = run_in_child(launch_of(c, functional()));
    EXPECT_EQ(timing.cu.instructions, fast.cu.instructions);
    EXPECT_EQ(timing.cu.valu_lanes, fast.cu.valu_lanes);
    EXPECT_EQ(timing.cu.branches_taken, fast.cu.branches_taken);
    EXPECT_EQ(timing.cu.wavefronts, fast.cu.wavefronts);
    EXPECT_EQ(timing.cu.workgroups, fast.cu.workgroups);
  }
}

INSTANTIATE_TEST_SUITE_P(kernels, small_kernels, testing::ValuesIn(kernel_names()),
                         [](const auto& p) { return p.param; });

class large_kernels : public testing::TestWithParam<reference::case_entry> {};

TEST_P(large_kernels, functional) {
  expect_memory(GetParam().make(), functional());
}

INSTANTIATE_TEST_SUITE_P(large, large_kernels, testing::ValuesIn(large_cases()),
                         [](const auto& p) { return p.param.name; });

// Those that take many seconds in timing fidelity are for PWS_KERNELS_ALL=1; their smaller sizes are here.
std::vector<reference::case_entry> large_cases_in_timing() {
  const std::set<std::string> longest{"matrix_multiply_1000", "spiking_neuron_1000000", "synthetic_1000000",
                                      "needleman_wunsch_batch_62500", "divergent_break_1000000"};
  std::vector<reference::case_entry> cases = large_cases();
  if (!every_case_wanted())
    cases.erase(std::remove_if(cases.begin(), cases.end(), [&](const auto& c) { return longest.count(c.name) != 0; }),
                cases.end());
  return cases;
}

class large_kernels_in_timing : public testing::TestWithParam<reference::case_entry> {};

TEST_P(large_kernels_in_timing, timing) {
  expect_memory(GetParam().make(), {});
}

INSTANTIATE_TEST_SUITE_P(large, large_kernels_in_timing, testing::ValuesIn(large_cases_in_timing()),
                         [](const auto& p) { return p.param.name; });

}  // namespace
}  // namespace pws::test::kernels_test

namespace pws::reference {
// For messages: the case's name, not its bytes.
void PrintTo(const case_entry& e, std::ostream* out) {
  *out << e.name;
}
}  // namespace pws::reference
