// SPDX-License-Identifier: Apache-2.0
// What the check of waits has to know of an instruction, worked out once per address.
#pragma once

#include <cstdint>

#include "models/check/waits/register_set.h"
#include "models/isa/operands.h"

namespace pws::check {

// Who counts a memory operation (GCN3 ISA 4.4 "Data Dependency Resolution", AMDGPU memory model of gfx6 to gfx9).
enum class counted_by : uint8_t {
  nothing,
  vm,      // MUBUF, MTBUF: vmcnt, in order
  flat,    // FLAT: both; which of them says when it is done depends on where its lanes go
  lds,     // DS: lgkmcnt, in order among themselves
  scalar,  // SMEM: lgkmcnt, in any order
  message  // s_sendmsg: lgkmcnt, in any order
};

// What makes an instruction the first or the second one of a pair between which GCN3 demands wait states.
enum hazard_role : uint32_t {
  // First
  valu_writes_scalar = 1u << 0,  // an SGPR or VCC
  valu_writes_exec = 1u << 1,
  valu_writes_vgpr = 1u << 2,
  salu_writes_m0 = 1u << 3,
  sets_hardware_register = 1u << 4,
  stores_wide_data = 1u << 5,  // more than 64 bits of each lane
  // Second
  gets_hardware_register = 1u << 6,
  uses_zero_flag = 1u << 7,  // VALU with VCCZ or EXECZ as a source
  selects_lane = 1u << 8,    // v_readlane, v_writelane by a scalar register
  uses_vcc_of_division = 1u << 9,
  reads_scalar_for_vmem = 1u << 10,
  is_dpp = 1u << 11,
  needs_m0_for_message = 1u << 12,
};

struct instruction_facts {
  const isa::inst* of = nullptr;  // nullptr: not worked out yet
  register_set reads, writes;
  register_set touches;  // both
  counted_by counts = counted_by::nothing;
  bool special = false;        // a wait, barrier, end, split or merge, or cache write-back: what follows has to look
  bool of_image = false;       // names more address registers than its resource may make it read
  bool ignores_exec = false;   // v_readlane and the like
  uint32_t roles = 0;          // hazard_role
  uint32_t followers = 0;      // roles that may make a pair with it, as the first one
  uint32_t wait_states = 1;    // that it is worth: s_nop N is N + 1
  isa::inst::run store_data;   // of stores_wide_data; of a scalar store: the SGPRs that are stored
  isa::inst::run lane_select;  // of selects_lane
  uint32_t hardware_register = 0;
};

instruction_facts facts_of(const isa::inst& i);
// `f` of an instruction of which M0 moves registers.
instruction_facts with_m0(const instruction_facts& f, const isa::index_by_m0& index);
// `f` of an image instruction, whose address has so many registers.
instruction_facts with_address(const instruction_facts& f, unsigned registers);

}  // namespace pws::check
