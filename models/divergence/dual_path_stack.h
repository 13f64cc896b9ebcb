// SPDX-License-Identifier: Apache-2.0
// `dpe`: dual-path execution (DPE paper, 3.1 and 7.3). A wavefront has a stack as in `stack`, and two slots, its own
// context (left) and that context's second one (right): both sides of the innermost entry issue, each in the slot of
// its side. A side that splits pushes an entry, and with that suspends the other one until the entry is popped.
//
// A split of which one side has no work-items leaves the stack, and the other path, alone: the paper's hardware pushes
// nothing there. Its merge is counted with the path.
//
// dpe.path_forwarding (7.1): a slot of the innermost entry that is free goes to a suspended path further down. That
// runs to its merge or to its next split, where it gives the slot back and issues the split again when its entry is the
// innermost one.
//
// dpe.scheduler: constrained (3.3): one of the two paths may issue, until it takes long or gives up its slot.
#pragma once

#include <array>
#include <deque>
#include <vector>

#include "models/divergence/divergence_scheme.h"

namespace pws::models {

// One side of a split, or the path that has not split.
struct dual_path {
  // Where a path is.
  enum class place : uint8_t {
    nowhere,   // it has no work-items left
    runs,      // in a slot
    split,     // an entry further in has its sides
    waits,     // for a slot
    at_merge,  // for the other side
  };
  place where = place::nowhere;
  bool at_split = false;   // it waits where it is to split
  uint32_t one_sided = 0;  // splits with one side that wait for their merge
  isa::wave_state state;   // while it waits or stands behind its merge, and what it has under way then
  under_way pending;
};

// An entry of the stack: both sides of a split.
struct dual_entry {
  dual_path left, right;
  uint64_t rpc = 0;  // address of the merge where the first side has arrived; 0: none has

  dual_path& other(const dual_path& side) { return &side == &left ? right : left; }
};

class dual_path_stack : public divergence_scheme {
 public:
  dual_path_stack(const machine_config& c, context_map& contexts);

  bool diverges(const wf_context& w, const isa::inst& i) const override;
  after_divergence execute(wf_context& w, const isa::inst& i, swf_scheduler& s) override;
  void check_barrier(const wf_context& w) const override;
  void ended(wf_context& w, swf_scheduler& s) override;
  void begin_path(front_end& path, const front_end& from) const override;
  void rejoin(front_end&) const override {}
  bool keeps_operations_across_contexts() const override { return true; }
  bool wants_long_operations() const override { return constrained_; }
  void long_operation_issued(wf_context& w, swf_scheduler& s) override;
  std::vector<shown_register> shown() const override;
  void show(const wf_context& c, uint64_t* values) const override;

 private:
  void keep_paths(state_archive& a) override;
  using place = dual_path::place;
  enum slot : uint8_t { left, right, slots };
  // A wavefront's paths.
  struct wavefront {
    std::deque<dual_entry> stack;  // outermost first
    dual_path whole;               // in one piece
    std::array<dual_path*, slots> in{};
    slot visible = left;  // constrained: which of two paths may issue
  };
  wavefront& of(const wf_context& w) { return wavefronts_[w.tdm_requester.place]; }
  const wavefront& of(const wf_context& w) const { return wavefronts_[w.tdm_requester.place]; }
  static slot slot_of(const wf_context& w) { return w.is_swf() ? right : left; }
  static slot opposite(slot s) { return s == left ? right : left; }
  wf_context& context(const wf_context& w, slot s) const;

  after_divergence split(wavefront& v, wf_context& w, const isa::inst& i, swf_scheduler& s);
  after_divergence merge(wavefront& v, wf_context& w, swf_scheduler& s);
  void join_states(wf_context& w, const dual_path& own, dual_entry& e) const;
  after_divergence pop(wavefront& v, wf_context& w, swf_scheduler& s);
  void suspend(wavefront& v, dual_path& path, wf_context& from, wf_context& heir);
  // Who of the wavefront of `w` runs where, when something has changed: the sides of the innermost entry, then whoever
  // may be forwarded. `acting`, if any, is the context whose instruction it was: what it does is returned.
  after_divergence settle(wavefront& v, const wf_context& w, wf_context* acting, swf_scheduler& s);
  dual_path* forwarded(wavefront& v) const;
  void choose_visible(wavefront& v, const wf_context& w, swf_scheduler& s);

  static dual_entry& entry_of(wavefront& v, const dual_path& p);
  static bool is_innermost(const wavefront& v, const dual_path& p);
  static dual_path& path_that_split(wavefront& v);
  static slot home_of(const wavefront& v, const dual_path& p);
  void save(wavefront& v, dual_path& p, dual_path::place where, wf_context& from);
  void load(wavefront& v, dual_path& p, wf_context& to);
  void enter(wf_context& c, const wf_context& w) const;
  void vacate(wf_context& c, swf_scheduler& s) const;
  void attach_scoreboards();
  // From now on each slot of the wavefront sees what is pending in the other one.
  void set_shadow_bits(const wf_context& w);
  // So it is where the path beside that of `w` goes on: it may have to wait for more.
  void share_pending(const wf_context& w, swf_scheduler& s);

  context_map& contexts_;
  const uint32_t limit_;
  const bool constrained_, forwards_;
  std::vector<wavefront> wavefronts_;         // by tdm_requester.place
  std::vector<slot_scoreboard> scoreboards_;  // conservative: by place and slot
};

}  // namespace pws::models
