// SPDX-License-Identifier: Apache-2.0
// The dispatcher's hardware queues and the kernels that they have in service.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>

#include "models/context/workgroup.h"
#include "models/isa/abi/aql.h"
#include "models/machine/cu_mask.h"
#include "models/machine/machine_config.h"

namespace pws::models {

// What the registers of a queue say.
struct queue_registers {
  uint64_t ring = 0;      // device address of the packet ring
  uint64_t packets = 0;   // that it holds; 0: there is no such queue
  uint64_t object = 0;    // device address of the amd_queue that kernels may read
  uint64_t priority = 0;  // larger ones go first
  cu_mask cus;            // that its workgroups may go to
};

// An AQL queue of the host's, as the dispatcher keeps it. Packets leave it in the order in which they were written.
struct aql_queue : queue_registers {
  uint32_t number = 0;
  uint64_t written = 0;  // packets that the host has written so far

  uint64_t taken = 0;                               // packets that have left it
  std::optional<isa::kernel_dispatch_packet> head;  // the next one, once it has been read
  bool is_invalid = false;                          // the next one has been read, and its header said INVALID
  uint32_t in_service = 0;                          // of its kernels
  // When it last had its turn, to hand over a packet and a workgroup; of equal queues that which has waited longest is
  // next.
  uint64_t packet_turn = 0, workgroup_turn = 0;

  bool has_packet() const { return taken != written; }
  uint64_t address_of_next() const { return ring + taken % packets * sizeof(isa::kernel_dispatch_packet); }
};

// One of its kernels: from its packet to its last workgroup's end.
struct kernel_in_service {
  dispatch launch;
  aql_queue* queue = nullptr;  // that its packet came from
  uint64_t packet = 0;         // its index there
  uint64_t workgroups = 0, started = 0, finished = 0;
  cycle_t began = 0;                    // its packet was taken
  cycle_t last_finish = 0;              // of a workgroup
  std::shared_ptr<isa::program> found;  // its code, where it is read from memory

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
