// SPDX-License-Identifier: Apache-2.0
// What a machine does when the work-items of a wavefront part ways: serialise them through EXEC, or split the wavefront
// into SWFs that run side by side. Pipeline, functional engine and schedule policies know this interface and no scheme.
//
// A scheme changes architectural state (masks, stacks, scalar registers of contexts) and says which paths run; how they
// run is the engine's business, which the scheme tells through swf_scheduler.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "base/state_archive.h"
#include "models/context/context_map.h"
#include "models/divergence/divergence_statistics.h"
#include "models/divergence/scheme_storage.h"
#include "models/divergence/shown_registers.h"
#include "models/machine/machine_config.h"

namespace pws::models {

// The engine's side. Which contexts may issue is told when it changes, so that no cycle has to ask.
class swf_scheduler {
 public:
  virtual ~swf_scheduler() = default;
  // A path begins in `context`, with the state that it has, when the split of `from` is done. An idle context becomes
  // an SWF by this, and by the next two.
  virtual void begin(wf_context& context, const wf_context& from) = 0;
  // A path goes on in `context` behind the instruction at `join`, where paths have become one.
  virtual void resume(wf_context& context, uint64_t join) = 0;
  // Another path goes on in `context`, whose own has ended or waits.
  virtual void replace(wf_context& context) = 0;
  // `context`, which runs or has just begun, may issue nothing until it is released: another path goes first. What it
  // has under way goes on.
  virtual void suspend(wf_context& context) = 0;
  virtual void release(wf_context& context) = 0;
  // As release(), where the paths of a wavefront share one instruction buffer: it fetches anew, and issues `after`
  // cycles or more from now.
  virtual void take_turn(wf_context& context, cycle_t after) = 0;
  // The path in `context`, which runs, has come to see more under way in its slots: its next instruction may have to
  // wait for that.
  virtual void sees_more(wf_context&) {}
  // `swf` runs no more; its context is free from the next cycle on.
  virtual void leave(wf_context& swf) = 0;
  // What is about to happen, for whoever keeps registers of its own (execution_unit.h): `child` joins `parent`, is
  // taken off the child stack of `parent` because it has ended, or goes on in place of `parent`, which has.
  virtual void joins(wf_context&, const wf_context&) {}
  virtual void drops(wf_context&, swf_number) {}
  virtual void takes_over(wf_context&, const wf_context&) {}
  // All work-items of the launch wavefront in `root` have ended.
  virtual void finish(wf_context& root) = 0;
};

// What becomes of the context behind an instruction that a scheme acts on.
enum class after_divergence : uint8_t {
  goes_on,  // the context that executed the instruction, when that is done, at its PC
  joined,   // the context goes on as one with another path: what follows must not depend on which came last
  stops     // it waits for another path, or has left
};

class divergence_scheme {
 public:
  virtual ~divergence_scheme() = default;

  // The wavefront in `root` begins, in one piece: it may be cut before its first instruction.
  virtual void launched(wf_context&, swf_scheduler&) {}
  // What is known of it without running it.
  const scheme_traits& traits() const { return traits_; }
  // False if no wavefront is ever split: then diverges() is false for every instruction.
  bool can_split() const { return traits_.splits(); }
  // Whether diverges() has to be asked of instructions like `i`.
  bool acts_on(const isa::inst& i) const { return (acting_units_ >> static_cast<unsigned>(i.unit) & 1) != 0; }
  // Whether `i`, of which acts_on() is true, splits or merges `w` now.
  virtual bool diverges(const wf_context& w, const isa::inst& i) const = 0;
  // Executes such an instruction of which diverges() is true. w.state.pc is the following instruction's address; where
  // the path goes on elsewhere, its address afterwards. Throws program_error.
  virtual after_divergence execute(wf_context& w, const isa::inst& i, swf_scheduler& s) = 0;
  // Throws program_error where `w` must not reach an s_barrier now.
  virtual void check_barrier(const wf_context& w) const = 0;
  // `w` has executed s_endpgm and nothing of it is under way any more.
  virtual void ended(wf_context& w, swf_scheduler& s) = 0;

  // The path that `swf` was split off, whose context its register names; nullptr for a wavefront that was launched, and
  // where paths are not split off one another.
  virtual const wf_context* parent_of(const wf_context&) const { return nullptr; }

  // ---- Paths that issue together, each with scalar registers of its own (splitting.md, "A warp-split table")
  // Whether paths of a wavefront do that where they stand at one PC.
  virtual bool issues_together() const { return false; }
  // Those that stand at the PC of `w`, `w` among them if it can issue, in the order in which they execute: the first
  // one's turn is that of all.
  virtual void standing_with(wf_context& w, std::vector<wf_context*>& all) const { all.assign(1, &w); }
  // Paths of the wavefront of `w` that could issue; those that issue together count once.
  virtual uint32_t schedulable_paths(const wf_context& w) const { return w.tree.root->tree.paths; }

