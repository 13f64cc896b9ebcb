// SPDX-License-Identifier: Apache-2.0
// Results and counters under way where paths part and become one: the four scenarios of the DPE paper's Figures 6 and
// 7, for registers and for s_waitcnt, on one wavefront of a compute unit alone.
#include <gmock/gmock.h>

#include <algorithm>

#include "tests/models/pipeline/cu_bench.h"
#include "tests/models/simulation.h"

namespace pws::test::carried_results_test {
namespace {

using namespace code;
using models::divergence_kind;
using models::machine_config;
using models::path_scoreboard;
using words = std::vector<uint32_t>;

constexpr uint32_t s_mov_b64_s14_exec = 0xbe8e017e;
constexpr uint32_t s_cmp_eq_u64_s14(uint32_t s) {
  return 0xbf120000 | s << 8 | 14;
}
constexpr uint32_t s_waitcnt_all_0 = 0xbf8c0070;
constexpr uint32_t s_cbranch_scc0(size_t dwords) {
  return 0xbf840000 | static_cast<uint32_t>(dwords);
}

words joined(std::initializer_list<words> parts) {
  words all;
  for (const words& p : parts) all.insert(all.end(), p.begin(), p.end());
  return all;
}

// split; the work-items of the mask in s[mask:mask+1] execute `left`, the others `right`; merge.
words branch(uint32_t mask, const words& left, const words& right) {
  return joined({{split(mask), s_mov_b64_s14_exec, s_cmp_eq_u64_s14(mask), s_cbranch_scc0(left.size() + 1)},
                 left,
                 {s_branch(static_cast<int32_t>(right.size()))},
                 right,
                 {merge}});
}

// s[8:9]: work-item 0; s[10:11]: work-item 1; s[4:5]: an address.
const words begin{s_mov_b32(8, 1),  s_mov_b32(9, 0), s_mov_b32(10, 2),
                  s_mov_b32(11, 0), s_mov_b32(4, 0), s_mov_b32(5, 0)};

// A slow result in v1, and what uses it.
constexpr cycle_t slow = 400;
const uint32_t produce = v_rcp_f32(1, 0), use = v_mov_b32(2, 1), use_again = v_mov_b32(3, 1);
// Long enough that the sides' fetches do not matter.
const words pause(20, s_nop(0));

struct scoreboard_case {
  divergence_kind scheme;
  path_scoreboard scoreboard;
};
constexpr scoreboard_case carrying[] = {
    {divergence_kind::dpe, path_scoreboard::conservative},   {divergence_kind::dpe, path_scoreboard::optimistic},
    {divergence_kind::stack, path_scoreboard::conservative}, {divergence_kind::stack, path_scoreboard::optimistic},
    {divergence_kind::pws, path_scoreboard::optimistic},     {divergence_kind::dws, path_scoreboard::optimistic}};
constexpr scoreboard_case dual[] = {carrying[0], carrying[1]};

machine_config machine(const scoreboard_case& s) {
  machine_config c = one_simd_unit();
  c.n_wfc = 4;
  c.divergence = s.scheme;
  c.scoreboard = s.scoreboard;
  c.spsimd_per_simd = s.scheme == divergence_kind::pws || s.scheme == divergence_kind::dws ? 3 : 0;
  c.latency.valu_trans = slow;
  return c;
}

std::string text_of(const scoreboard_case& s) {
  return std::string(models::traits_of(s.scheme).name) + ", " + name_of(s.scoreboard);
}

// A program on one wavefront.
struct path_run {
  path_run(const scoreboard_case& s, const words& body) : path_run(machine(s), body) {}
  path_run(const machine_config& c, const words& body)
      : text(joined({begin, body, {s_endpgm}})), bench(std::make_unique<cu_bench>(c, text)) {
    bench->start(64);
  }
  // Cycle at which an instruction issued with this work-item active.
  cycle_t at(uint32_t instruction, unsigned work_item) const {
    const auto dword = std::find(text.begin(), text.end(), instruction) - text.begin();
    for (const auto& i : bench->issues)
      if (i.dword == dword && (i.lanes >> work_item & 1) != 0) return i.at;
    ADD_FAILURE() << "not issued";
    return 0;
  }
  uint64_t false_dependences() const { return bench->cu().statistics().false_dependences; }

