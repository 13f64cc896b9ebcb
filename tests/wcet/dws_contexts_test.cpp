// SPDX-License-Identifier: Apache-2.0
// Why DWS has Eq. 8's factor S + 1, however short the time is for which SWFs hold contexts. A workgroup for which there
// is no room waits until another one ends: that is when the dispatcher looks again. So SWFs that are there at the
// moment when it looks keep contexts empty long after they have merged. Here all wavefronts split at once when they
// begin, for a small part of their time, before the machine is full.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "platform/run/program/machine_timing.h"
#include "tests/wcet/random_bounds.h"

namespace pws::test::dws_contexts_test {
namespace {

// Three SWFs from the first instruction on, for `brief` instructions; then `rest` in one piece.
loader::program_image brief_splits(unsigned brief, unsigned rest) {
  const std::string add = "  v_add_u32 v1, vcc, v1, v0\n";
  // By work-item 0, 1 and 2: split 1, 0; split 2, 0; split 4, 0.
  const std::string splits = "  .long 0xbf148081, 0xbf148082, 0xbf148084\n",
                    merges = "  .long 0xbf150000, 0xbf150000, 0xbf150000\n";
  assembly_file file;
  file.add_bare_kernel(splits + repeated(add, brief) + merges + repeated(add, rest) + "  s_endpgm\n");
  return assemble(file.text());
}

TEST(dws_contexts, a_run_can_take_as_long_as_if_swfs_held_their_contexts_all_the_time) {
  machine_shape shape;
  shape.n_cu = 32;  // a workgroup is placed per cycle: the last context's turn comes long after the first split
  shape.n_simd = 4;
  shape.n_wfc = 4;
  shape.scheme = models::divergence_kind::dws;
  shape.s = 3;
  const models::machine_config machine = predictable(shape);
  constexpr uint64_t contexts = 32 * 4 * 4;
  constexpr unsigned brief = 40, rest = 1500;
  const loader::program_image program = brief_splits(brief, rest);
  batch_launch alone, full;
  alone.kernel = full.kernel = "k0";
  full.work_items = 64 * contexts;
  const batch_report report = run_batch(machine, program, {alone, full});
  ASSERT_EQ(report.launches.size(), 2u) << report.launches.back().error;
  ASSERT_EQ(report.launches[1].error, "");
  const uint64_t one = report.launches[0].cycles, observed = report.launches[1].cycles;
  const uint64_t bound = bound_of(program, "k0", machine, platform::timing_of(machine), full).e_kernel;
  // Were contexts taken again as soon as they are free: a workgroup that waits finds all of them in use, by wavefronts
  // for the time of one, and by three SWFs each for the brief part of it.
  const uint64_t held = one + 3 * one * (brief + 10) / (brief + rest);
  const uint64_t by_held_contexts = contexts + held + one;
  fmt::print("alone {}, {} workgroups {}: {:.2f} times; by held contexts {}, bound {}\n", one, contexts, observed,
             static_cast<double>(observed) / static_cast<double>(one), by_held_contexts, bound);
  EXPECT_GT(observed, 29 * one / 10);
  EXPECT_GT(observed, by_held_contexts);
  EXPECT_LE(observed, bound);
}

}  // namespace
}  // namespace pws::test::dws_contexts_test
