// SPDX-License-Identifier: Apache-2.0
#include "platform/commands/command_form.h"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "sw/pwscc/option_table.h"

namespace pws::platform {

namespace {

// "{a,b}"
std::vector<std::string> choices_in(const std::string& constraint) {
  const size_t open = constraint.find('{'), close = constraint.find('}');
  std::vector<std::string> all;
  if (open == std::string::npos || close == std::string::npos) return all;
  for (size_t at = open + 1; at < close;) {
    const size_t end = std::min(constraint.find(',', at), close);
    all.push_back(constraint.substr(at, end - at));
    at = end + 1;
  }
  return all;
}

// "INT in [1 - 64]"
std::string range_in(const std::string& constraint) {
  const size_t open = constraint.find('['), close = constraint.find(']');
  return open == std::string::npos || close == std::string::npos ? "" : constraint.substr(open + 1, close - open - 1);
}

option_form form_of(const CLI::Option& o) {
  option_form f;
  f.positional = o.get_positional();
  if (f.positional) {
    f.names = {o.get_name(true)};
  } else {
    for (const std::string& n : o.get_snames()) f.names.push_back("-" + n);
    for (const std::string& n : o.get_lnames()) f.names.push_back("--" + n);
  }
  if (o.get_items_expected_max() > 0) {
    const std::string type = o.get_type_name();
    const size_t colon = type.find(':');
    f.value = type.substr(0, colon);
    if (colon != std::string::npos) {
      f.choices = choices_in(type.substr(colon + 1));
      f.range = range_in(type.substr(colon + 1));
    }
    f.default_text = o.get_default_str();
    f.repeated = o.get_items_expected_max() > 1;
  }
  f.required = o.get_required();
  f.help = o.get_description();
  return f;
}

void add_options(const CLI::App& app, std::vector<option_form>& to) {
  for (const CLI::Option* o : app.get_options({}))
    if (!o->get_group().empty()) to.push_back(form_of(*o));
  // Groups of options are kept as commands without a name.
  for (const CLI::App* group : app.get_subcommands({}))
    if (group->get_name().empty()) add_options(*group, to);
}

command_form pwscc_form() {
  command_form c;
  c.program = "pwscc";
  c.summary = pwscc::summary;
  c.uses = pwscc::uses();
  c.remarks = pwscc::remarks();
  for (const pwscc::option_entry& e : pwscc::option_table()) {
    for (const std::string& form : e.forms) {
      option_form f;
      const size_t end = form.find_first_of("= ");
      f.names = {form.substr(0, end)};
      if (end != std::string::npos) f.value = form.substr(end + 1);
      f.joined = end != std::string::npos && form[end] == '=';
      f.choices = e.choices;
      f.help = e.help;
      c.options.push_back(std::move(f));
    }
  }
  option_form source;
  source.names = {"SOURCE"};
  source.value = "FILE.hip";
  source.help = "HIP source, or assembly for gfx803 (.s)";
  source.positional = source.required = source.repeated = true;
  c.options.push_back(std::move(source));
  return c;
}

}  // namespace

std::vector<command_form> all_commands(const CLI::App& app) {
  std::vector<command_form> all;
  command_form top;
  top.program = app.get_name();
  top.summary = app.get_description();
  top.remarks = {app.get_footer()};
  add_options(app, top.options);
  all.push_back(std::move(top));
  for (const CLI::App* sub : app.get_subcommands({})) {
    if (sub->get_name().empty() || sub->get_group().empty()) continue;
    command_form c;
    c.program = app.get_name();
    c.name = sub->get_name();
    c.summary = sub->get_description();
    if (sub->get_footer() != app.get_footer()) c.remarks.push_back(sub->get_footer());
    add_options(*sub, c.options);
    all.push_back(std::move(c));
  }
  all.push_back(pwscc_form());
  return all;
}

}  // namespace pws::platform
