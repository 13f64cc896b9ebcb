// SPDX-License-Identifier: Apache-2.0
// What the command line says of itself: help in lines of a terminal's width, and what may have been meant by a word
// that is no command, option or value.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace pws::platform {

// Options and commands with their meaning beside them, wrapped. Groups of options are indented by two more columns.
class help_formatter : public CLI::Formatter {
 public:
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_footer(const CLI::App* app) const override;
};

// `problem`: what the parser says of the command line, `words`. A command that there is not is named in place of it; to
// what is no option or value of its option, the nearest one is added.
std::string with_suggestion(const CLI::App& app, const std::vector<std::string>& words, std::string problem);

// `message` with the bytes that would steer the terminal as \xNN. Line breaks are the message's own, but for those of
// `words`, which were given on the command line: file names and the like, as wholes, behind a = and as folders.
std::string for_terminal(std::string message, const std::vector<std::string>& words);

}  // namespace pws::platform