  // ---- Time. Cycles from an instruction that splits, or where paths become one, to the next.
  cycle_t split_cycles() const { return split_cycles_; }
  cycle_t join_cycles() const { return join_cycles_; }
  // Whether such an instruction of which diverges() is true waits for waits_for() and the fetch that is under way.
  virtual bool waits_at(const wf_context& w, const isa::inst& i) const { return diverges(w, i); }
  // What a path has under way when it splits or merges (machine.scoreboard). `drain`: it waits until all of that is
  // done, so that a path begins, and goes on after a join, with nothing under way. Else both sides of a split have it
  // under way, and where paths become one, the one has what each of them had.
  struct wait {
    cycle_t until = 0;
    stall reason = stall::other;
  };
  virtual wait waits_for(const wf_context& w, const isa::inst& i) const;
  virtual void begin_path(front_end& path, const front_end& from) const;
  virtual void rejoin(front_end& path) const;
  // Whether another context than the one that issued a memory operation may count it.
  virtual bool keeps_operations_across_contexts() const { return carries(); }
  // Whether the scheme wants to know of long operations: long_operation_issued().
  virtual bool wants_long_operations() const { return false; }
  // `w` has issued an instruction that missed in a cache, or one of the quarter rate.
  virtual void long_operation_issued(wf_context&, swf_scheduler&) {}

  // ---- Paths that take turns
  // Whether yields() has to be asked behind instructions like `i`.
  bool may_yield_at(const isa::inst& i) const { return (yielding_units_ >> static_cast<unsigned>(i.unit) & 1) != 0; }
  // `w` has executed `i`. True if it is suspended, so that another path goes on.
  virtual bool yields(wf_context&, const isa::inst&, swf_scheduler&) { return false; }
  // Throws program_error where `w` must not reach a barrier of its grid now.
  virtual void check_grid_barrier(const wf_context&) const {}
  // `w` waits at an s_barrier from now on; it goes on behind it, unless the scheme suspends it.
  virtual void waits_at_barrier(wf_context&, swf_scheduler&) {}
  virtual void leaves_barrier(wf_context&, swf_scheduler&) {}
  // Whether the scheme wants to know of waits for memory: stalls() and data_is_here().
  virtual bool wants_stalls() const { return false; }
  // The next instruction of `w` waits for memory. True if `w` is suspended, so that another path goes on.
  virtual bool stalls(wf_context&, swf_scheduler&) { return false; }
  // What `w`, which was suspended so, waits for is here at `now`.
  virtual void data_is_here(wf_context&, cycle_t /*now*/, swf_scheduler&) {}

  // ---- What waveform and debug window show of its registers: those of a context, and their values in that order.
  virtual std::vector<shown_register> shown() const { return {}; }
  virtual void show(const wf_context&, uint64_t*) const {}

  const divergence_statistics& statistics() const { return statistics_; }
  // Counts, and what it keeps beside the contexts, which are kept before it.
  void keep(state_archive& a) {
    a.section("divergence");
    a(statistics_);
    keep_paths(a);
  }

 protected:
  explicit divergence_scheme(const machine_config& c);
  bool carries() const { return scoreboard_ != path_scoreboard::drain; }
  path_scoreboard scoreboard() const { return scoreboard_; }
  // All that it has of wavefronts beside their contexts. In timing fidelity there are no wavefronts.
  virtual void keep_paths(state_archive&) {}
  void may_yield_at(isa::unit u) { yielding_units_ |= uint32_t{1} << static_cast<unsigned>(u); }
  divergence_statistics statistics_;

 private:
  const scheme_traits& traits_;
  const uint32_t acting_units_;  // a bit per isa::unit
  uint32_t yielding_units_ = 0;  // a bit per isa::unit
  const cycle_t split_cycles_, join_cycles_;
  const path_scoreboard scoreboard_;
};

// The scheme that the configuration names, for one compute unit.
std::unique_ptr<divergence_scheme> make_divergence_scheme(const machine_config& c, context_map& contexts);

// What the configured scheme adds, if `splits` can be open inside one another.
scheme_storage storage_of_scheme(const machine_config& c, uint32_t splits);

// make_pws, storage_of_pws, make_dws, ...: each in the file of its scheme.
#define PWS_DIVERGENCE_SCHEME(KIND, NAME, CONTEXTS, ACTS_AT, BOUND, HELP)                         \
  std::unique_ptr<divergence_scheme> make_##KIND(const machine_config& c, context_map& contexts); \
  scheme_storage storage_of_##KIND(const machine_config& c, uint32_t splits);
#include "models/machine/divergence_schemes.def"
#undef PWS_DIVERGENCE_SCHEME

}  // namespace pws::models
