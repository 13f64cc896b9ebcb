#include "platform/report/launch_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "platform/json/quantity.h"
#include "platform/report/occupancy_report.h"
#include "platform/report/run_report.h"

namespace pws::platform {

namespace {
using nlohmann::ordered_json;

ordered_json waiting_json(const machine_counters& n) {
  ordered_json j;
  for (size_t k = 0; k < n.stalls.size(); ++k)
    j[models::name_of(static_cast<models::stall>(k))] = quantity(n.stalls[k], "context cycles");
  return j;
}

ordered_json cache_json(uint64_t reads, uint64_t hits) {
  return {{"reads", quantity(reads, "lines")},
          {"read_hits", quantity(hits, "lines")},
          {"read_misses", quantity(reads - hits, "lines")}};
}

template <class F>
void for_each_field(machine_counters& a, const machine_counters& b, F f) {
  f(a.workgroups, b.workgroups);
  f(a.wavefronts, b.wavefronts);
  f(a.instructions, b.instructions);
  f(a.valu_instructions, b.valu_instructions);
  f(a.valu_lanes, b.valu_lanes);
  f(a.valu_lanes_at_most, b.valu_lanes_at_most);
  f(a.bytes_loaded, b.bytes_loaded);
  f(a.bytes_stored, b.bytes_stored);
  f(a.l1_reads, b.l1_reads);
  f(a.l1_hits, b.l1_hits);
  f(a.l2_reads, b.l2_reads);
  f(a.l2_hits, b.l2_hits);
  f(a.dram_reads, b.dram_reads);
  f(a.dram_writes, b.dram_writes);
  f(a.splits, b.splits);
  f(a.merges, b.merges);
  f(a.one_sided, b.one_sided);
  f(a.schedulable_paths, b.schedulable_paths);
  f(a.late_reconvergences, b.late_reconvergences);
  f(a.false_dependences, b.false_dependences);
  f(a.simd_issuing, b.simd_issuing);
  f(a.dram_busy, b.dram_busy);
  models::formation_statistics::for_each_count(a.formation, b.formation, f);
  for (size_t k = 0; k < a.stalls.size(); ++k) f(a.stalls[k], b.stalls[k]);
}
}  // namespace

double lane_utilisation(uint64_t active, uint64_t at_most) {
  return percent(active, at_most);
}

machine_counters operator-(const machine_counters& a, const machine_counters& b) {
  machine_counters d = a;
  for_each_field(d, b, [](uint64_t& x, uint64_t y) { x -= y; });
  return d;
}

machine_counters& operator+=(machine_counters& a, const machine_counters& b) {
  for_each_field(a, b, [](uint64_t& x, uint64_t y) { x += y; });
  a.formation.raise_levels(b.formation);
  a.stack_depth = std::max(a.stack_depth, b.stack_depth);
  a.warp_splits = std::max(a.warp_splits, b.warp_splits);
  return a;
}

machine_counters read_counters(const virtual_platform& gpu) {
  run_report r;
  gather(r, gpu);
  machine_counters n;
  n.workgroups = r.cu.workgroups;
  n.wavefronts = r.cu.wavefronts;
  n.instructions = r.cu.total_instructions();
  n.valu_instructions = r.cu.valu_instructions();
  n.valu_lanes = r.cu.valu_lanes;
  n.valu_lanes_at_most = r.cu.valu_lanes_at_most(gpu.config);
  n.bytes_loaded = r.requests.bytes_loaded;
  n.bytes_stored = r.requests.bytes_stored;
  n.l1_reads = r.vector_l1.reads;
  n.l1_hits = r.vector_l1.read_hits;
  n.l2_reads = r.l2.reads;
  n.l2_hits = r.l2.read_hits;
  n.dram_reads = r.dram.reads;
  n.dram_writes = r.dram.writes;
  n.splits = r.divergence.splits;
  n.merges = r.divergence.merges;
  n.one_sided = r.divergence.one_sided;
  n.schedulable_paths = r.cu.schedulable_paths;
  n.late_reconvergences = r.divergence.late;
  n.false_dependences = r.cu.false_dependences;
  n.simd_issuing = r.simd_issuing;
  n.dram_busy = r.dram.busy_cycles;
  n.formation = r.formation;
  n.stack_depth = r.divergence.deepest;
  n.warp_splits = r.divergence.most_splits;
  n.stalls = r.cu.stalls;
  return n;
}

ordered_json to_json(const machine_counters& n) {
  return {{"workgroups", n.workgroups},
          {"wavefronts", n.wavefronts},
          {"instructions", n.instructions},
          {"vector_alu_instructions", n.valu_instructions},
          {"simd_lane_utilisation", quantity(n.simd_lane_utilisation(), "%")},
          {"loaded", quantity(n.bytes_loaded, "bytes")},
          {"stored", quantity(n.bytes_stored, "bytes")},
          {"vector_l1", cache_json(n.l1_reads, n.l1_hits)},
          {"l2", cache_json(n.l2_reads, n.l2_hits)},
          {"dram", {{"reads", quantity(n.dram_reads, "lines")}, {"writes", quantity(n.dram_writes, "lines")}}},
          {"splits", n.splits},
          {"merges", n.merges},
          {"splits_one_sided", n.one_sided},
          {"late_reconvergences", n.late_reconvergences},
          {"false_dependences", n.false_dependences},
          {"schedulable_paths", quantity(n.instructions == 0 ? 0.0
                                                             : static_cast<double>(n.schedulable_paths) /
                                                                   static_cast<double>(n.instructions),
                                         "paths per wavefront instruction")},
          {"waiting", waiting_json(n)}};
}

ordered_json to_json(const launch_report& r, uint32_t clock_mhz) {
  ordered_json j = {{"number", r.number},
                    {"kernel", r.kernel},
                    {"fidelity", name_of(r.fidelity)},
                    {"grid", r.grid},
                    {"workgroup", r.workgroup},
                    {"dynamic_lds", quantity(r.lds_bytes, "bytes")},
                    {"occupancy", to_json(r.occupancy)},
                    {"completed", r.completed}};
  if (!r.completed) j["error"] = r.error;
  if (r.fidelity == models::fidelity::timing) {
    j["cycles"] = quantity(r.cycles, "cycles");
    j["simulated_time"] = quantity(static_cast<double>(r.cycles) / clock_mhz, "us");
  }
  j["counters"] = to_json(r.counters);
  if (!r.checks.empty()) j["expect"] = to_json(r.checks);
  return j;
}

ordered_json to_json(const std::vector<check_outcome>& checks) {
  ordered_json j = ordered_json::array();
  for (const check_outcome& c : checks) j.push_back({{"buffer", c.buffer}, {"pass", c.pass}, {"text", c.text}});
  return j;
}

}  // namespace pws::platform
