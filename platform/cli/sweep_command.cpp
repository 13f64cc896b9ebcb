#include "platform/cli/sweep_command.h"

#include <fmt/format.h>

#include <iostream>

#include "platform/cli/commands.h"
#include "platform/output/output_files.h"
#include "platform/sweep/page.h"
#include "platform/sweep/sweep.h"

namespace pws::platform {

CLI::App* add_sweep_command(CLI::App& app, sweep_command_options& o) {
  CLI::App* c = app.add_subcommand("sweep", "Run an experiment's points; a stopped sweep goes on where it was");
  c->add_option("EXPERIMENT", o.experiment, "Experiment (YAML; docs/experiments.md)")->required();
  c->add_option("--jobs", o.jobs, "Points at a time (default: one per processor)")->check(CLI::Range(1u, 1024u));
  c->add_option("--output", o.output, "Folder for the results (default: out/NAME, or out/NAME-small)");
  c->add_flag("--small", o.small, "The experiment's small form");
  c->add_flag("--anew", o.anew, "Run all points, finished ones too");
  return c;
}

int sweep_command(const sweep_command_options& o) {
  const sweep::experiment e = sweep::load_experiment(o.experiment, o.small);
  sweep::sweep_options options;
  options.folder = o.output.empty() ? "out/" + e.name + (o.small ? "-small" : "") : o.output;
  options.jobs = o.jobs;
  options.anew = o.anew;
  options.command = o.command;
  const sweep::sweep_outcome r = sweep::run_sweep(e, options, std::cout);
  fmt::print("{}: {} points, {} of them kept from before, {} failed{}\n", e.name, r.points, r.kept, r.failed,
             r.refused == 0 ? "" : fmt::format(", {} refused", r.refused));
  fmt::print("  table        {}\n  all          {}\n", (options.folder / "table.csv").string(),
             (options.folder / "sweep.json").string());
  return r.failed == 0 ? exit_pass : exit_fail;
}

CLI::App* add_report_command(CLI::App& app, report_command_options& o) {
  CLI::App* c = app.add_subcommand("report", "Write a finished sweep as one HTML page");
  c->add_option("SWEEP-DIR", o.folder, "Folder of the sweep")->required();
  c->add_option("--output", o.output, "File (default: SWEEP-DIR/report.html)");
  return c;
}

int report_command(const report_command_options& o) {
  const std::filesystem::path file(o.output.empty() ? o.folder + "/report.html" : o.output);
  prepare_outputs({{"--output", file.string()}});
  sweep::write_whole(file, sweep::html_page(sweep::load_sweep(o.folder)));
  fmt::print("{}\n", file.string());
  return exit_pass;
}

}  // namespace pws::platform
