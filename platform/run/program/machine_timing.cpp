// SPDX-License-Identifier: Apache-2.0
#include "platform/run/program/machine_timing.h"

#include <fmt/format.h>

#include "base/error.h"
#include "models/machine/machine_config.h"
#include "models/machine/time_division.h"
#include "sw/wcet/checked.h"

namespace pws::platform {

namespace {

// Empty: it is.
std::string why_not_predictable(const models::machine_config& c) {
  if (c.schedule != models::schedule_policy::tdm || c.memory.arbitration != models::memory_arbitration::tdm)
    return "static block times need a machine whose latencies are bounded: machine.schedule: tdm and "
           "machine.memory.arbitration: tdm (configs/gpu/predictable.yaml); for this one there are measured ones "
           "(wcet.block_times: measured)";
  constexpr uint32_t longest_instruction = 8;
  if (c.fetch_bytes < longest_instruction || c.ibuf_dwords * 4 < c.fetch_bytes + longest_instruction)
    return fmt::format(
        "static block times need a fetch that holds the longest instruction ({0} bytes) and an instruction "
        "buffer for a "
        "fetch and {0} bytes: machine.fetch_bytes is {1}, machine.ibuf_dwords {2}",
        longest_instruction, c.fetch_bytes, c.ibuf_dwords);
  return "";
}

}  // namespace

wcet::machine_timing timing_of(const models::machine_config& c) {
  if (const std::string why = why_not_predictable(c); !why.empty()) throw input_error(why);
  const models::issue_rounds issue = models::issue_rounds_of(c);
  const models::line_slots lines = models::line_slots_of(c);
  wcet::machine_timing t;
  t.slot = issue.slot;
  t.round = issue.round;
  t.salu = c.latency.salu;
  t.valu = c.latency.valu;
  t.valu_trans = c.latency.valu_trans;
  t.valu_f64 = c.latency.valu_f64;
  t.branch = c.latency.branch;
  t.lds = c.latency.lds;
  t.internal = c.latency.internal;
  t.split = c.split_cycles;
  t.merge = c.merge_cycles;
  t.fetch_bytes = c.fetch_bytes;
  t.memory_frame = wcet::checked_product(lines.slot, lines.places, "the memory frame");
  t.address = models::valu_cycles(c);
  t.way_there = lines.way_there;
  t.way_back = lines.way_back;
  t.atomic_slots = models::atomic_slots;
  t.line_bytes = c.memory.vector_l1.line_bytes;
  t.lds_frame = models::lds_slot * models::contexts_of_cu(c);
  t.lds_banks = c.lds.banks;
  return t;
}

std::optional<wcet::machine_timing> timing_to_compile_for(const models::machine_config& c) {
  if (!why_not_predictable(c).empty()) return std::nullopt;
  return timing_of(models::provisioned(c));
}

}  // namespace pws::platform
