// What a machine does when the work-items of a wavefront part ways: serialise them through EXEC, or split the wavefront
// into SWFs that run side by side. Pipeline, functional engine and schedule policies know this interface and no scheme.
//
// A scheme changes architectural state (masks, stacks, scalar registers of contexts); when contexts run is the engine's
// business, which the scheme tells through swf_scheduler.
#pragma once

#include <cstdint>
#include <memory>

#include "models/context/context_map.h"
#include "models/machine/machine_config.h"

namespace pws::models {

struct divergence_statistics {
  uint64_t splits = 0;      // SWFs created
  uint64_t one_sided = 0;   // splits of which one side had no work-item
  uint64_t no_context = 0;  // splits that found no free SWF context: both sides went on serially
  uint64_t merges = 0;      // SWFs joined with their parent
};

// The engine's side.
class swf_scheduler {
 public:
  virtual ~swf_scheduler() = default;
  // `swf` begins, with the state that it has, when the split of `from` is done.
  virtual void begin(wf_context& swf, const wf_context& from) = 0;
  // `context`, which waited or had ended, goes on behind the instruction at `join`, where paths have become one.
  virtual void resume(wf_context& context, uint64_t join) = 0;
  // `swf` runs no more; its context is free from the next cycle on.
  virtual void leave(wf_context& swf) = 0;
  // What is about to happen, for whoever keeps registers of its own (spsimd_executor.h): `child` joins `parent`, or is
  // taken off the child stack of `parent` because it has ended.
  virtual void joins(wf_context&, const wf_context&) {}
  virtual void drops(wf_context&, swf_number) {}
  // All work-items of the launch wavefront in `root` have ended.
  virtual void finish(wf_context& root) = 0;
};

enum class after_divergence : uint8_t {
  goes_on,  // the context that executed the instruction, when that is done
  joined,   // likewise, as one with another path: what follows must not depend on which of them came last
  stops     // it waits for another path, or has left
};

class divergence_scheme {
 public:
  virtual ~divergence_scheme() = default;

  // What is known of it without running it.
  const scheme_traits& traits() const { return traits_; }
  // False if no wavefront is ever split: then diverges() is false for every instruction.
  bool can_split() const { return traits_.splits(); }
  // True if the scheme wants to see s_cbranch_execz and s_cbranch_execnz.
  bool splits_at_branches() const { return traits_.at_branches; }
  // Whether `i` (split, merge, or a branch that splits_at_branches() asked for) splits or merges `w` now: then
  // everything the wavefront has under way is waited for first.
  virtual bool diverges(const wf_context& w, const isa::inst& i) const = 0;
  // Executes such an instruction of which diverges() is true. w.state.pc is the following instruction's address.
  // Throws program_error.
  virtual after_divergence execute(wf_context& w, const isa::inst& i, swf_scheduler& s) = 0;
  // Throws program_error where `w` must not reach an s_barrier now.
  virtual void check_barrier(const wf_context& w) const = 0;
  // `w` has executed s_endpgm and nothing of it is under way any more.
  virtual void ended(wf_context& w, swf_scheduler& s) = 0;

  // Cycles from an instruction that splits, or where paths become one, to the next.
  cycle_t split_cycles() const { return split_cycles_; }
  cycle_t join_cycles() const { return join_cycles_; }
  const divergence_statistics& statistics() const { return statistics_; }

 protected:
  explicit divergence_scheme(const machine_config& c)
      : traits_(traits_of(c.divergence)), split_cycles_(c.split_cycles), join_cycles_(c.merge_cycles) {}
  divergence_statistics statistics_;

 private:
  const scheme_traits& traits_;
  cycle_t split_cycles_, join_cycles_;
};

// The scheme that the configuration names, for one compute unit.
std::unique_ptr<divergence_scheme> make_divergence_scheme(const machine_config& c, context_map& contexts);

}  // namespace pws::models
