#include "platform/report/launch_report.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "platform/json/quantity.h"
#include "platform/report/machine_report.h"
#include "platform/report/occupancy_report.h"
#include "platform/report/run_report.h"

namespace pws::platform {

namespace {
using nlohmann::ordered_json;

void put_cache(json_text& t, const char* key, uint64_t reads, uint64_t hits) {
  const auto cache = t.object(key);
  t.add("reads", reads, "lines");
  t.add("read_hits", hits, "lines");
  t.add("read_misses", reads - hits, "lines");
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

void put(json_text& t, const machine_counters& n, counted what) {
  t.add("workgroups", n.workgroups);
  t.add("wavefronts", n.wavefronts);
  t.add("instructions", n.instructions);
  t.add("vector_alu_instructions", n.valu_instructions);
  t.add("simd_lane_utilisation", n.simd_lane_utilisation(), "%");
  if (what == counted::executed) return;
  t.add("loaded", n.bytes_loaded, "bytes");
  t.add("stored", n.bytes_stored, "bytes");
  put_cache(t, "vector_l1", n.l1_reads, n.l1_hits);
  put_cache(t, "l2", n.l2_reads, n.l2_hits);
  {
    const auto dram = t.object("dram");
    t.add("reads", n.dram_reads, "lines");
    t.add("writes", n.dram_writes, "lines");
  }
  t.add("splits", n.splits);
  t.add("merges", n.merges);
  t.add("splits_one_sided", n.one_sided);
  t.add("late_reconvergences", n.late_reconvergences);
  t.add("false_dependences", n.false_dependences);
  t.add("schedulable_paths",
        n.instructions == 0 ? 0.0 : static_cast<double>(n.schedulable_paths) / static_cast<double>(n.instructions),
        "paths per instruction");
  const auto waiting = t.object("waiting");
  for (size_t k = 0; k < n.stalls.size(); ++k)
    t.add(models::name_of(static_cast<models::stall>(k)), n.stalls[k], "context cycles");
}

ordered_json to_json(const machine_counters& n) {
  return json_tree([&n](json_text& t) { put(t, n, counted::everything); });
}

void put(json_text& t, const launch_report& r, const models::machine_config& m, counted what) {
  t.add("number", r.number);
  t.add("kernel", r.kernel);
  t.add("fidelity", name_of(r.fidelity));
  for (const auto& [key, shape] : {std::pair{"grid", &r.grid}, std::pair{"workgroup", &r.workgroup}}) {
    const auto list = t.list(key);
    for (const uint32_t n : *shape) t.add_element(n);
  }
  t.add("dynamic_lds", r.lds_bytes, "bytes");
  {
    const auto occupancy = t.object("occupancy");
    put(t, r.occupancy);
  }
  t.add("completed", r.completed);
  if (!r.completed) t.add("error", r.error);
  if (r.fidelity == models::fidelity::timing) {
    t.add("cycles", r.cycles, "cycles");
    t.add("simulated_time", simulated_time(r.cycles, m));
  }
  {
    const auto counters = t.object("counters");
    put(t, r.counters, what);
  }
  if (!r.checks.empty()) t.add("expect", to_json(r.checks));
}

ordered_json to_json(const launch_report& r, const models::machine_config& m) {
  return json_tree([&](json_text& t) { put(t, r, m, counted::everything); });
}

ordered_json to_json(const std::vector<check_outcome>& checks) {
  ordered_json j = ordered_json::array();
  for (const check_outcome& c : checks) j.push_back({{"buffer", c.buffer}, {"pass", c.pass}, {"text", c.text}});
  return j;
}

}  // namespace pws::platform
