// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "base/error.h"
#include "platform/commands/command_table.h"
#include "platform/commands/commands.h"
#include "platform/commands/completion.h"
#include "platform/commands/man_page.h"
#include "platform/commands/options.h"
#include "platform/config/values/text.h"

namespace pws::platform {

namespace {

struct manual_options {
  std::string page, folder;
};

int manual_command(const manual_options& o, const CLI::App& app, const page_heading& heading) {
  const auto pages = manual_pages(all_commands(app), heading);
  if (!o.folder.empty()) {
    if (!o.page.empty()) throw input_error("--output writes all pages: PAGE has no meaning beside it");
    for (const auto& [name, text] : pages) {
      const std::filesystem::path folder = std::filesystem::path(o.folder) / ("man" + name.substr(name.rfind('.') + 1));
      std::filesystem::create_directories(folder);
      std::ofstream out(folder / name);
      if (!(out << text) || !out.flush()) throw input_error((folder / name).string() + ": cannot be written");
    }
    return exit_pass;
  }
  std::vector<std::string> known;
  for (const auto& [name, text] : pages) {
    const std::string page = name.substr(0, name.rfind('.'));
    if (page == o.page || name == o.page) {
      std::cout << text;
      return exit_pass;
    }
    known.push_back(page);
    if (o.page.empty()) std::cout << page << '\n';
  }
  if (o.page.empty()) return exit_pass;
  throw input_error("there is no page " + in_quotes(o.page) + did_you_mean(o.page, known));
}

}  // namespace

command add_manual(CLI::App& app, const program_version& version) {
  const auto o = std::make_shared<manual_options>();
  CLI::App* c = app.add_subcommand("manual", "Print a manual page, for man -l -, or the names of all pages");
  c->add_option("PAGE", o->page, "The page: pwsvp, pwsvp-run, pwscc, pwsvp-run-file, ...")->type_name("PAGE");
  c->add_option("--output", o->folder, "Write all pages there, in man1 and man5")->type_name("FOLDER");
  return {c, [o, &app, &version] { return manual_command(*o, app, {version.number, version.date}); }};
}

command add_completion(CLI::App& app) {
  const auto of = std::make_shared<std::optional<shell>>();
  CLI::App* c =
      app.add_subcommand("completion", "Print a script that completes commands, options, files and keys in a shell");
  add_choice<shell>(*c, "SHELL", *of, "The shell that is to read it")->type_name("NAME")->required();
  c->footer(
      "In ~/.bashrc: eval \"$(pwsvp completion bash)\". The scripts call pwsvp __complete WORD..., which prints what "
      "could "
      "stand in place of the last word, a line each: the word, a tab, its meaning; then :files with their endings or "
      ":folders, where such are wanted.");
  return {c, [of] {
            std::cout << completion_script(**of);
            return exit_pass;
          }};
}

}  // namespace pws::platform
