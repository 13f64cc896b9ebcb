// SPDX-License-Identifier: Apache-2.0
// Response times of tasks whose jobs run on the GPU one after the other, none interrupted: how long after its release a
// job has ended for sure. All times are cycles.
//
// Jobs of a task are released at least `period` apart. Each comes up to `jitter` after its release, in the order of the
// releases. Nothing is taken from the phases of tasks, so the bounds hold for any. Two policies:
//   fixed priority  of the waiting jobs that of the largest priority is next; jobs of equal priority in any order.
//                   Davis, Burns, Bril, Lukkien: Controller Area Network (CAN) schedulability analysis: refuted,
//                   revisited and revised (Real-Time Systems 35, 2007), section 3, the sufficient and necessary test.
//   in order        jobs run in the order in which they come. George, Rivierre, Spuri: Preemptive and non-preemptive
//                   real-time uniprocessor scheduling (INRIA report 2966, 1996), section on FIFO.
// Where releases and decisions fall into one cycle, either may be first: a job is blocked for all of a longer one's
// time, and a job that is released when another one starts is served before that.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/enum_names.h"

namespace pws::wcet {

enum class task_policy : uint8_t { fixed_priority, in_order };
constexpr auto enumerators(task_policy) {
  using e = task_policy;
  return std::array{named{e::fixed_priority, "fixed_priority"}, named{e::in_order, "in_order"}};
}

struct task {
  uint64_t cost = 1;      // of a job at most; at least 1
  uint64_t period = 1;    // between two releases at least; at least 1
  uint64_t deadline = 1;  // after the release
  uint64_t jitter = 0;    // a job may come so much later than its release
  uint32_t priority = 0;  // larger ones are served first; not asked where jobs run in order
};

struct response_time {
  std::optional<uint64_t> bound;  // nothing: see `why`
  std::string why;                // there is no bound
};

// Without a bound: the work that may go first takes as much time as there is or more, or the longest time in which the
// GPU is busy is too long to be looked at.
response_time response_time_of(const std::vector<task>& tasks, size_t of, task_policy policy);

// Every task has a bound, which is its deadline at most.
bool are_schedulable(const std::vector<task>& tasks, task_policy policy);

// The largest cost of the task with which all tasks are schedulable, the others as they are; 0: not with any.
uint64_t largest_cost(const std::vector<task>& tasks, size_t of, task_policy policy);

}  // namespace pws::wcet
