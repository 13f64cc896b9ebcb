#include "platform/params/params.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ostream>

#include "platform/config/values/text.h"
#include "platform/exec_file/exec_config.h"
#include "platform/experiment_file/experiment.h"
#include "platform/graph_file/graph_config.h"
#include "platform/machine_file/machine_schema.h"
#include "platform/run_file/run_schema.h"

namespace pws::platform {

namespace {

constexpr size_t n_columns = 6;
using table_row = std::array<std::string, n_columns>;

table_row row_of(const field& f, const std::string& prefix) {
  std::string path = prefix + f.path;
  // As one writes it in messages and for --set: the name itself.
  for (size_t star = path.find('*'); star != std::string::npos; star = path.find('*')) path.replace(star, 1, "NAME");
  return {path, f.type_text(), f.required ? "(required)" : f.default_text, f.unit, f.range_text(), f.help};
}

void print_table(std::ostream& out, const std::vector<table_row>& rows) {
  std::array<size_t, n_columns> width{};
  for (const table_row& row : rows) {
    for (size_t k = 0; k < n_columns; ++k) width[k] = std::max(width[k], row[k].size());
  }
  for (const table_row& row : rows) {
    std::string line;
    for (size_t k = 0; k < n_columns; ++k) line += fmt::format("{:<{}}  ", row[k], width[k]);
    line.erase(line.find_last_not_of(' ') + 1);
    out << line << '\n';
  }
}

}  // namespace

void print_params(std::ostream& out) {
  const table_row heading = {"key", "type", "default", "unit", "range", "meaning"};
  std::vector<table_row> rows{heading};
  for (const field& f : machine_fields()) rows.push_back(row_of(f, ""));
  out << "Machine file (in a run file all of it below `machine`):\n\n";
  print_table(out, rows);
  rows.assign(1, heading);
  for (const field& f : run_fields()) rows.push_back(row_of(f, ""));
  out << "\nRun file (NAME is an argument's name; `arguments` itself is a list):\n\n";
  print_table(out, rows);
  rows.assign(1, heading);
  for (const field& f : exec_fields()) rows.push_back(row_of(f, ""));
  out << "\nFile for pwsvp exec (beside `machine`):\n\n";
  print_table(out, rows);
  rows.assign(1, heading);
  for (const field& f : graph_fields()) rows.push_back(row_of(f, ""));
  out << "\nGraph for pwsvp graph (NAME is an element of a list):\n\n";
  print_table(out, rows);
  rows.assign(1, heading);
  for (const field& f : sweep::experiment_fields()) rows.push_back(row_of(f, ""));
  out << "\nExperiment for pwsvp sweep (NAME is an element of a list):\n\n";
  print_table(out, rows);
  out << "\nIntegers may be hexadecimal (0x40) or end in Ki, Mi, Gi. File names are relative to the file that they "
         "stand in.\n";
}

void print_params_yaml(std::ostream& out) {
  out << "# A machine with every key at its default; a machine file may leave out any of them.\n"
         "# `pwsvp params` lists them with the keys of run files.\n";
  std::vector<std::string> open;  // mappings that the last line was in
  for (const field& f : machine_fields()) {
    std::vector<std::string> keys;
    std::string_view rest = f.path;
    for (size_t dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
      keys.emplace_back(rest.substr(0, dot));
      rest.remove_prefix(dot + 1);
    }
    const auto common = std::mismatch(keys.begin(), keys.end(), open.begin(), open.end()).first - keys.begin();
    for (size_t k = static_cast<size_t>(common); k < keys.size(); ++k)
      out << std::string(2 * k, ' ') << keys[k] << ":\n";
    open = keys;
    std::string facts = f.range_text();
    if (!f.choices.empty()) facts = f.type_text();
    if (!f.unit.empty()) facts += (facts.empty() ? "unit: " : "; unit: ") + f.unit;
    out << fmt::format("{}{}: {}  # {} ({})\n", std::string(2 * keys.size(), ' '), rest, f.default_text, f.help, facts);
  }
}

}  // namespace pws::platform
