// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "platform/commands/command_table.h"
#include "platform/commands/commands.h"
#include "platform/commands/options.h"
#include "platform/commands/snapshot_options.h"
#include "platform/debug/prompt/debug_run.h"

namespace pws::platform {

namespace {

struct debug_options : config_options {
  std::vector<std::string> checks;
  debug::prompt_commands given;
  snapshot_choice snapshots;
};

int debug_command(const debug_options& o) {
  std::vector<std::string> overrides = o.overrides;
  put_checks(o.checks, overrides);
  const debug::debug_outcome outcome =
      debug_run(load_run(o.config, overrides), o.given, o.snapshots.options(), std::cout, std::cerr);
  if (outcome.run.signal != 0) return exit_signal + outcome.run.signal;
  if (outcome.wrong_commands != 0) return exit_bad_input;
  return outcome.run.ended && !outcome.run.passed ? exit_fail : exit_pass;
}

}  // namespace

command add_debug(CLI::App& app) {
  const auto o = std::make_shared<debug_options>();
  CLI::App* c = add_with_config(app, "debug", "Stop a run where you like, and look: a prompt with words as in gdb", *o);
  add_checks_option(*c, o->checks);
  c->add_option("-x,--command", o->given.files,
                "Take commands from a file before standard input; may be repeated; exit code 2 if one is wrong")
      ->type_name("FILE")
      ->allow_extra_args(false);
  c->add_option("--ex", o->given.commands, "A command, after those of files; may be repeated, and written -ex")
      ->type_name("COMMAND")
      ->allow_extra_args(false);
  add_snapshot_options(*c, o->snapshots);
  return {c, [o] { return with_snapshots(o->snapshots, [&o] { return debug_command(*o); }); }};
}

}  // namespace pws::platform
