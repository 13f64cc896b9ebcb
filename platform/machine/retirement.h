// SPDX-License-Identifier: Apache-2.0
// What an instruction has left behind on one side of a co-simulation, and the interface of whoever compares two of
// them.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "models/context/wf_context.h"

namespace pws::platform::cosim {

// A vector register that the instruction read or wrote.
struct row_value {
  uint16_t row = 0;  // number in the wavefront
  isa::vgpr_row value;
};

// An instruction on its way through the unit, with what it read.
struct issued_instruction {
  const models::wf_context* context = nullptr;
  const isa::inst* inst = nullptr;
  models::cycle_t at = 0;  // cycle of its issue
  uint64_t active = 0;     // lanes that execute
  static constexpr unsigned max_rows = 12;
  unsigned n_sources = 0;
  std::array<row_value, max_rows> sources;  // as they were at the issue
  // Scalar sources: register number and value.
  unsigned n_scalars = 0;
  std::array<std::pair<uint16_t, uint32_t>, 2 * isa::inst::max_runs> scalars;
};

// State of the context after it. Pointers are into the side's own registers.
struct retirement {
  const uint32_t* scalar = nullptr;  // isa::scalar_count of them, EM as written included
  bool scc = false;
  uint32_t mode = 0, trapsts = 0;
  uint64_t spm = 0;
  models::cycle_t latency = 0;  // cycles from issue to retirement
  static constexpr unsigned max_results = 4;
  unsigned n_results = 0;
  std::array<const row_value*, max_results> results{};  // vector registers written
};

// Why split registers have changed.
struct split_event {
  const models::wf_context* context = nullptr;
  const char* what = "";            // "merge", "the beginning of the SWF"
  const isa::inst* inst = nullptr;  // that caused it, of this context or of the other one; nullptr: not known
  models::cycle_t at = 0;
};

// What a context's registers hold at the end of a cycle, on one side.
struct context_registers {
  enum : unsigned { idle, running, waits_for_child, waits_for_parent };  // spsimd_pkg::swf_status_e
  unsigned state = idle;
  uint64_t pc = 0, em = 0, spm = 0, vcc = 0;
  bool scc = false;
  unsigned parent = 0, depth = 0;  // `depth`: of the child stack
};

// With its children, for a cycle in which it has split, merged, begun or left.
struct split_state : context_registers {
  unsigned top = 0;                      // the newest of the children, 0 if there is none
  std::array<uint16_t, 128> children{};  // the first `depth`, oldest first
};

// What a split answers.
struct split_answer {
  unsigned child = 0;  // SpSIMDID of the SWF that it creates; 0: there is none
  uint64_t child_spm = 0;
};

// Compares the model's side (`model`) with the other description's (`rtl`).
class checker {
 public:
  virtual ~checker() = default;
  // An instruction has retired. `registers`: the scalar registers to compare, by bit; all of them when nothing else of
  // the context is under way.
  virtual void retired(const issued_instruction& i, const retirement& model, const retirement& rtl,
                       const std::array<uint64_t, 2>& registers) = 0;
  // The PC after an instruction, in the cycle of its issue.
  virtual void next_pc(const issued_instruction& i, uint64_t model, uint64_t rtl) = 0;
  // Split registers, at the end of the event's cycle.
  virtual void split_registers(const split_event& e, const split_state& model, const split_state& rtl) = 0;
  // What a split has created.
  virtual void created(const split_event& e, const split_answer& model, const split_answer& rtl) = 0;
  // A scalar register of a context without an SWF has changed since its SWF left it in `e`.
  virtual void written_after_leaving(const split_event& e, unsigned index, uint32_t before, uint32_t now) = 0;
  // A scalar register, `index`, that is handed over in `e`; `where`: "hands over", "has received".
  virtual void handed_over(const split_event& e, const char* where, unsigned index, uint32_t model, uint32_t rtl) = 0;
  // SCC, MODE or TRAPSTS, `name`, of an SWF that begins or goes on in `e`, when all its registers are there.
  virtual void begins_with(const split_event& e, const char* name, uint32_t model, uint32_t rtl) = 0;
  // The unit's ports do not behave as they should, while `i` is under way; nullptr: nothing is.
  virtual void protocol(const issued_instruction* i, models::cycle_t at, const std::string& what) = 0;
};

}  // namespace pws::platform::cosim
