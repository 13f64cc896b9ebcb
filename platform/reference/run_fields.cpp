// The report of pwsvp run.
#include <string>

#include "models/compute_unit/statistics.h"
#include "platform/reference/report_fields.h"

namespace pws::platform::reference {

namespace {

constexpr const char* instructions = "wavefront instructions";
// By what issues them (issuer_of).
constexpr const char* issued = "wavefront instructions | warp instructions | path instructions";

std::vector<report_field> divergence() {
  const row rows[] = {
      {"scheme", text, "", "machine.divergence"},
      {"cuts", number, "branches at which a path was cut", "schemes that form warps"},
      {"splits", number, "SWFs created | stack entries with two sides", "of all wavefronts"},
      {"splits_one_sided", number, instructions, "splits that all work-items went the same way at"},
      {"splits_without_context", number, instructions, "splits for which no SWF context was free"},
      {"merges", number, "SWFs | stack entries with two sides", "that ended where the sides meet"},
      {"stack_depth", number, "stack entries, at most", "of a wavefront"},
      {"warp_splits", number, "warp-splits of a wavefront, at most", "scheme dws-table"},
      {"late_reconvergences", number, "merges passed by one side after the other", "scheme dws-table"},
      {"spsimd_per_simd", number, "", "S"},
      {"scoreboard", text, "", "machine.scoreboard"},
      {"false_dependences", number, instructions, "that waited for another path's results"},
      {"schedulable_paths", number, "paths per instruction", "that could have issued, on average"},
      {"spsimd.*.number", number, "", "SpSIMDID, from 2"},
      {"spsimd.*.valu_busy", number, "cycles, summed over units", "of the SpSIMD units of this number"},
      {"spsimd.*.swfs", number, "contexts in use, average per unit", "likewise"},
  };
  return field_list().add(rows).add(path_storage(), "storage").add(formation(), "formation").take();
}

std::vector<report_field> whole_cache() {
  constexpr row rows[] = {
      {"reads", number, "lines", "asked for"},
      {"read_hits", number, "lines", "of them there"},
      {"merged_misses", number, "lines", "that another miss had asked for already"},
      {"writes", number, "lines", "written"},
      {"atomics", number, "lines", "of atomic accesses"},
      {"writebacks", number, "lines", "to the memory behind"},
      {"waited_for_miss_register", number, "requests", "for want of a free one"},
  };
  return field_list().add(rows).take();
}

std::vector<report_field> memory() {
  constexpr row rows[] = {
      {"vector_instructions", number, issued, "that access memory"},
      {"vector_requests", number, "lines", "that they asked for, coalesced"},
      {"scalar_requests", number, "lines", "of scalar loads"},
      {"fetches", number, "requests", "of instructions"},
      {"loaded", number, "bytes", "by vector instructions"},
      {"stored", number, "bytes", "by vector instructions"},
  };
  constexpr row behind[] = {
      {"dram.reads", number, "lines", "from DRAM"},
      {"dram.writes", number, "lines", "to DRAM"},
      {"dram.row_hits", number, "lines", "in an open row"},
      {"dram.row_conflicts", number, "lines", "for which another row was closed"},
      {"dram.bus_busy", number, "cycles, summed over channels", "moving lines"},
      {"dram.bandwidth", number, "% of what the channels can move", "over the run"},
      {"tdm.lines", number, "lines", "memory.arbitration: tdm, in place of caches and DRAM"},
      {"tdm.frame", number, "cycles", "between two slots of a context"},
      {"tdm.waited_for_slot", number, "cycles, summed over lines", "until the context's slot"},
      {"tdm.longest_wait", number, "cycles", "of a line"},
  };
  field_list all;
  all.add(rows);
  for (const char* c : {"vector_l1", "scalar_cache", "instruction_cache", "l2"}) all.add(whole_cache(), c);
  return all.add(behind).take();
}

}  // namespace

std::vector<report_field> run() {
  constexpr row what[] = {
      {"run.file", text, "", "the run file"},
      {"run.kernel", text, "", "its name; it, grid, workgroup and occupancy where there is one launch"},
      {"run.source", text, "", "the program"},
      {"run.fidelity", text, "", "machine.fidelity"},
      {"run.grid", list, "work-items", "x, y, z"},
      {"run.workgroup", list, "work-items", "x, y, z"},
      {"split_points.choice", text, "", "program.split"},
      {"split_points.divergent_branches", number, "branches", "of the kernel"},
      {"split_points.split", number, "branches", "that pwscc made split"},
      {"split_points.carried_masks", number, "lane masks", "kept over merges"},
  };
  constexpr row machine[] = {
      {"counted_loops", number, "loops", "machine.check.loop_bounds: that have a bound"},
      {"result.completed", truth, "", "the kernel came to its end"},
      {"result.pass", truth, "", "it did, and all that is expected holds"},
      {"result.stopped", truth, "", "it did not: everything counted is until there"},
      {"result.signal", text, "", "that stopped it"},
      {"result.error", text, "", "why it stopped"},
      {"warnings", list, "", "what of the configuration does nothing, and which key to set"},
      {"cycles", number, "cycles", "launch to the last work-item's end"},
      {"simulated_time", number, "us", "the same by machine.clock_mhz"},
      {"instructions", number, issued, "of all units"},
      {"ipc", number, "wavefront instructions per cycle | warp instructions per cycle | path instructions per cycle",
       "of the machine"},
  };
  constexpr row expected[] = {
      {"buffer", text, "", "its name in the run file"},
      {"pass", truth, "", "it holds what is expected"},
      {"text", text, "", "what was found"},
  };
  constexpr row counted[] = {
      {"simd_lane_utilisation", number, "%", "active lanes of vector ALU instructions, of a wavefront's or a warp's"},
      {"workgroups", number, "workgroups", "that ran"},
      {"wavefronts", number, "wavefronts", "that ran"},
      {"branches", number, issued, "that are branches"},
      {"branches_taken", number, issued, "of them taken"},
      {"valu_busy", number, "cycles, summed over SIMD units", "of vector ALUs"},
      {"salu_busy", number, "cycles, summed over SIMD units", "of scalar ALUs"},
      {"simd_idle", number, "cycles without an issue, summed over SIMD units", "over the run"},
      {"lds.conflict_cycles", number, "cycles", "that bank conflicts took"},
      {"host.wall_clock", number, "s", "of the host, for the launch"},
      {"host.cpu_time", number, "s", "of this process, for the launch"},
  };
  field_list all;
  all.add(what)
      .add(launch_choice(), "split_points.by_launch")
      .add(occupancy(), "occupancy")
      .add(reference::machine(), "machine")
      .add(machine)
      .add(expected, "result.expect.*");
  for (size_t k = 0; k < models::n_units; ++k)
    all.add({std::string("instructions_by_unit.") + models::name_of(static_cast<isa::unit>(k)), number, issued,
             "of this unit"});
  return all.add(counted)
      .add(configuration(file_kind::run))
      .add(reference::branches(), "branch_uniformity")
      .add({"branch_uniformity.kernels.*.kernel", text, "", "several launches: by kernel"})
      .add(reference::branches(), "branch_uniformity.kernels.*")
      .add(branch_totals(), "branch_uniformity.totals")
      .add(waiting())
      .add(divergence(), "divergence")
      .add(reference::cosim(), "cosim")
      .add(reference::findings(), "check")
      .add(memory(), "memory")
      .add(launch_entry(), "per_launch.*")
      .add(expected, "per_launch.*.expect.*")
      .take();
}

}  // namespace pws::platform::reference
