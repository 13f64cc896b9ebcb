// SPDX-License-Identifier: Apache-2.0
#include "platform/config/files/file_kinds.h"

#include "platform/config/files/exec_config.h"
#include "platform/config/files/experiment.h"
#include "platform/config/files/graph_config.h"
#include "platform/config/files/run_schema.h"
#include "platform/config/files/soc_config.h"
#include "platform/config/files/tasks_config.h"
#include "platform/config/machine_schema.h"

namespace pws::platform {

namespace {

// Whether `path` is `key` or lies below it.
bool is_at(const std::string& path, const std::string& key) {
  return path.compare(0, key.size(), key) == 0 && (path.size() == key.size() || path[key.size()] == '.');
}

std::vector<field> of_run(const std::string& key) {
  std::vector<field> all;
  for (const field& f : run_fields())
    if (is_at(f.path, key)) all.push_back(f);
  return all;
}

// What a run file has under `machine`, and the machine's keys there.
std::vector<field> machine_below() {
  std::vector<field> all = of_run(machine_key);
  const std::vector<field> machine = machine_fields_below(machine_key);
  all.insert(all.end(), machine.begin(), machine.end());
  return all;
}

void append(std::vector<field>& to, const std::vector<field>& all) {
  to.insert(to.end(), all.begin(), all.end());
}

}  // namespace

const char* purpose_of(file_kind kind) {
  switch (kind) {
    case file_kind::machine:
      return "A machine: in a run file all of it below `machine`";
    case file_kind::run:
      return "A run of one kernel or several, for pwsvp run, wcet and reconvergence";
    case file_kind::exec:
      return "What HIP programs run on, for pwsvp exec";
    case file_kind::graph:
      return "A control flow graph with its block times, for pwsvp graph";
    case file_kind::tasks:
      return "Tasks that share a GPU, for pwsvp tasks";
    case file_kind::soc:
      return "A system with a RISC-V processor that runs firmware, for pwsvp soc";
    case file_kind::experiment:
      break;
  }
  return "An experiment, for pwsvp sweep";
}

const std::vector<field>& own_fields(file_kind kind) {
  static const std::vector<field> machine = machine_fields();
  switch (kind) {
    case file_kind::machine:
      return machine;
    case file_kind::run:
      return run_fields();
    case file_kind::exec:
      return exec_fields();
    case file_kind::graph:
      return graph_fields();
    case file_kind::soc:
      return soc_fields();
    case file_kind::tasks:
      return tasks_fields();
    case file_kind::experiment:
      break;
  }
  return sweep::experiment_fields();
}

std::vector<field> file_fields(file_kind kind) {
  if (!has_machine_below(kind) && kind != file_kind::machine) return own_fields(kind);
  std::vector<field> all;
  if (kind == file_kind::machine) {
    all = machine_layer_keys().fields();
    append(all, machine_fields());
    return all;
  }
  all = machine_below();
  if (kind != file_kind::exec) {
    for (const field& f : own_fields(kind))
      if (!is_at(f.path, machine_key)) all.push_back(f);
    return all;
  }
  all.front().required = false;
  append(all, exec_fields());
  append(all, of_run("wcet"));
  return all;
}

}  // namespace pws::platform
