// SPDX-License-Identifier: Apache-2.0
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/output/json_file.h"
#include "base/output/output_files.h"
#include "platform/commands/command_table.h"
#include "platform/commands/commands.h"
#include "platform/commands/options.h"
#include "platform/config/machine_loader.h"
#include "platform/report/cost_report.h"

namespace pws::platform {

namespace {

struct cost_options {
  std::string machine;
  std::vector<std::string> overrides, reports;
  uint32_t splits = 5;
  std::string report;
};

void print_storage(const models::machine_config& m, uint32_t splits, const std::vector<scheme_cost>& costs) {
  fmt::print(std::cout,
             "Bits of storage beside a machine without a scheme: {} splits open inside one another, {} wavefronts of a "
             "SIMD unit\n\n",
             splits, m.n_wfc);
  print_scheme_costs(std::cout, costs);
}

int cost_command(const cost_options& o) {
  std::vector<std::string> inputs = o.reports;
  if (!o.machine.empty()) inputs.push_back(o.machine);
  prepare_outputs({{"--report", o.report}}, inputs);
  cost_report report;
  if (o.reports.empty()) {
    if (o.machine.empty()) throw input_error("cost: neither MACHINE, a machine file, nor --of, reports of runs");
    const models::machine_config m = load_machine(o.machine, o.overrides);
    report.schemes = scheme_costs(m, o.splits);
    print_storage(m, o.splits, report.schemes);
  } else {
    for (const std::string& file : o.reports) report.runs.push_back(energy_of_file(file));
    fmt::print(std::cout, "Energy of runs in nJ: counters of their reports, times energies {}\n", access_energies());
    print_energies(std::cout, report.runs);
  }
  if (!o.report.empty()) write_json_file("--report", o.report, cost_part().json(report));
  return exit_pass;
}

}  // namespace

command add_cost(CLI::App& app) {
  const auto o = std::make_shared<cost_options>();
  CLI::App* c = app.add_subcommand(
      "cost", "Print what each divergence scheme costs in bits of storage, or what runs cost in cycles and energy");
  CLI::Option* machine =
      c->add_option("MACHINE", o->machine, "Machine file: storage of each scheme on it")->type_name("FILE.yaml");
  CLI::Option* set = c->add_option("--set", o->overrides, "Set a key of the machine; may be repeated")
                         ->type_name("PATH=VALUE")
                         ->allow_extra_args(false);
  CLI::Option* splits =
      c->add_option("--splits", o->splits, "Splits of a wavefront that can be open inside one another")
          ->type_name("N")
          ->check(CLI::Range(1u, 63u))
          ->capture_default_str();
  c->add_option("--of", o->reports,
                "Report of run or exec in timing fidelity: cycles and an estimate of its energy; may be repeated, and "
                "the first is what the others are compared with")
      ->type_name("FILE.json")
      ->allow_extra_args(false)
      ->excludes(machine)
      ->excludes(set)
      ->excludes(splits);
  c->add_option("--report", o->report, "Write everything as JSON")->type_name("FILE.json");
  return {c, [o] { return cost_command(*o); }};
}

}  // namespace pws::platform
