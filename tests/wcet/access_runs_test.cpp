// SPDX-License-Identifier: Apache-2.0
// No memory instruction that executes touches more lines or takes more LDS passes than its static bound: all kernels,
// their test cases, cache lines of several sizes, and launches of which the analysis knows little.
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>

#include "tests/integration/machines.h"
#include "tests/wcet/access_check.h"

namespace pws::test::access_runs_test {
namespace {

access_case case_of(const reference::kernel_case& c) {
  access_case a;
  a.kernel = c.kernel;
  a.grid = c.grid;
  a.workgroup = c.workgroup;
  a.dynamic_lds = c.dynamic_lds;
  for (const reference::kernel_case::arg& arg : c.args) a.arguments.push_back({arg.is_buffer, arg.bytes, 0});
  return a;
}

class access_runs : public testing::TestWithParam<std::string> {};

TEST_P(access_runs, stay_within_their_bounds) {
  constexpr std::array<uint32_t, 3> sizes{64, 256, 32};
  unsigned turn = 0;
  for (const reference::kernel_case& c : small_cases(GetParam())) {
    for (const uint32_t line : sizes) {
      // By default each case has one size, in turns.
      if (turn++ % (sizes.size() + 1) != 0 && std::getenv("PWS_WCET_ALL") == nullptr) continue;
      SCOPED_TRACE(fmt::format("{}, lines of {} bytes", c.name, line));
      std::vector<access_case> cases{case_of(c), case_of(c), case_of(c)};
      cases[1].facts_unknown = true;
      // Buffers may begin anywhere that suits their elements.
      uint32_t at = 4;
      for (access_case::argument& a : cases[2].arguments)
        if (a.is_buffer) a.misplaced = 8 * (at = at * 5 % 29);
      const auto outcomes = check_accesses(program_of(c.source), cases, line);
      for (const access_outcome& o : outcomes) {
        EXPECT_EQ(o.violations, 0u) << o.first << "\n" << o.report;
        EXPECT_GT(o.checked, 0u);
      }
      if (std::getenv("PWS_SHOW_BOUNDS") != nullptr)
        for (const access_outcome& o : outcomes) fmt::print("{} line {}\n{}", c.name, line, o.report);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(kernels, access_runs, testing::ValuesIn(kernel_names()),
                         [](const auto& p) { return p.param; });

}  // namespace
}  // namespace pws::test::access_runs_test
