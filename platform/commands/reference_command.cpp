// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "platform/commands/command_table.h"
#include "platform/commands/commands.h"
#include "platform/commands/reference/registers.h"
#include "platform/commands/reference/report_fields.h"
#include "platform/commands/reference/signals.h"
#include "platform/config/values/expression.h"
#include "platform/config/values/text.h"
#include "platform/sweep/results.h"

namespace pws::platform {

namespace {

using nlohmann::ordered_json;

ordered_json functions_json() {
  constexpr const char* operands[] = {"x", "x, y", "x, y, z"};
  ordered_json all = ordered_json::array();
  for (const expression_function& f : expression_functions())
    all.push_back({{"call", fmt::format("{}({})", f.name, operands[f.operands - 1])}, {"meaning", f.meaning}});
  return all;
}

ordered_json signals_json() {
  ordered_json all = ordered_json::array();
  for (const signal_text& s : signal_texts()) all.push_back({{"signal", s.name}, {"meaning", s.meaning}});
  return all;
}

ordered_json exit_codes_json() {
  ordered_json all = ordered_json::array();
  for (const exit_code_text& e : exit_code_texts) all.push_back({{"code", e.code}, {"meaning", e.meaning}});
  return all;
}

constexpr const char* registers_part = "registers";

struct part {
  std::string name, about;
  std::function<ordered_json()> list;
};

std::vector<part> parts() {
  std::vector<part> all;
  for (const auto& [kind, name] : enumerators(report_kind{})) {
    const report_kind k = kind;
    const std::string writer =
        k == report_kind::compiler ? "pwscc --report=FILE.json" : std::string("pwsvp ") + name + " --report";
    all.push_back({name, "Report of " + writer, [k] { return reference_json(report_fields(k)); }});
  }
  all.push_back(
      {"sweep", "Report of pwsvp sweep, sweep.json", [] { return reference_json(sweep::sweep_part().fields()); }});
  all.push_back({"functions", "What expressions of run files can call", functions_json});
  all.push_back({"signals", "Signals of waveforms, below the scope SystemC", signals_json});
  all.push_back({registers_part, "Registers of the GPU, their fields and values", registers_json});
  all.push_back({"exit-codes", "Exit codes of pwsvp", exit_codes_json});
  return all;
}

std::string cell(const ordered_json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

// The first key of an entry on the left, the others beside it: "number, branches: that pwscc made split".
void print_entries(std::ostream& out, const ordered_json& rows) {
  constexpr size_t meaning_column = 40;
  for (const ordered_json& row : rows) {
    const auto last = std::prev(row.end());
    std::string facts;
    for (auto value = std::next(row.begin()); value != last; ++value)
      if (!cell(*value).empty()) facts += (facts.empty() ? "" : ", ") + cell(*value);
    out << labelled("  " + cell(row.front()), meaning_column, facts + (facts.empty() ? "" : ": ") + cell(*last));
  }
}

struct reference_options {
  std::string part;
  bool as_json = false, as_c_header = false, as_markdown = false;
};

int reference_command(const reference_options& o) {
  if (o.as_c_header || o.as_markdown) {
    if (o.part != registers_part)
      throw input_error(fmt::format("{} is for `pwsvp reference {}` alone", o.as_c_header ? "--c-header" : "--markdown",
                                    registers_part));
    std::cout << (o.as_c_header ? registers_c_header() : registers_markdown());
    return exit_pass;
  }
  ordered_json j;
  bool first = true;
  for (const part& p : parts()) {
    if (!o.part.empty() && p.name != o.part) continue;
    const ordered_json rows = p.list();
    if (o.as_json) {
      j[p.name] = {{"about", p.about}, {"entries", rows}};
      continue;
    }
    std::cout << (first ? "" : "\n") << p.about << ":\n\n";
    first = false;
    print_entries(std::cout, rows);
  }
  if (o.as_json) std::cout << j.dump(2) << '\n';
  return exit_pass;
}

}  // namespace

command add_reference(CLI::App& app) {
  const auto o = std::make_shared<reference_options>();
  CLI::App* c = app.add_subcommand(
      "reference", "Print every value that reports have, functions of expressions, signals, registers, exit codes");
  std::vector<std::string> names;
  for (const part& p : parts()) names.push_back(p.name);
  c->add_option("PART", o->part, fmt::format("Only this: {}", fmt::join(names, ", ")))->check(CLI::IsMember(names));
  CLI::Option* json = c->add_flag("--json", o->as_json, "As JSON");
  CLI::Option* header = c->add_flag("--c-header", o->as_c_header, "Registers as a C header for drivers");
  c->add_flag("--markdown", o->as_markdown, "Registers as the page docs/registers.md")
      ->excludes(json)
      ->excludes(header);
  header->excludes(json);
  return {c, [o] { return reference_command(*o); }};
}

}  // namespace pws::platform
