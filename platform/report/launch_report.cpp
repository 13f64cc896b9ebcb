// SPDX-License-Identifier: Apache-2.0
#include "platform/report/launch_report.h"

#include "platform/report/machine_report.h"

namespace pws::platform {

const report_part<check_outcome>& check_part() {
  using c = check_outcome;
  static const report_part<c> all = report_part<c>()
                                        .value("buffer", "its name in the run file", &c::buffer)
                                        .value("pass", "it holds what is expected", &c::pass)
                                        .value("text", "what was found", &c::text);
  return all;
}

const report_part<launch_entry>& launch_part() {
  using e = launch_entry;
  const auto timed = [](const e& of) { return of.launch.fidelity == models::fidelity::timing; };
  const auto of_launch = [](auto member) { return [member](const e& of) { return of.launch.*member; }; };
  using l = launch_report;
  static const report_part<e> all =
      report_part<e>()
          .value("number", "from 1", of_launch(&l::number))
          .value("kernel", "its name", of_launch(&l::kernel))
          .value("fidelity", "functional or timing", of_launch(&l::fidelity))
          .value("grid", "work-items in x, y, z", of_launch(&l::grid))
          .value("workgroup", "work-items in x, y, z", of_launch(&l::workgroup))
          .value("dynamic_lds", "bytes", "that the launch asks for", of_launch(&l::lds_bytes))
          .part("occupancy", occupancy_part(), of_launch(&l::occupancy))
          .value("completed", "it came to its end", of_launch(&l::completed))
          .value("error", "why it did not", of_launch(&l::error))
          .where([](const e& of) { return !of.launch.completed; })
          .value("cycles", "cycles", "timing fidelity", of_launch(&l::cycles))
          .where(timed)
          .value("simulated_time", time_unit, "the same by machine.clock_mhz",
                 [](auto& of) { return simulated_time(of.launch.cycles, of.machine); })
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
