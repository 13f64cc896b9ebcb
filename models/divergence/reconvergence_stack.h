// SPDX-License-Identifier: Apache-2.0
// `stack`: a software-managed reconvergence stack, the single-path model that dual-path execution is compared with (DPE
// paper, 2.1 and 7.3). `split` pushes an entry with both sides, `merge` pops it when both have arrived; in between the
// left side runs, those work-items whose bit is set in the mask, and then the right one. Paths that do not run stand in
// the stack and take no context from another wavefront.
#pragma once

#include <deque>
#include <vector>

#include "models/divergence/divergence_scheme.h"
#include "models/divergence/shown_registers.h"

namespace pws::models {

// One side of a split.
struct stacked_path {
  // Where a path is.
  enum class place : uint8_t {
    nowhere,     // it has no work-items, or all of them have ended
    in_context,  // it runs, or a side of a split of its own does
    waits,       // for the other side's end
    at_merge     // for the other side to arrive
  };
  place where = place::nowhere;
  isa::wave_state state;  // while it waits, or stands behind its merge
  under_way pending;      // while it waits or stands behind its merge; scoreboard: optimistic
};

// An entry of the stack: both sides of a split.
struct stack_entry {
  stacked_path left, right;
  uint64_t rpc = 0;  // address of the merge where the first side has arrived; 0: none has

  bool left_is_running() const { return left.where == stacked_path::place::in_context; }
  stacked_path& running() { return left_is_running() ? left : right; }
  stacked_path& other() { return left_is_running() ? right : left; }
};

// Where wavefronts are also split without it (warp_split_table.h), that is on top of this.
class reconvergence_stack : public divergence_scheme {
 public:
  reconvergence_stack(const machine_config& c, context_map& contexts);

  bool diverges(const wf_context& w, const isa::inst& i) const override;
  after_divergence execute(wf_context& w, const isa::inst& i, swf_scheduler& s) override;
  void check_barrier(const wf_context& w) const override;
  void ended(wf_context& w, swf_scheduler& s) override;
  std::vector<shown_register> shown() const override;
  void show(const wf_context& c, uint64_t* values) const override;

  // The entries of the wavefront in `w`, outermost first.
  const std::deque<stack_entry>& entries(const wf_context& w) const;

 protected:
  std::deque<stack_entry>& entries(const wf_context& w);
  void keep_paths(state_archive& a) override;
  void split(wf_context& w, uint64_t mask);
  after_divergence merge(wf_context& w);
  // The wavefront's path has executed s_endpgm.
  void end_path(wf_context& w, swf_scheduler& s);
  // `running`: where its path is and which work-items that has.
  void show(const wf_context& c, const stack_side& running, uint32_t limit, uint64_t* values) const;
  context_map& contexts() const { return contexts_; }
  uint32_t limit() const { return limit_; }

 private:
  using place = stacked_path::place;
  // `path` takes over what `w` has under way, where paths keep that apart.
  void save(stacked_path& path, wf_context& w);
  // `path`, which stands in the stack, goes on in the context of its wavefront.
  void load(wf_context& w, stacked_path& path);

  context_map& contexts_;
  const uint32_t limit_;
  std::vector<std::deque<stack_entry>> stacks_;  // by tdm_requester.place
};

}  // namespace pws::models
