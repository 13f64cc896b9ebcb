#include "platform/cli/sweep_command.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <nlohmann/json.hpp>

#include "platform/cli/commands.h"
#include "platform/output/output_files.h"
#include "platform/sweep/page.h"
#include "platform/sweep/point_list.h"
#include "platform/sweep/slurm.h"
#include "platform/sweep/sweep.h"

namespace pws::platform {

CLI::App* add_sweep_command(CLI::App& app, sweep_command_options& o) {
  CLI::App* c = app.add_subcommand("sweep", "Run an experiment's points; a stopped sweep goes on where it was");
  c->add_option("EXPERIMENT", o.experiment, "Experiment (YAML; docs/experiments.md)")
      ->type_name("FILE.yaml")
      ->required();
  c->add_option("--jobs", o.jobs, "Points at a time (default: one per processor)")
      ->type_name("N")
      ->check(CLI::Range(1u, 1024u));
  c->add_option("--output", o.output, "Folder for the results (default: out/NAME, or out/NAME-small)")
      ->type_name("FOLDER");
  c->add_flag("--small", o.small, "The experiment's small form");
  CLI::Option* anew = c->add_flag("--anew", o.anew, "Run all points, finished ones too");
  CLI::Option* list =
      c->add_flag("--list", o.list, "Run nothing: print the points with their numbers, and what is kept");
  c->add_flag("--json", o.as_json, "With --list: as JSON")->needs(list);
  CLI::Option* point =
      c->add_option("--point", o.points,
                    "Run only these points (3, 1-5, 2,7-9), without the table; other processes may run "
                    "others in the same folder");
  point->allow_extra_args(false);
  CLI::Option* collect =
      c->add_flag("--collect", o.collect, "Run nothing: make the table of the points that are there");
  CLI::Option* slurm = c->add_flag("--slurm", o.slurm, "Run the points as a Slurm job array, --jobs tasks at a time");
  c->add_option("--partition", o.partition, "With --slurm: where")->needs(slurm);
  c->add_option("--sbatch", o.sbatch, "With --slurm: an option of sbatch, --sbatch=--time=10:00; may be repeated")
      ->allow_extra_args(false)
      ->needs(slurm);
  CLI::Option* cancel =
      c->add_flag("--cancel", o.cancel, "With --slurm: end the job that is in the queue")->needs(slurm);
  list->excludes(point, collect, anew, slurm);
  collect->excludes(point, anew, slurm);
  slurm->excludes(point);
  cancel->excludes(anew);
  return c;
}

namespace {

int list_command(const sweep_command_options& o, const sweep::experiment& e, const sweep::sweep_options& options) {
  const std::vector<sweep::listed_point> points = sweep::list_points(e, options.folder);
  if (o.as_json)
    std::cout << sweep::to_json(e, options.folder, points).dump(2) << '\n';
  else
    sweep::print(std::cout, e, points);
  return exit_pass;
}

}  // namespace

int sweep_command(const sweep_command_options& o) {
  const sweep::experiment e = sweep::load_experiment(o.experiment, o.small);
  sweep::sweep_options options;
  options.folder = o.output.empty() ? "out/" + e.name + (o.small ? "-small" : "") : o.output;
  options.jobs = o.jobs;
  options.anew = o.anew;
  options.collect = o.collect;
  options.command = o.command;
  if (o.list) return list_command(o, e, options);
  if (o.cancel) {
    sweep::cancel_on_slurm(options.folder, std::cout);
    return exit_pass;
  }
  const bool some = !o.points.empty();
  const sweep::sweep_outcome r = some ? sweep::run_points(e, options, sweep::points_in(o.points, e), std::cout)
                                 : o.slurm
                                     ? sweep::run_on_slurm(e, options, {o.experiment, o.partition, o.sbatch}, std::cout)
                                     : sweep::run_sweep(e, options, std::cout);
  fmt::print(std::cout, "{}: {} points, {} of them kept from before, {} failed{}\n", e.name, r.points, r.kept, r.failed,
             r.refused == 0 ? "" : fmt::format(", {} refused", r.refused));
  if (!some)
    fmt::print(std::cout, "  table        {}\n  all          {}\n", (options.folder / "table.csv").string(),
               (options.folder / "sweep.json").string());
  return r.failed == 0 ? exit_pass : exit_fail;
}

CLI::App* add_report_command(CLI::App& app, report_command_options& o) {
  CLI::App* c = app.add_subcommand("report", "Write a finished sweep as one HTML page");
  c->add_option("SWEEP-DIR", o.folder, "Folder of the sweep")->type_name("FOLDER")->required();
  c->add_option("--output", o.output, "File (default: SWEEP-DIR/report.html)")->type_name("FILE.html");
  return c;
}

int report_command(const report_command_options& o) {
  const std::filesystem::path file(o.output.empty() ? o.folder + "/report.html" : o.output);
  const auto finished = sweep::load_sweep(o.folder);  // before a folder is made
  const std::filesystem::path folder(o.folder);
  prepare_outputs({{"--output", file.string()}},
                  {folder / "sweep.json", folder / "table.csv", folder / "experiment.yaml"});
  sweep::write_whole(file, sweep::html_page(finished));
  fmt::print(std::cout, "{}\n", file.string());
  return exit_pass;
}

}  // namespace pws::platform
