// SPDX-License-Identifier: Apache-2.0
// What an instruction does to the context that executes it, the same in each engine: program counter, observers,
// isolation, state, access, caches that it drops, and what becomes of the context. An engine decides when, and what
// time that takes.
#pragma once

#include <string>

#include "base/error.h"
#include "models/compute_unit/cu_parts.h"
#include "models/compute_unit/instruction_attention.h"
#include "models/isa/idle_cycles.h"
#include "models/isa/inst.h"
#include "models/isa/predicates.h"
#include "models/isa/wave_state.h"
#include "models/machine/machine_config.h"

namespace pws::models {

// ---- The few instructions on which the machine itself acts, recognised by their rows

[[noreturn]] void refuse_registers(const isa::inst& i, const isa::wave_state& s);
// Throws program_error where a memory instruction names a VGPR that its wavefront does not have. (The vector ALU's
// executors look themselves.)
inline void refuse_unallocated_registers(const isa::inst& i, const isa::wave_state& s) {
  if (i.vgpr_end > s.n_vgprs) refuse_registers(i, s);
}
// s_sendmsg of MSG_INTERRUPT: wakes host software; M0 says what about.
bool is_host_interrupt(const isa::inst& i);
// s_trap, s_sethalt and messages that the machine has no receiver for: throws program_error. s_sendmsg of an empty
// message passes.
void refuse_message(const isa::inst& i);
// ds_gws_barrier where paths issue as warps: throws program_error.
[[noreturn]] void refuse_grid_barrier();

// What becomes of a context behind its instruction.
enum class after_step : uint8_t {
  goes_on,       // at the following instruction
  idles,         // at the following instruction, after idle_cycles() or what else the instruction takes
  branched,      // at its PC
  diverged,      // at its PC: its scheme has acted, at a branch too, and may have suspended it
  joined,        // at its PC, as one with another path: what follows must not depend on which of them came last
  yielded,       // at its PC when it has its turn again: suspended behind a branch or s_sleep
  stops,         // it waits for another path, or has left
  barrier,       // its status says so
  grid_barrier,  // its status says so, and the engine tells the host of it
  ended          // its status is `draining`: its scheme is told when nothing of it is under way any more
};

// Who hears of instructions, as far as an engine knows before.
enum class audience : uint8_t {
  nobody,
  counter,   // who counts them (instruction_attention.h): the engine does that
  observers  // whoever there is
};

class instruction_step {
 public:
  // `paths`: the engine, as the scheme calls it.
  instruction_step(cu_parts& cu, engine_host& host, swf_scheduler& paths)
      : cu_(cu), host_(host), paths_(paths), scheme_(*cu.scheme), can_split_(scheme_.can_split()) {}

  // `i` issues, from a path with the lanes that c.state has active: before it executes, for it may write EXEC.
  template <bool splits = true>
  void count(const wf_context& c, const isa::inst& i) {
    cu_.statistics.count(i, c.state.active());
    if (splits) count_paths(c);
  }
  // From a warp whose first path is in `c`, with so many active work-items.
  void count_warp(const wf_context& c, const isa::inst& i, uint32_t active) {
    cu_.statistics.count_lanes(i, active);
    count_paths(c);
  }

  // From `c` and other paths of its wavefront with it, `active` work-items in all.
  void count_together(const wf_context& c, const isa::inst& i, uint32_t active) {
    cu_.statistics.count_lanes(i, active);
    cu_.statistics.schedulable_paths += scheme_.schedulable_paths(c);
  }

  // Executes c's next instruction, `i`, in `unit`, at `now`; c.state.time is the engine's. `timed`: access() is wanted,
  // and there are caches. `to`: who listens. `splits`: the scheme may. Throws program_error.
  template <bool timed, audience to, bool splits = true, class execution>
  [[gnu::always_inline]] after_step execute(execution& unit, wf_context& c, const isa::inst& i, cycle_t now);
  // What the memory instruction that was executed last has touched.
  const isa::memory_access& access() const { return access_; }

 private:
  void count_paths(const wf_context& c) {
    if (can_split_) cu_.statistics.schedulable_paths += c.tree.root->tree.paths;
  }
  template <bool splits>
  bool acts_on(const wf_context& c, const isa::inst& i) const {
    return splits && can_split_ && scheme_.acts_on(i) && scheme_.diverges(c, i);
  }
  template <bool splits>
  bool yields(wf_context& c, const isa::inst& i) {
    return splits && can_split_ && scheme_.may_yield_at(i) && scheme_.yields(c, i, paths_);
  }
  template <bool timed, audience to, bool splits, class execution>
  after_step act(execution& unit, wf_context& c, const isa::inst& i, cycle_t now);
  template <bool timed, bool observed, class execution>
  void access_memory(execution& unit, wf_context& c, const isa::inst& i, cycle_t now);
  template <class execution>
  after_step diverge(execution& unit, wf_context& c, const isa::inst& i, cycle_t now);
  void maintain_caches(const isa::inst& i, cycle_t now);

