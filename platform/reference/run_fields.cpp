// The report of pwsvp run.
#include <string>

#include "platform/reference/report_fields.h"

namespace pws::platform::reference {

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
  };
  constexpr row expected[] = {
      {"buffer", text, "", "its name in the run file"},
      {"pass", truth, "", "it holds what is expected"},
      {"text", text, "", "what was found"},
  };
  constexpr row counted[] = {
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
  return all.add(counted)
      .add(configuration(file_kind::run))
      .add(reference::branches(), "branch_uniformity")
      .add({"branch_uniformity.kernels.*.kernel", text, "", "several launches: by kernel"})
      .add(reference::branches(), "branch_uniformity.kernels.*")
      .add(branch_totals(), "branch_uniformity.totals")
      .add(counters(models::counter_detail::totals), "totals")
      .add(reference::cosim(), "cosim")
      .add(reference::findings(), "check")
      .add(launch_entry(), "per_launch.*")
      .add(expected, "per_launch.*.expect.*")
      .take();
}

}  // namespace pws::platform::reference
