// SPDX-License-Identifier: Apache-2.0
// Why pws-mode has no static bound: SWFs never merge, so each part executes all that comes behind the branch for
// itself, and the parts share the wavefront's memory slots. The bound of no splitting counts those of one part.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "platform/run/program/machine_timing.h"
#include "tests/wcet/random_bounds.h"

namespace pws::test::mode_splitting_test {
namespace {

// Even and odd work-items part for an instruction each; then all load, `loads` times. Each line has words of both.
loader::program_image parting_then_loading(unsigned loads) {
  assembly_file file;
  file.add_kernel(R"(  v_and_b32 v3, 1, v0
  v_cmp_ne_u32 vcc, 0, v3
  s_and_saveexec_b64 s[20:21], vcc
  s_xor_b64 s[20:21], exec, s[20:21]
  s_cbranch_execz .Lelse
  v_add_u32 v6, vcc, v6, v7
.Lelse:
  s_or_saveexec_b64 s[20:21], s[20:21]
  s_xor_b64 exec, exec, s[20:21]
  s_cbranch_execz .Lend
  v_add_u32 v6, vcc, v6, v5
.Lend:
  s_or_b64 exec, exec, s[20:21]
)" + repeated("  flat_load_dword v4, v[8:9]\n  s_waitcnt vmcnt(0) & lgkmcnt(0)\n", loads));
  return assemble(file.text());
}

TEST(mode_splitting, takes_longer_than_the_bound_of_no_splitting) {
  machine_shape shape;
  shape.scheme = models::divergence_kind::pws_mode;
  shape.s = 1;
  models::machine_config machine = predictable(shape);
  machine.force_mode_split = true;
  models::machine_config serial = predictable({});
  batch_launch l;
  l.kernel = "k0";
  for (const unsigned loads : {10u, 20u}) {
    const loader::program_image program = parting_then_loading(loads);
    const uint64_t bound = bound_of(program, "k0", serial, platform::timing_of(serial), l).e_kernel;
    const batch_report whole = run_batch(serial, program, {l}), parted = run_batch(machine, program, {l});
    ASSERT_EQ(whole.launches.at(0).error, "");
    ASSERT_EQ(parted.launches.at(0).error, "");
    ASSERT_EQ(parted.divergence.splits, 1u);
    fmt::print("{} loads: without splitting {} cycles, bound {}; in parts that never merge {}\n", loads,
               whole.launches[0].cycles, bound, parted.launches[0].cycles);
    EXPECT_LE(whole.launches[0].cycles, bound);
    EXPECT_GT(parted.launches[0].cycles, bound);
    EXPECT_LE(parted.launches[0].cycles, 2 * bound) << "two parts";
  }
}

}  // namespace
}  // namespace pws::test::mode_splitting_test