  words text;
  std::unique_ptr<cu_bench> bench;
};

template <class cases>
std::vector<path_run> run_all(const cases& list, const words& body) {
  std::vector<path_run> all;
  for (const scoreboard_case& s : list) all.emplace_back(s, body);
  sc_core::sc_start();
  return all;
}

// 1: what is under way before the split is waited for on both sides, and by nobody else.
SIMULATION(carried_results, scenario_1_before_a_split) {
  const words body = joined({{produce}, branch(8, joined({pause, {use}}), joined({pause, {use_again}}))});
  const auto runs = run_all(carrying, body);
  for (size_t k = 0; k < runs.size(); ++k) {
    SCOPED_TRACE(text_of(carrying[k]));
    const path_run& r = runs[k];
    EXPECT_EQ(r.bench->fault_message, "");
    const cycle_t done = r.at(produce, 0) + slow;
    EXPECT_EQ(r.at(use, 0), done);
    EXPECT_GE(r.at(use_again, 1), done);
    EXPECT_LE(r.at(use_again, 1), done + 100) << "right after it, or when it is this side's turn";
    EXPECT_LT(r.at(split(8), 0), done) << "the split does not wait";
    EXPECT_EQ(r.false_dependences(), 0u);
  }
}

// 2: what is under way before the merge, on either side, is waited for behind it.
void results_before_a_merge(bool on_the_left) {
  const words slow_side{produce}, other_side{s_nop(1)};
  const words body =
      joined({branch(8, on_the_left ? slow_side : other_side, on_the_left ? other_side : slow_side), {use_again, use}});
  const auto runs = run_all(carrying, body);
  for (size_t k = 0; k < runs.size(); ++k) {
    SCOPED_TRACE(text_of(carrying[k]));
    const cycle_t done = runs[k].at(produce, on_the_left ? 0 : 1) + slow;
    EXPECT_EQ(runs[k].at(use_again, 0), done);
    EXPECT_LT(runs[k].at(merge, 0), done);
  }
}
SIMULATION(carried_results, scenario_2_before_a_merge_on_the_left) {
  results_before_a_merge(true);
}
SIMULATION(carried_results, scenario_2_before_a_merge_on_the_right) {
  results_before_a_merge(false);
}

// 3: a register of the suspended side B is another one than that of D and E. The conservative scoreboard takes them for
// the same, whichever slot D and E are in; the optimistic one does not.
SIMULATION(carried_results, scenario_3_of_a_suspended_path) {
  const words c = joined({pause, branch(10, {use}, {use_again})});
  const auto runs = run_all(dual, branch(8, joined({{produce}, words(60, s_nop(0))}), c));
  const path_run &conservative = runs[0], &optimistic = runs[1];
  const cycle_t done = conservative.at(produce, 0) + slow;
  EXPECT_EQ(conservative.at(use, 1), done) << "D, in the slot of B";
  EXPECT_GE(conservative.at(use_again, 2), done) << "E, in the other one, sees B's shadow bit";
  EXPECT_EQ(conservative.false_dependences(), 2u);
  EXPECT_LT(optimistic.at(use, 1), optimistic.at(produce, 0) + slow / 2);
  EXPECT_LT(optimistic.at(use_again, 2), optimistic.at(produce, 0) + slow / 2);
  EXPECT_EQ(optimistic.false_dependences(), 0u);
}

// 4: paths that run side by side do not wait for one another.
SIMULATION(carried_results, scenario_4_side_by_side) {
  const words body = branch(8, joined({{produce}, pause}), joined({pause, {use}}));
  const auto runs = run_all(dual, body);
  for (const path_run& r : runs) {
    EXPECT_LT(r.at(use, 1), r.at(produce, 0) + slow / 2);
    EXPECT_EQ(r.false_dependences(), 0u);
  }
}

// The same for the counters: a load before the split is counted on both sides, one on a side behind the merge.
const uint32_t load = s_load_dword(6, 4), wait_for_all = s_waitcnt_lgkm0,
               wait_for_all_but_one = s_waitcnt_lgkm0 | 1 << 8;

SIMULATION(carried_results, counters_before_a_split) {
  const auto runs = run_all(carrying, joined({{load, 0}, branch(8, {wait_for_all}, {s_waitcnt_all_0})}));
  for (size_t k = 0; k < runs.size(); ++k) {
    SCOPED_TRACE(text_of(carrying[k]));
    const cycle_t done = runs[k].at(load, 0) + 1 + cu_bench::scalar_latency;
    EXPECT_EQ(runs[k].at(wait_for_all, 0), done);
    EXPECT_GE(runs[k].at(s_waitcnt_all_0, 1), done);
    EXPECT_LT(runs[k].at(split(8), 0), done);
  }
}

void counters_before_a_merge(bool on_the_left) {
  const words slow_side{load, 0}, other_side{s_nop(1)};
  const words body =
      joined({branch(8, on_the_left ? slow_side : other_side, on_the_left ? other_side : slow_side), {wait_for_all}});
  const auto runs = run_all(carrying, body);
  for (size_t k = 0; k < runs.size(); ++k) {
    SCOPED_TRACE(text_of(carrying[k]));
    const cycle_t done = runs[k].at(load, on_the_left ? 0 : 1) + 1 + cu_bench::scalar_latency;
    EXPECT_GE(runs[k].at(wait_for_all, 0), done);
    EXPECT_LT(runs[k].at(wait_for_all, 0), done + 20);
    EXPECT_LT(runs[k].at(merge, on_the_left ? 0 : 1), done);
  }
}
SIMULATION(carried_results, counters_before_a_merge_on_the_left) {
  counters_before_a_merge(true);
}
SIMULATION(carried_results, counters_before_a_merge_on_the_right) {
  counters_before_a_merge(false);
}

// The joined path counts the loads of both sides: to wait for all but one of its own side's two is to wait for more.
SIMULATION(carried_results, a_wait_for_all_but_the_last_is_never_too_weak) {
  const words two{load, 0, s_load_dword(7, 4), 0};
  const words body = joined({branch(8, two, {s_load_dword(12, 4), 0, s_nop(1)}), {wait_for_all_but_one}});
  const auto runs = run_all(carrying, body);
  for (size_t k = 0; k < runs.size(); ++k) {
    SCOPED_TRACE(text_of(carrying[k]));
    std::vector<cycle_t> done;
    for (const uint32_t l : {load, s_load_dword(7, 4)}) done.push_back(runs[k].at(l, 0) + 1 + cu_bench::scalar_latency);
    done.push_back(runs[k].at(s_load_dword(12, 4), 1) + 1 + cu_bench::scalar_latency);
    std::sort(done.begin(), done.end());
    EXPECT_GE(runs[k].at(wait_for_all_but_one, 0), done[1]) << "two of three";
    EXPECT_GE(runs[k].at(wait_for_all_but_one, 0), runs[k].at(load, 0) + 1 + cu_bench::scalar_latency);
  }
}

// A split waits where a counter would have to count more than fifteen; so does the instruction that would be one more.
SIMULATION(carried_results, a_full_counter_waits) {
  words loads;
  for (int n = 0; n < 15; ++n) loads.insert(loads.end(), {load, 0});
  const auto runs = run_all(carrying, joined({branch(8, loads, loads), {s_load_dword(7, 4), 0, wait_for_all}}));
  for (size_t k = 0; k < runs.size(); ++k) {
    SCOPED_TRACE(text_of(carrying[k]));
    EXPECT_EQ(runs[k].bench->fault_message, "");
    EXPECT_EQ(runs[k].bench->finished, 1u);
  }
}

SIMULATION(carried_results, drained_paths_wait_at_the_split) {
  const scoreboard_case drained[] = {{divergence_kind::dpe, path_scoreboard::drain},
                                     {divergence_kind::stack, path_scoreboard::drain}};
  const auto runs = run_all(drained, joined({{produce}, branch(8, {use}, {use_again})}));
  for (const path_run& r : runs) EXPECT_EQ(r.at(split(8), 0), r.at(produce, 0) + slow);
}

}  // namespace
}  // namespace pws::test::carried_results_test
