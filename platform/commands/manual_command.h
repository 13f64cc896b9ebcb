// SPDX-License-Identifier: Apache-2.0
// `pwsvp manual` and `pwsvp completion`: manual pages and shell completion, made of the command line itself.
#pragma once

#include <optional>
#include <string>

#include "platform/commands/completion.h"
#include "platform/commands/man_page.h"

namespace CLI {
class App;
}

namespace pws::platform {

struct manual_options {
  std::string page, folder;
};
CLI::App* add_manual_command(CLI::App& app, manual_options& o);
// `app`: with all commands.
int manual_command(const manual_options& o, const CLI::App& app, const page_heading& heading);

struct completion_options {
  std::optional<shell> of;
};
CLI::App* add_completion_command(CLI::App& app, completion_options& o);
int completion_command(const completion_options& o);

}  // namespace pws::platform
