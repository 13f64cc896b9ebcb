// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/output/output_files.h"
#include "platform/commands/command_table.h"
#include "platform/commands/commands.h"
#include "platform/commands/page_program.h"
#include "platform/sweep/point_list.h"
#include "platform/sweep/sweep.h"

namespace pws::platform {

namespace fs = std::filesystem;

namespace {

struct sweep_command_options {
  std::string experiment, output;
  unsigned jobs = 0;
  bool small = false, anew = false;
  bool list = false, as_json = false, collect = false;
  std::vector<std::string> points;  // numbers and ranges
  std::string command;              // as a shell takes it
};

struct report_command_options {
  std::string sweep, experiment, output;
};

int list_command(const sweep_command_options& o, const sweep::experiment& e, const sweep::sweep_options& options) {
  const std::vector<sweep::listed_point> points = sweep::list_points(e, options.folder);
  if (o.as_json)
    std::cout << sweep::to_json(e, options.folder, points).dump(2) << '\n';
  else
    sweep::print(std::cout, e, points);
  return exit_pass;
}

int sweep_command(const sweep_command_options& o) {
  const sweep::experiment e = sweep::load_experiment(o.experiment, o.small);
  sweep::sweep_options options;
  options.folder = o.output.empty() ? "out/" + e.name + (o.small ? "-small" : "") : o.output;
  options.jobs = o.jobs;
  options.anew = o.anew;
  options.collect = o.collect;
  options.command = o.command;
  if (o.list) return list_command(o, e, options);
  const bool some = !o.points.empty();
  const sweep::sweep_outcome r = some ? sweep::run_points(e, options, sweep::points_in(o.points, e), std::cout)
                                      : sweep::run_sweep(e, options, std::cout);
  fmt::print(std::cout, "{}: {} points, {} of them kept from before, {} failed{}\n", e.name, r.points, r.kept, r.failed,
             r.refused == 0 ? "" : fmt::format(", {} refused", r.refused));
  if (!some)
    fmt::print(std::cout, "  table        {}\n  all          {}\n", (options.folder / "table.csv").string(),
               (options.folder / "sweep.json").string());
  return r.failed == 0 ? exit_pass : exit_fail;
}

int report_command(const report_command_options& o) {
  const fs::path given(o.sweep), table = fs::is_regular_file(given) ? given : given / "table.csv";
  if (!fs::exists(table)) throw input_error(table.string() + ": not there; is the sweep finished?");
  const fs::path folder = table.parent_path();
  const fs::path experiment = o.experiment.empty() ? folder / "experiment.yaml" : fs::path(o.experiment);
  fs::path page = o.output;
  if (page.empty()) page = table == given ? fs::path(table).replace_extension(".html") : folder / "report.html";
  const std::vector<std::string> beside = sweep::load_experiment(experiment.string(), false).files;
  std::vector<std::string> inputs = {table.string(), experiment.string(), (folder / "sweep.json").string()};
  inputs.insert(inputs.end(), beside.begin(), beside.end());
  const named_output output{"--output", page.string()};
  prepare_outputs({output}, inputs);
  write_output(output, page_program("page.py", {experiment.string(), table.string()}));
  fmt::print(std::cout, "{}\n", page.string());
  return exit_pass;
}

}  // namespace

command add_sweep(CLI::App& app, const std::string& typed) {
  const auto o = std::make_shared<sweep_command_options>();
  o->command = typed;
  CLI::App* c = app.add_subcommand("sweep", "Run an experiment's points; a stopped sweep goes on where it was");
  c->add_option("EXPERIMENT", o->experiment, "Experiment (YAML; docs/experiments.md)")
      ->type_name("FILE.yaml")
      ->required();
  c->add_option("--jobs", o->jobs, "Points at a time (default: one per processor)")
      ->type_name("N")
      ->check(CLI::Range(1u, 1024u));
  c->add_option("--output", o->output, "Folder for the results (default: out/NAME, or out/NAME-small)")
      ->type_name("FOLDER");
  c->add_flag("--small", o->small, "The experiment's small form");
  CLI::Option* anew = c->add_flag("--anew", o->anew, "Run all points, finished ones too");
  CLI::Option* list =
      c->add_flag("--list", o->list, "Run nothing: print the points with their numbers, and what is kept");
  c->add_flag("--json", o->as_json, "With --list: as JSON")->needs(list);
  CLI::Option* point =
      c->add_option("--point", o->points,
                    "Run only these points (3, 1-5, 2,7-9), without the table; other processes may run "
                    "others in the same folder");
  point->allow_extra_args(false);
  CLI::Option* collect =
      c->add_flag("--collect", o->collect, "Run nothing: make the table of the points that are there");
  list->excludes(point, collect, anew);
  collect->excludes(point, anew);
  return {c, [o] { return sweep_command(*o); }};
}

command add_report(CLI::App& app) {
  const auto o = std::make_shared<report_command_options>();
  CLI::App* c = app.add_subcommand("report", "Write a finished sweep as one HTML page");
  c->add_option("SWEEP-DIR", o->sweep, "Folder of the sweep, or its table alone (with --experiment)")
      ->type_name("FOLDER")
      ->required();
  c->add_option("--experiment", o->experiment,
                "Experiment whose figures are drawn (default: SWEEP-DIR/experiment.yaml)")
      ->type_name("FILE.yaml");
  c->add_option("--output", o->output, "File (default: SWEEP-DIR/report.html, or beside the table)")
      ->type_name("FILE.html");
  return {c, [o] { return report_command(*o); }};
}

}  // namespace pws::platform
