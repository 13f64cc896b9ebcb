// What decides in which cycle the paths of a compute unit issue: the pipeline of wavefronts, or the scheduler of warps
// that are formed of work-items.
#pragma once

#include "models/compute_unit/cu_parts.h"

namespace pws::models {

class cache;

class timing_engine {
 public:
  virtual ~timing_engine() = default;

  // A wavefront begins: its first fetch is asked for at `at`.
  virtual void start(wf_context& root, cycle_t at) = 0;
  // Next cycle at which something can happen in the CU; `never` if it waits for memory or has nothing to do.
  cycle_t next_event() const {
    cycle_t next = never;
    for (const cycle_t a : attention_) next = std::min(next, a);
    return next;
  }
  // Everything that happens in cycle `now`.
  virtual void tick(cycle_t now) = 0;
  // What a context waits for has become known.
  virtual void update(wf_context& context) = 0;
  // The barrier of the grid at which a context waits lets it go on, from `at` on.
  virtual void pass_grid_barrier(wf_context& context, cycle_t at) = 0;
  // What was asked for by ticket has.
  virtual void completed(ticket t, cycle_t at) = 0;
  // The context being worked on, for error messages.
  const wf_context* current() const { return current_; }

  // That maintenance instructions drop. None with predictable memory: nothing is cached.
  struct cache_set {
    cache* vector = nullptr;
    cache* scalar = nullptr;
    cache* instruction = nullptr;
  } caches;

 protected:
  explicit timing_engine(const std::vector<cycle_t>& attention) : attention_(attention) {}
  void maintain_caches(const isa::inst& i, cycle_t now);
  const wf_context* current_ = nullptr;

 private:
  const std::vector<cycle_t>& attention_;  // cu_parts::attention
};

}  // namespace pws::models
