// SPDX-License-Identifier: Apache-2.0
// An AQL queue of the host's, as the dispatcher keeps it. Packets leave it in the order in which they were written.
#pragma once

#include <cstdint>
#include <optional>

#include "models/isa/abi/aql.h"
#include "models/machine/cu_mask.h"

namespace pws::models {

struct aql_queue {
  uint32_t number = 0;
  // What its registers were written with.
  uint64_t base = 0;      // device address of the packet ring
  uint64_t packets = 0;   // that the ring holds; 0: there is no such queue
  uint64_t object = 0;    // device address of the amd_queue
  uint64_t priority = 0;  // larger ones go first
  cu_mask cus;            // that its workgroups may go to
  uint64_t written = 0;   // packets that the host has written so far

  uint64_t taken = 0;                               // packets that have left it
  std::optional<isa::kernel_dispatch_packet> head;  // the next one, once it has been read
  uint32_t in_service = 0;                          // of its kernels
  // When it last had its turn, to hand over a packet and a workgroup; of equal queues that which has waited longest is
  // next.
  uint64_t packet_turn = 0, workgroup_turn = 0;

  bool has_packet() const { return taken != written; }
  uint64_t address_of_next() const { return base + taken % packets * sizeof(isa::kernel_dispatch_packet); }
};

}  // namespace pws::models
