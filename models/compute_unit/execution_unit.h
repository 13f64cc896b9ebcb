// SPDX-License-Identifier: Apache-2.0
// What executes the instructions of a SIMD or SpSIMD unit: the model, or another description of the unit
// (platform/machine: its RTL), in the model's place or beside it. Fetch, scoreboard, issue, memory, LDS and the front
// end stay the model's.
//
// The compute unit calls it in the order in which things happen. What is left out costs nothing: only a description
// with registers of its own wants to hear how contexts begin, move and leave. Errors of the program and disagreements
// of two descriptions are thrown as program_error.
#pragma once

#include "models/context/context_map.h"

namespace pws::models {

class execution_unit {
 public:
  virtual ~execution_unit() = default;

  // The contexts of its compute unit, in which a unit that drives changes what the instructions it executes change.
  // Once, before everything else.
  virtual void bind(context_map&) {}
  // The compute unit works on cycle `now`; nothing of the unit's state has changed since the last call's cycle ended.
  virtual void advance(cycle_t) {}
  // Executes `i` on c.state, as i.exec does: c.state.pc is the following instruction's address and what the front end
  // needs of it at once, the next PC, is there on return. Results may appear up to the end of the instruction's
  // latency.
  virtual void execute(wf_context& c, const isa::inst& i, cycle_t now) = 0;
  // `c` executes the split or merge `i`: before the divergence scheme acts, and after it.
  virtual void diverging(wf_context&, const isa::inst&, cycle_t) {}
  virtual void diverged(wf_context&, const isa::inst&, cycle_t) {}
  // The split that `from`, of this unit, executes creates `swf`, of another one: what of their work-items each has is
  // in their state. A unit that drives puts in its place what it has found. Between diverging() and diverged(), before
  // begins() of the SWF's own unit.
  virtual void divides(const wf_context& /*from*/, wf_context& /*swf*/, cycle_t) {}
  // A wavefront is launched in context `wave` of this unit, a SIMD unit's: at cycle `at`, which may be still to come.
  virtual void launches(wf_context& /*wave*/, cycle_t /*at*/) {}
  // An SWF begins in context `swf` of this unit, whose state is complete.
  virtual void begins(wf_context& /*swf*/, cycle_t) {}
  // Context `parent` of this unit is about to be joined by `child`, the SWF on top of its child stack.
  virtual void joins(wf_context& /*parent*/, const wf_context& /*child*/, cycle_t) {}
  // `child` has ended before its merge: it is taken off the child stack of `parent`, of this unit.
  virtual void drops(wf_context& /*parent*/, swf_number /*child*/, cycle_t) {}
  // The SWF in `child`, of this unit, is about to go on in `parent`, of another one, whose own has ended.
  virtual void moves(const wf_context& /*child*/, const wf_context& /*parent*/, cycle_t) {}
  // `c`, of this unit, has ended, and goes on with the state of an SWF of its child stack, which it has now. advance()
  // has been called before it changed: what the ended SWF still has under way is nobody's.
  virtual void taken_over(wf_context&, cycle_t) {}
  // The SWF in `swf`, of this unit, has been joined, has ended or has been taken over from; its context is free. Or the
  // wavefront has ended.
  virtual void leaves(wf_context& /*swf*/, cycle_t) {}
  // All contexts are free, wherever they stood.
  virtual void reset(cycle_t) {}
};

// The model: a row's semantics on the context's own state.
class model_execution final : public execution_unit {
 public:
  void execute(wf_context& c, const isa::inst& i, cycle_t) override { i.exec(c.state, i); }
};

}  // namespace pws::models
