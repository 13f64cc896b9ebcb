// SPDX-License-Identifier: Apache-2.0
// Jobs of tasks on the machine itself: packets that come at their times, in a queue for each task or in one for all.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "platform/machine/kernel_launch.h"
#include "platform/run/session/session.h"
#include "platform/wcet/tasks/task_set.h"

namespace pws::platform {

// Throws input_error if a hyperperiod has too many jobs to be simulated.
void require_simulation(const tasks_config& config, const std::optional<uint64_t>& hyperperiod);

// Runs the hyperperiods that `set` wishes for and puts what it sees into it. `launches`: of each task, prepared for
// queue k + 1 of the session's runtime; where jobs run in order, queue 0 has memory for all of them.
void simulate(task_set& set, session& on, const std::vector<kernel_launch>& launches);

}  // namespace pws::platform
