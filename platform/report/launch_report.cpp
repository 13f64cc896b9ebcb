// SPDX-License-Identifier: Apache-2.0
#include "platform/report/launch_report.h"

#include "platform/report/machine_report.h"
#include "platform/report/occupancy_report.h"

namespace pws::platform {

const report_part<check_outcome>& check_part() {
  using c = check_outcome;
  static const report_part<c> all = report_part<c>()
                                        .value("buffer", &c::buffer, "", "its name in the run file")
                                        .value("pass", &c::pass, "", "it holds what is expected")
                                        .value("text", &c::text, "", "what was found");
  return all;
}

const report_part<launch_entry>& launch_part() {
  using e = launch_entry;
  const auto timed = [](const e& of) { return of.launch.fidelity == models::fidelity::timing; };
  const auto of_launch = [](auto member) { return [member](const e& of) { return of.launch.*member; }; };
  using l = launch_report;
  static const report_part<e> all =
      report_part<e>()
          .value("number", of_launch(&l::number), "", "from 1")
          .value("kernel", of_launch(&l::kernel), "", "its name")
          .value("fidelity", of_launch(&l::fidelity), "", "functional or timing")
          .value("grid", of_launch(&l::grid), "", "work-items in x, y, z")
          .value("workgroup", of_launch(&l::workgroup), "", "work-items in x, y, z")
          .value("dynamic_lds", of_launch(&l::lds_bytes), "bytes", "that the launch asks for")
          .part("occupancy", of_launch(&l::occupancy), occupancy_part())
          .value("completed", of_launch(&l::completed), "", "it came to its end")
          .value("error", of_launch(&l::error), "", "why it did not")
          .where([](const e& of) { return !of.launch.completed; })
          .value("cycles", of_launch(&l::cycles), "cycles", "timing fidelity")
          .where(timed)
          .value(
              "simulated_time", [](const e& of) { return simulated_time(of.launch.cycles, of.machine); }, time_unit,
              "the same by machine.clock_mhz")
          .where(timed)
          .group("counters",
                 report_part<e>().also(counter_fields(machine_counters::rows().all(), models::counter_detail::launch),
                                       [](json_text& t, const e& of) {
                                         const launch_report& r = of.launch;
                                         put(t, r.counters, counted_by(of.machine, r.fidelity, r.cycles), of.detail);
                                       }));
  return all;
}

}  // namespace pws::platform
