// SPDX-License-Identifier: Apache-2.0
// Splitting that merges: a wavefront's SWFs form a tree, each created by its parent's split and joined with it again by
// the matching merge (PWS paper, 4.1 and Fig. 5).
//
// A context's child stack lists the splits that it has open, innermost on top. Every split pushes an entry, an empty
// one if it created no SWF, so that every merge finds its own.
//
// With contexts of SpSIMD units this is `pws`. With the SIMD unit's own it is `dws`, dynamic warp subdivision as the
// PWS paper's section 7 compares with it: which splits happen is decided when they are reached, by what is free then.
#pragma once

#include "models/divergence/divergence_scheme.h"
#include "models/divergence/swf_pool.h"

namespace pws::models {

class split_tree : public divergence_scheme {
 public:
  split_tree(const machine_config& c, context_map& contexts, std::unique_ptr<swf_pool> pool);

  bool diverges(const wf_context& w, const isa::inst& i) const override;
  after_divergence execute(wf_context& w, const isa::inst& i, swf_scheduler& s) override;
  void check_barrier(const wf_context& w) const override;
  void ended(wf_context& w, swf_scheduler& s) override;
  const wf_context* parent_of(const wf_context& swf) const override { return pool_->parent_of(swf); }
  std::vector<shown_register> shown() const override;
  void show(const wf_context& c, uint64_t* values) const override;

 private:
  void split(wf_context& w, uint64_t mask, swf_scheduler& s);
  after_divergence merge(wf_context& w, swf_scheduler& s);
  void join(wf_context& parent, wf_context& child, swf_scheduler& s);
  void take_over(wf_context& parent, wf_context& child, swf_scheduler& s);
  bool waits_for_parent(const wf_context& child) const;
  void remove(wf_context& child, swf_scheduler& s);
  child_stack_block& stack(const wf_context& w) const;

  context_map& contexts_;
  std::unique_ptr<swf_pool> pool_;
  const uint32_t child_stack_entries_;
  const bool context_required_;  // check.split_contexts
};

}  // namespace pws::models
