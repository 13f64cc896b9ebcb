// One wavefront context: architectural state, instruction buffer, scoreboard and counters of a wavefront in execution.
#pragma once

#include <array>
#include <cstdint>

#include "models/compute_unit/outstanding.h"
#include "models/compute_unit/scoreboard.h"
#include "models/compute_unit/workgroup.h"
#include "models/divergence/split_registers.h"
#include "models/isa/inst.h"
#include "models/isa/wave_state.h"
#include "models/machine/time_division.h"

namespace pws::models {

constexpr size_t n_units = 15;  // enumerators of isa::unit

// Values appear in the VCD; append only.
enum class wf_status : uint8_t {
  idle = 0,     // no wavefront
  running = 1,  // its next instruction is being fetched, waits for operands or a unit, or issues
  waitcnt = 2,  // at s_waitcnt, or at an instruction whose counter is full
  barrier = 3,
  merge = 4,     // at a merge, waits for the other side
  draining = 5,  // past s_endpgm, memory operations or a fetch still on their way
  ended = 6,     // ended; the context is freed with its workgroup, or when the SWFs split off it have ended
};
const char* name_of(wf_status s);

// Why a context did not issue; cycles are charged to one reason each.
enum class stall : uint8_t { fetch, operand, unit_busy, memory, barrier, other, merge, count };
const char* name_of(stall s);

struct resident_workgroup;  // compute_unit.h

// Instruction buffer: the bytes [begin, end) of the program are here or arrive at `arrival`; those before `warm_end`
// are here.
struct instruction_buffer {
  uint64_t begin = 0, warm_end = 0, end = 0;
  cycle_t arrival = 0;  // of the bytes [warm_end, end); `never` while unknown

  // Drops the contents. A fetch on its way is still waited for; its bytes are not used.
  void restart(uint64_t address) { begin = warm_end = end = address; }
  // Keeps the `bytes` at `block`, which are here; nothing is on its way.
  void keep(uint64_t block, uint64_t bytes) {
    begin = block;
    warm_end = end = block + bytes;
  }
  bool holds(uint64_t address) const { return begin <= address && address < end; }
  // Cycle at which the bytes up to `to` are here; `never` if not requested or unknown.
  cycle_t available(uint64_t to) const { return to <= warm_end ? 0 : to <= end ? arrival : never; }
};

// What the VCD shows of a context; written only when the CU is traced.
struct wf_trace {
  uint64_t pc = 0, em = 0;
  unsigned status = 0;
  unsigned unit = 0;  // isa::unit of the instruction issued last
  unsigned vm_outstanding = 0, lgkm_outstanding = 0;
  uint64_t spm = 0;
  unsigned parent = 0;       // swf_number
  unsigned child_depth = 0;  // entries on the child stack ...
  static constexpr size_t shown_children = 8;
  std::array<unsigned, shown_children> children{};  // ... and the first of them, oldest first
};

// Where an instruction issues to: one instruction per cycle each, but for `none`, which needs no unit. The three vector
// rates share the VALU, branches go through the SALU; memory and LDS are the compute unit's.
enum class issue_port : uint8_t { valu, salu, scalar_memory, vector_memory, lds, none, count };
constexpr issue_port port_of(isa::unit u) {
  switch (u) {
    case isa::unit::valu:
    case isa::unit::valu_trans:
    case isa::unit::valu_f64:
      return issue_port::valu;
    case isa::unit::salu:
    case isa::unit::branch:
      return issue_port::salu;
    case isa::unit::scalar_memory:
      return issue_port::scalar_memory;
    case isa::unit::vector_memory:
      return issue_port::vector_memory;
    case isa::unit::lds:
      return issue_port::lds;
    case isa::unit::split:
    case isa::unit::merge:
      return issue_port::salu;
    default:
      return issue_port::none;
  }
}

// A wavefront's context, or an SWF's: the same registers, but that an SWF has a parent.
struct wf_context {
  isa::wave_state state;
  wf_status status = wf_status::idle;
  uint32_t unit = 0;            // where this context is: among the CU's SIMD and SpSIMD units,
  uint32_t simd = 0, slot = 0;  // SIMD unit whose vector registers it uses; ID - 1
  requester seat;               // among those that take turns in the compute unit; `split` is not kept
  uint64_t age = 0;             // dispatch order in the CU
  resident_workgroup* group = nullptr;
  uint32_t wave_in_group = 0;
  uint32_t vgpr_first = 0;
  isa::program* code = nullptr;
  uint32_t rank = 0;  // by age among its SIMD unit's contexts in use; when it is looked at stands there (simd_unit.h)

  // Front end
  instruction_buffer ibuf;
  const isa::inst* next = nullptr;
  cycle_t earliest = 0;  // the previous instruction allows the next one from here on
  stall reason = stall::other;
  cycle_t ready_at = 0;  // all but the port was there, for the stall statistics
  cycle_t issued_at = 0;

  models::scoreboard results;
  outstanding vm{outstanding::order::in_order};
  outstanding lgkm{outstanding::order::any};

  // Splitting. The child stack and the split mask's register are the unit's.
  swf_number parent = 0;       // SWF context: who split; 0: not set
  wf_context* root = nullptr;  // the launch wavefront's context; its own in one
  uint64_t launched = 0;       // root: work-items there are
  uint32_t live = 0;           // root: contexts the wavefront has, its own included
  uint32_t paths = 0;          // root: those of them that neither wait at a merge nor have ended
  cycle_t began_at = 0;        // SWF

  // Whose requests this context's are now.
  requester identity() const { return {seat.place, seat.part, root->live > 1}; }

  wf_trace trace;
};

}  // namespace pws::models
