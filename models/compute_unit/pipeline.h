// SPDX-License-Identifier: Apache-2.0
// The five stages of a compute unit, for all its SIMD units: fetch, decode, scoreboard, schedule, execute (thesis
// Fig. 4.5).
//
// A context's next instruction is decoded and its scoreboard looked up as soon as the one before has issued: the result
// is the earliest cycle at which it can issue. A tick looks at the contexts whose cycle has come, in the policy's
// order, and issues to units that are free. In one cycle a SIMD or SpSIMD unit issues at most one instruction to each
// of its ALUs and the CU one to each of vector memory, scalar memory and LDS; a context issues in order and at most
// once per cycle.
//
// A split or merge waits until everything the context has under way is done, and what follows it depends on its cycle
// alone: both sides of a split go on with the same instruction buffer, and after a merge the buffer holds the merge's
// own fetch block, whichever side came last. So a tree of splits takes exactly the time of its longest path.
//
// Where the scheme lets paths of a wavefront that stand at one PC issue together, the first of them is the one that the
// policy sees; it can issue when all of them can.
#pragma once

#include <vector>

#include "models/compute_unit/timing_engine.h"
#include "models/flow/mask_instructions.h"
#include "models/machine/time_division.h"

namespace pws::models {

class pipeline final : public timing_engine {
 public:
  pipeline(cu_parts& cu, engine_host& host);

  void start(wf_context& context, cycle_t at) override;
  void tick(cycle_t now) override;
  void leave_barrier(wf_context& context, cycle_t at) override;
  void completed(ticket t, cycle_t at) override;
  void keep(state_archive& a) override { lds_slots_.keep(a); }

