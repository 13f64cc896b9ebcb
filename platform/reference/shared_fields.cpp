// Parts that the reports of pwsvp run and pwsvp exec share.
#include <string>

#include "models/machine/occupancy.h"
#include "platform/reference/report_fields.h"
#include "platform/report/machine_counters.h"

namespace pws::platform::reference {

namespace {

// A row with "*" in its unit has as many units as there are issuers of instructions.
void add_counters(field_list& to, const std::vector<models::counter_row>& rows, models::counter_detail detail) {
  std::string last;
  for (const models::counter_row& r : rows) {
    const std::string& name = r.pattern.empty() ? r.name : r.pattern;
    if (name.empty() || name == last || r.detail > detail) continue;
    last = name;
    std::string units = r.unit;
    if (!units.empty() && units.front() == '*') {
      units.clear();
      for (const char* issuer : issuers) units += (units.empty() ? "" : " | ") + (issuer + r.unit.substr(1));
    }
    to.add({name, number, units, r.meaning});
  }
}

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

std::vector<report_field> counters(models::counter_detail detail) {
  field_list all;
  add_counters(all, machine_counters::rows().all(), detail);
  if (detail != models::counter_detail::totals) return all.take();
  all.add({"spsimd.*.number", number, "", "SpSIMDID, from 2"});
  field_list of_each;
  add_counters(of_each, spsimd_use::rows().all(), detail);
  return all.add(of_each.take(), "spsimd.*").take();
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
  return field_list().add(rows).add(occupancy(), "occupancy").add(counters(models::counter_detail::launch), "counters").take();
}

}  // namespace pws::platform::reference
