// SPDX-License-Identifier: Apache-2.0
// The project's kernels: no run takes longer than its static bound, whatever the size, the scheme and S. PWS_WCET_ALL=1
// runs every case under every scheme; by default the schemes take turns, and each kernel has every other one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <map>

#include "platform/wcet/wcet_analysis.h"
#include "tests/integration/child_process.h"
#include "tests/integration/machines.h"
#include "tests/wcet/kernel_loops.h"
#include "tests/wcet/random_bounds.h"

namespace pws::test::kernels_test {
namespace {

using models::divergence_kind;

struct measured {
  uint64_t bound = 0, observed = 0;
};

// In a child, because there is one machine per process.
measured bound_and_observe(const platform::run_config& config, const platform::compiled_program& program) {
  const child_result child = in_child(
      [&](const message_sink& send) {
        const auto program_bound = platform::analyse_wcet(config, program, true);
        const auto& r = program_bound.launches.front();
        if (!r->observed.completed) throw std::runtime_error(r->observed.error);
        const wcet::scheme s = config.machine.divergence == divergence_kind::none  ? wcet::scheme::none
                               : config.machine.divergence == divergence_kind::dws ? wcet::scheme::dws
                                                                                   : wcet::scheme::pws;
        const measured m{r->of(s).e_kernel, r->observed.cycles};
        send(&m, sizeof m);
        return 0;
      },
      300);
  measured m;
  if (child.status != 0 || child.message.size() != sizeof m)
    throw std::runtime_error(describe_status(child.status) + "\n" + child.log);
  std::memcpy(&m, child.message.data(), sizeof m);
  return m;
}

class kernel_bounds : public ::testing::TestWithParam<std::string> {};

TEST_P(kernel_bounds, hold_for_every_size_and_scheme) {
  const std::vector<reference::kernel_case> cases = small_cases(GetParam());
  ASSERT_FALSE(cases.empty());
  const bool all = std::getenv("PWS_WCET_ALL") != nullptr;
  unsigned runs = 0, turn = 0;
  double tightest = 1e9;
  for (const auto& [scheme, s] : {std::pair{divergence_kind::none, 0u}, std::pair{divergence_kind::pws, 1u},
                                  std::pair{divergence_kind::pws, 3u}, std::pair{divergence_kind::pws, 7u},
                                  std::pair{divergence_kind::dws, 1u}, std::pair{divergence_kind::dws, 3u}}) {
    if (!all && (turn + kernel_number(GetParam())) % 2 != 0) {
      ++turn;
      continue;
    }
    platform::run_config first = run_of(cases.front());
    machine_shape shape;
    shape.n_cu = 2;
    shape.scheme = scheme;
    shape.s = s;
    first.machine = predictable(shape);
    first.machine.vgprs_per_simd = 256;
    first.machine.sgprs_per_simd = 800;
    if (s != 0) first.program.split = pwscc::split_choice::all;
    const platform::compiled_program program = platform::compile_program(first, platform::assembly_text::wanted);
    for (size_t k = 0; k < cases.size(); ++k) {
      const reference::kernel_case& c = cases[k];
      if (!all && (k + turn) % 6 != 0) continue;
      platform::run_config run = run_of(c);
      run.machine = first.machine;
      run.program.split = first.program.split;
      if ((uint64_t{c.workgroup[0]} * c.workgroup[1] * c.workgroup[2] + 63) / 64 > shape.n_simd * shape.n_wfc) continue;
      const measured m = bound_and_observe(run, program);
      EXPECT_GE(m.bound, m.observed) << c.name << ", scheme " << static_cast<int>(scheme) << ", S = " << s;
      tightest = std::min(tightest, static_cast<double>(m.bound) / static_cast<double>(m.observed));
      ++runs;
    }
    ++turn;
  }
  fmt::print("{}: {} runs, bound / observed at least {:.3f}\n", GetParam(), runs, tightest);
}

INSTANTIATE_TEST_SUITE_P(all, kernel_bounds, ::testing::ValuesIn(kernel_names()),
                         [](const auto& tested) { return tested.param; });

}  // namespace
}  // namespace pws::test::kernels_test
