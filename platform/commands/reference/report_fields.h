// SPDX-License-Identifier: Apache-2.0
// Every value that a JSON report can have, as the parts that write it say: its path as measures of an experiment write
// it, its type, unit and meaning.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "base/output/report_part.h"

namespace pws::platform {

// Who writes the report: a command of pwsvp, or pwscc with --report=FILE.json.
enum class report_kind : uint8_t { run, wcet, exec, graph, reconvergence, cost, soc, tasks, compiler };
constexpr auto enumerators(report_kind) {
  using e = report_kind;
  return std::array{named{e::run, "run"},
                    named{e::wcet, "wcet"},
                    named{e::exec, "exec"},
                    named{e::graph, "graph"},
                    named{e::reconvergence, "reconvergence"},
                    named{e::cost, "cost"},
                    named{e::soc, "soc"},
                    named{e::tasks, "tasks"},
                    named{e::compiler, "compiler"}};
}

const std::vector<report_field>& report_fields(report_kind kind);

// Why no report of that kind has a single value at `path`, with a suggestion; nothing: one may have it. `prefix`
// stands before suggested paths.
std::optional<std::string> no_report_has(report_kind kind, const std::string& path, const std::string& prefix = "");

// For `pwsvp reference`.
nlohmann::ordered_json reference_json(const std::vector<report_field>& fields);

}  // namespace pws::platform
