// SPDX-License-Identifier: Apache-2.0
// A kernel that a hardware queue of the dispatcher has in service: from its packet to its last workgroup's end.
#pragma once

#include <algorithm>

#include "models/context/workgroup.h"
#include "models/dispatch/aql_queue.h"
#include "models/machine/machine_config.h"

namespace pws::models {

struct kernel_in_service {
  dispatch launch;
  aql_queue* queue = nullptr;  // that its packet came from
  uint64_t packet = 0;         // its index there
  uint64_t workgroups = 0, started = 0, finished = 0;
  cycle_t began = 0;        // its packet was taken
  cycle_t last_finish = 0;  // of a workgroup

  // The workgroup that starts next: x first.
  workgroup next() {
    const isa::kernel_dispatch_packet& p = launch.packet;
    const uint64_t plane = uint64_t{launch.workgroups[0]} * launch.workgroups[1];
    workgroup w;
    w.of = &launch;
    w.id = {static_cast<uint32_t>(started % launch.workgroups[0]),
            static_cast<uint32_t>(started % plane / launch.workgroups[0]), static_cast<uint32_t>(started / plane)};
    const std::array<uint32_t, 3> size{p.workgroup_size_x, p.workgroup_size_y, p.workgroup_size_z};
    const std::array<uint32_t, 3> grid{p.grid_size_x, p.grid_size_y, p.grid_size_z};
    for (size_t k = 0; k < 3; ++k) w.size[k] = std::min(size[k], grid[k] - w.id[k] * size[k]);
    return w;
  }
};

}  // namespace pws::models
