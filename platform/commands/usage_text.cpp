// SPDX-License-Identifier: Apache-2.0
#include "platform/commands/usage_text.h"

#include <algorithm>

#include "base/file_names.h"
#include "platform/commands/command_form.h"
#include "platform/config/values/text.h"

namespace pws::platform {

namespace {

constexpr size_t help_columns = terminal_columns - 2;

// "--times: statc not in {static,measured}": the nearest of those.
std::string nearest_value(const std::string& problem) {
  constexpr std::string_view list = " not in {";
  const size_t at = problem.find(list), colon = problem.find(": "), close = problem.find('}', at);
  if (at == std::string::npos || close == std::string::npos || colon > at) return "";
  std::vector<std::string> known;
  for (size_t k = at + list.size(); k < close;) {
    const size_t end = std::min(problem.find(',', k), close);
    known.push_back(problem.substr(k, end - k));
    k = end + 1;
  }
  return did_you_mean(std::string_view(problem).substr(colon + 2, at - colon - 2), known);
}

// A list of choices that is wider than the terminal, over several lines.
std::string folded(std::string label) {
  for (size_t begin = 0; label.size() - begin > help_columns;) {
    const size_t comma = label.rfind(',', begin + help_columns - 1);
    if (comma == std::string::npos || comma < begin) break;
    begin = comma + 2;
    label.insert(comma + 1, "\n    ");
  }
  return label;
}

// The suggestion for the first word that looks like an option and is none.
std::string nearest_option(const command_form& command, const std::vector<std::string>& words) {
  std::vector<std::string> known;
  for (const option_form& o : command.options)
    if (!o.positional) known.insert(known.end(), o.names.begin(), o.names.end());
  for (const std::string& word : words) {
    if (word == "--") return "";
    const std::string name = word.substr(0, word.find('='));
    const bool is_option = name.size() > 2 && name.compare(0, 2, "--") == 0;
    if (is_option && std::find(known.begin(), known.end(), name) == known.end()) return did_you_mean(name, known);
  }
  return "";
}

}  // namespace

std::string help_formatter::make_option(const CLI::Option* option, bool is_positional) const {
  return labelled(folded("  " + make_option_name(option, is_positional) + make_option_opts(option)), column_width_,
                  make_option_desc(option), help_columns);
}

std::string help_formatter::make_subcommand(const CLI::App* command) const {
  return labelled("  " + command->get_display_name(true), column_width_, command->get_description(), help_columns);
}

std::string help_formatter::make_footer(const CLI::App* app) const {
  const std::string footer = app->get_footer();
  return footer.empty() ? "" : wrapped(footer, 0) + '\n';
}

std::string with_suggestion(const CLI::App& app, const std::vector<std::string>& words, std::string problem) {
  const std::vector<command_form> commands = all_commands(app);
  std::vector<std::string> names;
  for (const command_form& c : commands)
    if (c.program == app.get_name() && !c.name.empty()) names.push_back(c.name);
  const size_t first_end = problem.find('\n');
  const std::string rest = first_end == std::string::npos ? "\n" : problem.substr(first_end);
  const auto is_word = [](const std::string& w) { return !w.empty() && w[0] != '-'; };
  const auto given = std::find_if(words.begin() + std::min<size_t>(1, words.size()), words.end(), is_word);
  const bool known = given != words.end() && std::find(names.begin(), names.end(), *given) != names.end();
  if (!known && given != words.end())
    return "there is no command " + in_quotes(*given) + did_you_mean(*given, names) + rest;
  std::string meant = nearest_value(problem);
  for (const command_form& c : commands)
    if (meant.empty() && c.program == app.get_name() && c.name == (known ? *given : ""))
      meant = nearest_option(c, {known ? given + 1 : words.begin() + 1, words.end()});
  return problem.substr(0, first_end) + meant + rest;
}

namespace {

void escape_word(std::string& message, const std::string& word) {
  if (word.find('\n') == std::string::npos || word.find_first_not_of('\n') == std::string::npos) return;
  const std::string shown = visible(word, "");
  for (size_t at = message.find(word); at != std::string::npos; at = message.find(word, at + shown.size()))
    message.replace(at, word.size(), shown);
}

}  // namespace

std::string for_terminal(std::string message, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    escape_word(message, word);
    const std::string value = word.substr(word.find('=') + 1);
    escape_word(message, value);
    if (const size_t slash = value.rfind('/'); slash != std::string::npos) escape_word(message, value.substr(0, slash));
  }
  return visible(message);
}

}  // namespace pws::platform
