// SPDX-License-Identifier: Apache-2.0
#include "models/isa/levels/lane_levels.h"

#include <cstdlib>

#include "base/error.h"
#include "models/isa/rows/rows.h"

namespace pws::isa {

#define PWS_LEVEL(name, text, runs)                    \
  const std::vector<opcode_row>& vector_rows_##name(); \
  const std::vector<opcode_row>& memory_rows_##name();
#include <lane_levels.def>
#undef PWS_LEVEL

namespace {

struct level {
  const char* name;
  bool runs_here;
  const std::vector<opcode_row>& (*vector_rows)();
  const std::vector<opcode_row>& (*memory_rows)();
};

const std::vector<level>& all_levels() {
  static const std::vector<level> all = [] {
    __builtin_cpu_init();
#define PWS_LEVEL(name, text, runs) level{text, runs, &vector_rows_##name, &memory_rows_##name},
    std::vector<level> levels = {
#include <lane_levels.def>
    };
#undef PWS_LEVEL
    return levels;
  }();
  return all;
}

const level& find_level() {
  if (all_levels().size() == 1) return all_levels().front();
  const char* given = std::getenv("PWSVP_PROCESSOR");
  const std::string wanted = given == nullptr ? "" : given;
  const level* best = nullptr;
  std::string known;
  for (const level& l : all_levels()) {
    if (wanted == l.name && !l.runs_here) throw input_error("PWSVP_PROCESSOR: this processor is no " + wanted);
    if (l.runs_here && (wanted.empty() || wanted == l.name)) best = &l;
    known += std::string(known.empty() ? "" : ", ") + l.name;
  }
  if (best == nullptr) throw input_error("PWSVP_PROCESSOR: " + wanted + " is none of " + known);
  return *best;
}
const level& chosen_level() {
  static const level& chosen = find_level();
  return chosen;
}

}  // namespace

std::vector<std::string> lane_levels() {
  std::vector<std::string> names;
  if (all_levels().size() > 1)
    for (const level& l : all_levels()) names.emplace_back(l.name);
  return names;
}

std::string lane_level() {
  return chosen_level().name;
}

const std::vector<opcode_row>& vector_rows() {
  return chosen_level().vector_rows();
}

const std::vector<opcode_row>& memory_rows() {
  return chosen_level().memory_rows();
}

}  // namespace pws::isa
