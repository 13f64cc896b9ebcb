#include "platform/report/run_report.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "models/compute_unit/warp_scheduler.h"
#include "models/machine/provisioning.h"
#include "platform/check/finding_report.h"
#include "platform/gpu/interruption.h"
#include "platform/json/json_file.h"
#include "platform/json/quantity.h"
#include "platform/report/formation_report.h"
#include "platform/report/machine_report.h"
#include "platform/report/occupancy_report.h"
#include "platform/report/storage_report.h"
#include "platform/uniformity/branch_report.h"

namespace pws::platform {

namespace {
using nlohmann::ordered_json;

void add(models::cache_statistics& to, const models::cache_statistics& s) {
  to.reads += s.reads;
  to.read_hits += s.read_hits;
  to.writes += s.writes;
  to.atomics += s.atomics;
  to.merged += s.merged;
  to.blocked += s.blocked;
  to.writebacks += s.writebacks;
}

void add(models::cu_statistics& to, const models::cu_statistics& s) {
  for (size_t k = 0; k < to.instructions.size(); ++k) to.instructions[k] += s.instructions[k];
  for (size_t k = 0; k < to.stalls.size(); ++k) to.stalls[k] += s.stalls[k];
  to.valu_lanes += s.valu_lanes;
  to.valu_busy += s.valu_busy;
  to.salu_busy += s.salu_busy;
  to.workgroups += s.workgroups;
  to.wavefronts += s.wavefronts;
  to.barriers += s.barriers;
  to.branches += s.branches;
  to.branches_taken += s.branches_taken;
  to.schedulable_paths += s.schedulable_paths;
  to.false_dependences += s.false_dependences;
}

void add(models::memory_statistics& to, const models::memory_statistics& s) {
  to.vector_instructions += s.vector_instructions;
  to.vector_lines += s.vector_lines;
  to.scalar_lines += s.scalar_lines;
  to.fetches += s.fetches;
  to.bytes_loaded += s.bytes_loaded;
  to.bytes_stored += s.bytes_stored;
}

ordered_json to_json(const models::cache_statistics& s) {
  return {{"reads", quantity(s.reads, "lines")},
          {"read_hits", quantity(s.read_hits, "lines")},
          {"merged_misses", quantity(s.merged, "lines")},
          {"writes", quantity(s.writes, "lines")},
          {"atomics", quantity(s.atomics, "lines")},
          {"writebacks", quantity(s.writebacks, "lines")},
          {"waited_for_miss_register", quantity(s.blocked, "requests")}};
}

void add(models::divergence_statistics& to, const models::divergence_statistics& s) {
  to.splits += s.splits;
  to.one_sided += s.one_sided;
  to.no_context += s.no_context;
  to.merges += s.merges;
  to.deepest = std::max(to.deepest, s.deepest);
  to.most_splits = std::max(to.most_splits, s.most_splits);
  to.late += s.late;
}
}  // namespace

bool run_report::pass() const {
  const std::vector<check_outcome> all = all_checks();
  return completed && found.clean() &&
         std::all_of(all.begin(), all.end(), [](const check_outcome& c) { return c.pass; });
}

std::vector<check_outcome> run_report::all_checks() const {
  std::vector<check_outcome> all;
  for (const launch_report& l : launches)
    for (const check_outcome& c : l.checks)
      all.push_back({fmt::format("launch {}: {}", l.number, c.buffer), c.pass, c.text});
  all.insert(all.end(), checks.begin(), checks.end());
  return all;
}

double run_report::simd_lane_utilisation() const {
  return lane_utilisation(cu.valu_lanes, cu.valu_lanes_at_most(machine));
}

double run_report::schedulable_paths() const {
  const uint64_t n = cu.total_instructions();
  return n == 0 ? 0 : static_cast<double>(cu.schedulable_paths) / static_cast<double>(n);
}

void gather(run_report& r, const virtual_platform& gpu) {
  r.spsimds.resize(models::spsimds_per_simd(gpu.config));
  for (const auto& cu : gpu.cus) {
    add(r.cu, cu->statistics());
    add(r.requests, cu->mif.statistics());
    r.lds_conflict_cycles += cu->lds().conflict_cycles();
    add(r.divergence, cu->scheme().statistics());
    r.simd_units += cu->layout().simds;
    for (uint32_t s = 0; cu->warps() != nullptr && s < cu->layout().simds; ++s)
      r.formation += cu->warps()->statistics(models::simd_id(s));
    for (uint32_t u = 0; u < cu->layout().simds; ++u) r.simd_issuing += cu->unit(models::unit_id(u)).issuing_cycles;
    for (uint32_t u = cu->layout().simds; u < cu->layout().count(); ++u) {
      const models::simd_unit& unit = cu->unit(models::unit_id(u));
      run_report::spsimd_use& use = r.spsimds[unit.number.spsimd_index()];
      use.valu_busy += unit.valu_busy;
      use.swf_occupancy += unit.swf_occupancy;
    }
  }
  for (const auto& c : gpu.memory.vector_l1) add(r.vector_l1, c->statistics());
  for (const auto& c : gpu.memory.scalar_cache) add(r.scalar_cache, c->statistics());
  for (const auto& c : gpu.memory.instruction_cache) add(r.instruction_cache, c->statistics());
  for (const auto& c : gpu.memory.l2) add(r.l2, c->statistics());
  r.dram = gpu.memory.dram.statistics();
  r.cosim = {gpu.config.cosim.mode, gpu.cosim.units(), gpu.cosim.statistics()};
  if (gpu.memory.predictable) r.tdm = gpu.memory.predictable->statistics();
}

namespace {
// Unit cycles that the machine's SpSIMD units of one number had.
uint64_t spsimd_cycles(const run_report& r) {
  return r.cycles * r.machine.n_cu * models::provisioned(r.machine).n_simd;
}

std::string spsimd_text(const run_report& r) {
  constexpr size_t shown = 4;
  std::string text = "VALU busy ";
  for (size_t k = 0; k < std::min(shown, r.spsimds.size()); ++k)
    text += fmt::format("{}{:.1f} %", k == 0 ? "" : ", ", percent(r.spsimds[k].valu_busy, spsimd_cycles(r)));
  if (r.spsimds.size() > shown) text += fmt::format(", ... ({} in the report)", r.spsimds.size());
  return text;
}

std::string memory_text(const run_report& r) {
  if (r.machine.memory.arbitration == models::memory_arbitration::tdm)
    return fmt::format("{} lines in slots of a {}-cycle frame; waited {:.0f} cycles on average, {} at most",
                       r.tdm.lines, r.tdm.frame,
                       r.tdm.lines == 0 ? 0.0 : static_cast<double>(r.tdm.waited) / static_cast<double>(r.tdm.lines),
                       r.tdm.longest_wait);
  return fmt::format("L1 {:.1f} % of {} reads hit, L2 {:.1f} % of {}; DRAM {} reads, {} writes, {:.1f} % row hits",
                     percent(r.vector_l1.read_hits, r.vector_l1.reads), r.vector_l1.reads,
                     percent(r.l2.read_hits, r.l2.reads), r.l2.reads, r.dram.reads, r.dram.writes,
                     percent(r.dram.row_hits, r.dram.reads + r.dram.writes));
}
}  // namespace

void print(std::ostream& out, const run_report& r) {
  const auto row = [&](const char* label, const std::string& text) { fmt::print(out, "  {:<13}{}\n", label, text); };
  const models::machine_config& m = r.machine;
  const bool several = r.launches.size() != 1;
  if (several)
    fmt::print(out, "{}: {} launches\n", r.source, r.launches.size());
  else
    fmt::print(out, "{} ({})\n", r.launches.front().kernel, r.source);
  row("machine", fmt::format("{}, {}", machine_text(m), name_of(m.fidelity)));
  for (const launch_report& l : r.launches) {
    std::string text = fmt::format("{}x{}x{} work-items in workgroups of {}x{}x{}: {} workgroups, {} wavefronts",
                                   l.grid[0], l.grid[1], l.grid[2], l.workgroup[0], l.workgroup[1], l.workgroup[2],
                                   l.counters.workgroups, l.counters.wavefronts);
    if (several && m.fidelity == models::fidelity::timing) text += fmt::format("; {} cycles", l.cycles);
    row(several ? fmt::format("launch {}", l.number).c_str() : "launch", (several ? l.kernel + ": " : "") + text);
    if (!several) row("occupancy", platform::text(l.occupancy));
  }
  if (!r.split.choice.empty())
    row("split points", fmt::format("{}: {} of {} divergent branches, {} lane masks carried", r.split.choice,
                                    r.split.splits, r.split.branches, r.split.carried_masks));
  if (r.split.by_launch) row("by launch", platform::text(*r.split.by_launch));
  if (m.check.loop_bounds)
    row("loop bounds", r.counted_loops == 0 ? "none: the kernel carries no PWS_LOOP_BOUND"
                                            : fmt::format("{} marked loops counted", r.counted_loops));
  const bool timed = m.fidelity == models::fidelity::timing;
  const char* stopped = r.completed ? "" : ", until it stopped";
  if (timed) row("cycles", fmt::format("{} ({}){}", r.cycles, simulated_time_text(r.cycles, m), stopped));
  const models::scheme_traits& scheme = models::traits_of(m.divergence);
  const char* const by = issuer_of(m, m.fidelity);
  row("instructions", timed ? fmt::format("{} by {}s, IPC {:.2f}{}", r.cu.total_instructions(), by, r.ipc(), stopped)
                            : fmt::format("{} by {}s{}", r.cu.total_instructions(), by, stopped));
  row("SIMD lanes",
      fmt::format("{:.1f} % active in {} vector ALU instructions; {} branches, {} taken", r.simd_lane_utilisation(),
                  r.cu.valu_instructions(), r.cu.branches, r.cu.branches_taken));
  for (const kernel_branches& k : r.branches) {
    row("branches", (several ? k.kernel + ": " : "") + platform::text(k.totals()));
    print_branches(out, k);
  }
  if (scheme.forms_warps()) {
    row("divergence",
        fmt::format("{}, warps of {}: {} cuts at branches", scheme.name, models::warp_size_of(m), r.divergence.splits));
    if (timed)
      for (const auto& [label, text] : formation_rows(m, r.formation, r.cycles)) row(label, text);
  } else if (scheme.splits()) {
    if (scheme.has_stack())
      row("splitting",
          fmt::format("{}: {} splits, {} merges; {} splits one-sided; at most {} stack entries", scheme.name,
                      r.divergence.splits, r.divergence.merges, r.divergence.one_sided, r.divergence.deepest));
    else
      row("splitting", fmt::format("{}, S = {}: {} splits, {} merges; {} splits one-sided, {} without a free context",
                                   scheme.name, m.spsimd_per_simd, r.divergence.splits, r.divergence.merges,
                                   r.divergence.one_sided, r.divergence.no_context));
    if (scheme.has_warp_split_table())
      row("warp-splits", fmt::format("at most {} of a wavefront; {} late reconvergences", r.divergence.most_splits,
                                     r.divergence.late));
    std::string text = fmt::format("{:.2f} schedulable per instruction", r.schedulable_paths());
    if (timed)
      text +=
          fmt::format("; {} context cycles waiting at merges", r.cu.stalls[static_cast<size_t>(models::stall::merge)]);
    if (m.scoreboard == models::path_scoreboard::conservative)
      text += fmt::format("; {} instructions waited for another path's results", r.cu.false_dependences);
    row("paths", text);
    if (scheme.has_stack())
      row("storage", platform::text(models::storage_of(m, r.divergence.deepest, r.divergence.most_splits)));
    if (timed && !r.spsimds.empty()) row("SpSIMD units", spsimd_text(r));
    if (r.cosim.units != 0) row("RTL", cosim::text(r.cosim));
  }
  if (timed) {
    row("memory", memory_text(r));
    uint64_t total = 0;
    for (const uint64_t s : r.cu.stalls) total += s;
    std::string text;
    for (size_t k = 0; k < r.cu.stalls.size(); ++k)
      text += fmt::format("{}{} {:.1f} %", k == 0 ? "" : ", ", models::name_of(static_cast<models::stall>(k)),
                          percent(r.cu.stalls[k], total));
    row("waiting", text);
  }
  const double rate = r.host_seconds > 0 ? static_cast<double>(r.cu.total_instructions()) / r.host_seconds : 0;
  row("host", fmt::format("{:.3f} s, {:.3g} {} instructions per second", r.host_seconds, rate, by));
  if (r.found.any_on()) {
    row("check", platform::text(r.found, r.completed ? 0 : 1));
    print_findings(out, r.found);
  }
  for (const std::string& w : r.warnings) row("warning", w);
  const std::vector<check_outcome> checks = r.all_checks();
  for (const check_outcome& c : checks)
    row("expect", fmt::format("{}: {}: {}", c.buffer, c.pass ? "PASS" : "FAIL", c.text));
  if (!r.completed) fmt::print(out, "error: {}\n", r.error);
  if (r.completed && checks.empty()) row("expect", "nothing stated: the output is not checked");
  fmt::print(out, "{}\n", r.pass() ? "PASS" : "FAIL");
}

namespace {
std::string instructions_of(const run_report& r) {
  return std::string(issuer_of(r.machine, r.machine.fidelity)) + " instructions";
}

ordered_json divergence_json(const run_report& r) {
  const models::machine_config& m = r.machine;
  const models::scheme_traits& scheme = models::traits_of(m.divergence);
  ordered_json d = {{"scheme", scheme.name}};
  if (scheme.forms_warps()) {
    d["cuts"] = quantity(r.divergence.splits, "branches at which a path was cut");
    if (m.fidelity == models::fidelity::timing) d["formation"] = platform::to_json(m, r.formation, r.cycles);
    return d;
  }
  if (scheme.has_stack()) {
    d["splits"] = quantity(r.divergence.splits, "stack entries with two sides");
    d["splits_one_sided"] = quantity(r.divergence.one_sided, "wavefront instructions");
    d["merges"] = quantity(r.divergence.merges, "stack entries with two sides");
    d["stack_depth"] = quantity(r.divergence.deepest, "stack entries, at most");
    if (scheme.has_warp_split_table()) {
      d["warp_splits"] = quantity(r.divergence.most_splits, "warp-splits of a wavefront, at most");
      d["late_reconvergences"] = quantity(r.divergence.late, "merges passed by one side after the other");
    }
  } else {
    d["spsimd_per_simd"] = m.spsimd_per_simd;
    d["splits"] = quantity(r.divergence.splits, "SWFs created");
    d["splits_one_sided"] = quantity(r.divergence.one_sided, "wavefront instructions");
    d["splits_without_context"] = quantity(r.divergence.no_context, "wavefront instructions");
    d["merges"] = quantity(r.divergence.merges, "SWFs");
  }
  if (scheme.has_stack())
    d["storage"] = platform::to_json(models::storage_of(m, r.divergence.deepest, r.divergence.most_splits));
  d["scoreboard"] = name_of(m.scoreboard);
  if (m.scoreboard == models::path_scoreboard::conservative)
    d["false_dependences"] = quantity(r.cu.false_dependences, "wavefront instructions");
  d["schedulable_paths"] = quantity(r.schedulable_paths(), "paths per instruction");
  for (size_t k = 0; k < r.spsimds.size(); ++k)
    d["spsimd"].push_back({{"number", models::swf_number::spsimd_unit(static_cast<uint32_t>(k)).value()},
                           {"valu_busy", quantity(r.spsimds[k].valu_busy, "cycles, summed over units")},
                           {"swfs", quantity(r.cycles == 0 ? 0.0
                                                           : static_cast<double>(r.spsimds[k].swf_occupancy) /
                                                                 static_cast<double>(spsimd_cycles(r)),
                                             "contexts in use, average per unit")}});
  return d;
}

ordered_json memory_json(const run_report& r) {
  ordered_json j = {{"vector_instructions", quantity(r.requests.vector_instructions, instructions_of(r).c_str())},
                    {"vector_requests", quantity(r.requests.vector_lines, "lines")},
                    {"scalar_requests", quantity(r.requests.scalar_lines, "lines")},
                    {"fetches", quantity(r.requests.fetches, "requests")},
                    {"loaded", quantity(r.requests.bytes_loaded, "bytes")},
                    {"stored", quantity(r.requests.bytes_stored, "bytes")},
                    {"vector_l1", to_json(r.vector_l1)},
                    {"scalar_cache", to_json(r.scalar_cache)},
                    {"instruction_cache", to_json(r.instruction_cache)},
                    {"l2", to_json(r.l2)},
                    {"dram",
                     {{"reads", quantity(r.dram.reads, "lines")},
                      {"writes", quantity(r.dram.writes, "lines")},
                      {"row_hits", quantity(r.dram.row_hits, "lines")},
                      {"row_conflicts", quantity(r.dram.row_conflicts, "lines")},
                      {"bus_busy", quantity(r.dram.busy_cycles, "cycles, summed over channels")},
                      {"bandwidth", dram_bandwidth(r.dram.busy_cycles, r.cycles, r.machine)}}}};
  if (r.machine.memory.arbitration == models::memory_arbitration::tdm) {
    for (const char* unused : {"vector_l1", "scalar_cache", "instruction_cache", "l2", "dram"}) j.erase(unused);
    j["tdm"] = {{"lines", quantity(r.tdm.lines, "lines")},
                {"frame", quantity(r.tdm.frame, "cycles")},
                {"waited_for_slot", quantity(r.tdm.waited, "cycles, summed over lines")},
                {"longest_wait", quantity(r.tdm.longest_wait, "cycles")}};
  }
  return j;
}

}  // namespace

ordered_json to_json(const run_report& r) {
  const models::machine_config& m = r.machine;
  ordered_json j;
  j["run"] = {{"file", r.file}, {"source", r.source}, {"fidelity", name_of(m.fidelity)}};
  const bool single = r.launches.size() == 1;
  if (single) {
    j["run"]["kernel"] = r.launches.front().kernel;
    j["run"]["grid"] = quantity(r.launches.front().grid, "work-items");
    j["run"]["workgroup"] = quantity(r.launches.front().workgroup, "work-items");
  }
  if (!r.split.choice.empty())
    j["split_points"] = {{"choice", r.split.choice},
                         {"divergent_branches", quantity(r.split.branches, "branches")},
                         {"split", quantity(r.split.splits, "branches")},
                         {"carried_masks", quantity(r.split.carried_masks, "lane masks")}};
  if (r.split.by_launch) j["split_points"]["by_launch"] = platform::to_json(*r.split.by_launch);
  if (single) j["occupancy"] = platform::to_json(r.launches.front().occupancy);
  if (m.check.loop_bounds) j["counted_loops"] = quantity(r.counted_loops, "loops");
  j["machine"] = machine_json(m);
  add_inputs(j, r.inputs);
  j["result"] = {{"completed", r.completed}, {"pass", r.pass()}, {"stopped", !r.completed}};
  if (r.signal != 0) j["result"]["signal"] = signal_name(r.signal);
  if (!r.error.empty()) j["result"]["error"] = r.error;
  if (!r.checks.empty()) j["result"]["expect"] = platform::to_json(r.checks);
  if (r.found.any_on()) j["check"] = platform::to_json(r.found);
  j["warnings"] = r.warnings;
  j["cycles"] = quantity(r.cycles, "cycles");
  j["simulated_time"] = simulated_time(r.cycles, m);
  const std::string instructions = instructions_of(r);
  j["instructions"] = quantity(r.cu.total_instructions(), instructions.c_str());
  j["ipc"] = quantity(r.ipc(), (instructions + " per cycle").c_str());
  for (size_t k = 0; k < r.cu.instructions.size(); ++k)
    j["instructions_by_unit"][models::name_of(static_cast<isa::unit>(k))] =
        quantity(r.cu.instructions[k], instructions.c_str());
  j["simd_lane_utilisation"] = quantity(r.simd_lane_utilisation(), "%");
  j["workgroups"] = quantity(r.cu.workgroups, "workgroups");
  j["wavefronts"] = quantity(r.cu.wavefronts, "wavefronts");
  j["branches"] = quantity(r.cu.branches, instructions.c_str());
  j["branches_taken"] = quantity(r.cu.branches_taken, instructions.c_str());
  if (single && !r.branches.empty())
    j["branch_uniformity"] = platform::to_json(r.branches.front());
  else if (!r.branches.empty())
    j["branch_uniformity"] = platform::to_json(r.branches);
  j["valu_busy"] = quantity(r.cu.valu_busy, "cycles, summed over SIMD units");
  j["salu_busy"] = quantity(r.cu.salu_busy, "cycles, summed over SIMD units");
  j["simd_idle"] = quantity(r.simd_idle(), "cycles without an issue, summed over SIMD units");
  for (size_t k = 0; k < r.cu.stalls.size(); ++k)
    j["waiting"][models::name_of(static_cast<models::stall>(k))] = quantity(r.cu.stalls[k], "context cycles");
  if (models::traits_of(m.divergence).splits()) j["divergence"] = divergence_json(r);
  if (r.cosim.units != 0) j["cosim"] = cosim::to_json(r.cosim);
  j["lds"] = {{"conflict_cycles", quantity(r.lds_conflict_cycles, "cycles")}};
  j["memory"] = memory_json(r);
  j["per_launch"] = ordered_json::array();
  for (const launch_report& l : r.launches) j["per_launch"].push_back(platform::to_json(l, m));
  j["host"] = {{"wall_clock", quantity(r.host_seconds, "s")}, {"cpu_time", quantity(r.host_cpu_seconds, "s")}};
  return j;
}

void write_json(const std::string& path, const run_report& r) {
  write_json_file("--report", path, to_json(r));
}

}  // namespace pws::platform
