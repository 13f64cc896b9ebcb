// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <iostream>
#include <limits>

#include "base/output/output_files.h"
#include "platform/commands/command_table.h"
#include "platform/commands/commands.h"
#include "platform/machine/coverage_report.h"

namespace pws::platform {

namespace {

struct coverage_options {
  std::vector<std::string> files;
  std::string output;
  bool all_holes = false;
};

int coverage_command(const coverage_options& o) {
  prepare_outputs({{"--output", o.output}}, o.files);
  std::vector<cosim::cover_point> points;
  for (const std::string& file : o.files) {
    std::vector<cosim::cover_point> more = cosim::read_coverage(file);
    if (points.empty())
      points = std::move(more);
    else
      cosim::add_coverage(points, more, file);
  }
  constexpr size_t some = 10;
  cosim::print_coverage(std::cout, points, o.all_holes ? std::numeric_limits<size_t>::max() : some);
  if (!o.output.empty()) write_output({"--output", o.output}, cosim::coverage_file(points));
  return exit_pass;
}

}  // namespace

command add_coverage(CLI::App& app) {
  const auto o = std::make_shared<coverage_options>();
  CLI::App* c = app.add_subcommand("coverage", "Show what runs have covered of the SpSIMD unit's RTL, together");
  c->add_option("FILE", o->files, "Written by --rtl-coverage, or by this command")->type_name("FILE.json")->required();
  c->add_option("--output", o->output, "Write the sum of all files")->type_name("FILE.json");
  c->add_flag("--holes", o->all_holes, "Name all holes, not ten of each cover point");
  return {c, [o] { return coverage_command(*o); }};
}

}  // namespace pws::platform
