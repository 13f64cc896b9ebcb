// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/output/json_file.h"
#include "base/output/output_files.h"
#include "platform/commands/command_table.h"
#include "platform/commands/commands.h"
#include "platform/commands/options.h"
#include "platform/config/machine_loader.h"
#include "platform/run/reconvergence_report.h"

namespace pws::platform {

namespace {

struct study_options : config_options {
  reconvergence::study_options study;
  std::string report;
};

int reconvergence_command(const study_options& o) {
  const run_config config = load_run(o.config, o.overrides);
  prepare_outputs({{"--report", o.report}}, input_files(config));
  const reconvergence_result result = study_reconvergence(config, o.study);
  print(std::cout, result);
  for (const std::string& w : outputs_without_effect(config.effective, "reconvergence"))
    fmt::print(std::cout, "  {:<14}{}\n", "warning", w);
  if (!o.report.empty()) {
    write_json_file("--report", o.report, reconvergence_part().json(result));
    fmt::print(std::cout, "  {:<14}{}\n", "report", o.report);
  }
  return result.signal == 0 ? exit_pass : exit_signal + result.signal;
}

}  // namespace

command add_reconvergence(CLI::App& app) {
  const auto o = std::make_shared<study_options>();
  CLI::App* c = add_with_config(app, "reconvergence",
                                "Compare reconvergence at immediate post-dominators with the best there is", *o);
  c->add_option("--work-items", o->study.work_items, "Record the traces of so many, the launch's first")
      ->type_name("N")
      ->check(CLI::Range(1, 65536))
      ->capture_default_str();
  c->add_option("--warp-size", o->study.warp_size, "Work-items in a warp: 1, 2, 4, 8, 16, 32 or 64")
      ->type_name("N")
      ->check(CLI::IsMember({1, 2, 4, 8, 16, 32, 64}))
      ->capture_default_str();
  c->add_option("--max-blocks", o->study.max_blocks, "Refuse traces of more blocks; time grows with the square")
      ->type_name("N")
      ->check(CLI::Range(1, 1'000'000))
      ->capture_default_str();
  c->add_option("--report", o->report, "Write everything as JSON")->type_name("FILE.json");
  return {c, [o] { return reconvergence_command(*o); }};
}

}  // namespace pws::platform
