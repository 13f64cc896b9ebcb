#include "platform/cli/commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>

#include "base/enum_names.h"
#include "base/error.h"
#include "platform/cli/disassemble.h"
#include "platform/cli/exec_command.h"
#include "platform/cli/sweep_command.h"
#include "platform/params/params.h"
#include "platform/run/run_session.h"
#include "platform/wcet/graph_bound.h"
#include "platform/wcet/wcet_report.h"

namespace pws::platform {

namespace {

struct run_options {
  std::string config;
  std::vector<std::string> overrides;
  run_outputs outputs;
  bool quiet = false;
};

template <class E>
std::map<std::string, E> by_name() {
  std::map<std::string, E> all;
  for (const auto& [value, name] : enumerators(E{})) all.emplace(name, value);
  return all;
}

int run_command(const run_options& o) {
  const run_config config = load_run(o.config, o.overrides);
  run_outputs outputs = o.outputs;
  outputs.progress = isatty(STDERR_FILENO) != 0;
  const run_report report = run(config, outputs);
  if (!o.quiet) print(std::cout, report);
  if (o.quiet && !report.completed) std::cerr << "error: " << report.error << '\n';
  for (const auto& [what, path] : {std::pair{"waveform", outputs.vcd}, std::pair{"timeline", outputs.timeline},
                                   std::pair{"report", outputs.report}})
    if (!path.empty() && !o.quiet) fmt::print("  {:<13}{}\n", what, path);
  return report.pass() ? exit_pass : exit_fail;
}

int check_command(const run_options& o) {
  const run_config config = load_run(o.config, o.overrides);
  fmt::print("{}: kernel {}, {} arguments, {} expectations: no problem found\n", o.config, config.program.kernel,
             config.arguments.size(), config.expect.size());
  return exit_pass;
}

// The command as a shell takes it.
std::string shell_text(int argc, char** argv) {
  std::string text;
  for (int k = 0; k < argc; ++k) {
    const std::string word = k == 0 ? "pwsvp" : argv[k];
    const bool plain = !word.empty() && word.find_first_not_of(
                                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                            "0123456789_./=,:+-@%") == std::string::npos;
    if (k > 0) text += ' ';
    if (plain) {
      text += word;
      continue;
    }
    text += '\'';
    for (const char ch : word) text += ch == '\'' ? "'\\''" : std::string(1, ch);
    text += '\'';
  }
  return text;
}

struct wcet_options {
  run_options run;
  wcet_outputs outputs;
  bool observe = false;
  std::string times;
};

int wcet_command(const wcet_options& o) {
  std::vector<std::string> overrides = o.run.overrides;
  if (!o.times.empty()) overrides.push_back("wcet.block_times=" + o.times);
  const run_config config = load_run(o.run.config, overrides);
  const compiled_program program = compile_program(config, assembly_text::wanted);
  const auto result = analyse_wcet(config, program, o.observe);
  print(std::cout, *result);
  write(*result, o.outputs);
  for (const auto& [what, path] : {std::pair{"drawing", o.outputs.dot}, std::pair{"drawing", o.outputs.svg},
                                   std::pair{"timeline", o.outputs.timeline}, std::pair{"report", o.outputs.report}})
    if (!path.empty()) fmt::print("  {:<14}{}\n", what, path);
  return holds(*result) ? exit_pass : exit_fail;
}

int graph_command(const run_options& o) {
  const graph_config graph = load_graph(o.config, o.overrides);
  const graph_bounds bounds = bound_graph(graph);
  print(std::cout, graph, bounds);
  if (o.outputs.report.empty()) return exit_pass;
  std::ofstream out(o.outputs.report);
  out << to_json(graph, bounds).dump(2) << '\n';
  out.close();
  if (!out) throw input_error("--report " + o.outputs.report + ": cannot be written");
  return exit_pass;
}

void add_run_options(CLI::App& command, run_options& o) {
  command.add_option("CONFIG", o.config, "Run description (YAML)")->required();
  command.add_option("--set", o.overrides, "Override a key: PATH=VALUE, e.g. machine.n_cu=1 or arguments.n.value=7")
      ->allow_extra_args(false);
}

}  // namespace

int command_line(int argc, char** argv) {
  setenv("SYSTEMC_DISABLE_COPYRIGHT_MESSAGE", "1", 1);
  CLI::App app{"Virtual platform of a GCN3-class GPU with predictable wavefront splitting"};
  app.name("pwsvp");
  app.require_subcommand(1);
  app.set_version_flag("--version", "pwsvp 0.1.0");
  app.footer("Exit codes: 0 done and as expected, 1 the program or the check failed, 2 bad input.");

  run_options options;
  options.outputs.command = shell_text(argc, argv);
  CLI::App* run_app = app.add_subcommand("run", "Run a kernel as a YAML file describes");
  add_run_options(*run_app, options);
  run_app->add_option("--vcd", options.outputs.vcd, "Write a waveform (timing fidelity)");
  run_app->add_option("--rtl-vcd", options.outputs.rtl_vcd,
                      "Write a waveform of each SpSIMD unit's RTL (machine.cosim.mode: rtl or lockstep)");
  run_app->add_option("--timeline", options.outputs.timeline, "Write a Chrome trace: a slice per basic block");
  run_app->add_option("--report", options.outputs.report, "Write all results as JSON");
  run_app->add_flag("--quiet", options.quiet, "Print nothing but errors");

  exec_options program;
  program.command = shell_text(argc, argv);
  CLI::App* exec_app = add_exec_command(app, program);

  CLI::App* check_app = app.add_subcommand("check", "Check a YAML file without running it");
  add_run_options(*check_app, options);

  wcet_options wcet_run;
  CLI::App* wcet_app = app.add_subcommand("wcet", "Bound the worst-case execution time of a run's kernel");
  add_run_options(*wcet_app, wcet_run.run);
  wcet_app->add_option("--times", wcet_run.times, "Basic-block times: static or measured; overrides wcet.block_times")
      ->check(CLI::IsMember(names<block_time_source>()));
  wcet_app->add_flag("--observe", wcet_run.observe, "Run the kernel too, and compare");
  wcet_app->add_option("--report", wcet_run.outputs.report, "Write everything as JSON");
  wcet_app->add_option("--dot", wcet_run.outputs.dot, "Write the control flow graph for Graphviz");
  wcet_app->add_option("--svg", wcet_run.outputs.svg, "Write the control flow graph drawn (needs Graphviz)");
  wcet_app->add_option("--timeline", wcet_run.outputs.timeline, "Write the worst case as a Chrome trace");
  wcet_app->add_option("--draw", wcet_run.outputs.drawn, "Scheme that is drawn: none, pws (default) or dws")
      ->transform(CLI::CheckedTransformer(by_name<wcet::scheme>()));

  run_options graph;
  CLI::App* graph_app =
      app.add_subcommand("graph", "Bound a control flow graph that a YAML file gives with its block times");
  add_run_options(*graph_app, graph);
  graph_app->add_option("--report", graph.outputs.report, "Write all results as JSON");

  sweep_command_options experiment;
  experiment.command = shell_text(argc, argv);
  CLI::App* sweep_app = add_sweep_command(app, experiment);
  report_command_options page;
  CLI::App* report_app = add_report_command(app, page);

  bool as_yaml = false;
  CLI::App* params_app =
      app.add_subcommand("params", "Print every configuration key with default, unit, range and meaning");
  params_app->add_flag("--yaml", as_yaml, "As a commented machine file with the defaults");

  disassemble_options disassembly;
  CLI::App* disasm_app = app.add_subcommand("disasm", "Disassemble the kernels of a program");
  disasm_app->add_option("FILE", disassembly.file, "HIP source, code object, offload bundle or executable")->required();
  disasm_app->add_option("--kernel", disassembly.kernel, "Only this kernel");

  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& e) {
    return app.exit(e) == 0 ? exit_pass : exit_bad_input;
  }
  try {
    if (run_app->parsed()) return run_command(options);
    if (exec_app->parsed()) return exec_command(program);
    if (check_app->parsed()) return check_command(options);
    if (wcet_app->parsed()) return wcet_command(wcet_run);
    if (graph_app->parsed()) return graph_command(graph);
    if (sweep_app->parsed()) return sweep_command(experiment);
    if (report_app->parsed()) return report_command(page);
    if (params_app->parsed()) {
      if (as_yaml)
        print_params_yaml(std::cout);
      else
        print_params(std::cout);
      return exit_pass;
    }
    disassemble_program(std::cout, disassembly);
    return exit_pass;
  } catch (const input_error& e) {
    std::cerr << e.what() << '\n';
    return exit_bad_input;
  } catch (const program_error& e) {
    std::cerr << "error: " << e.what() << '\n';
    return exit_fail;
  }
}

}  // namespace pws::platform
