// SPDX-License-Identifier: Apache-2.0
// The reports of pwsvp wcet and graph.
#include <string>

#include "platform/program/launch_choice.h"
#include "platform/reference/report_fields.h"
#include "sw/wcet/instructions/instruction_time.h"

namespace pws::platform::reference {

namespace {

// A place in a source, where it is known.
field_list& add_source(field_list& to, const std::string& below) {
  constexpr row rows[] = {
      {"file", text, "", "where it is from"}, {"line", number, "", "likewise"}, {"column", number, "", "likewise"}};
  return to.add(rows, below + ".source");
}

std::vector<report_field> bounds() {
  constexpr row rows[] = {
      {"E_WF", number, "cycles", "of a wavefront at most"},
      {"F_entry", number, "cycles", "the same by Prune's own sums, where they fit in 64 bits"},
      {"d", number, "cycles", "initialisation delay"},
      {"N_SIMD_total", number, "SIMD units per CU", "Eq. 2"},
      {"G_parallel_printed", number, "workgroups", "at a time, by the paper's equation"},
      {"G_parallel", number, "workgroups", "at a time"},
      {"D_S", number, "dispatches", "one after the other"},
      {"E_kernel", number, "cycles", "of the launch at most"},
      {"ilp.variables", number, "", "of the integer linear program"},
      {"ilp.constraints", number, "", "likewise"},
      {"ilp.path", text, "", "exact, or approximation: no whole path reaches the bound"},
      {"shared_waits.*.offset", number, "", "of a wait that is not paid whenever it is executed"},
      {"shared_waits.*.cycles", number, "cycles", "of one that is paid"},
      {"shared_waits.*.executions", number, "", "on the worst path"},
      {"shared_waits.*.paid", number, "", "of these"},
      {"E_WF_parts.issue", number, "cycles", "issue slots"},
      {"E_WF_parts.memory_and_lds_slots", number, "cycles", "slots of memory and LDS"},
      {"E_WF_parts.waiting_for_data", number, "cycles", "until data are there"},
      {"barriers.paths_in_E_WF", number, "", "longest paths that E_WF is the sum of"},
      {"barriers.undecided_block", number, "", "where wavefronts of a workgroup may go different ways to barriers"},
      {"barriers.early_ends.*.block", number, "", "in which wavefronts may end before others' barrier"},
      {"barriers.early_ends.*.delay", number, "cycles", "of the barrier by that"},
  };
  return field_list().add(rows).take();
}

// The values of one launch.
std::vector<report_field> launch() {
  constexpr row what[] = {
      {"run.kernel", text, "", "its name"},
      {"run.source", text, "", "the program"},
      {"run.G", number, "workgroups", "of the launch"},
      {"run.wavefronts_per_workgroup", number, "", "of the launch"},
      {"run.S", number, "", "SWF contexts of a wavefront"},
      {"run.block_times", text, "", "wcet.block_times"},
      {"machine.issue_round", number, "cycles", "between two issue slots of a context"},
      {"machine.memory_frame", number, "cycles", "between two memory slots of it"},
      {"machine.lds_frame", number, "cycles", "between two LDS slots of it"},
  };
  constexpr row rest[] = {
      {"bounds.pws.removed_edges.*.from", number, "", "block; Prune"},
      {"bounds.pws.removed_edges.*.to", number, "", "block"},
      {"bounds.pws.removed_edges.*.split", number, "", "index of the split point"},
      {"bound.scheme", text, "", "that the machine has"},
      {"bound.E_kernel", number, "cycles", "its bound"},
      {"thesis.L_kernel", number, "cycles", "block times measured: splits in parallel (Eq. 5.4)"},
      {"thesis.L_kernel_serialised", number, "cycles", "likewise: one after the other (Eq. 5.5)"},
      {"loops.*.header", number, "", "block"},
      {"loops.*.blocks", list, "", "blocks of the loop"},
      {"loops.*.passes", number, "executions of the header each time the loop is entered", "at most"},
      {"loops.*.marks.*.bound", number, "iterations", "at most"},
      {"loops.*.marks.*.from", text, "", "who says so"},
      {"split_points.*.block", number, "", "that ends with the split"},
      {"split_points.*.offset", number, "", "bytes from the kernel's entry"},
      {"split_points.*.sides_known", truth, "", "both sides and their merge are found in the code"},
      {"split_points.*.contexts_needed", number, "", "SWF contexts in use from it on"},
      {"split_points.*.in_S_B", truth, "", "it finds a context for sure"},
      {"blocks.*.block", number, "", "index"},
      {"blocks.*.offset", number, "", "bytes from the kernel's entry"},
      {"blocks.*.instructions", number, "", "of the block"},
      {"blocks.*.reachable", truth, "", "from the entry"},
      {"blocks.*.successors", list, "", "blocks"},
      {"accesses.*.offset", number, "", "bytes from the kernel's entry"},
      {"accesses.*.instruction", text, "", "disassembled"},
      {"accesses.*.lines", number, "lines at most", "that it asks for"},
      {"accesses.*.lds_passes", number, "passes at most", "that it takes"},
      {"accesses.*.reason", text, "", "why no more"},
      {"observed.completed", truth, "", "--observe: the kernel came to its end"},
      {"observed.cycles", number, "cycles", "--observe: what it took"},
      {"observed.counted_loops", number, "", "loops that were held to their bounds"},
      {"observed.error", text, "", "why it did not come to its end"},
      {"observed.broken", text, "", "the bound that the run broke"},
  };
  field_list all;
  all.add(what);
  for (const auto& s : enumerators(pws::wcet::scheme{})) all.add(bounds(), std::string("bounds.") + s.name);
  all.add(rest);
  for (const char* below : {"loops.*", "loops.*.marks.*", "split_points.*", "blocks.*", "accesses.*"})
    add_source(all, below);
  for (const auto& s : enumerators(pws::wcet::scheme{})) {
    const std::string name = s.name;
    all.add({"blocks.*.e_bb." + name, number, "cycles", "of the block at most"});
    all.add({"blocks.*.executions." + name, number, "", "on the longest path"});
    all.add({"blocks.*.executions_by_all_parts." + name, number, "", "the same with split wavefronts"});
    all.add({"blocks.*.F." + name, number, "cycles", "Prune: from the block on"});
  }
  return all.take();
}

}  // namespace

std::vector<report_field> wcet() {
  constexpr row sums[] = {
      {"total.bound", number, "cycles", "several launches: sum of their bounds under the machine's scheme"},
      {"total.observed", number, "cycles", "--observe: what they took"},
      {"warnings", list, "", "what of the configuration does nothing, and which key to set"},
  };
  field_list all;
  all.add({"run.file", text, "", "the run file"}).add(launch()).add(launch(), "launches.*");
  for (const auto& s : enumerators(pws::wcet::scheme{}))
    all.add({std::string("total.E_kernel.") + s.name, number, "cycles", "several launches: the sum"});
  return all.add(sums).add(launch_choice_part().fields("split_by_launch")).add(configuration(file_kind::run)).take();
}

std::vector<report_field> graph() {
  constexpr row rows[] = {
      {"file", text, "", "the graph"},
      {"S", number, "", "SpSIMD units of a SIMD unit"},
      {"S_B", list, "", "branches that are split"},
      {"removed_edges.*.branch", text, "", "block; Prune"},
      {"removed_edges.*.from", text, "", "block"},
      {"removed_edges.*.to", text, "", "block"},
      {"IPET_C", number, "cycles", "longest path of the graph"},
      {"IPET_C_out", number, "cycles", "the same without the removed edges"},
      {"F.*", number, "cycles", "Prune: from the block of this name on"},
  };
  constexpr row bound[] = {
      {"E_WF", number, "cycles", "of a wavefront at most"},
      {"D_S", number, "", "dispatches one after the other"},
      {"E_kernel", number, "cycles", "of the launch at most"},
  };
  field_list all;
  all.add(rows);
  for (const char* scheme : {"none", "pws", "dws"}) all.add(bound, std::string("bounds.") + scheme);
  return all.take();
}

}  // namespace pws::platform::reference
