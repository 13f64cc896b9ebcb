#include "platform/timing/machine_timing.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/machine/provisioning.h"
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
  constexpr uint64_t lanes = 64;
  // A fetch begins one cycle after its context's slot and passes decode and scoreboard, a cycle each.
  constexpr uint64_t fetch_stages = 3;
  const models::dram_config& d = c.memory.dram;
  wcet::machine_timing t;
  t.slot = lanes / c.valu_lanes;
  t.round = std::max<uint64_t>(c.n_wfc * t.slot, c.memory.instruction_cache.hit_latency + fetch_stages);
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
  // Closed page: a line's slot goes from activate to precharged.
  t.memory_frame = wcet::checked_product({c.n_cu, c.n_simd, c.n_wfc, uint64_t{d.t_rcd} + d.t_cl + d.t_burst + d.t_rp},
                                         "the memory frame");
  // Of this machine with PWS, whichever scheme it is set to.
  t.parts = 1 + std::min(c.spsimd_per_simd, c.split_points);
  t.address = lanes / c.valu_lanes;
  t.way_there = c.memory.interconnect.latency;
  t.way_back = uint64_t{d.t_rcd} + d.t_cl + d.t_burst + d.extra_latency + c.memory.interconnect.latency;
  t.atomic_slots = 2;
  t.line_bytes = c.memory.vector_l1.line_bytes;
  t.lds_frame = uint64_t{c.n_simd} * c.n_wfc;
  t.lds_banks = c.lds.banks;
  return t;
}

std::optional<wcet::machine_timing> timing_to_compile_for(const models::machine_config& c) {
  if (!why_not_predictable(c).empty()) return std::nullopt;
  return timing_of(models::provisioned(c));
}

}  // namespace pws::platform
