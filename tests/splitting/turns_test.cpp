// SPDX-License-Identifier: Apache-2.0
// Paths that take turns, on the machine: loads of one path hidden behind another one (subwarps), and work-items that
// wait for one another (convergence), where a stack never ends.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "models/divergence/path_turns.h"
#include "tests/splitting/batch_run.h"
#include "tests/splitting/two_branches.h"

namespace pws::test::turns_test {
namespace {

using models::divergence_kind;
using models::fidelity;
using models::machine_config;
using testing::HasSubstr;

machine_config machine(divergence_kind d, fidelity f = fidelity::timing) {
  machine_config m;
  m.n_cu = m.n_simd = 1;
  m.n_wfc = 2;
  m.fidelity = f;
  m.divergence = d;
  m.limits.max_cycles = 300'000;
  m.limits.max_instructions = 100'000;
  return m;
}

// One workgroup; hash = number of the work-item.
batch_report run(const machine_config& m, const std::string& body, uint32_t work_items = 64) {
  assembly_file file;
  file.add_kernel(body);
  batch_launch l;
  l.kernel = "k0";
  l.mul = 0x10000;
  l.work_items = l.workgroup = work_items;
  return run_batch(m, assemble(file.text()), {l});
}
uint32_t result(const batch_report& r, uint32_t work_item) {
  return r.launches.at(0).memory.at(work_item * 8);
}

// ---- subwarps

// Loads past the vector L1, one after the other, each with its use, in every leaf of a tree of splits.
std::string loads(unsigned depth) {
  if (depth == 0)
    return repeated(
        "  flat_load_dword v4, v[8:9] glc\n  s_waitcnt vmcnt(0) & lgkmcnt(0)\n  v_add_u32 v5, vcc, v4, v5\n", 4);
  return split_on(1u << depth, depth, loads(depth - 1), loads(depth - 1));
}
models::cycle_t cycles_of_loads(const machine_config& m, unsigned depth, batch_report* report = nullptr) {
  const batch_report r = run(m, loads(depth));
  EXPECT_EQ(r.launches.at(0).error, "");
  if (report != nullptr) *report = r;
  return r.launches.at(0).cycles;
}

TEST(subwarps, hide_one_anothers_misses) {
  for (const unsigned depth : {1u, 2u, 3u}) {
    const models::cycle_t on_a_stack = cycles_of_loads(machine(divergence_kind::stack), depth);
    batch_report r;
    const models::cycle_t in_turn = cycles_of_loads(machine(divergence_kind::subwarps), depth, &r);
    const models::cycle_t hidden = on_a_stack * (depth == 1 ? 15 : 25) / 100;  // of so many paths
    EXPECT_LT(in_turn, on_a_stack - hidden) << depth;
    EXPECT_EQ(r.divergence.merges, (1u << depth) - 1);
    EXPECT_GE(r.divergence.turns, 3u << depth) << "one for nearly every load";
    machine_config m = machine(divergence_kind::subwarps);
    m.subwarps.switch_at = models::turn_end::issue;
    EXPECT_LT(cycles_of_loads(m, depth), on_a_stack - hidden) << depth;
  }
}

TEST(subwarps, hide_nothing_with_one_entry_and_less_with_two_than_with_four) {
  const auto with = [](std::optional<uint32_t> entries, uint32_t switch_cycles) {
    machine_config m = machine(divergence_kind::subwarps);
    m.subwarps.entries = entries;
    m.subwarps.switch_cycles = switch_cycles;
    return cycles_of_loads(m, 2);
  };
  const models::cycle_t serial = cycles_of_loads(machine(divergence_kind::stack), 2);
  EXPECT_GT(with(1, 1), serial * 9 / 10);
  EXPECT_LT(with(1, 1), serial * 11 / 10);
  EXPECT_LT(with(2, 1), with(1, 1));
  EXPECT_LT(with(4, 1), with(2, 1));
  EXPECT_EQ(with(4, 1), with({}, 1));
  EXPECT_GT(with(4, 40), with(4, 1));
}

// Without a wait for memory there is nothing to hide: paths in turn take the cycles of a stack, but for the order in
// which they fetch.
TEST(paths_in_turn, take_the_time_of_a_stack_if_nobody_waits) {
  assembly_file file;
  for (unsigned seed = 1; seed <= 6; ++seed) file.add_tree(seed, 1 + seed % 5);
  const loader::program_image program = assemble(file.text());
  std::vector<batch_launch> launches(6);
  for (unsigned k = 0; k < 6; ++k) launches[k].kernel = fmt::format("k{}", k);
  const batch_report stack = run_batch(machine(divergence_kind::stack), program, launches);
  for (const divergence_kind k : {divergence_kind::subwarps, divergence_kind::convergence}) {
    const batch_report r = run_batch(machine(k), program, launches);
    for (unsigned n = 0; n < 6; ++n) {
      const auto cycles = static_cast<double>(stack.launches.at(n).cycles);
      EXPECT_NEAR(static_cast<double>(r.launches.at(n).cycles), cycles, cycles / 50) << n;
    }
    EXPECT_GT(r.divergence.turns, 20u);
  }
}

// ---- convergence

const std::string flag_is_zero =
    "  v_mov_b32 v11, 0\n  v_mov_b32 v12, 0\n  ds_write_b32 v11, v12\n  s_waitcnt lgkmcnt(0)\n";
const std::string set_flag = "  v_mov_b32 v12, 1\n  ds_write_b32 v11, v12\n  s_waitcnt lgkmcnt(0)\n";
// Until the flag, the dword at 0 of LDS, is `value`. `pause`: what the loop does besides.
std::string await_flag(uint32_t value, const std::string& pause = "") {
  static unsigned loops = 0;
  return fmt::format(
      "spin_{0}:\n{2}  ds_read_b32 v12, v11\n  s_waitcnt lgkmcnt(0)\n  v_readfirstlane_b32 s40, v12\n"
      "  s_cmp_lg_u32 s40, {1}\n  s_cbranch_scc1 spin_{0}\n",
      loops++, value, pause);
}
const std::string store_four = "  v_mov_b32 v4, 4\n  flat_store_dword v[8:9], v4\n";

void expect_all(const batch_report& r, uint32_t value, uint32_t work_items = 64) {
  ASSERT_EQ(r.launches.at(0).error, "");
  for (uint32_t id = 0; id < work_items; ++id) ASSERT_EQ(result(r, id), value) << id;
}

class convergence : public testing::TestWithParam<fidelity> {};
INSTANTIATE_TEST_SUITE_P(fidelity, convergence, testing::Values(fidelity::functional, fidelity::timing),
                         [](const auto& f) { return f.param == fidelity::timing ? "timing" : "functional"; });

// The left side waits for the right one. On a stack the left one runs first, and for ever.
TEST_P(convergence, a_side_may_wait_for_the_other) {
  for (const std::string& pause : {std::string(), std::string("  s_sleep 1\n")}) {
    const std::string body = flag_is_zero + split_on(1, 0, await_flag(1, pause), set_flag) + store_four;
    for (const uint32_t branches : {1u, 64u}) {
      machine_config m = machine(divergence_kind::convergence, GetParam());
      m.convergence.yield_branches = branches;
      const batch_report r = run(m, body);
      expect_all(r, 4);
      EXPECT_GE(r.divergence.yields, 1u);
    }
    EXPECT_THAT(run(machine(divergence_kind::stack, GetParam()), body).launches.at(0).error,
                HasSubstr(GetParam() == fidelity::timing ? "limits.max_cycles" : "limits.max_instructions"));
  }
}

// Without a yield there is no such promise, and the program says how to get one.
TEST_P(convergence, a_loop_that_yields_nowhere_goes_on_for_ever) {
  machine_config m = machine(divergence_kind::convergence, GetParam());
  m.convergence.yield_branches = 0;
  const auto body = [](const std::string& pause) {
    return flag_is_zero + split_on(1, 0, await_flag(1, pause), set_flag) + store_four;
  };
  EXPECT_THAT(run(m, body("")).launches.at(0).error, HasSubstr("limits.max_"));
  expect_all(run(m, body("  s_sleep 0\n")), 4);
}

// Eight paths, the leaves of nested splits, in an order that is the opposite of theirs.
TEST_P(convergence, many_paths_may_wait_for_one_another) {
  const auto leaf = [](uint32_t number) {
    return await_flag(7 - number) + "  v_mov_b32 v13, 1\n  s_mov_b64 s[42:43], exec\n  s_ff1_i32_b64 s44, exec\n" +
           fmt::format("  v_mov_b32 v12, {}\n  ds_write_b32 v11, v12\n  s_waitcnt lgkmcnt(0)\n", 8 - number);
  };
  const std::function<std::string(unsigned, uint32_t)> tree = [&](unsigned depth, uint32_t number) {
    if (depth == 3) return leaf(number);
    return split_on(4u >> depth, depth, tree(depth + 1, 2 * number), tree(depth + 1, 2 * number + 1));
  };
  const std::string body = flag_is_zero + tree(0, 0) + store_four;
  const batch_report r = run(machine(divergence_kind::convergence, GetParam()), body);
  expect_all(r, 4);
  EXPECT_EQ(r.divergence.splits, 7u);
  EXPECT_EQ(r.divergence.paths_in_turn, 8u);
}

// What the left side waits for is behind the merge, where the right one would wait for it: a lock that is held over
// the merge. Behind that both are at s_barrier, with another wavefront.
TEST_P(convergence, who_waits_at_a_merge_goes_on_while_others_wait_for_it) {
  const std::string body =
      flag_is_zero + "  s_barrier\n" + split_on(1, 0, await_flag(1), "") + set_flag + "  s_barrier\n" + store_four;
  for (const uint32_t work_items : {64u, 128u, 65u, 1u, 63u}) {
    const bool splits = work_items > 1;
    // Alone, nobody sets the flag.
    const std::string code = splits ? body : flag_is_zero + split_on(1, 0, await_flag(1), "") + store_four;
    const batch_report r = run(machine(divergence_kind::convergence, GetParam()), code, work_items);
    expect_all(r, 4, work_items);
    // Another wavefront may set the flag first.
    if (work_items <= 64) {
      EXPECT_EQ(r.divergence.late != 0, splits) << work_items;
    }
  }
}

TEST_P(convergence, the_side_that_is_waited_for_may_end) {
  const std::string body =
      flag_is_zero + split_on(1, 0, await_flag(1), store_four + set_flag + "  s_endpgm\n") + store_four;
  expect_all(run(machine(divergence_kind::convergence, GetParam()), body), 4);
}

// Two workgroups of one wavefront on one compute unit, of which the first waits for the second.
TEST_P(convergence, yields_leave_time_to_other_wavefronts) {
  assembly_file file;
  file.add_kernel(
      "  v_mov_b32 v13, s5\n  v_mov_b32 v12, s4\n  v_add_u32 v12, vcc, 16, v12\n"  // v[12:13]: a dword of work-item 0
      "  s_cmp_eq_u32 s2, 0\n  s_cbranch_scc0 second\n" +
      split_on(1, 0,
               "spin:\n  s_sleep 1\n  flat_load_dword v4, v[12:13] glc\n  s_waitcnt vmcnt(0) & lgkmcnt(0)\n"
               "  v_readfirstlane_b32 s40, v4\n  s_cmp_lg_u32 s40, 1\n  s_cbranch_scc1 spin\n",
               "spin_too:\n  s_sleep 1\n  flat_load_dword v4, v[12:13] glc\n  s_waitcnt vmcnt(0) & lgkmcnt(0)\n"
               "  v_readfirstlane_b32 s40, v4\n  s_cmp_lg_u32 s40, 1\n  s_cbranch_scc1 spin_too\n") +
      "  s_branch done\nsecond:\n  v_mov_b32 v4, 1\n  flat_store_dword v[12:13], v4\n"
      "  s_waitcnt vmcnt(0) & lgkmcnt(0)\ndone:\n" +
      store_four);
  batch_launch l;
  l.kernel = "k0";
  l.mul = 0x10000;
  l.work_items = 128;
  const batch_report r = run_batch(machine(divergence_kind::convergence, GetParam()), assemble(file.text()), {l});
  expect_all(r, 4, 128);
}

// ---- what is shown

const observed_run& interleaved() {
  static const observed_run r =
      observe(PWS_SOURCE_DIR "/configs/runs/two_branches.yaml", "two_branches", 1, {"machine.divergence=subwarps"});
  return r;
}
uint64_t shown(const std::string& signal, uint64_t time) {
  return interleaved().waveform.signal(scope + "turns." + signal).at(time);
}

TEST(turns_shown, the_waveform_has_the_paths_of_two_branches) {
  using testing::ElementsAre;
  const uint64_t b = mask("1000"), c = mask("0111"), d = mask("0100"), e = mask("0011"), all = ~uint64_t{0};
  std::vector<std::vector<uint64_t>> masks;
  for (uint64_t t = 0; t <= interleaved().waveform.end_time; t += cycle) {
    std::vector<uint64_t> now;
    for (uint64_t k = 0; k < shown("paths", t); ++k) now.push_back(shown("path" + std::to_string(k) + ".mask", t));
    if (masks.empty() || masks.back() != now) masks.push_back(now);
  }
  using list = std::vector<uint64_t>;
  EXPECT_THAT(masks, ElementsAre(list{}, list{b, c}, list{b, d, e}, list{b, c}, list{all}, list{}));
}

TEST(turns_shown, the_debug_window_has_what_the_waveform_has) {
  namespace record = models::turns_record;
  size_t split = 0;
  for (const observed_run::reading& r : interleaved().readings) {
    if (r.time < cycle) continue;  // the launch takes many steps of time 0
    if (r.time > interleaved().waveform.end_time) break;
    ASSERT_EQ(field<uint32_t>(r.records[0], record::count), shown("paths", r.time)) << r.time;
    ASSERT_EQ(field<uint32_t>(r.records[0], record::active), shown("active", r.time)) << r.time;
    for (uint64_t k = 0; k < 3; ++k) {
      const uint64_t at = record::entries + k * record::entry_bytes;
      const std::string path = "path" + std::to_string(k) + ".";
      ASSERT_EQ(field<uint64_t>(r.records[0], at + record::pc), shown(path + "pc", r.time));
      ASSERT_EQ(field<uint64_t>(r.records[0], at + record::mask), shown(path + "mask", r.time));
      ASSERT_EQ(field<uint32_t>(r.records[0], at + record::place), shown(path + "place", r.time));
      ASSERT_EQ(field<uint32_t>(r.records[0], at + record::barrier), shown(path + "barriers", r.time));
    }
    split += shown("paths", r.time) > 1;
  }
  EXPECT_GT(split, 20u);
}

}  // namespace
}  // namespace pws::test::turns_test
