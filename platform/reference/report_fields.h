// SPDX-License-Identifier: Apache-2.0
// Every value that a JSON report can have: its path as measures of an experiment write it, its type, unit and meaning.
// Tests hold real reports against this list, in both directions.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "base/output/report_part.h"
#include "platform/config/files/file_kinds.h"

namespace pws::platform {

// Who writes the report: a command of pwsvp, or pwscc with --report=FILE.json.
enum class report_kind : uint8_t { run, wcet, exec, graph, reconvergence, compiler, sweep };
constexpr auto enumerators(report_kind) {
  using e = report_kind;
  return std::array{named{e::run, "run"},
                    named{e::wcet, "wcet"},
                    named{e::exec, "exec"},
                    named{e::graph, "graph"},
                    named{e::reconvergence, "reconvergence"},
                    named{e::compiler, "compiler"},
                    named{e::sweep, "sweep"}};
}

const std::vector<report_field>& report_fields(report_kind kind);

// Why no report of that kind has a single value at `path`, with a suggestion; nothing: one may have it. `prefix`
// stands before suggested paths.
std::optional<std::string> no_report_has(report_kind kind, const std::string& path, const std::string& prefix = "");

// For `pwsvp reference`.
nlohmann::ordered_json reference_json(report_kind kind);

// What the lists are made of; each in the file of its report.
namespace reference {

constexpr value_kind number = value_kind::number, text = value_kind::text, truth = value_kind::truth,
                     list = value_kind::list;

struct row {
  const char* path;
  value_kind kind;
  const char* unit;
  const char* meaning;
};

class field_list {
 public:
  template <size_t n>
  field_list& add(const row (&rows)[n], const std::string& below = "") {
    for (const row& r : rows) add({r.path, r.kind, r.unit, r.meaning}, below);
    return *this;
  }
  field_list& add(const std::vector<report_field>& fields, const std::string& below = "") {
    for (const report_field& f : fields) add(f, below);
    return *this;
  }
  field_list& add(report_field f, const std::string& below = "") {
    if (!below.empty()) f.path = below + "." + f.path;
    all_.push_back(std::move(f));
    return *this;
  }
  std::vector<report_field> take() { return std::move(all_); }

 private:
  std::vector<report_field> all_;
};

std::vector<report_field> wcet();
std::vector<report_field> exec();
std::vector<report_field> graph();
std::vector<report_field> compiler();
std::vector<report_field> sweep();

std::vector<report_field> configuration(file_kind kind);  // of the files that the report is made from, and the inputs

}  // namespace reference

}  // namespace pws::platform
