// SPDX-License-Identifier: Apache-2.0
// The kinds of YAML files, each with its keys: what `pwsvp params` lists and JSON Schemas are made of.
#pragma once

#include <array>
#include <vector>

#include "base/enum_names.h"
#include "platform/config/field.h"

namespace pws::platform {

enum class file_kind : uint8_t { machine, run, exec, graph, experiment, soc, tasks };
constexpr auto enumerators(file_kind) {
  using e = file_kind;
  return std::array{
      named{e::machine, "machine"},       named{e::run, "run"}, named{e::exec, "exec"},  named{e::graph, "graph"},
      named{e::experiment, "experiment"}, named{e::soc, "soc"}, named{e::tasks, "tasks"}};
}

// What such a file is for, in a few words.
const char* purpose_of(file_kind kind);

// The keys of such a file that are its own: without a machine's, in files that have one.
const std::vector<field>& own_fields(file_kind kind);

// Whether a machine's keys are below `machine` in such a file, all of them.
constexpr bool has_machine_below(file_kind kind) {
  return kind == file_kind::run || kind == file_kind::exec || kind == file_kind::tasks;
}

// All keys as they are written in such a file.
std::vector<field> file_fields(file_kind kind);

}  // namespace pws::platform
