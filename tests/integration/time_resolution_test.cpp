// SPDX-License-Identifier: Apache-2.0
// SystemC's time resolution is the whole simulation's: whatever it is, waveforms are in ps, and rows of statistics have
// whole cycles. 1 ns is a single step for a cycle of 1000 MHz.
#include <gtest/gtest.h>

#include <systemc>

#include "tests/integration/child_process.h"
#include "tests/integration/child_run.h"
#include "tests/integration/fst_reader.h"
#include "tests/integration/reference/alu_chain.h"
#include "tests/integration/vcd_parser.h"

namespace pws::test::time_resolution_test {
namespace {

struct outputs {
  std::string statistics;
  vcd_file vcd;
  fst_contents fst;
};

void run_with(const models::machine_config& m, const std::string& waveform, const std::string& statistics,
              sc_core::sc_time_unit unit) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  platform::kernel_run run = launch_of(reference::alu_chain_case("small", 128, 20), m);
  const child_result child = in_child(
      [&](const message_sink&) {
        sc_core::sc_set_time_resolution(1, unit);
        platform::session_options to;
        to.files.of("vcd") = waveform;
        to.files.of("stats") = statistics;
        to.files.stats_every = 100;
        const platform::run_report r = platform::execute(run, to);
        return r.completed ? 0 : 1;
      },
      300);
  ASSERT_EQ(child.status, 0) << describe_status(child.status) << "\n" << child.log;
  EXPECT_EQ(child.log.find("Warning:"), std::string::npos) << child.log;
}

outputs with(const models::machine_config& m, sc_core::sc_time_unit unit) {
  const temporary_file vcd(".vcd"), fst(".fst"), statistics(".csv"), again(".csv");
  run_with(m, vcd.path(), statistics.path(), unit);
  run_with(m, fst.path(), again.path(), unit);
  EXPECT_EQ(statistics.contents(), again.contents());
  return {statistics.contents(), parse_vcd(vcd.contents()), read_fst(fst.path())};
}

// Changes and times of each signal.
std::vector<std::pair<uint64_t, uint64_t>> pairs_of(const vcd_signal& s) {
  std::vector<std::pair<uint64_t, uint64_t>> all;
  for (const vcd_change& c : s.changes) all.emplace_back(c.time, c.value);
  return all;
}

void expect_same(const outputs& a, const outputs& b) {
  EXPECT_EQ(a.statistics, b.statistics);
  ASSERT_EQ(a.fst.signals.size(), b.fst.signals.size());
  for (const auto& [name, s] : a.fst.signals) EXPECT_EQ(pairs_of(s), pairs_of(b.fst.signal(name))) << name;
  for (const auto& [name, s] : a.vcd.signals) EXPECT_EQ(pairs_of(s), pairs_of(b.vcd.signals.at(name))) << name;
  EXPECT_EQ(a.fst.end_time, b.fst.end_time);
  EXPECT_EQ(a.vcd.end_time, a.fst.end_time);
  EXPECT_EQ(b.vcd.end_time, b.fst.end_time);
}

TEST(time_resolution, outputs_are_the_same_with_each) {
  models::machine_config m;
  m.n_cu = 1;
  m.memory.dram.size_mib = 16;
  const outputs usual = with(m, sc_core::SC_PS);
  EXPECT_GT(usual.fst.end_time, 100'000u);
  {
    SCOPED_TRACE("1 fs");
    expect_same(with(m, sc_core::SC_FS), usual);
  }
  {
    SCOPED_TRACE("1 ns");
    expect_same(with(m, sc_core::SC_NS), usual);
  }
}

}  // namespace
}  // namespace pws::test::time_resolution_test
