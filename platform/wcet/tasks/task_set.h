// SPDX-License-Identifier: Apache-2.0
// Tasks that share the machine: the bound of each one's jobs, response times from these bounds, and jobs simulated on
// the machine and held against both. What `pwsvp tasks` does. All times are cycles.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "platform/config/files/tasks_config.h"
#include "sw/wcet/instructions/instruction_time.h"

namespace pws::platform {

// How jobs are simulated. A hyperperiod is the least common multiple of all periods; each is run to its end before the
// next one begins.
struct simulation_wish {
  uint32_t hyperperiods = 0;     // 0: none
  std::optional<uint64_t> seed;  // first releases and jitter are random, others in each hyperperiod; nothing: offsets
                                 // as the file has them, no jitter
};

struct simulated_jobs {
  uint64_t jobs = 0, missed = 0;  // deadlines
  uint64_t longest = 0;           // response
  uint64_t execution = 0;         // the longest: from when the machine began a job to its end
};

struct analysed_task {
  task_config config;
  std::string kernel;
  uint64_t cost = 0;  // E_kernel of the machine's scheme
  wcet::response_time response;
  uint64_t largest_cost = 0;  // wcet::largest_cost
  std::optional<simulated_jobs> seen;

  bool is_met() const { return response.bound && *response.bound <= config.due(); }
  // Cycles between the bound and the deadline; nothing: there are none.
  std::optional<uint64_t> slack() const {
    return is_met() ? std::optional(config.due() - *response.bound) : std::nullopt;
  }
  double utilisation() const { return static_cast<double>(cost) / static_cast<double>(config.period); }
};

// A job of the first hyperperiod that was simulated, for the timeline.
struct seen_job {
  size_t task = 0;
  uint64_t release = 0, came = 0, began = 0, ended = 0;
};

struct task_set {
  explicit task_set(const tasks_config& of) : config(of) {}  // keeps a reference

  const tasks_config& config;
  models::machine_config machine;  // as provisioned
  wcet::scheme scheme = wcet::scheme::none;
  std::vector<analysed_task> tasks;
  std::vector<std::string> warnings;
  simulation_wish wish;
  std::optional<uint64_t> hyperperiod;  // nothing: beyond 2^53
  std::vector<seen_job> first_jobs;     // by their ends
  std::string error;                    // what stopped the simulation
  int signal = 0;                       // that stopped it

  bool is_schedulable() const;
  double utilisation() const;
  // Every simulated job took no longer than its task's bounds say, and nothing stopped the simulation.
  bool holds() const;
};

// Compiles what the tasks run, lays all of it out in one device memory, bounds it there, and simulates as wished. One
// call per process, because SystemC is. Throws input_error for what cannot be analysed or simulated.
task_set analyse_tasks(const tasks_config& config, const simulation_wish& wish);

}  // namespace pws::platform
