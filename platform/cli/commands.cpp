#include "platform/cli/commands.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>

#include "models/isa/error.h"
#include "platform/cli/disassemble.h"
#include "platform/config/params.h"
#include "platform/run_session.h"

namespace pws::platform {

namespace {

struct run_options {
  std::string config;
  std::vector<std::string> overrides;
  run_outputs outputs;
  bool quiet = false;
};

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
  CLI::App* run_app = app.add_subcommand("run", "Run a kernel as a YAML file describes");
  add_run_options(*run_app, options);
  run_app->add_option("--vcd", options.outputs.vcd, "Write a waveform (timing fidelity)");
  run_app->add_option("--timeline", options.outputs.timeline, "Write a Chrome trace: a slice per basic block");
  run_app->add_option("--report", options.outputs.report, "Write all results as JSON");
  run_app->add_flag("--quiet", options.quiet, "Print nothing but errors");

  CLI::App* check_app = app.add_subcommand("check", "Check a YAML file without running it");
  add_run_options(*check_app, options);

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
    if (check_app->parsed()) return check_command(options);
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
