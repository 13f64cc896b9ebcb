// SPDX-License-Identifier: Apache-2.0
// The comparison of bounds with runs sees mistakes of one cycle: each constant of the analysis, made one too small, is
// caught by a program that depends on it. The latency in question is one more than a whole number of issue rounds, so
// that a cycle less is a round less.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "platform/run/program/machine_timing.h"
#include "tests/wcet/random_bounds.h"

namespace pws::test::broken_latency_test {
namespace {

constexpr uint32_t round_cycles = 16;  // four contexts, four cycles each

// {0} in the lines is the number of the copy.
std::string numbered(const std::string& lines, unsigned times = 100) {
  std::string text;
  for (unsigned k = 0; k < times; ++k) text += fmt::format(fmt::runtime(lines), k);
  return text;
}

struct broken {
  std::string name;
  std::string body;
  void (*sharpen)(models::machine_config&);
  void (*mistake)(wcet::machine_timing&);
};

const std::string split_region =
    "  v_and_b32 v3, 1, v2\n  v_cmp_ne_u32 vcc, 0, v3\n"
    "  s_and_saveexec_b64 s[20:21], vcc\n  s_xor_b64 s[20:21], exec, s[20:21]\n"
    "  .long 0xbf147f7e\n  s_cbranch_execz .Lelse{0}\n  v_add_u32 v4, vcc, v4, v5\n"
    "  .p2alignl 3, 0xbf800000  // no target across two fetches\n.Lelse{0}:\n  s_or_saveexec_b64 s[20:21], s[20:21]\n  "
    "s_xor_b64 exec, exec, s[20:21]\n"
    "  s_cbranch_execz .Lend{0}\n  v_add_u32 v4, vcc, v4, v6\n  .p2alignl 3, 0xbf800000\n.Lend{0}:\n  s_or_b64 exec, "
    "exec, s[20:21]\n"
    "  .long 0xbf150000\n";

const std::vector<broken> mistakes = {
    {"salu", numbered("  s_add_u32 s18, s18, 1\n"), [](auto& m) { m.latency.salu = round_cycles + 1; },
     [](auto& t) { --t.salu; }},
    {"valu", numbered("  v_add_u32 v4, vcc, v4, v5\n"), [](auto& m) { m.latency.valu = 2 * round_cycles + 1; },
     [](auto& t) { --t.valu; }},
    // Behind three passes, and behind one.
    {"valu_trans", numbered("  v_rcp_f32 v4, v4\n"), [](auto& m) { m.latency.valu_trans = 3 * 4 + round_cycles + 1; },
     [](auto& t) { --t.valu_trans; }},
    {"valu_f64", numbered("  v_mul_lo_u32 v4, v4, v5\n"), [](auto& m) { m.latency.valu_f64 = 4 + round_cycles + 1; },
     [](auto& t) { --t.valu_f64; }},
    {"branch", numbered("  s_branch .Lnext{0}\n.Lnext{0}:\n"), [](auto& m) { m.latency.branch = round_cycles + 1; },
     [](auto& t) { --t.branch; }},
    {"internal", numbered("  s_setprio 0\n"), [](auto& m) { m.latency.internal = round_cycles + 1; },
     [](auto& t) { --t.internal; }},
    {"split", numbered(split_region), [](auto& m) { m.split_cycles = round_cycles + 1; }, [](auto& t) { --t.split; }},
    {"merge", numbered(split_region), [](auto& m) { m.merge_cycles = round_cycles + 1; }, [](auto& t) { --t.merge; }},
    // Fifteen accesses to memory of 32 lines each (or two passes), then a wait for all.
    {"memory_frame", numbered("  flat_store_dword v[8:9], v4\n", 15) + "  s_waitcnt vmcnt(0) lgkmcnt(0)\n",
     [](auto&) {}, [](auto& t) { --t.memory_frame; }},
    {"atomic_slots", numbered("  flat_atomic_add v[8:9], v4\n", 15) + "  s_waitcnt vmcnt(0) lgkmcnt(0)\n", [](auto&) {},
     [](auto& t) { --t.atomic_slots; }},
    // Eight words in one bank, for each half of the lanes and twice: 32 passes.
    {"lds_frame",
     "  v_and_b32 v3, 7, v0\n  v_lshlrev_b32 v3, 7, v3\n" +
         numbered(numbered("  ds_read2_b32 v[4:5], v3 offset1:1\n", 15) + "  s_waitcnt lgkmcnt(0)\n", 20),
     [](auto& m) { m.n_simd = 16; }, [](auto& t) { --t.lds_frame; }},
    {"round", numbered("  s_nop 0\n", 1000), [](auto&) {}, [](auto& t) { --t.round; }},
};

class broken_latency : public ::testing::TestWithParam<broken> {};

TEST_P(broken_latency, is_caught) {
  assembly_file file;
  file.add_kernel(GetParam().body);
  const loader::program_image program = assemble(file.text());
  models::machine_config machine = predictable({1, 2, 4, 16, models::divergence_kind::pws, 2});
  GetParam().sharpen(machine);
  batch_launch launch;
  launch.kernel = "k0";
  launch.work_items = 8 * 64;  // every context
  const batch_report report = run_batch(machine, program, {launch});
  ASSERT_EQ(report.launches.front().error, "");
  const uint64_t observed = report.launches.front().cycles;
  wcet::machine_timing timing = platform::timing_of(machine);
  EXPECT_GE(bound_of(program, "k0", machine, timing, launch).e_kernel, observed) << "the right constants";
  GetParam().mistake(timing);
  EXPECT_LT(bound_of(program, "k0", machine, timing, launch).e_kernel, observed) << "one cycle too small";
}

INSTANTIATE_TEST_SUITE_P(constants, broken_latency, ::testing::ValuesIn(mistakes),
                         [](const auto& tested) { return tested.param.name; });

}  // namespace
}  // namespace pws::test::broken_latency_test
