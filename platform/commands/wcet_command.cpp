// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ostream.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "base/error.h"
#include "base/output/output_files.h"
#include "platform/commands/command_table.h"
#include "platform/commands/commands.h"
#include "platform/commands/options.h"
#include "platform/commands/page_program.h"
#include "platform/run/run_session.h"
#include "platform/wcet/annotated_source.h"
#include "platform/wcet/choose_by_launch.h"
#include "platform/wcet/sensitivity.h"
#include "platform/wcet/wcet_report.h"
#include "sw/loader/subprocess.h"

namespace pws::platform {

namespace {

struct wcet_options : config_options {
  wcet_outputs outputs;
  bool observe = false, suggest = false, sensitivity = false;
  std::string table, figure;  // of the sensitivity
  std::string times;
};

void find_sensitivity(const wcet_options& o, const std::vector<std::string>& overrides, const run_config& config,
                      const compiled_program& program, wcet_program& result) {
  const auto with_keys = [&](const std::vector<std::string>& keys, const std::string& value) {
    std::vector<std::string> other = overrides;
    for (const std::string& key : keys) other.push_back(fmt::format("machine.{}={}", key, value));
    return load_run(o.config, other).machine;
  };
  const wcet::scheme scheme = scheme_to_explain(*result.launches.front(), o.outputs.drawn);
  result.sensitivity = sensitivity_of(result, config, program, scheme, with_keys);
}

void write_sensitivity(const wcet_options& o, const bound_sensitivity& s) {
  const std::string table = csv_text(s);
  if (!o.table.empty()) write_output({"--table", o.table}, table);
  if (o.figure.empty()) return;
  const loader::temporary_directory scratch;
  const std::string file = (scratch.path() / "table.csv").string();
  write_output({"--figure", file}, table);
  write_output({"--figure", o.figure}, page_program("sensitivity.py", {file}));
}

int wcet_command(const wcet_options& o) {
  std::vector<std::string> overrides = o.overrides;
  put_times(o.times, overrides);
  const run_config config = load_run(o.config, overrides);
  const wcet_outputs& f = o.outputs;
  const bool measured = config.wcet.block_times == block_time_source::measured;
  if (o.sensitivity && measured)
    throw input_error(
        "--sensitivity needs static block times: measured ones do not follow from the constants of the machine");
  prepare_outputs({{"--report", f.report},
                   {"--dot", f.dot},
                   {"--svg", f.svg},
                   {"--timeline", f.timeline},
                   {"--annotate", f.annotate},
                   {"--callgrind", f.callgrind},
                   {"--table", o.table},
                   {"--figure", o.figure}},
                  input_files(config));
  const compiled_program program = compile_for_launches(config, assembly_text::wanted);
  check_launches(config, program);
  if (o.suggest) {
    std::cout << suggestion_text(suggest_bounds(config, program));
    return exit_pass;
  }
  auto result = analyse_wcet(config, program, o.observe);
  if (!f.annotate.empty() || !f.callgrind.empty())
    for (const auto& l : result.launches) l->explained = scheme_to_explain(*l, f.drawn);
  if (o.sensitivity) find_sensitivity(o, overrides, config, program, result);
  print(std::cout, result);
  write(result, f);
  if (result.sensitivity) write_sensitivity(o, *result.sensitivity);
  for (const auto& [what, path] :
       {std::pair{"drawing", f.dot}, std::pair{"drawing", f.svg}, std::pair{"timeline", f.timeline},
        std::pair{"annotated", f.annotate}, std::pair{"profile", f.callgrind}, std::pair{"table", o.table},
        std::pair{"figure", o.figure}, std::pair{"report", f.report}})
    if (!path.empty()) fmt::print(std::cout, "  {:<14}{}\n", what, path);
  if (result.signal != 0) return exit_signal + result.signal;
  return holds(result) ? exit_pass : exit_fail;
}

}  // namespace

command add_wcet(CLI::App& app) {
  const auto o = std::make_shared<wcet_options>();
  CLI::App* c = add_with_config(app, "wcet", "Bound the worst-case execution time of a run's kernel", *o);
  add_times_option(*c, o->times);
  CLI::Option* suggest = c->add_flag(
      "--suggest", o->suggest, "Run once and print bounds of loops that have none, as seen, as lines of a run file");
  suggest->excludes(c->add_flag("--observe", o->observe, "Run the kernel too, and compare"));
  suggest->excludes(c->add_option("--report", o->outputs.report, "Write everything as JSON")->type_name("FILE.json"));
  suggest->excludes(
      c->add_option("--dot", o->outputs.dot, "Write the control flow graph for Graphviz")->type_name("FILE.dot"));
  suggest->excludes(c->add_option("--svg", o->outputs.svg, "Write the control flow graph drawn (needs Graphviz)")
                        ->type_name("FILE.svg"));
  suggest->excludes(c->add_option("--timeline", o->outputs.timeline, "Write the worst case as a Chrome trace")
                        ->type_name("FILE.json"));
  suggest->excludes(
      c->add_option("--annotate", o->outputs.annotate,
                    "Write the source with what each line takes of the worst case, and what is known of its addresses")
          ->type_name("FILE.html"));
  suggest->excludes(
      c->add_option("--callgrind", o->outputs.callgrind, "Write the same for kcachegrind and callgrind_annotate")
          ->type_name("FILE"));
  CLI::Option* sensitivity = c->add_flag(
      "--sensitivity", o->sensitivity,
      "Bound again with each constant of the machine and each loop's bound a little lower and higher, and with "
      "accesses side by side: how E_kernel moves, and which changes lower it most");
  suggest->excludes(sensitivity);
  c->add_option("--table", o->table, "With --sensitivity: write it as a table")
      ->type_name("FILE.csv")
      ->needs(sensitivity);
  c->add_option("--figure", o->figure, "With --sensitivity: draw it (needs Python's matplotlib)")
      ->type_name("FILE.svg")
      ->needs(sensitivity);
  add_choice<wcet::scheme>(*c, "--draw", o->outputs.drawn,
                           "Scheme that is drawn: none, pws (default) or dws; of --annotate, --callgrind and "
                           "--sensitivity the default is the machine's")
      ->type_name("SCHEME");
  return {c, [o] { return wcet_command(*o); }};
}

}  // namespace pws::platform
