// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>
#include <sstream>
#include <utility>

#include "base/error.h"
#include "platform/commands/command_table.h"
#include "platform/commands/program_on_machine.h"
#include "platform/commands/snapshot_options.h"
#include "platform/commands/soc_exit.h"
#include "platform/config/files/soc_config.h"
#include "platform/debug/dap/dap.h"
#include "platform/debug/dap/program_dap.h"
#include "platform/machine/virtual_platform.h"
#include "platform/soc/debug/firmware_run.h"
#include "platform/soc/soc_report.h"

namespace pws::platform {

namespace {

int run_in_editor(const debug::program_launch& p, const std::string& variable) {
  const exec_notes notes;
  return run_on_machine({p.config, p.sets, p.program, "pwsvp dap", {{debug::dap_variable, variable}}}, notes);
}

debug::firmware_outcome run_firmware_in_editor(const debug::firmware_launch& f, debug::debugger& core,
                                               const std::function<void(const std::string&)>& send, bool is_first) {
  if (const std::string problem = why_there_is_no_soc(); !problem.empty()) throw input_error("firmware: " + problem);
  const soc_config config = load_soc(f.config, f.sets);
  if (!is_first) new_simulation();
  std::string line;
  const soc_result r = run_watched_firmware(config, f.firmware, f.kernels, core, [&](char c) {
    line += c;
    if (c == '\n') send(std::exchange(line, ""));
  });
  send(line);
  std::ostringstream summary;
  print(summary, r);
  return {exit_code_of(r), r.signal, summary.str()};
}

}  // namespace

command add_dap(CLI::App& app) {
  CLI::App* c = app.add_subcommand(
      "dap", "The debugger for editors, which call it: the Debug Adapter Protocol on standard input and output");
  const auto snapshots = std::make_shared<snapshot_choice>();
  add_snapshot_options(*c, *snapshots);
  return {c, [c, snapshots] {
            if (isatty(STDIN_FILENO) != 0)
              std::cerr << "An editor is expected here, by the Debug Adapter Protocol. At a terminal: pwsvp debug.\n";
            const debug::program_support programs{run_in_editor, unused_snapshot_options(*c, no_snapshots_of_programs)};
            const debug::firmware_support firmware{run_firmware_in_editor,
                                                   unused_snapshot_options(*c, no_snapshots_of_firmware)};
            return with_snapshots(*snapshots,
                                  [&] { return debug::serve_dap(snapshots->options(), programs, firmware); });
          }};
}

}  // namespace pws::platform
