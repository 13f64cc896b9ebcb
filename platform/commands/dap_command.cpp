// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <iostream>
#include <memory>

#include "platform/commands/command_table.h"
#include "platform/commands/snapshot_options.h"
#include "platform/debug/dap/dap.h"

namespace pws::platform {

command add_dap(CLI::App& app) {
  CLI::App* c = app.add_subcommand(
      "dap", "The debugger for editors, which call it: the Debug Adapter Protocol on standard input and output");
  const auto snapshots = std::make_shared<snapshot_choice>();
  add_snapshot_options(*c, *snapshots);
  return {c, [snapshots] {
            if (isatty(STDIN_FILENO) != 0)
              std::cerr << "An editor is expected here, by the Debug Adapter Protocol. At a terminal: pwsvp debug.\n";
            return with_snapshots(*snapshots, [&] { return debug::serve_dap(snapshots->options()); });
          }};
}

}  // namespace pws::platform