 private:
  void tick(simd_unit& s, cycle_t now);
  template <uint32_t words>  // of a set of the unit's contexts
  void tick_contexts(simd_unit& s, cycle_t now);
  // When the context may issue, and fetch, at `at` or later: at once, or in its next slot (schedule: tdm).
  bool divides_time() const { return rounds_.round != 0; }
  cycle_t issue_slot(const wf_context& c, cycle_t at) const {
    return divides_time() ? rounds_.next(c.slot.value, at) : at;
  }
  cycle_t fetch_slot(const wf_context& c, cycle_t at) const {
    return divides_time() && at != never ? rounds_.next(c.slot.value, std::max<cycle_t>(at, 1) - 1) + 1 : at;
  }
  simd_unit& unit_of(const wf_context& c) { return cu_.unit_of(c); }
  const simd_unit& unit_of(const wf_context& c) const { return cu_.unit_of(c); }
  execution_unit& execution_of(const wf_context& c) { return *unit_of(c).execution; }
  // What a context asks for: a block of instructions, or a memory operation. Where paths hand on what they have under
  // way, that is their wavefront's.
  ticket fetch_ticket(const wf_context& c) const { return 2 * (c.unit.value * contexts_per_unit_ + c.slot.value); }
  ticket operation_ticket(const wf_context& c) const { return fetch_ticket(keeps_operations_ ? *c.tree.root : c) + 1; }
  // What a context waits for has become known.
  void update(wf_context& c);
  // Whether it is known when the context's next instruction can issue, as far as that is its own affair: one that waits
  // for others has no ready cycle in its unit's table.
  bool knows_when(const wf_context& c) const {
    if (!together_) return unit_of(c).has_ready_cycle(c);
    return c.front.next != nullptr && c.front.next->pc == c.state.pc && c.front.ready_at != never;
  }
  // paths that issue together (pipeline_together.cpp)
  void stand_together(wf_context& c);
  void fetch_together(wf_context& c, uint64_t address, cycle_t now);
  void issue_together(simd_unit& s, cycle_t now);
  bool waits_for_fetch(const isa::inst& i, cycle_t now);
  void access_together(simd_unit& s, const isa::inst& i, cycle_t now);
  void execute_together(simd_unit& s, const isa::inst& i, cycle_t now);
  // fetch
  uint64_t fetch_block(uint64_t address) const { return address / config_.fetch_bytes * config_.fetch_bytes; }
  void plan_fetch(wf_context& c, cycle_t earliest);
  void fetch(wf_context& c, cycle_t now);
  void add_block(wf_context& c, uint64_t address);
  // decode and scoreboard
  void prepare(wf_context& c, cycle_t earliest) {
    look_up(c, earliest);
    if (together_) stand_together(c);
  }
  void look_up(wf_context& c, cycle_t earliest);  // sets next, ready_at and the reason
  // Waits for memory, where the scheme wants to know of them
  cycle_t first_issue(cycle_t earliest, cycle_t bytes_here) const;
  void path_waits(simd_unit& s, wf_context& c, cycle_t now);
  cycle_t data_here(const wf_context& c) const;
  // Executes the instructions here that are a part of what follows, which they let issue at the cycle that is returned.
  cycle_t fold(wf_context& c, cycle_t earliest);
  // schedule
  void schedule(simd_unit& s, wf_context& c, cycle_t now);
  // execute
  void issue(simd_unit& s, wf_context& c, cycle_t now);
  // The time of an instruction that has been executed: the first cycle at which the context's next one may issue;
  // `never` if something else decides that.
  cycle_t time_of(simd_unit& s, wf_context& c, const isa::inst& i, after_step then, cycle_t now);
  cycle_t time_of_vector_alu(simd_unit& s, wf_context& c, const isa::inst& i, cycle_t now);
  cycle_t time_of_branch(simd_unit& s, wf_context& c, const isa::inst& i, after_step then, cycle_t now);
  cycle_t time_of_divergence(simd_unit& s, wf_context& c, const isa::inst& i, after_step then, cycle_t now);
  void memory(wf_context& c, const isa::inst& i, cycle_t now);
  bool takes_long(const wf_context& c, const isa::inst& i) const;
  void local_memory(wf_context& c, const isa::inst& i, cycle_t now);
  // splitting
  void redirect(wf_context& c);
  void restart_behind(wf_context& c, uint64_t join);
  void take_out(wf_context& c);
  // A context that was taken out issues again, from `earliest` on; until now it waited for another path.
  void put_back(wf_context& c, cycle_t earliest);
  // For what returns the first cycle of the next instruction: `never` where the scheme has suspended the context.
  cycle_t unless_suspended(wf_context& c, cycle_t earliest);
  void begin(wf_context& swf, const wf_context& from) override;
  void resume(wf_context& c, uint64_t join) override;
  void replace(wf_context& c) override;
  void suspend(wf_context& c) override;
  void release(wf_context& c) override;
  void take_turn(wf_context& c, cycle_t after) override;
  void sees_more(wf_context& c) override;
  void leave(wf_context& swf) override;
  void enter(wf_context& c);
  void joins(wf_context& parent, const wf_context& child) override;
  void takes_over(wf_context& parent, const wf_context& child) override;
  void drops(wf_context& parent, swf_number child) override;
  void finish(wf_context& root) override;
  void free_contexts();
  // With issue slots an instruction goes into its context's own queue.
  void shared_busy(issue_port p, cycle_t until) {
    if (!divides_time()) timing_engine::shared_busy(p, until);
  }
  void wait_at_barrier(wf_context& c, cycle_t now);
  void drain(wf_context& c);

  const uint32_t valu_cycles_;  // that a full-rate instruction occupies a VALU
  const issue_rounds rounds_;
  slot_server lds_slots_;        // schedule: tdm: a pass of the LDS per slot
  const bool can_split_;         // the scheme's
  const bool keeps_operations_;  // operations under way are the whole wavefront's, whichever path issued them
  const bool together_;          // paths at one PC issue together
  const bool folds_;             // divergence: stack with fold_mask_instructions
  cfg::mask_instructions masks_;
  const uint32_t contexts_per_unit_;
  const bool wants_long_operations_;  // the scheme is told of long operations
  const bool wants_stalls_;           // the scheme is told of stalls
  std::vector<wf_context*> leaving_;  // SWFs whose contexts are free after this cycle
  // Paths that issue together: in this instruction, that are looked at, and that a block is fetched for.
  std::vector<wf_context*> issuing_, standing_, fetching_;
  shared_access access_;
};

}  // namespace pws::models
