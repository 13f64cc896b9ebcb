// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <iostream>
#include <set>

#include "base/error.h"
#include "platform/commands/command_table.h"
#include "platform/commands/commands.h"
#include "platform/commands/options.h"
#include "platform/config/files/exec_config.h"
#include "platform/config/files/experiment.h"
#include "platform/config/files/file_kinds.h"
#include "platform/config/files/graph_config.h"
#include "platform/config/files/soc_config.h"
#include "platform/config/files/tasks_config.h"
#include "platform/config/machine_loader.h"
#include "platform/machine/host_need.h"
#include "platform/run/program/scheme_use.h"
#include "platform/run/run_session.h"
#include "platform/sweep/sweep.h"
#include "platform/wcet/choose_by_launch.h"
#include "platform/wcet/run_launch.h"

namespace pws::platform {

namespace {

// The first key of each path.
std::set<std::string> top_keys(file_kind kind) {
  std::set<std::string> keys;
  for (const field& f : file_fields(kind)) keys.insert(f.path.substr(0, f.path.find('.')));
  return keys;
}

// exec if it says so; else the kind most of whose keys are in the file, and among equals the first.
file_kind kind_of(const std::string& file) {
  issue_list issues(file);
  yaml_node root;
  if (!parse_yaml_file(file, "", root, issues)) issues.throw_if_any();
  using k = file_kind;
  if (root.find("exec") != nullptr) return k::exec;
  k best = k::run;
  std::ptrdiff_t most = 0;
  for (const k kind : {k::run, k::machine, k::experiment, k::graph, k::soc, k::tasks}) {
    const std::set<std::string> keys = top_keys(kind);
    const auto n = std::count_if(root.entries.begin(), root.entries.end(),
                                 [&](const yaml_entry& e) { return keys.count(e.key) != 0; });
    if (n <= most) continue;
    best = kind;
    most = n;
  }
  return best;
}

// What a file describes, and what of it does nothing.
struct checked {
  std::string text;
  std::vector<std::string> warnings;
};

std::vector<std::string> with(std::vector<std::string> keys, const models::machine_config& machine) {
  const std::vector<std::string> more = scheme_warnings(machine);
  keys.insert(keys.end(), more.begin(), more.end());
  return keys;
}

checked check_run(const std::string& file, const std::vector<std::string>& overrides) {
  const run_config config = load_run(file, overrides);
  refuse_beyond_host(config.machine);
  const compiled_program program = compile_for_launches(config, assembly_text::wanted);
  check_launches(config, program);
  check_device_memory(config, program.image);
  check_stated_bounds(config, program.image);
  const std::string what = config.launches.size() == 1 ? "kernel " + config.launches.front().kernel
                                                       : fmt::format("{} launches", config.launches.size());
  size_t expectations = config.expect.size();
  for (const run_launch& l : config.launches) expectations += l.expect.size();
  return {fmt::format("{}, {} arguments, {} expectations", what, config.arguments.size(), expectations),
          warnings_of(config, program.image)};
}

checked check_experiment(const std::string& file, const std::vector<std::string>& overrides) {
  if (!overrides.empty()) throw input_error(file + ": an experiment has no overrides (--set); its key `set` does that");
  const sweep::experiment e = sweep::load_experiment(file, false);
  const sweep::checked_points c = sweep::check_points(e);
  return {fmt::format("an experiment of {} points", c.points), c.warnings};
}

// Which kind of file it is, its keys tell. Says on `out` what it is; throws input_error with every problem.
void check_file(std::ostream& out, const std::string& file, const std::vector<std::string>& overrides) {
  checked c;
  switch (kind_of(file)) {
    case file_kind::run:
      c = check_run(file, overrides);
      break;
    case file_kind::machine: {
      const loaded_machine machine = load_machine_layers(file, overrides);
      refuse_beyond_host(machine.config);
      c = {"a machine", with(keys_without_effect(machine), machine.config)};
      break;
    }
    case file_kind::exec: {
      const exec_config config = load_exec(file, overrides);
      refuse_beyond_host(config.machine);
      c = {"a machine and what pwsvp exec does", with(config.idle_keys, config.machine)};
      break;
    }
    case file_kind::graph:
      c.text = fmt::format("a graph, {} blocks", load_graph(file, overrides).blocks.size());
      break;
    case file_kind::experiment:
      c = check_experiment(file, overrides);
      break;
    case file_kind::tasks: {
      const tasks_config config = load_tasks(file, overrides);
      refuse_beyond_host(config.machine);
      c = {fmt::format("{} tasks", config.tasks.size()), with(config.idle_keys, config.machine)};
      break;
    }
    case file_kind::soc:
      c = {"a system for pwsvp soc", load_soc(file, overrides).idle_keys};
      break;
  }
  for (const std::string& w : c.warnings) fmt::print(out, "{}: warning: {}\n", file, w);
  fmt::print(out, "{}: {}: no problem found\n", file, c.text);
}

}  // namespace

command add_check(CLI::App& app) {
  const auto o = std::make_shared<config_options>();
  CLI::App* c = add_with_config(
      app, "check", "Check a YAML file without running it: run, program, machine, graph, tasks, experiment, system",
      *o);
  return {c, [o] {
            check_file(std::cout, o->config, o->overrides);
            return exit_pass;
          }};
}

}  // namespace pws::platform
