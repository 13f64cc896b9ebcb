// SPDX-License-Identifier: Apache-2.0
// A set of tasks that share a GPU, as a user describes it in YAML, for `pwsvp tasks`. Plain data, completely checked
// when load_tasks returns it. All times are cycles of the GPU.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/machine/machine_config.h"
#include "platform/config/effective.h"
#include "platform/config/field.h"
#include "sw/wcet/tasks/response_times.h"

namespace pws::platform {

struct task_config {
  std::string name;
  std::string run;  // a run file: program, launch and arguments of a job; its machine is not used
  uint64_t period = 0;
  std::optional<uint64_t> deadline;  // nothing: the period
  uint64_t offset = 0;               // of the first release, in simulations
  uint64_t jitter = 0;
  uint32_t priority = 0;
  origin where;

  uint64_t due() const { return deadline.value_or(period); }
};

struct tasks_config {
  std::string file;
  std::vector<std::string> files;  // all YAML files that this was read from
  models::machine_config machine;
  std::string machine_text;  // all of its keys that were given, as a mapping on one line
  wcet::task_policy policy = wcet::task_policy::fixed_priority;
  std::vector<task_config> tasks;      // in order, at least one
  effective_value effective;           // every key
  std::vector<std::string> idle_keys;  // what is given and has no effect, a sentence each
};

// Throws config_error with every problem. The run files are read by those who need them.
tasks_config load_tasks(const std::string& path, const std::vector<std::string>& overrides = {});

// The keys of such a file, for `pwsvp params`.
const std::vector<field>& tasks_fields();

}  // namespace pws::platform
