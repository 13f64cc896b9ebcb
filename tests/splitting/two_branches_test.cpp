// SPDX-License-Identifier: Apache-2.0
// The DPE paper's Figure 2, from configs/runs/two_branches.yaml: a reconvergence stack on the control-flow graph of
// Figure 1, in the waveform, and over the bus while it runs.
#include "tests/splitting/two_branches.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace pws::test::two_branches_test {
namespace {

using models::wf_status;
using testing::ElementsAre;

const observed_run& figure() {
  static const observed_run run = observe(PWS_SOURCE_DIR "/configs/runs/two_branches.yaml", "two_branches", 1);
  return run;
}

const std::vector<snapshot>& cycles() {
  static const std::vector<snapshot> all = cycles_of(figure());
  return all;
}

TEST(two_branches, blocks_run_one_after_the_other) {
  EXPECT_THAT(history(cycles(), [](const snapshot& s) { return s.spm; }),
              ElementsAre(mask("1111"), mask("1000"), mask("0111"), mask("0100"), mask("0011"), mask("0111"),
                          mask("1111")));  // A, B, C, D, E, F, G
}

TEST(two_branches, entries_are_pushed_and_popped_as_in_figure_2) {
  const uint64_t b = mask("1000"), c = mask("0111"), d = mask("0100"), e = mask("0011");
  using stack = std::vector<uint64_t>;  // path, then the masks of both sides of each entry
  EXPECT_THAT(history(cycles(), [](const snapshot& s) { return s.stack(); }),
              ElementsAre(stack{0}, stack{1, b, c}, stack{2, 0, c}, stack{1, 0, c, d, e}, stack{2, 0, c, 0, e},
                          stack{2, 0, c}, stack{0}));
}

TEST(two_branches, sides_begin_and_meet_where_the_stack_says) {
  std::vector<uint64_t> waiting, rpc;
  snapshot before;
  for (const snapshot& s : cycles()) {
    const bool pushed = s.depth > before.depth, popped = s.depth < before.depth;
    const bool switched = s.depth == before.depth && s.path != before.path;
    if (pushed) {
      EXPECT_EQ(s.entries[s.depth - 1].rpc, 0u) << "not known yet";
      waiting.push_back(s.entries[s.depth - 1].right_pc);
    } else if (switched) {
      EXPECT_EQ(s.pc, waiting.back()) << "the right side begins where it was split off";
      waiting.pop_back();
      EXPECT_EQ(s.entries[s.depth - 1].left_pc, s.entries[s.depth - 1].rpc + 4) << "stands behind its merge";
      rpc.push_back(s.entries[s.depth - 1].rpc);
    } else if (popped) {
      EXPECT_EQ(s.pc, before.entries[s.depth].rpc + 4);
    }
    before = s;
  }
  ASSERT_EQ(rpc.size(), 2u);
  EXPECT_EQ(rpc[0], rpc[1] + 12) << "the outer split meets behind F, which is one instruction of eight bytes";
}

TEST(two_branches, debug_window_shows_what_the_waveform_shows) {
  size_t in_use = 0;
  for (const observed_run::reading& r : figure().readings) {
    if (r.time < cycle) continue;  // the launch takes many steps of time 0
    if (r.time > figure().waveform.end_time) break;
    const snapshot wave = in_waveform(figure().waveform, r.time);
    const auto state = static_cast<wf_status>(wave.state);
    if (state == wf_status::idle || state == wf_status::ended) continue;
    ++in_use;
    ASSERT_TRUE(from_record(r.records[0]) == wave) << "time " << r.time;
  }
  EXPECT_GT(in_use, 500u);
}

TEST(two_branches, gtkwave_file_names_signals_of_the_waveform) {
  EXPECT_GE(signals_of(PWS_SOURCE_DIR "/configs/two_branches.gtkw", figure().waveform), 14u);
}

}  // namespace
}  // namespace pws::test::two_branches_test
