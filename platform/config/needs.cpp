// SPDX-License-Identifier: Apache-2.0
#include "platform/config/needs.h"

#include <fmt/format.h>

#include "base/enum_names.h"

namespace pws::platform {

namespace {

using models::machine_config;

struct need_rule {
  need::bit what;
  std::vector<std::string> keys;  // of the machine, that it is about
  bool (*met)(const run_conditions&);
  std::string (*otherwise)(const char* what, const run_conditions&);
};

const std::vector<need_rule>& need_rules() {
  static const std::vector<need_rule> all = {
      {need::time,
       {"fidelity"},
       [](const run_conditions& c) { return c.timed; },
       [](const char*, const run_conditions& c) {
         return fmt::format("functional launches have no time to show; {}", c.how_to_time);
       }},
      {need::rtl,
       {"cosim.mode"},
       [](const run_conditions& c) { return c.machine.cosim.mode != models::cosim_mode::model; },
       [](const char*, const run_conditions&) {
         return std::string("no RTL runs; set machine.cosim.mode: rtl or lockstep");
       }},
      {need::allocations,
       {"memory.faults"},
       [](const run_conditions& c) {
         const models::memory_faults f = c.machine.memory.faults;
         return f != models::memory_faults::page && f != models::memory_faults::off;
       },
       [](const char* what, const run_conditions& c) {
         return fmt::format(
             "machine.memory.faults is {}: {} holds where accesses stay in allocations; set machine.memory.faults: "
             "allocation",
             name_of(c.machine.memory.faults), what);
       }},
      {need::one_launch,
       {"hardware_queues"},
       [](const run_conditions& c) { return c.machine.hardware_queues == 1; },
       [](const char* what, const run_conditions& c) {
         return fmt::format("machine.hardware_queues is {}: {} follows one launch at a time; 1 is needed",
                            c.machine.hardware_queues, what);
       }},
      {need::paths_stay,
       {"divergence"},
       [](const run_conditions& c) {
         return models::traits_of(c.machine.divergence).bound != models::divergence_bound::not_analysed;
       },
       [](const char* what, const run_conditions& c) {
         return fmt::format(
             "{} follows paths by their contexts, and machine.divergence {} moves or cuts them elsewhere", what,
             models::traits_of(c.machine.divergence).name);
       }},
      {need::exec_at_once,
       {"cosim.mode"},
       [](const run_conditions& c) { return c.machine.cosim.mode != models::cosim_mode::rtl; },
       [](const char* what, const run_conditions&) {
         return fmt::format(
             "{} looks at EXEC behind each instruction, and with machine.cosim.mode rtl what the RTL makes of it comes "
             "later",
             what);
       }},
      {need::whole_waves,
       {"divergence"},
       [](const run_conditions& c) { return c.machine.divergence == models::divergence_kind::none; },
       [](const char* what, const run_conditions& c) {
         return fmt::format("machine.divergence is {}: {} is of wavefronts that stay whole; none is needed",
                            models::traits_of(c.machine.divergence).name, what);
       }},
      {need::one_thread,
       {"threads"},
       [](const run_conditions& c) { return c.machine.threads == 1; },
       [](const char* what, const run_conditions& c) {
         return fmt::format("machine.threads is {}: {} follows instructions one after the other; 1 is needed",
                            c.machine.threads, what);
       }},
      {need::one_device,
       {},
       [](const run_conditions& c) { return c.devices == 1; },
       [](const char* what, const run_conditions& c) {
         return fmt::format("exec.devices is {}: {} is of one machine; 1 is needed", c.devices, what);
       }},
  };
  return all;
}

}  // namespace

std::vector<unmet_need> unmet_needs(const watcher& w, const run_conditions& c, unsigned among) {
  std::vector<unmet_need> unmet;
  for (const need_rule& r : need_rules())
    if ((w.needs & among & r.what) != 0 && !r.met(c)) unmet.push_back({r.otherwise(w.what, c), r.keys});
  return unmet;
}

const std::vector<machine_watcher>& machine_watchers() {
  using m = machine_config;
  static const std::vector<machine_watcher> all = {
      {{"check", "check.init", "check.races", "check.coherence", "check.waits", "check.sync", "check.memory",
        "check.streams", "check.numbers"},
       [](const m& c) { return models::finds_hardware_errors(c.check); },
       {"what checks know of memory", need::one_device | need::one_machine | need::allocations | need::one_thread}},
      {{"check.loop_bounds"},
       [](const m& c) { return c.check.loop_bounds; },
       {"a count of loops", need::one_device | need::one_launch | need::paths_stay | need::one_thread}},
      {{"trace.branch_uniformity"},
       [](const m& c) { return c.trace.branch_uniformity; },
       {"a count of branches",
        need::one_device | need::one_machine | need::one_launch | need::exec_at_once | need::one_thread}},
      {{"cosim.mode"},
       [](const m& c) { return c.cosim.mode != models::cosim_mode::model; },
       {"RTL that runs beside the model", need::one_device | need::one_machine | need::one_launch}},
  };
  return all;
}

}  // namespace pws::platform
