// SPDX-License-Identifier: Apache-2.0
// The tasks that firmware names (models/soc/task_marks.h): when each began and ended, and how that is beside its
// deadline and its bound. A response time is that from a task's mark to the mark of its end.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <systemc>
#include <vector>

#include "platform/soc/soc_system.h"

namespace pws::platform {

// All tasks of one name that have ended.
struct task_result {
  std::string name;
  uint64_t count = 0;
  uint64_t shortest_ps = 0, longest_ps = 0, sum_ps = 0;  // response times
  std::optional<uint64_t> deadline_ns, bound_ns;         // that were given last
  uint64_t misses = 0, above_bound = 0;                  // each against what was given for it
  uint64_t open = 0;                                     // that had not ended when the run did

  double mean_ps() const { return count == 0 ? 0 : static_cast<double>(sum_ps) / static_cast<double>(count); }
};

class task_log {
 public:
  // From now on it is who hears of the system's marks. It stays as long as the system runs.
  explicit task_log(soc_system& system);
  task_log(const task_log&) = delete;
  task_log& operator=(const task_log&) = delete;

  // Hears of each task that ends.
  std::function<void(const std::string& name, const sc_core::sc_time& begin, const sc_core::sc_time& end)> on_end;

  // In the order in which the names were first given.
  const std::vector<task_result>& results() const { return results_; }
  // The run is over: tasks that have not ended are told to on_end, and counted as `open`.
  void close();

 private:
  struct open_task {
    size_t of;  // index of its result
    sc_core::sc_time begin;
    std::optional<uint64_t> deadline_ns, bound_ns;
  };
  void begin(const std::string& name);
  void end();

  std::vector<task_result> results_;
  std::vector<open_task> open_;  // the outermost first
};

}  // namespace pws::platform
