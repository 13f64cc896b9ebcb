// SPDX-License-Identifier: Apache-2.0
// The reports of pwsvp exec, pwscc and pwsvp sweep.
#include <string>

#include "platform/machine/cosim_report.h"
#include "platform/observers/branch_report.h"
#include "platform/observers/check/finding_report.h"
#include "platform/reference/report_fields.h"
#include "platform/report/launch_report.h"
#include "platform/report/machine_report.h"
#include "sw/wcet/instructions/instruction_time.h"

namespace pws::platform::reference {

namespace {

std::vector<report_field> launch_bound() {
  constexpr row scheme[] = {
      {"E_WF", number, "cycles", "of a wavefront at most"},
      {"d", number, "cycles", "initialisation delay"},
      {"G_parallel", number, "workgroups", "at a time"},
      {"D_S", number, "dispatches", "one after the other"},
      {"E_kernel", number, "cycles", "of the launch at most"},
      {"memory_and_lds_slots_of_E_WF", number, "cycles", "block times static"},
      {"split_and_merge_of_E_WF", number, "cycles", "of its worst path, their waits included; block times static"},
  };
  constexpr row rest[] = {
      {"L_kernel", number, "cycles", "block times measured: thesis Eq. 5.4"},
      {"L_kernel_serialised", number, "cycles", "likewise: Eq. 5.5"},
      {"error", text, "", "why there is no bound"},
      {"broken", text, "", "how the launch broke it"},
  };
  field_list all;
  for (const auto& s : enumerators(pws::wcet::scheme{})) all.add(scheme, s.name);
  return all.add(rest).take();
}

}  // namespace

std::vector<report_field> exec() {
  constexpr row what[] = {
      {"program", text, "", "the executable"},
      {"launches", number, "", "of the program"},
      {"timed_launches", number, "", "of them in timing fidelity"},
      {"failed_launches", number, "", "of them failed"},
      {"refused_launches", number, "",
       "besides, that did not begin: more LDS than there is, or an earlier launch has failed"},
      {"warnings", list, "", "what of the configuration does nothing, and which key to set"},
      {"cycles", number, "cycles", "of the timed launches, summed; of those beside each other, from first to last"},
  };
  constexpr row totals[] = {
      {"occupancy.mean_of_kernels", number, "of the wavefront contexts", "each kernel once"},
      {"occupancy.least_of_kernels", number, "of the wavefront contexts", "likewise"},
      {"occupancy.most_of_kernels", number, "of the wavefront contexts", "likewise"},
  };
  constexpr row bounds[] = {
      {"block_times", text, "", "wcet.block_times"},
      {"launches", number, "", "that have a bound"},
      {"launches_without", number, "", "that have none"},
      {"launches_broken", number, "", "that broke theirs"},
      {"observed", number, "cycles", "that the launches with a bound took"},
      {"bound", number, "cycles", "of the machine's scheme, summed over these launches"},
      {"memory_and_lds_slots_of_bound", number, "cycles", "of it"},
      {"L_kernel", number, "cycles", "block times measured: thesis Eq. 5.4, summed"},
      {"L_kernel_serialised", number, "cycles", "likewise: Eq. 5.5"},
      {"first_error", text, "", "of launches without a bound"},
      {"first_broken", text, "", "of launches that broke theirs"},
      {"misplaced", text, "", "a bound of the configuration that fits no loop"},
  };
  constexpr row rest[] = {
      {"memory.total", number, "bytes", "of the device"},
      {"memory.peak", number, "bytes", "allocated at a time, at most"},
      {"memory.not_freed", number, "bytes", "when the program ended"},
      {"memory.blocks_not_freed", number, "", "likewise"},
      {"per_launch.*.traced", truth, "", "it is in waveform and timeline"},
      {"devices.*.device", number, "", "of a device that was used: its number; exec.devices above 1"},
      {"devices.*.launches", number, "", "on it"},
      {"devices.*.cycles", number, "cycles", "of its timed launches, summed"},
      {"devices.*.memory.total", number, "bytes", "of it"},
      {"devices.*.memory.peak", number, "bytes", "allocated there at a time, at most"},
      {"devices.*.memory.not_freed", number, "bytes", "there, when the program ended"},
      {"devices.*.memory.blocks_not_freed", number, "", "likewise"},
      {"per_launch.*.device", number, "", "number of its device; exec.devices above 1"},
      {"per_launch.*.compute_units", list, "", "that its stream may use (hipExtStreamCreateWithCUMask); absent: all"},
      {"per_launch.*.began", number, "cycles", "of the machine's time; machine.hardware_queues above 1"},
      {"per_launch.*.ended", number, "cycles", "likewise"},
      {"per_launch.*.beside", list, "", "launches on the machine at the same time; likewise"},
      {"per_launch.*.host.wall_clock", number, "s", "of the host"},
      {"launches_not_listed", number, "", "for want of room; the totals have them"},
      {"host.wall_clock", number, "s", "of the host, for the launches"},
  };
  field_list all;
  all.add(what).add(machine_part().fields("machine")).add(configuration(file_kind::exec));
  all.add(counter_fields(machine_counters::rows().all(), models::counter_detail::totals), "totals");
  all.add(totals, "totals").add(bounds, "wcet");
  for (const auto& s : enumerators(pws::wcet::scheme{}))
    all.add({std::string("wcet.E_kernel.") + s.name, number, "cycles", "summed over the launches with a bound"});
  return all.add(kernels_part().fields("branch_uniformity"))
      .add(cosim::summary_part().fields("cosim"))
      .add(findings_part().fields("check"))
      .add(rest)
      .add(launch_part().fields("per_launch.*"))
      .add(launch_bound(), "per_launch.*.wcet")
      .take();
}

std::vector<report_field> compiler() {
  constexpr row options[] = {
      {"options.split", text, "", "--split"},      {"options.divergence", text, "", "--divergence"},
      {"options.swf_contexts", number, "", "-S"},  {"options.split_cycles", number, "", "e_s"},
      {"options.merge_cycles", number, "", "e_m"},
  };
  constexpr row place[] = {
      {"function", text, "", "mangled name"}, {"demangled", text, "", "name"},
      {"file", text, "", "of the branch"},    {"line", number, "", "likewise"},
      {"column", number, "", "likewise"},     {"assembly_line", number, "", "of the assembly before the pass"},
      {"reason", text, "", "why so"},
  };
  constexpr row branch[] = {
      {"marked", truth, "", "with PWS_SPLIT"},
      {"split", truth, "", "it is"},
      {"carried_masks", number, "", "lane masks kept over the merge"},
  };
  constexpr row check[] = {
      {"instructions", number, "", "that it skips"},
      {"blocks", number, "", "likewise"},
      {"single_entry_exit", truth, "", "they are entered and left at one place"},
      {"kept", truth, "", "the check is in the code"},
      {"by_rule", truth, "", "the paper's rule asks for it"},
  };
  constexpr row lost[] = {
      {"lost_marks.*.file", text, "", "of a PWS_SPLIT that fits no branch"},
      {"lost_marks.*.line", number, "", "likewise"},
      {"lost_marks.*.reason", text, "", "why"},
  };
  constexpr row by_hand[] = {
      {"instruction", text, "", "split or merge, written in the source"},
      {"marks_branch", truth, "", "the split stands right before a divergent branch"},
  };
  constexpr row kernel[] = {
      {"function", text, "", "mangled name"},
      {"demangled", text, "", "name"},
      {"vgprs", number, "", "vector registers"},
      {"sgprs", number, "", "scalar registers"},
      {"mask_pairs", number, "", "scalar register pairs that hold lane masks at a time"},
      {"missed_uniform.*.file", text, "", "of a branch that is uniform and not scalar"},
      {"missed_uniform.*.line", number, "", "likewise"},
      {"missed_uniform.*.column", number, "", "likewise"},
      {"missed_uniform.*.assembly_line", number, "", "likewise"},
      {"missed_uniform.*.instruction", text, "", "likewise"},
      {"missed_uniform.*.origin", text, "", "where its condition comes from"},
  };
  constexpr row counted[] = {
      {"ir_blocks", number, "", "blocks of the IR"},
      {"ir_regions", number, "", "its regions"},
      {"ir_loops", number, "", "its loops"},
      {"ir_branches", number, "", "its branches"},
      {"ir_switches", number, "", "its switches"},
      {"blocks", number, "", "of the machine code"},
      {"uniform_branches", number, "", "scalar branches of the source's conditions"},
      {"checks", number, "", "branches that skip what no work-item is in"},
      {"loop_branches", number, "", "branches back to a loop's begin"},
      {"other_branches", number, "", "the others"},
      {"missed_uniform_branches", number, "", "uniform and not scalar"},
  };
  constexpr row all_kernels[] = {
      {"most_vgprs", number, "", "vector registers of a kernel, at most"},
      {"most_sgprs", number, "", "scalar registers of a kernel, at most"},
      {"most_mask_pairs", number, "", "scalar register pairs that hold lane masks at a time, at most"},
      {"predicated_branches", number, "", "that have become predication without a check"},
      {"shares.uniform_branches", number, "", "of these four kinds"},
      {"shares.checks", number, "", "likewise"},
      {"shares.loop_branches", number, "", "likewise"},
      {"shares.predicated_branches", number, "", "likewise"},
  };
  constexpr row totals[] = {
      {"totals.branches", number, "", "divergent branches"},
      {"totals.split", number, "", "of them split"},
      {"totals.marked", number, "", "of them marked"},
      {"totals.marked_not_split", number, "", "marked, and all the same not split"},
      {"totals.carried_masks", number, "", "lane masks kept over merges"},
  };
  return field_list()
      .add(options)
      .add(place, "branches.*")
      .add(branch, "branches.*")
      .add(place, "by_hand.*")
      .add(by_hand, "by_hand.*")
      .add(place, "checks.*")
      .add(check, "checks.*")
      .add(lost)
      .add(kernel, "kernels.*")
      .add(counted, "kernels.*")
      .add(counted, "all_kernels")
      .add(all_kernels, "all_kernels")
      .add(totals)
      .take();
}

std::vector<report_field> sweep() {
  constexpr row rows[] = {
      {"experiment", text, "", "its name"},
      {"title", text, "", "the experiment's"},
      {"of", text, "", "what it reproduces"},
      {"form", text, "", "full or small"},
      {"axes.*.name", text, "", "of the axis"},
      {"axes.*.points", list, "", "labels"},
      {"measures.*.name", text, "", "of the measure"},
      {"measures.*.path", text, "", "in the points' reports"},
      {"measures.*.unit", text, "", "of its values"},
      {"points.*.at.*", text, "", "label on the axis of this name"},
      {"points.*.status", text, "", "done, failed, stopped, refused, left out"},
      {"points.*.message", text, "", "why it failed or was refused"},
      {"points.*.values.*", number, "", "of the measure of this name; it may be a text or a truth value"},
      {"files.*.name", text, "", "configuration that the points read"},
      {"files.*.text", text, "", "its contents"},
      {"host.command", text, "", "that ran the sweep"},
      {"host.finished", text, "", "when"},
      {"host.seconds_of_all_points", number, "", "wall clock"},
  };
  return field_list().add(rows).take();
}

}  // namespace pws::platform::reference
