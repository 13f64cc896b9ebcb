// SPDX-License-Identifier: Apache-2.0
// A SIMD unit: its wavefront contexts, vector register file, and vector and scalar ALU. An SpSIMD unit is the same
// module without vector registers: its contexts (SWF contexts) run SWFs of its SIMD unit's wavefronts and use that
// unit's vector register file (PWS paper, Fig. 4). Contexts and registers are the context_file's; what the scheduler
// looks at is the schedule_table's.
#pragma once

#include <algorithm>
#include <array>
#include <systemc>

#include "base/state_archive.h"
#include "models/compute_unit/execution_unit.h"
#include "models/compute_unit/schedule_table.h"
#include "models/context/context_file.h"

namespace pws::models {

class simd_unit : public sc_core::sc_module, public context_file {
 public:
  simd_unit(const sc_core::sc_module_name& name, const machine_config& c, const place& where, cycle_t& attention_slot)
      : sc_module(name), context_file(c, where), table(contexts_per_unit(c)), attention(attention_slot) {}

  void release(wf_context& context) {
    const context_rank rank = context.rank;
    const uint32_t before = in_use();
    context_file::release(context);
    for (uint32_t freed = before - in_use(); freed != 0; --freed) table.remove(rank);
  }

  // Frees all contexts, wherever they stand.
  void clear() {
    context_file::clear();
    table = schedule_table(static_cast<uint32_t>(contexts.size()));
    port_free = {};
    fetch_free = 0;
  }

  // Contexts, counts, and until when ports are taken. In timing fidelity while no context is in use.
  void keep(state_archive& a) {
    context_file::keep(a);
    a(valu_busy, issuing_cycles, issued_in, swf_occupancy, table.turn, fetch_free);
    a.bytes(port_free.data(), port_free.size());
  }

  uint64_t valu_busy = 0;       // cycles
  uint64_t issuing_cycles = 0;  // in which at least one instruction issued
  cycle_t issued_in = never;    // the last of them
  uint64_t swf_occupancy = 0;   // context cycles of SWFs that have left

  schedule_table table;
  std::array<cycle_t, static_cast<size_t>(issue_port::count)> port_free{};  // from when a port takes an instruction
  cycle_t fetch_free = 0;
  cycle_t& attention;                   // when the pipeline has to look at the unit again
  execution_unit* execution = &model_;  // what executes its instructions

  // The context's next instruction goes to port `p` and can issue from `at` on.
  void set_ready(const wf_context& c, issue_port p, cycle_t at) {
    table.set_ready(c.rank, p, at);
    attention = std::min(attention, std::max(at, port_free[static_cast<size_t>(p)]));
  }
  void set_not_ready(const wf_context& c) { table.set_not_ready(c.rank); }
  void set_fetch(const wf_context& c, cycle_t at) {
    table.set_fetch(c.rank, at);
    attention = std::min(attention, at);
  }
  bool has_ready_cycle(const wf_context& c) const { return table.ready_at(c.rank) != never; }
  bool has_fetch_cycle(const wf_context& c) const { return table.fetch_at(c.rank) != never; }

  void busy(issue_port p, cycle_t until) { port_free[static_cast<size_t>(p)] = until; }
  bool is_busy(issue_port p, cycle_t now) const { return port_free[static_cast<size_t>(p)] > now; }

 private:
  model_execution model_;
};

}  // namespace pws::models
