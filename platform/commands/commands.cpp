// SPDX-License-Identifier: Apache-2.0
#include "platform/commands/commands.h"

#include <fmt/format.h>
#include <fmt/ostream.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>

#include "base/enum_names.h"
#include "base/error.h"
#include "base/output/json_file.h"
#include "base/output/output_files.h"
#include "base/standard_output.h"
#include "models/isa/levels/lane_levels.h"
#include "platform/commands/checkpoint_options.h"
#include "platform/commands/command_form.h"
#include "platform/commands/command_table.h"
#include "platform/commands/completion.h"
#include "platform/commands/options.h"
#include "platform/commands/usage_text.h"
#include "platform/config/files/params.h"
#include "platform/machine/interruption.h"
#include "platform/run/run_session.h"
#include "platform/wcet/graph_bound.h"

namespace pws::platform {

namespace {

struct run_options : config_options {
  std::vector<std::string> checks;
  outputs files;
  checkpoint_choice checkpoints;
  std::string command;
  unsigned progress_every = 60;  // seconds
  bool quiet = false, dump = false;
};

int run_command(const run_options& o) {
  std::vector<std::string> overrides = o.overrides;
  put_checks(o.checks, overrides);
  const run_config config = load_run(o.config, overrides);
  if (o.dump) {
    print_yaml(std::cout, config.effective);
    return exit_pass;
  }
  const checkpoint_wishes checkpoints = o.checkpoints.wishes();
  const outputs files = prepared_outputs(config, o.files, checkpoints);
  session_options options;
  options.files = files;
  options.command = o.command;
  options.terminal = isatty(STDERR_FILENO) != 0;
  options.progress_every = o.quiet ? 0 : o.progress_every;
  const run_report report = run(config, options, checkpoints);
  if (!o.quiet) print(std::cout, report);
  if (o.quiet) print_problems(std::cerr, report);
  for (const output_kind& k : output_kinds()) {
    const std::string& path = files.of(k.name);
    const bool written = report.built || k.name == std::string_view("report");
    if (k.label != nullptr && !path.empty() && !o.quiet && written)
      fmt::print(std::cout, "  {:<13}{}\n", k.label, path);
  }
  for (const save_config& s : config.save)
    if (!o.quiet && report.built) fmt::print(std::cout, "  {:<13}{}: {}\n", "saved", s.buffer, s.file);
  if (!report.unwritten.empty()) throw input_error(report.unwritten);
  if (report.signal != 0) return exit_signal + report.signal;
  return report.pass() ? exit_pass : exit_fail;
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

struct graph_options : config_options {
  std::string report;
};

int graph_command(const graph_options& o) {
  const graph_config graph = load_graph(o.config, o.overrides);
  prepare_outputs({{"--report", o.report}}, graph.files);
  const graph_bounds bounds = bound_graph(graph);
  print(std::cout, graph, bounds);
  if (!o.report.empty()) write_json_file("--report", o.report, graph_part().json({graph, bounds}));
  return exit_pass;
}

struct params_options {
  std::optional<std::string> key;
  bool as_yaml = false, as_json = false;
  std::optional<file_kind> schema;
};

int params_command(const params_options& o) {
  if (o.schema)
    std::cout << json_schema(*o.schema).dump(2) << '\n';
  else if (o.as_yaml)
    print_params_yaml(std::cout);
  else if (o.as_json)
    std::cout << params_json().dump(2) << '\n';
  else if (o.key)
    print_key(std::cout, *o.key);
  else
    print_params(std::cout);
  return exit_pass;
}

}  // namespace

command add_run(CLI::App& app, const std::string& typed) {
  const auto o = std::make_shared<run_options>();
  o->command = typed;
  CLI::App* c = add_with_config(app, "run", "Run a kernel as a YAML file describes", *o);
  add_checks_option(*c, o->checks);
  add_output_options(*c, o->files);
  add_checkpoint_options(*c, o->checkpoints);
  c->add_option("--progress", o->progress_every,
                "Seconds between two lines on standard error that say how far a long run is, where that is no terminal "
                "(default: 60; 0: none)")
      ->check(CLI::Range(0u, 1'000'000u));
  CLI::Option* quiet = c->add_flag("--quiet", o->quiet, "Print nothing but errors");
  c->add_flag("--dump-config", o->dump,
              "Run nothing: print every key with its value and where it is from, as a run file")
      ->excludes(quiet);
  return {c, [o] { return run_command(*o); }};
}

command add_graph(CLI::App& app) {
  const auto o = std::make_shared<graph_options>();
  CLI::App* c =
      add_with_config(app, "graph", "Bound a control flow graph that a YAML file gives with its block times", *o);
  c->add_option("--report", o->report, "Write all results as JSON")->type_name("FILE.json");
  return {c, [o] { return graph_command(*o); }};
}

command add_params(CLI::App& app) {
  const auto o = std::make_shared<params_options>();
  CLI::App* c = app.add_subcommand("params", "Print every configuration key with default, unit, range and meaning");
  CLI::Option_group* form = c->add_option_group("Form");
  form->add_option("KEY", o->key, "Only this key and those below it: memory.dram, machine.n_cu, count")
      ->type_name("KEY");
  form->add_flag("--yaml", o->as_yaml, "As a commented machine file with the defaults");
  form->add_flag("--json", o->as_json, "As JSON, by kind of file");
  add_choice<file_kind>(*form, "--schema", o->schema,
                        "JSON Schema, for editors, of a kind of file: machine, run, exec, graph, experiment, soc")
      ->type_name("KIND");
  form->require_option(0, 1);
  return {c, [o] { return params_command(*o); }};
}

namespace {

// What is parsed, the last word first. A word of gdb's that is a letter's option to others is written out.
std::vector<std::string> parsed_words(int argc, char** argv) {
  std::vector<std::string> all;
  for (int k = 1; k < argc; ++k) all.emplace_back(argv[k]);
  if (!all.empty() && all.front() == "debug")  // what is behind -- is a program's
    std::replace(all.begin(), std::find(all.begin(), all.end(), "--"), std::string("-ex"), std::string("--ex"));
  std::reverse(all.begin(), all.end());
  return all;
}

// Does what the words ask for, and ends standard output.
int run_words(CLI::App& app, const std::vector<command>& commands, int argc, char** argv) {
  isa::lane_level();  // a PWSVP_PROCESSOR that there is not, before anything runs
  const std::vector<std::string> words(argv, argv + argc);
  int code = exit_pass;
  try {
    if (argc > 1 && words[1] == complete_command) {
      print(std::cout, complete(all_commands(app), {argv + 2, argv + argc}));
    } else if (const auto hipcc = hipcc_words(argc, argv)) {
      return hipcc_command(*hipcc);
    } else {
      app.parse(parsed_words(argc, argv));
      for (const command& c : commands)
        if (c.given_as->parsed()) code = c.run();
    }
  } catch (const CLI::ParseError& e) {
    std::ostringstream help, problem;
    code = app.exit(e, help, problem) == 0 ? exit_pass : exit_bad_input;
    std::cout << help.str();
    if (code != exit_pass) std::cerr << for_terminal(with_suggestion(app, words, problem.str()), words);
  }
  finish_standard_output();
  return code;
}

}  // namespace

int command_line(int argc, char** argv, const program_version& version) {
  ignore_broken_pipe();
  quiet_systemc();
  CLI::App app{"Virtual platform of a GCN3-class GPU with predictable wavefront splitting"};
  app.name("pwsvp");
  app.formatter(std::make_shared<help_formatter>());  // before the commands, which take it over
  app.require_subcommand(1);
  app.set_version_flag("--version", version.text.substr(0, version.text.find_last_not_of('\n') + 1),
                       "Print version, commit, and what it was built with, and exit");
  std::string codes;
  for (const exit_code_text& e : exit_code_texts)
    codes += fmt::format("{}{} {}", codes.empty() ? "" : ", ", e.code, e.meaning);
  app.footer("Exit codes: " + codes + ".");

  const std::string typed = shell_text(argc, argv);
  const std::vector<command> commands = {
      add_run(app, typed), add_debug(app, typed), add_dap(app),    add_exec(app, typed),     add_hipcc(app),
      add_check(app),      add_wcet(app),         add_tasks(app),  add_reconvergence(app),   add_graph(app),
      add_soc(app, typed), add_sweep(app, typed), add_report(app), add_coverage(app),        add_params(app),
      add_cost(app),       add_reference(app),    add_disasm(app), add_manual(app, version), add_completion(app),
  };
  const std::vector<std::string> words(argv, argv + argc);
  const auto failed = [&words](int code, const std::string& message) {
    std::cerr << for_terminal(message, words) << '\n';
    return code;
  };
  try {
    return run_words(app, commands, argc, argv);
  } catch (const input_error& e) {
    return failed(exit_bad_input, e.what());
  } catch (const program_error& e) {
    return failed(exit_fail, std::string("error: ") + e.what());
  } catch (const interrupted_error& e) {
    return failed(exit_signal + e.signal(), std::string("error: ") + e.what());
  } catch (const std::filesystem::filesystem_error& e) {
    return failed(exit_bad_input, e.what());
  } catch (const std::bad_alloc&) {
    return failed(exit_bad_input, "error: this takes more memory than the host has");
  } catch (const std::exception& e) {
    return failed(exit_fail, std::string("internal error: ") + e.what());
  }
}

}  // namespace pws::platform
