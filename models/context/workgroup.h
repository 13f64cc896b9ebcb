// SPDX-License-Identifier: Apache-2.0
// What the dispatcher hands to a compute unit.
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

}  // namespace pws::models
