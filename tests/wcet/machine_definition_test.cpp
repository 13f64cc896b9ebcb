// SPDX-License-Identifier: Apache-2.0
// What the analysis takes from the machine's definition, against docs/predictable.md: the formulas are written out here
// once more, so that a wrong definition, which model and analysis would share, is seen.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <random>

#include "models/context/outstanding.h"
#include "models/machine/time_division.h"
#include "platform/run/program/machine_timing.h"
#include "sw/wcet/instructions/outstanding_operations.h"
#include "sw/wcet/launch_facts.h"
#include "tests/wcet/random_bounds.h"

namespace pws::test::machine_definition_test {
namespace {

std::string text_of(const models::machine_config& m) {
  const auto& d = m.memory.dram;
  return fmt::format("{} CUs, {} x {}, {} lanes; fetch {}, DRAM {} {} {} {} + {}, crossbar {}; S {} of {}", m.n_cu,
                     m.n_simd, m.n_wfc, m.valu_lanes, m.memory.instruction_cache.hit_latency, d.t_rcd, d.t_rp, d.t_cl,
                     d.t_burst, d.extra_latency, m.memory.interconnect.latency, m.spsimd_per_simd, m.split_points);
}

void expect_as_documented(const models::machine_config& m) {
  SCOPED_TRACE(text_of(m));
  const auto& d = m.memory.dram;
  const wcet::machine_timing t = platform::timing_of(m);
  const uint64_t slot = 64 / m.valu_lanes;
  const uint64_t fetch = m.memory.instruction_cache.hit_latency + 3;  // its cycle, decode, scoreboard
  const uint64_t contexts = uint64_t{m.n_simd} * m.n_wfc;
  EXPECT_EQ(t.slot, slot);
  EXPECT_EQ(t.round, m.n_wfc * slot > fetch ? m.n_wfc * slot : fetch);
  EXPECT_EQ(t.address, slot);
  EXPECT_EQ(t.memory_frame, m.n_cu * contexts * (uint64_t{d.t_rcd} + d.t_cl + d.t_burst + d.t_rp));
  EXPECT_EQ(t.lds_frame, contexts);
  EXPECT_EQ(t.way_there, m.memory.interconnect.latency);
  EXPECT_EQ(t.way_back, uint64_t{d.t_rcd} + d.t_cl + d.t_burst + d.extra_latency + m.memory.interconnect.latency);
  EXPECT_EQ(t.atomic_slots, 2u);
  EXPECT_EQ(t.line_bytes, m.memory.vector_l1.line_bytes);
  EXPECT_EQ(t.lds_banks, m.lds.banks);
  EXPECT_EQ(t.fetch_bytes, m.fetch_bytes);

  // What the model is built from: its servers of the same frames.
  const models::line_slots lines = models::line_slots_of(m);
  const models::slot_server memory(lines.slot, static_cast<uint32_t>(lines.places));
  EXPECT_EQ(memory.frame(), t.memory_frame);
  const models::issue_rounds rounds = models::issue_rounds_of(m);
  const uint32_t last = m.n_wfc - 1;
  EXPECT_EQ(rounds.next(last, 0), last * slot);
  EXPECT_EQ(rounds.next(last, last * slot + 1), last * slot + t.round);
}

TEST(machine_definition, is_the_documented_one) {
  models::machine_config m = predictable({});
  expect_as_documented(m);
  m.n_wfc = 1;  // the fetch is longer than the slots
  expect_as_documented(m);
  m.memory.instruction_cache.hit_latency = 1;
  expect_as_documented(m);
  m.valu_lanes = 64;
  expect_as_documented(m);
  m = predictable({256, 16, 64, 16, models::divergence_kind::pws, 63});
  m.memory.dram.t_rcd = m.memory.dram.t_rp = m.memory.dram.t_cl = m.memory.dram.t_burst = 10000;
  expect_as_documented(m);
}

TEST(machine_definition, of_random_machines) {
  std::mt19937 random(3);
  const auto upto = [&](uint32_t n) { return static_cast<uint32_t>(1 + random() % n); };
  using models::divergence_kind;
  for (int k = 0; k < 500; ++k) {
    const auto scheme = std::array{divergence_kind::none, divergence_kind::pws, divergence_kind::dws}[random() % 3];
    models::machine_config m = predictable({upto(256), upto(16), upto(64), 1u << random() % 7, scheme, 0});
    m.spsimd_per_simd = random() % 64;
    auto& d = m.memory.dram;
    for (uint32_t* t : {&d.t_rcd, &d.t_rp, &d.t_cl, &d.t_burst}) *t = upto(k % 2 == 0 ? 20 : 10000);
    d.extra_latency = random() % 1000;
    m.memory.interconnect.latency = upto(300);
    m.memory.instruction_cache.hit_latency = upto(k % 2 == 0 ? 40 : 400);
    expect_as_documented(m);
  }
}

// Full counters make an instruction wait in both.
TEST(machine_definition, counters_hold_as_many) {
  EXPECT_EQ(wcet::outstanding_operations::capacity, models::outstanding::capacity);
  EXPECT_EQ(models::outstanding::capacity, 15u) << "four bits (GCN3 ISA, S_WAITCNT)";
}

}  // namespace
}  // namespace pws::test::machine_definition_test