  cu_parts& cu_;
  engine_host& host_;
  swf_scheduler& paths_;
  divergence_scheme& scheme_;
  const bool can_split_;
  isa::memory_access access_;
};

// The branch that `c` has executed was taken.
inline bool has_jumped(const wf_context& c, const isa::inst& i) {
  return c.state.pc != i.pc + i.bytes();
}

template <bool timed, audience to, bool splits, class execution>
inline after_step instruction_step::execute(execution& unit, wf_context& c, const isa::inst& i, cycle_t now) {
  constexpr bool observed = to == audience::observers;
  c.state.pc = i.pc + i.bytes();
  if (observed && cu_.observers.issuing != nullptr) cu_.observers.issuing->issuing(cu_.index, c, i, now);
  if (observed && cu_.observers.attention != nullptr) cu_.observers.attention->issues<timed>(cu_.index, c, i, now);
  if (splits && can_split_) cu_.check_isolation(c, i);
  after_step then = after_step::goes_on;
  if (__builtin_expect(i.unit == isa::unit::salu || cu_statistics::is_valu(i.unit), 1))
    unit.execute(c, i, now);
  else
    then = act<timed, to, splits>(unit, c, i, now);
  if (observed && cu_.observers.issued != nullptr) cu_.observers.issued->issued(cu_.index, c, i, now);
  return then;
}

template <bool timed, audience to, bool splits, class execution>
inline after_step instruction_step::act(execution& unit, wf_context& c, const isa::inst& i, cycle_t now) {
  switch (i.unit) {
    case isa::unit::branch:
      if (!acts_on<splits>(c, i)) {
        unit.execute(c, i, now);
        return yields<splits>(c, i) ? after_step::yielded : after_step::branched;
      }
      scheme_.execute(c, i, paths_);  // on both sides
      return after_step::diverged;
    case isa::unit::scalar_memory:
    case isa::unit::vector_memory:
      access_memory<timed, to == audience::observers>(unit, c, i, now);
      return after_step::goes_on;
    case isa::unit::lds:
      if (isa::operation_of(i) == isa::operation::grid_barrier && cu_.cuts_for_good) refuse_grid_barrier();
      access_memory<timed, to == audience::observers>(unit, c, i, now);
      if (isa::operation_of(i) != isa::operation::grid_barrier) return after_step::goes_on;
      scheme_.check_grid_barrier(c);
      c.become(wf_status::grid_barrier);
      return after_step::grid_barrier;
    case isa::unit::internal:
      unit.execute(c, i, now);
      if (timed) maintain_caches(i, now);
      return yields<splits>(c, i) ? after_step::yielded : after_step::idles;
    case isa::unit::message:
      host_.message(c, i);
      return after_step::goes_on;
    case isa::unit::barrier:
      scheme_.check_barrier(c);
      c.become(wf_status::barrier);
      scheme_.waits_at_barrier(c, paths_);
      return after_step::barrier;
    case isa::unit::split:
    case isa::unit::merge:
      return acts_on<splits>(c, i) ? diverge(unit, c, i, now) : after_step::goes_on;
    case isa::unit::end:
      c.become(wf_status::draining);
      return after_step::ended;
    default:
      return after_step::goes_on;
  }
}

template <bool timed, bool observed, class execution>
inline void instruction_step::access_memory(execution& unit, wf_context& c, const isa::inst& i, cycle_t now) {
  refuse_unallocated_registers(i, c.state);
  const bool told = observed && cu_.observers.accessed != nullptr;
  if (timed || told) {
    access_.touches_nothing();
    c.state.access = &access_;
  }
  unit.execute(c, i, now);
  if (timed || told) c.state.access = nullptr;
  if (told) cu_.observers.accessed->accessed(cu_.index, c, i, access_, now);
  if (timed) maintain_caches(i, now);
}

template <class execution>
inline after_step instruction_step::diverge(execution& unit, wf_context& c, const isa::inst& i, cycle_t now) {
  unit.diverging(c, i, now);
  const after_divergence then = scheme_.execute(c, i, paths_);
  unit.diverged(c, i, now);
  switch (then) {
    case after_divergence::joined:
      return after_step::joined;
    case after_divergence::stops:
      return after_step::stops;
    case after_divergence::goes_on:
      break;
  }
  return after_step::diverged;
}

// Everybody who still had to come to the workgroup's barrier has: calls `go_on` with those who wait at it.
template <class F>
void pass_barrier(cu_parts& cu, resident_workgroup& g, cycle_t now, F go_on) {
  if (cu.observer != nullptr) cu.observer->barrier_passed(cu.index, g, now);
  for (const auto* contexts : {&g.waves, &g.swfs})
    for (wf_context* w : *contexts)
      if (w->status == wf_status::barrier) go_on(*w);
}

}  // namespace pws::models
