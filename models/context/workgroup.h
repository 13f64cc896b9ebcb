// SPDX-License-Identifier: Apache-2.0
// What the dispatcher hands to a compute unit, and what the unit keeps of it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/abi/aql.h"
#include "models/isa/abi/kernel_descriptor.h"
#include "models/isa/code/program.h"
#include "models/isa/inst.h"
#include "models/machine/occupancy.h"

namespace pws::models {

// One kernel dispatch; shared by all its workgroups, outlives them.
struct dispatch {
  std::string kernel;  // name for messages and traces
  isa::kernel_descriptor descriptor;
  isa::kernel_dispatch_packet packet;
  isa::wave_launch setup;  // what initial registers hold; per wavefront the workgroup and scratch slice are added
  isa::program* code = nullptr;
  uint32_t vgprs = 0;
  uint32_t sgprs = 0;
  uint32_t lds_bytes = 0;                // static and dynamic, per workgroup
  uint64_t functional_time = 0;          // cycles that launches of functional fidelity have taken before
  uint64_t time = 0;                     // functional fidelity: s_memtime where its wavefronts begin
  std::array<uint32_t, 3> workgroups{};  // grid in workgroups, the partial last ones included
  uint64_t launch_number = 0;            // as the packet has it, or as the machine counts

  uint64_t number() const { return launch_number; }  // of the machine's launches, from 1
};

struct workgroup {
  dispatch* of = nullptr;
  std::array<uint32_t, 3> id{};
  std::array<uint32_t, 3> size{};  // work-items; smaller than the packet's at the grid's edge
  // In the order in which workgroups are dispatched, x first.
  uint64_t number() const { return id[0] + of->workgroups[0] * (id[1] + uint64_t{of->workgroups[1]} * id[2]); }
  uint64_t work_items() const { return uint64_t{size[0]} * size[1] * size[2]; }
  uint32_t wavefronts() const { return static_cast<uint32_t>(wavefronts_of(work_items())); }
};

struct wf_context;

// A workgroup in a compute unit, and what of it still runs.
struct resident_workgroup {
  workgroup launch;
  std::vector<wf_context*> waves;  // launch wavefronts
  std::vector<wf_context*> swfs;   // SWFs split off them
  // Kept by wf_context::become().
  uint32_t running = 0;     // wavefronts, SWFs and paths without a context that have not reached s_endpgm
  uint32_t at_barrier = 0;  // of those running
  uint32_t unfinished = 0;  // launch wavefronts that have not, or with memory operations or SWFs still under way
  uint32_t lds_first = 0;
  bool live = false;

  // Everybody who is still to come to the barrier has.
  bool barrier_complete() const { return running != 0 && at_barrier == running; }
};

}  // namespace pws::models
