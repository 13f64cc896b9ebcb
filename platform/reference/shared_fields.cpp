// Parts that the reports of pwsvp run and pwsvp exec share.
#include <string>

#include "models/compute_unit/statistics.h"
#include "models/machine/occupancy.h"
#include "platform/reference/report_fields.h"

namespace pws::platform::reference {

namespace {
constexpr const char* simd_cycles = "cycles, summed over SIMD units";
}  // namespace

std::vector<report_field> occupancy() {
  constexpr row rows[] = {
      {"workgroups_per_cu", number, "workgroups", "that a compute unit holds at a time"},
      {"wavefronts_per_simd", number, "wavefronts, on average", "that a SIMD unit holds at a time"},
      {"share", number, "of the wavefront contexts", "that are in use then"},
      {"limited_by", list, "", "resources of which more would let in another workgroup"},
  };
  field_list all;
  all.add(rows);
  for (const auto& r : enumerators(models::cu_resource{}))
    all.add({std::string("enough_for.") + r.name, number, "workgroups per compute unit",
             std::string("as far as it depends on ") + r.name});
  return all.take();
}

std::vector<report_field> branch_totals() {
  constexpr row rows[] = {
      {"branches", number, "branches in the code", "that can depend on work-items"},
      {"proved_uniform", number, "branches that are uniform in every run", "by the analysis of the code"},
      {"contradictions", number, "branches proved uniform that were divergent", "must be 0"},
      {"uniform", number, "of the branches: executed and never divergent", "share"},
      {"divergent", number, "of the branches: divergent at least once", "share"},
      {"never_executed", number, "of the branches", "share that no path came to"},
      {"executions", number, "by paths with work-items", "of all branches"},
      {"uniform_executions", number, "of the executions", "share in which all work-items went the same way"},
      {"divergent_executions", number, "of the executions", "share in which they parted"},
  };
  return field_list().add(rows).take();
}

std::vector<report_field> branches() {
  constexpr row rows[] = {
      {"not_analysed", text, "", "why nothing is proved of the kernel"},
      {"each.*.offset", number, "", "of the branch, bytes from the kernel's entry"},
      {"each.*.of_kernel", truth, "", "false: of a function that it calls"},
      {"each.*.kind", text, "", "what the branch looks at"},
      {"each.*.instruction", text, "", "disassembled"},
      {"each.*.executions", number, "", "by paths with work-items"},
      {"each.*.all", number, "", "executions in which all work-items took it"},
      {"each.*.none", number, "", "in which none did"},
      {"each.*.divergent", number, "", "in which some did"},
      {"each.*.empty", number, "", "by paths without work-items"},
      {"each.*.proved_uniform", truth, "", "by the analysis of the code"},
      {"each.*.condition_from", text, "", "where the condition comes from"},
      {"each.*.skip_offset", number, "", "of the branch that skips the divergent side where no work-item takes it"},
      {"each.*.skipped", number, "", "how often it did"},
  };
  return field_list().add(branch_totals()).add(rows).take();
}

std::vector<report_field> findings() {
  constexpr row rows[] = {
      {"on", list, "", "the checks of machine.check that were on"},
      {"places", number, "places in the code", "at which something was found"},
      {"count", number, "findings", "at all of them"},
      {"not_listed", number, "places in the code", "beyond those that are listed"},
      {"findings", list, "", "none: nothing was found"},
      {"findings.*.check", text, "", "which check has found it"},
      {"findings.*.rule", text, "", "what is wrong, as a name"},
      {"findings.*.what", text, "", "what is wrong, in words"},
      {"findings.*.mend", text, "", "what would mend it"},
      {"findings.*.count", number, "findings", "at this place; all else is of the first one"},
      {"findings.*.other.is", text, "", "what the other instruction is in this finding"},
      {"findings.*.memory.space", text, "", "global, lds or scratch"},
      {"findings.*.memory.address", number, "", "of the first byte; in LDS and scratch an offset"},
      {"findings.*.memory.bytes", number, "bytes", "concerned"},
      {"findings.*.memory.allocation", text, "", "which piece of device memory it is in"},
  };
  constexpr row site[] = {
      {"who", text, "", "kernel or host"},
      {"kernel", text, "", "its name"},
      {"launch", number, "", "number of the launch, from 1"},
      {"workgroup", list, "", "x, y, z"},
      {"wavefront", number, "", "in the workgroup"},
      {"context", text, "", "which executed it"},
      {"pc", number, "", "device address of the instruction"},
      {"offset", number, "bytes from the kernel's entry", "of the instruction"},
      {"instruction", text, "", "disassembled"},
      {"source", text, "", "file and line, where the program has line tables"},
      {"lanes", text, "", "work-items of the wavefront that are concerned"},
  };
  return field_list().add(rows).add(site, "findings.*.here").add(site, "findings.*.other").take();
}

std::vector<report_field> cosim() {
  constexpr row rows[] = {
      {"mode", text, "", "machine.cosim.mode"},
      {"units", number, "units", "SpSIMD units, and SIMD units themselves, that run as RTL"},
      {"scalar", number, "wavefront instructions", "scalar, by the RTL"},
      {"vector", number, "wavefront instructions", "vector, by the RTL"},
      {"splits_and_merges", number, "wavefront instructions", "by the RTL"},
      {"memory", number, "wavefront instructions", "whose addresses and data the RTL gave"},
      {"compared", number, "results", "of RTL and model, in lockstep"},
      {"share_of_alu_instructions", number, "ratio", "of these units' that the RTL executed"},
      {"by_the_model.*", number, "wavefront instructions", "of this name, which the RTL does not have"},
  };
  return field_list().add(rows).take();
}

std::vector<report_field> launch_choice() {
  constexpr row rows[] = {
      {"chosen", text, "", "program.split_by_launch: the code with splits or without"},
      {"with_splits.bound", number, "cycles", "of all launches at most, with auto's splits"},
      {"with_splits.no_bound", text, "", "why there is none"},
      {"without_splits.bound", number, "cycles", "of all launches at most, compiled without splits"},
      {"without_splits.no_bound", text, "", "why there is none"},
  };
  return field_list().add(rows).take();
}

std::vector<report_field> path_storage() {
  constexpr const char* bits = "bits of a wavefront";
  const row rows[] = {
      {"stack_entries", number, "", "that the run needed at most"},
      {"stack_entry", number, "bits", "one of this machine"},
      {"stack_entry_of_paper", number, "bits", "one as the paper has it"},
      {"stack", number, bits, "all entries"},
      {"stack_with_entries_of_paper", number, bits, "all entries, each as the paper has it"},
      {"warp_split_table", number, bits, "scheme dws-table"},
      {"scoreboards", number, bits, "of all paths"},
      {"shadow_bits", number, "% of the scoreboards", "that hold other paths' dependences"},
      {"scalar_registers", number, bits, "of paths that wait"},
  };
  return field_list().add(rows).take();
}

std::vector<report_field> formation() {
  constexpr const char* groups = "groups of work-items";
  const row rows[] = {
      {"warp_size", number, "work-items", "of a warp"},
      {"work_item_instructions", number, "instructions", "summed over work-items"},
      {"ipc", number, "work-item instructions per cycle", "of the machine"},
      {"of_peak", number, "ratio", "ipc, of what full warps in all SIMD units and cycles would reach"},
      {"warps_issued", number, "warps", "each time one issues"},
      {"paths_per_warp", number, "paths", "that the work-items of a warp come from, on average"},
      {"issue_slots.W*", number, simd_cycles, "with so many active work-items"},
      {"issue_slots.units_busy", number, simd_cycles, "in which a warp was ready and its unit busy"},
      {"issue_slots.nobody_ready", number, simd_cycles, "without a ready warp"},
      {"share_of_issue_slots.none_active", number, "ratio", "of warps without an active work-item"},
      {"share_of_issue_slots.first_quarter", number, "ratio", "of warps with up to a quarter of their size"},
      {"share_of_issue_slots.second_quarter", number, "ratio", "up to half of it"},
      {"share_of_issue_slots.third_quarter", number, "ratio", "up to three quarters of it"},
      {"share_of_issue_slots.fourth_quarter", number, "ratio", "more than three quarters of it"},
      {"share_of_issue_slots.units_busy", number, "ratio", "in which a warp was ready and its unit busy"},
      {"share_of_issue_slots.nobody_ready", number, "ratio", "without a ready warp"},
      {"heuristic", text, "", "dwf.heuristic"},
      {"register_file", text, "", "dwf.register_file"},
      {"warps_formed", number, "warps", "in the pool"},
      {"joined", number, "work-items", "that came to a warp that was there"},
      {"conflicts", number, "work-items", "that found their lane taken"},
      {"paths_cut", number, "paths", "that divergent branches made two of"},
      {"away_from_home_lane", number, "work-item instructions", "in another lane than the work-item's own"},
      {"bank_conflicts", number, simd_cycles, "that registers of one home lane took more"},
      {"waited_for_update_register", number, "groups of work-items, summed over cycles", "on their way to the pool"},
      {"pc_warp_lut.hits", number, groups, "that found the warp of their PC"},
      {"pc_warp_lut.misses", number, groups, "that did not"},
      {"pc_warp_lut.displaced", number, "entries", "for want of room"},
      {"pc_warp_lut.in_use.most", number, "entries", "at a time"},
      {"pc_warp_lut.in_use.mean", number, "entries", "when a warp issues"},
      {"warp_pool.full", number, "groups of work-items, summed over cycles", "that waited for room in the pool"},
      {"warp_pool.in_use.most", number, "warps", "at a time"},
      {"warp_pool.in_use.mean", number, "warps", "when a warp issues"},
      {"majority_table.not_counted", number, groups, "for want of an entry"},
      {"majority_table.in_use.most", number, "PCs", "at a time"},
      {"majority_table.in_use.mean", number, "PCs", "when a warp issues"},
  };
  constexpr row bits[] = {
      {"update_registers", number, "bits", "groups of work-items on their way to the pool"},
      {"pc_warp_lut", number, "bits", "PC-warp LUT"},
      {"warp_pool", number, "bits", "warp pool"},
      {"warp_allocator", number, "bits", "warp allocator"},
      {"issue_logic", number, "bits", "issue heuristic"},
      {"total", number, "bits", "of a SIMD unit"},
  };
  return field_list().add(rows).add(bits, "storage").add(bits, "storage_of_paper").take();
}

std::vector<report_field> waiting() {
  field_list all;
  for (size_t k = 0; k < static_cast<size_t>(models::stall::count); ++k)
    all.add({std::string("waiting.") + models::name_of(static_cast<models::stall>(k)), number, "context cycles",
             "in which wavefronts waited for this"});
  return all.take();
}

namespace {

std::vector<report_field> cache() {
  constexpr row rows[] = {{"reads", number, "lines", "asked for"},
                          {"read_hits", number, "lines", "of them there"},
                          {"read_misses", number, "lines", "of them not there"}};
  return field_list().add(rows).take();
}

}  // namespace

std::vector<report_field> counters() {
  constexpr row rows[] = {
      {"workgroups", number, "", "that ran"},
      {"wavefronts", number, "", "that ran"},
      {"instructions", number, "", "of wavefronts; of formed warps; in functional fidelity of their paths"},
      {"vector_alu_instructions", number, "", "likewise"},
      {"simd_lane_utilisation", number, "%", "active lanes of vector ALU instructions, of a wavefront's or a warp's"},
      {"loaded", number, "bytes", "by vector instructions"},
      {"stored", number, "bytes", "by vector instructions"},
      {"dram.reads", number, "lines", "from DRAM"},
      {"dram.writes", number, "lines", "to DRAM"},
      {"splits", number, "", "of all wavefronts"},
      {"merges", number, "", "likewise"},
      {"splits_one_sided", number, "", "splits that all work-items went the same way at"},
      {"late_reconvergences", number, "", "merges passed by one side after the other"},
      {"false_dependences", number, "", "instructions that waited for another path's results"},
      {"schedulable_paths", number, "paths per instruction", "that could have issued, on average"},
  };
  return field_list().add(rows).add(cache(), "vector_l1").add(cache(), "l2").add(waiting()).take();
}

std::vector<report_field> machine() {
  constexpr row rows[] = {
      {"n_cu", number, "", "compute units"},
      {"n_simd", number, "", "SIMD units of a compute unit"},
      {"n_wfc", number, "", "wavefront contexts of a SIMD unit"},
      {"valu_lanes", number, "", "lanes of a vector ALU"},
      {"clock", number, "MHz", "of the GPU"},
  };
  return field_list().add(rows).take();
}

std::vector<report_field> launch_entry() {
  constexpr row rows[] = {
      {"number", number, "", "from 1"},
      {"kernel", text, "", "its name"},
      {"fidelity", text, "", "functional or timing"},
      {"grid", list, "", "work-items in x, y, z"},
      {"workgroup", list, "", "likewise"},
      {"dynamic_lds", number, "bytes", "that the launch asks for"},
      {"completed", truth, "", "it came to its end"},
      {"error", text, "", "why it did not"},
      {"cycles", number, "cycles", "timing fidelity"},
      {"simulated_time", number, "us", "the same by machine.clock_mhz"},
  };
  return field_list().add(rows).add(occupancy(), "occupancy").add(counters(), "counters").take();
}

}  // namespace pws::platform::reference
