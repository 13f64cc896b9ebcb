// SPDX-License-Identifier: Apache-2.0
// How close the bounds are, at the critical instance: every context of the machine has a wavefront on the longest path
// (PWS paper, Lemma 5.4). Prints the table of docs/wcet.md.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>

#include "platform/wcet/wcet_analysis.h"
#include "tests/integration/child_process.h"
#include "tests/wcet/kernel_loops.h"

namespace pws::test::tightness_test {
namespace {

using wcet::scheme;

struct table_row {
  uint64_t none = 0, pws = 0, dws = 0;  // bounds
  uint64_t observed = 0;
};

table_row bound_and_observe(const platform::run_config& config) {
  const platform::compiled_program program = platform::compile_program(config, platform::assembly_text::wanted);
  const child_result child = in_child(
      [&](const message_sink& send) {
        const auto program_bound = platform::analyse_wcet(config, program, true);
        const auto& r = program_bound.launches.front();
        if (!r->observed.completed) throw std::runtime_error(r->observed.error);
        const table_row row{r->of(scheme::none).e_kernel, r->of(scheme::pws).e_kernel, r->of(scheme::dws).e_kernel,
                            r->observed.cycles};
        send(&row, sizeof row);
        return 0;
      },
      300);
  table_row row;
  if (child.status != 0 || child.message.size() != sizeof row)
    throw std::runtime_error(describe_status(child.status) + "\n" + child.log);
  std::memcpy(&row, child.message.data(), sizeof row);
  return row;
}

platform::run_config load(const std::string& name, std::vector<std::string> overrides) {
  return platform::load_run(std::string(PWS_SOURCE_DIR "/configs/runs/") + name + ".yaml", overrides);
}
const std::string predictable_machine = "machine.base=" PWS_SOURCE_DIR "/configs/gpu/predictable.yaml";

// ---- the paper's synthetic kernel: Table 3; with PWS_WCET_ALL=1 as many rounds as docs/wcet.md has

platform::run_config synthetic(uint32_t s, const std::string& divergence) {
  return load("synthetic", {fmt::format("machine.spsimd_per_simd={}", s), "machine.divergence=" + divergence,
                            fmt::format("program.flags=[-DSPLITS={}, -DROUNDS={}]", s,
                                        std::getenv("PWS_WCET_ALL") != nullptr ? 64 : 16),
                            "program.split=marked", "arguments.table.count=4096"});
}

TEST(table_3, pws_is_below_dws_and_bounds_are_close) {
  fmt::print(
      "synthetic kernel, all divergent, 8 paths\n{:>3} {:>12} {:>12} {:>8} {:>12} {:>12} {:>8} {:>12} {:>12} {:>8} "
      "{:>10}\n",
      "S", "none bound", "observed", "ratio", "DWS bound", "observed", "ratio", "PWS bound", "observed", "ratio",
      "PWS/DWS");
  for (const auto& [s, percent] : {std::pair{1u, 50u}, std::pair{3u, 75u}, std::pair{7u, 88u}}) {
    const table_row none = bound_and_observe(synthetic(s, "none"));
    const table_row dws = bound_and_observe(synthetic(s, "dws"));
    const table_row pws = bound_and_observe(synthetic(s, "pws"));
    const auto ratio = [](uint64_t bound, uint64_t observed) {
      return static_cast<double>(bound) / static_cast<double>(observed);
    };
    const double below = 100.0 * (1.0 - static_cast<double>(pws.pws) / static_cast<double>(pws.dws));
    fmt::print("{:>3} {:>12} {:>12} {:>8.3f} {:>12} {:>12} {:>8.3f} {:>12} {:>12} {:>8.3f} {:>8.1f} %\n", s, none.none,
               none.observed, ratio(none.none, none.observed), dws.dws, dws.observed, ratio(dws.dws, dws.observed),
               pws.pws, pws.observed, ratio(pws.pws, pws.observed), -below);
    EXPECT_GE(below, percent);
    EXPECT_GE(none.none, none.observed);
    EXPECT_GE(dws.dws, dws.observed);
    EXPECT_GE(pws.pws, pws.observed);
    EXPECT_LE(ratio(none.none, none.observed), 1.3);
    EXPECT_LE(ratio(pws.pws, pws.observed), 1.3);
  }
}

// ---- kernels whose paths do not depend on data

struct critical_instance {
  std::string kernel, name;
  std::vector<std::string> overrides;
};

// 40 workgroups of 256 (160 of 64, 36 of 16 x 16 and 96 x 96 elements): all contexts of the machine, or nearly.
const std::vector<critical_instance> instances = {
    {"vector_add", "vector_add", {}},
    {"saxpy", "saxpy", {"launch.grid=10240"}},
    {"alu_chain",
     "alu_chain",
     {"launch.grid=10240", "arguments.data.count=10240", "arguments.n.value=10240",
      "wcet.loops=[{offset: 0x88, bound: 12}, {offset: 0xe8, bound: 4}]"}},
    {"matrix_multiply",
     "matrix_multiply",
     {"launch.grid=[96, 96]", "arguments.n.value=96", "arguments.a.count=9216", "arguments.b.count=9216",
      "arguments.c.count=9216", "wcet.loops=[{line: 30, bound: 6}]"}},
    {"matrix_multiply_tiled",
     "matrix_multiply_tiled",
     {"launch.grid=[96, 96]", "arguments.n.value=96", "arguments.a.count=9216", "arguments.b.count=9216",
      "arguments.c.count=9216", "wcet.loops=[{line: 49, bound: 6}]"}},
    {"reduction",
     "reduction",
     {"launch.grid=10240", "arguments.input.count=10240", "arguments.partial.count=40", "arguments.n.value=10240"}},
    {"reduction_f32",
     "reduction_f32",
     {"launch.grid=10240", "arguments.input.count=10240", "arguments.partial.count=160", "arguments.n.value=10240",
      "wcet.loops=[{line: 36, bound: 6}]"}},
    {"pointer_chase", "pointer_chase", {"wcet.loops=[{line: 26, bound: 200}]"}},
    {"pointer_chase_scalar", "pointer_chase_scalar", {"wcet.loops=[{line: 34, bound: 200}]"}},
    {"pointer_chase_lds",
     "pointer_chase_lds",
     {"launch.grid=4096", "wcet.loops=[{line: 46, bound: 200}, {line: 41, bound: 16}]"}},
    {"bfs_update", "bfs_update", {}},
    {"fully_divergent",
     "fully_divergent",
     {"launch.grid=10240", "arguments.data.count=10240", "arguments.n.value=10240",
      "wcet.loops=[{line: 26, bound: 16}, {line: 36, bound: 16}]"}},
    {"fully_divergent",
     "fully_divergent, PWS S = 1",
     {"launch.grid=10240", "arguments.data.count=10240", "arguments.n.value=10240", "program.split=all",
      "machine.divergence=pws", "machine.spsimd_per_simd=1",
      "wcet.loops=[{line: 26, bound: 16}, {line: 36, bound: 16}]"}},
};

TEST(tightness, at_the_critical_instance) {
  constexpr double limit = 2;
  fmt::print("{:<28} {:>12} {:>12} {:>8}\n", "kernel", "bound", "observed", "ratio");
  for (const critical_instance& c : instances) {
    std::vector<std::string> overrides = c.overrides;
    overrides.push_back(predictable_machine);
    overrides.emplace_back("expect={}");
    const table_row row = bound_and_observe(load(c.kernel, overrides));
    const uint64_t bound = c.name == c.kernel ? row.none : row.pws;
    const double ratio = static_cast<double>(bound) / static_cast<double>(row.observed);
    fmt::print("{:<28} {:>12} {:>12} {:>8.3f}\n", c.name, bound, row.observed, ratio);
    EXPECT_GE(bound, row.observed) << c.name;
    EXPECT_LE(ratio, limit) << c.name;
  }
}

}  // namespace
}  // namespace pws::test::tightness_test
