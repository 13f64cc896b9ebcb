// SPDX-License-Identifier: Apache-2.0
#include <fmt/ostream.h>
#include <sys/wait.h>

#include <CLI/CLI.hpp>
#include <cstring>
#include <iostream>
#include <memory>

#include "base/error.h"
#include "platform/commands/command_table.h"
#include "platform/commands/commands.h"
#include "platform/commands/options.h"
#include "platform/commands/program_child.h"
#include "platform/commands/program_on_machine.h"
#include "platform/commands/snapshot_options.h"
#include "platform/commands/soc_exit.h"
#include "platform/config/files/soc_config.h"
#include "platform/debug/prompt/debug_run.h"
#include "platform/debug/prompt/program_prompt.h"
#include "platform/soc/debug/soc_prompt.h"
#include "platform/soc/soc_report.h"

namespace pws::platform {

namespace {

struct debug_options : config_options {
  std::vector<std::string> checks;
  debug::prompt_commands given;
  snapshot_choice snapshots;
  std::vector<std::string> program;  // and its arguments; none: it is a run, or firmware
  std::string firmware;
  std::vector<std::string> kernels;  // of the firmware
  std::string command;               // as a shell takes it
};

int debug_program(const debug_options& o, const std::vector<std::string>& overrides) {
  debug::check_program_to_debug(o.config, overrides);
  const exec_notes notes;
  if (notes.path().empty()) throw input_error("pwsvp debug: this system has no memory to share with the program");
  const int status = run_on_machine(
      {o.config, overrides, o.program, o.command, {{debug::prompt_variable, debug::text_for_program(o.given)}}}, notes);
  if (WIFSIGNALED(status)) fmt::print(std::cerr, "{} has ended: {}\n", o.program[0], strsignal(WTERMSIG(status)));
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && notes.has(exec_note::wrong_command)) return exit_bad_input;
  return end_like(status);
}

int debug_firmware(const debug_options& o) {
  if (const std::string problem = why_there_is_no_soc(); !problem.empty())
    throw input_error("pwsvp debug --firmware: " + problem);
  debug::command_input input(o.given.files, o.given.commands);
  prompt_outcome outcome;
  const auto make = [&](soc_system& system, const interruption&) {
    return std::make_unique<soc_prompt>(system, o.kernels, input, std::cout, std::cerr, outcome);
  };
  const soc_result r = run_soc(load_soc(o.config, o.overrides), o.firmware, {},
                               {[](char c) { std::cout << c; }, [] { std::cout.flush(); }, false, false}, make);
  std::cout.flush();
  if (!outcome.given_up) print(std::cout, r);
  if (r.signal == 0 && outcome.wrong_commands != 0) return exit_bad_input;
  return outcome.given_up ? exit_pass : exit_code_of(r);
}

int debug_command(const debug_options& o) {
  std::vector<std::string> overrides = o.overrides;
  put_checks(o.checks, overrides);
  if (!o.program.empty()) return debug_program(o, overrides);
  const debug::debug_outcome outcome =
      debug_run(load_run(o.config, overrides), o.given, o.snapshots.options(), std::cout, std::cerr);
  if (outcome.run.signal != 0) return exit_signal + outcome.run.signal;
  if (outcome.wrong_commands != 0) return exit_bad_input;
  return outcome.run.ended && !outcome.run.passed ? exit_fail : exit_pass;
}

}  // namespace

command add_debug(CLI::App& app, const std::string& typed) {
  const auto o = std::make_shared<debug_options>();
  o->command = typed;
  CLI::App* c = add_with_config(
      app, "debug",
      "Stop a run, a HIP program or firmware's GPUs where you like, and look: a prompt with words as in gdb", *o);
  c->add_option("PROGRAM", o->program, "HIP program and its arguments, behind --; then CONFIG is as that of pwsvp exec")
      ->type_name("FILE");
  CLI::Option* const firmware =
      c->add_option("--firmware", o->firmware,
                    "ELF executable for RV64IMAC, whose GPUs are debugged; then CONFIG is as that of pwsvp soc")
          ->type_name("FILE.elf");
  add_kernels_option(*c, o->kernels)->needs(firmware);
  add_checks_option(*c, o->checks);
  c->add_option("-x,--command", o->given.files,
                "Take commands from a file before standard input; may be repeated; exit code 2 if one is wrong")
      ->type_name("FILE")
      ->allow_extra_args(false);
  c->add_option("--ex", o->given.commands, "A command, after those of files; may be repeated, and written -ex")
      ->type_name("COMMAND")
      ->allow_extra_args(false);
  add_snapshot_options(*c, o->snapshots);
  return {c, [o, c, firmware] {
            if (firmware->count() != 0) {
              refuse_snapshot_options(*c, no_snapshots_of_firmware);
              if (!o->program.empty()) throw input_error("--firmware: a HIP program cannot be debugged with it");
              if (!o->checks.empty()) throw input_error("--check: the GPUs of a system have no checks");
              return debug_firmware(*o);
            }
            if (o->program.empty()) return with_snapshots(o->snapshots, [&o] { return debug_command(*o); });
            refuse_snapshot_options(*c, no_snapshots_of_programs);
            return debug_command(*o);
          }};
}

}  // namespace pws::platform
