// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "base/error.h"
#include "base/exit_code.h"
#include "base/output/json_file.h"
#include "base/output/output_files.h"
#include "platform/commands/command_table.h"
#include "platform/commands/options.h"
#include "platform/config/files/tasks_config.h"
#include "platform/wcet/tasks/tasks_report.h"

namespace pws::platform {

namespace {

struct tasks_options : config_options {
  std::string report, timeline;
  simulation_wish wish;
};

int tasks_command(const tasks_options& o) {
  const tasks_config config = load_tasks(o.config, o.overrides);
  std::vector<std::string> inputs = config.files;
  for (const task_config& t : config.tasks) inputs.push_back(t.run);
  prepare_outputs({{"--report", o.report}, {"--timeline", o.timeline}}, inputs);
  const task_set set = analyse_tasks(config, o.wish);
  print(std::cout, set);
  if (!o.timeline.empty()) write_tasks_timeline("--timeline", o.timeline, set);
  if (!o.report.empty()) write_json_file("--report", o.report, tasks_part().json(set));
  for (const auto& [what, path] : {std::pair{"timeline", o.timeline}, std::pair{"report", o.report}})
    if (!path.empty()) fmt::print(std::cout, "  {:<14}{}\n", what, path);
  if (set.signal != 0) return exit_signal + set.signal;
  return set.is_schedulable() && set.holds() ? exit_pass : exit_fail;
}

}  // namespace

command add_tasks(CLI::App& app) {
  const auto o = std::make_shared<tasks_options>();
  CLI::App* c = add_with_config(app, "tasks", "Bound the response times of tasks that share the GPU", *o);
  CLI::Option* const simulate =
      c->add_option("--simulate", o->wish.hyperperiods,
                    "Run so many hyperperiods on the machine, and hold the jobs against their bounds")
          ->type_name("N")
          ->check(CLI::Range(1u, 1'000'000u));
  c->add_option("--seed", o->wish.seed,
                "Simulate with random phases and jitter, others in each hyperperiod (default: the file's offsets, no "
                "jitter)")
      ->type_name("N")
      ->needs(simulate);
  c->add_option("--timeline", o->timeline, "Write the first hyperperiod that was simulated as a Chrome trace")
      ->type_name("FILE.json")
      ->needs(simulate);
  c->add_option("--report", o->report, "Write all results as JSON")->type_name("FILE.json");
  c->footer(
      "The exit code is 1 if a job may miss its deadline, if a simulated one took longer than its bound, or if the "
      "simulation was stopped by a fault.");
  return {c, [o] { return tasks_command(*o); }};
}

}  // namespace pws::platform
