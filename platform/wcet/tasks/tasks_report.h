// SPDX-License-Identifier: Apache-2.0
// What `pwsvp tasks` prints and writes.
#pragma once

#include <ostream>
#include <string>

#include "base/output/report_part.h"
#include "platform/wcet/tasks/task_set.h"

namespace pws::platform {

// A line for each task, and the verdict.
void print(std::ostream& out, const task_set& set);

// The report.
const report_part<task_set>& tasks_part();

// The first hyperperiod that was simulated, as Chrome trace JSON (opens in Perfetto): a row for each task, on which its
// jobs wait and run, and an instant where one misses its deadline.
void write_tasks_timeline(const std::string& option, const std::string& path, const task_set& set);

}  // namespace pws::platform
