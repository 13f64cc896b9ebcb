// SPDX-License-Identifier: Apache-2.0
// What must not change what a split wavefront does: a waveform, and that kernels were not written for splitting.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/integration/child_run.h"
#include "tests/integration/machines.h"
#include "tests/splitting/batch_run.h"

namespace pws::test::split_determinism_test {
namespace {

using models::divergence_kind;
using models::machine_config;

std::vector<uint8_t> scalar(uint32_t v) {
  const auto* raw = reinterpret_cast<const uint8_t*>(&v);
  return {raw, raw + sizeof v};
}

// With a waveform the machine runs in lockstep with SystemC time, without one it runs ahead.
TEST(split_determinism, waveform_changes_nothing) {
  constexpr uint32_t work_items = 600, workgroup = 128;
  uint64_t splits = 0;
  assembly_file file;
  for (uint64_t seed = 1; seed <= 4; ++seed) file.add_program(seed, {});
  const loader::program_image program = assemble(file.text());
  for (const divergence_kind d : {divergence_kind::pws, divergence_kind::pws_mode, divergence_kind::dws,
                                  divergence_kind::subwarps, divergence_kind::convergence})
    for (unsigned k = 0; k < file.kernels(); ++k) {
      SCOPED_TRACE(fmt::format("scheme {}, kernel {}", static_cast<int>(d), k));
      platform::kernel_run r;
      r.machine.n_cu = 1;
      r.machine.n_simd = 2;
      r.machine.divergence = d;
      r.machine.spsimd_per_simd = 7;
      r.machine.force_mode_split = d == divergence_kind::pws_mode;
      r.program = &program;
      r.launches.front().kernel = fmt::format("k{}", k);
      r.launches.front().shape.grid = {work_items, 1, 1};
      r.launches.front().shape.workgroup = {workgroup, 1, 1};
      r.arguments = {{"out", true, std::vector<uint8_t>(work_items * bytes_per_work_item)},
                     {"mode", false, scalar(0)},
                     {"value", false, scalar(0)},
                     {"mul", false, scalar(0x9e3779b1)},
                     {"add", false, scalar(0)},
                     {"workgroup", false, scalar(workgroup)}};
      const temporary_file vcd(".vcd");
      platform::session_options outputs;
      outputs.files.of("vcd") = vcd.path();
      const child_report ahead = run_in_child(r), lockstep = run_in_child(r, outputs);
      EXPECT_EQ(ahead.arguments, lockstep.arguments);
      EXPECT_EQ(ahead.cycles, lockstep.cycles);
      splits += ahead.json().at("totals").at("splits").at("value").get<uint64_t>();
      EXPECT_EQ(ahead.json().at("totals"), lockstep.json().at("totals"));
    }
  EXPECT_GT(splits, 100u);
}

// Compiled HIP kernels that know nothing of splitting, split wherever they branch on EXEC.
class unmodified : public testing::TestWithParam<std::string> {};
INSTANTIATE_TEST_SUITE_P(kernels, unmodified, testing::ValuesIn(kernel_names()),
                         [](const auto& kernel) { return kernel.param; });

TEST_P(unmodified, kernels_split_at_their_branches) {
  for (const models::fidelity f : {models::fidelity::functional, models::fidelity::timing})
    for (const reference::kernel_case& c :
         f == models::fidelity::timing ? small_cases(GetParam()) : some_small_cases(GetParam())) {
      SCOPED_TRACE(c.name);
      machine_config m;
      m.fidelity = f;
      m.divergence = divergence_kind::pws_mode;
      m.spsimd_per_simd = 3;
      m.force_mode_split = true;
      const child_report r = run_in_child(launch_of(c, m));
      EXPECT_EQ(r.error, "");
      EXPECT_EQ(memory_difference(c, r), "");
    }
}

// SpSIMD units share ports with the SIMD units; while they have nothing to do it makes no difference how many there
// are.
TEST_P(unmodified, kernels_take_as_long_beside_idle_spsimd_units) {
  for (const reference::kernel_case& c : some_small_cases(GetParam())) {
    machine_config m;
    m.n_cu = 1;  // several wavefronts on each unit
    const child_report alone = run_in_child(launch_of(c, m));
    for (const uint32_t s : {1, 3, 6}) {
      SCOPED_TRACE(fmt::format("{}, S = {}", c.name, s));
      m.divergence = divergence_kind::pws;
      m.spsimd_per_simd = s;
      const child_report beside = run_in_child(launch_of(c, m));
      EXPECT_EQ(beside.cycles, alone.cycles);
      EXPECT_EQ(beside.cu.stalls, alone.cu.stalls);
    }
  }
}

}  // namespace
}  // namespace pws::test::split_determinism_test
