// SPDX-License-Identifier: Apache-2.0
// The DPE paper's Figure 4, from configs/runs/two_branches.yaml: dual-path execution of the control-flow graph of
// Figure 1, in the waveform, and over the bus while it runs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/splitting/two_branches.h"

namespace pws::test::dual_paths_test {
namespace {

using models::wf_status;
using testing::ElementsAre;

const observed_run& figure() {
  static const observed_run run =
      observe(PWS_SOURCE_DIR "/configs/runs/two_branches.yaml", "two_branches", 2, {"machine.divergence=dpe"});
  return run;
}
const std::vector<snapshot>& cycles() {
  static const std::vector<snapshot> all = cycles_of(figure());
  return all;
}

uint64_t right_at(const std::string& signal, uint64_t time) {
  return figure().waveform.signal(scope + "right." + signal).at(time);
}

TEST(dual_paths, entries_are_pushed_and_popped_as_in_figure_4) {
  const uint64_t b = mask("1000"), c = mask("0111"), d = mask("0100"), e = mask("0011");
  using stack = std::vector<uint64_t>;  // paths that issue, then the masks of both sides of each entry
  EXPECT_THAT(history(cycles(), [](const snapshot& s) { return s.stack(); }),
              ElementsAre(stack{0}, stack{3, b, c}, stack{3, b, c, d, e}, stack{2, b, c, 0, e}, stack{3, b, c},
                          stack{2, 0, c}, stack{0}));
}

TEST(dual_paths, both_slots_run_what_the_stack_says) {
  const uint64_t a = mask("1111"), b = mask("1000"), c = mask("0111"), d = mask("0100"), e = mask("0011");
  EXPECT_THAT(
      history(cycles(),
              [](const snapshot& s) { return s.state == static_cast<uint32_t>(wf_status::suspended) ? 0 : s.spm; }),
      ElementsAre(a, b, d, 0, b, 0, a))
      << "the left slot";
  std::vector<uint64_t> right;
  for (uint64_t t = 0; t <= figure().waveform.end_time; t += cycle) {
    const uint64_t spm = right_at("spm", t);
    if (right.empty() || right.back() != spm) right.push_back(spm);
  }
  EXPECT_THAT(right, ElementsAre(0, c, e, c, 0)) << "the right slot";
}

TEST(dual_paths, a_suspended_path_goes_on_where_it_was) {
  uint64_t suspended_at = 0;
  snapshot before;
  for (const snapshot& s : cycles()) {
    if (s.depth > before.depth && s.depth == 2) suspended_at = s.entries[0].left_pc;
    if (s.depth == 2) {
      EXPECT_EQ(s.entries[0].left_pc, suspended_at);
    }
    if (s.depth < before.depth && s.depth == 1) {
      EXPECT_EQ(s.pc, suspended_at);
      EXPECT_EQ(s.entries[0].right_pc, before.entries[1].rpc + 4) << "F, in the slot of C";
    }
    before = s;
  }
  EXPECT_NE(suspended_at, 0u);
}

TEST(dual_paths, debug_window_shows_what_the_waveform_shows) {
  namespace record = models::debug_register;
  size_t both = 0;
  for (const observed_run::reading& r : figure().readings) {
    if (r.time < cycle) continue;  // the launch takes many steps of time 0
    if (r.time > figure().waveform.end_time) break;
    const snapshot wave = in_waveform(figure().waveform, r.time);
    const auto state = static_cast<wf_status>(wave.state);
    if (state == wf_status::idle || state == wf_status::ended) continue;
    ASSERT_TRUE(from_record(r.records[0]) == wave) << "time " << r.time;
    const auto right = static_cast<wf_status>(field<uint32_t>(r.records[1], record::state));
    ASSERT_EQ(static_cast<uint64_t>(right), right_at("status", r.time));
    if (right == wf_status::idle) continue;
    ASSERT_EQ(field<uint64_t>(r.records[1], record::pc), right_at("pc", r.time));
    ASSERT_EQ(field<uint64_t>(r.records[1], record::spm), right_at("spm", r.time));
    both += state != wf_status::suspended;
  }
  EXPECT_GT(both, 50u);
}

}  // namespace
}  // namespace pws::test::dual_paths_test
