// SPDX-License-Identifier: Apache-2.0
// The DPE paper's Figure 3, from configs/runs/two_branches.yaml: dynamic warp subdivision with threshold 2. The block
// behind the outer merge, G, is longer: B and C go on the stack. F is one instruction: D and E become warp-splits, and
// execute it one after the other.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "models/divergence/warp_split_table.h"
#include "tests/splitting/two_branches.h"

namespace pws::test::warp_splits_test {
namespace {

using models::wf_status;
using testing::ElementsAre;

const observed_run& figure() {
  static const observed_run run =
      observe(PWS_SOURCE_DIR "/configs/runs/two_branches.yaml", "two_branches", 1,
              {"machine.divergence=dws-table", "machine.dws.threshold=2", "machine.schedule=round_robin"});
  return run;
}
const std::vector<snapshot>& cycles() {
  static const std::vector<snapshot> all = cycles_of(figure());
  return all;
}

uint64_t table_at(const std::string& signal, uint64_t time) {
  return figure().waveform.signal(scope + "table." + signal).at(time);
}

TEST(warp_splits, stack_and_table_hold_what_figure_3_says) {
  const uint64_t b = mask("1000"), c = mask("0111"), d = mask("0100"), e = mask("0011");
  using stack = std::vector<uint64_t>;  // path, then the masks of both sides of each entry
  EXPECT_THAT(history(cycles(), [](const snapshot& s) { return s.stack(); }),
              ElementsAre(stack{0}, stack{1, b, c}, stack{2, 0, c}, stack{0}))
      << "the table's warp-splits are the stack's right side";
  std::vector<std::vector<uint64_t>> tables;  // number of warp-splits, then their masks
  for (uint64_t t = 0; t <= figure().waveform.end_time; t += cycle) {
    std::vector<uint64_t> now{table_at("splits", t)};
    for (uint64_t k = 0; k < now[0]; ++k) now.push_back(table_at("split" + std::to_string(k) + ".mask", t));
    if (tables.empty() || tables.back() != now) tables.push_back(now);
  }
  EXPECT_THAT(tables, ElementsAre(std::vector<uint64_t>{0}, std::vector<uint64_t>{2, d, e}, std::vector<uint64_t>{0}));
}

TEST(warp_splits, f_executes_twice) {
  // F is the instruction of eight bytes in front of the outer merge, where the stack's entry says that its sides meet.
  uint64_t rpc = 0;
  for (const snapshot& s : cycles())
    if (s.depth == 1 && s.entries[0].rpc != 0) rpc = s.entries[0].rpc;
  ASSERT_NE(rpc, 0u);
  std::set<uint64_t> before, behind;  // warp-splits that were seen at F and, alone, behind it
  for (uint64_t t = 0; t <= figure().waveform.end_time; t += cycle)
    for (uint64_t k = 0; k < table_at("splits", t); ++k) {
      const std::string split = "split" + std::to_string(k);
      const uint64_t pc = table_at(split + ".pc", t);
      if (pc == rpc - 8) before.insert(table_at(split + ".mask", t));
      if (pc == rpc) behind.insert(table_at(split + ".mask", t));
    }
  const std::set<uint64_t> both{mask("0100"), mask("0011")};
  EXPECT_EQ(before, both);
  EXPECT_EQ(behind, both);
}

TEST(warp_splits, debug_window_shows_what_the_waveform_shows) {
  namespace table = models::table_record;
  size_t split = 0;
  for (const observed_run::reading& r : figure().readings) {
    if (r.time < cycle) continue;  // the launch takes many steps of time 0
    if (r.time > figure().waveform.end_time) break;
    const snapshot wave = in_waveform(figure().waveform, r.time);
    const auto state = static_cast<wf_status>(wave.state);
    if (state == wf_status::idle || state == wf_status::ended) continue;
    ASSERT_TRUE(from_record(r.records[0]) == wave) << "time " << r.time;
    ASSERT_EQ(field<uint32_t>(r.records[0], table::count), table_at("splits", r.time));
    for (uint64_t k = 0; k < 3; ++k) {
      const uint64_t at = table::splits + k * table::split_bytes;
      const std::string name = "split" + std::to_string(k);
      ASSERT_EQ(field<uint64_t>(r.records[0], at + table::pc), table_at(name + ".pc", r.time));
      ASSERT_EQ(field<uint64_t>(r.records[0], at + table::mask), table_at(name + ".mask", r.time));
    }
    split += table_at("splits", r.time) != 0;
  }
  EXPECT_GT(split, 20u);
}

}  // namespace
}  // namespace pws::test::warp_splits_test
