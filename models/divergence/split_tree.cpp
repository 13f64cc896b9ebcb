// SPDX-License-Identifier: Apache-2.0
#include "models/divergence/split_tree.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/context/wavefront.h"
#include "models/divergence/path_storage.h"
#include "models/divergence/shown_registers.h"
#include "models/isa/scalar/split_operand.h"

namespace pws::models {

split_tree::split_tree(const machine_config& c, context_map& contexts, std::unique_ptr<swf_pool> pool)
    : divergence_scheme(c),
      contexts_(contexts),
      pool_(std::move(pool)),
      child_stack_entries_(c.child_stack_entries),
      context_required_(c.check.split_contexts) {}

child_stack_block& split_tree::stack(const wf_context& w) const {
  return contexts_.of(w).child_stacks;
}

bool split_tree::diverges(const wf_context&, const isa::inst& i) const {
  return i.unit == isa::unit::split || i.unit == isa::unit::merge;
}

after_divergence split_tree::execute(wf_context& w, const isa::inst& i, swf_scheduler& s) {
  if (i.unit == isa::unit::merge) return merge(w, s);
  split(w, isa::split_operand(w.state, i), s);
  return after_divergence::goes_on;
}

void split_tree::split(wf_context& w, uint64_t mask, swf_scheduler& s) {
  child_stack_block& children = stack(w);
  if (children.full(w.slot))
    throw program_error(fmt::format("the child stack is full: {} splits wait for their merge (child_stack_entries)",
                                    children.depth(w.slot)));
  wf_context* child = nullptr;
  if (!diverges_by(w, mask)) {
    ++statistics_.one_sided;
  } else if ((child = pool_->take(w)) == nullptr) {
    if (context_required_)
      throw program_error(
          fmt::format("no SWF context is free for this split: the wavefront has {} SWFs already "
                      "(check.split_contexts)",
                      w.tree.root->tree.live - 1));
    ++statistics_.no_context;
  }
  if (child == nullptr) {
    children.push(w.slot, {});
    return;
  }
  ++statistics_.splits;
  begin_swf(*child, w, pool_->number_of(w));
  contexts_.of(*child).set_split_mask(*child, w.state.split_mask & ~mask);
  contexts_.of(w).set_split_mask(w, w.state.split_mask & mask);
  children.push(w.slot, pool_->number_of(*child));
  s.begin(*child, w);
}

// A context at its merge with an open split of its own waits for that child, one without waits for its parent.
bool split_tree::waits_for_parent(const wf_context& child) const {
  return child.status == wf_status::merge && stack(child).empty(child.slot);
}

after_divergence split_tree::merge(wf_context& w, swf_scheduler& s) {
  child_stack_block& children = stack(w);
  if (!children.empty(w.slot)) {
    const swf_number top = children.top(w.slot);
    if (top.is_none()) {
      children.pop(w.slot);
      return after_divergence::joined;
    }
    wf_context& child = pool_->context(w, top);
    if (waits_for_parent(child)) {
      join(w, child, s);
      return after_divergence::joined;
    }
  } else {
    if (w.tree.parent.is_none())
      throw program_error("merge without a split: the wavefront has neither child nor parent");
    wf_context& parent = *pool_->parent_of(w);
    const child_stack_block& siblings = stack(parent);
    const bool innermost = siblings.top(parent.slot) == pool_->number_of(w);
    if (innermost && parent.status == wf_status::merge) {
      join(parent, w, s);
      s.resume(parent, merge_before(parent.state));
      return after_divergence::stops;
    }
    if (innermost && parent.status == wf_status::ended) {
      take_over(parent, w, s);
      return after_divergence::stops;
    }
  }
  w.become(wf_status::merge);
  return after_divergence::stops;
}

void split_tree::join(wf_context& parent, wf_context& child, swf_scheduler& s) {
  if (parent.state.pc != child.state.pc)
    throw program_error(
        fmt::format("this merge meets another one, at {:#x}: the SWF and its parent left their split by "
                    "different ways",
                    merge_before((child.status == wf_status::merge ? child : parent).state)));
  ++statistics_.merges;
  s.joins(parent, child);
  take_work_items(contexts_, parent, child.state);
  if (carries()) parent.front.join(child.front, std::max(parent.state.time, child.state.time));
  stack(parent).pop(parent.slot);
  remove(child, s);
}

// The parent's work-items have ended: the child's go on in its place, so that the merges around this one find them.
void split_tree::take_over(wf_context& parent, wf_context& child, swf_scheduler& s) {
  s.takes_over(parent, child);
  parent.state = child.state;
  if (carries()) parent.front.take(child.front);
  contexts_.of(parent).set_split_mask(parent, child.state.split_mask);
  stack(parent).pop(parent.slot);
  remove(child, s);
  s.resume(parent, merge_before(parent.state));
}

void split_tree::remove(wf_context& child, swf_scheduler& s) {
  leave_wavefront(contexts_, child);
  s.leave(child);
}

void split_tree::check_barrier(const wf_context& w) const {
  if (w.tree.root->tree.live > 1)
    throw program_error(fmt::format("s_barrier inside a split region: {} SWFs of the wavefront have not merged",
                                    w.tree.root->tree.live - 1));
}

void split_tree::ended(wf_context& w, swf_scheduler& s) {
  w.become(wf_status::ended);
  child_stack_block& children = stack(w);
  // Inner splits without an SWF left have nobody who would reach their merge.
  while (!children.empty(w.slot) && children.top(w.slot).is_none()) children.pop(w.slot);
  if (!children.empty(w.slot)) {
    wf_context& child = pool_->context(w, children.top(w.slot));
    if (waits_for_parent(child)) take_over(w, child, s);
    return;
  }
  if (w.tree.parent.is_none()) {
    s.finish(w);
    return;
  }
  wf_context& parent = *pool_->parent_of(w);
  child_stack_block& siblings = stack(parent);
  s.drops(parent, pool_->number_of(w));
  for (uint32_t k = 0; k < siblings.depth(parent.slot); ++k)
    if (siblings.at(parent.slot, k) == pool_->number_of(w)) siblings.set(parent.slot, k, {});
  remove(w, s);
  if (parent.status == wf_status::merge && siblings.top(parent.slot).is_none()) {
    siblings.pop(parent.slot);
    s.resume(parent, merge_before(parent.state));
  } else if (parent.status == wf_status::ended) {
    ended(parent, s);
  }
}

std::vector<shown_register> split_tree::shown() const {
  return shown_split_registers(child_stack_entries_);
}

void split_tree::show(const wf_context& c, uint64_t* values) const {
  show_split_registers(contexts_, c, values);
}

std::unique_ptr<divergence_scheme> make_pws(const machine_config& c, context_map& contexts) {
  return std::make_unique<split_tree>(c, contexts, std::make_unique<spsimd_pool>(contexts));
}

std::unique_ptr<divergence_scheme> make_dws(const machine_config& c, context_map& contexts) {
  return std::make_unique<split_tree>(c, contexts, std::make_unique<simd_context_pool>(contexts, c.spsimd_per_simd));
}

// The wavefront's context and its S SWF contexts have the registers; an SWF context's split mask is among them.
scheme_storage storage_of_pws(const machine_config& c, uint32_t splits) {
  const uint64_t swfs = c.spsimd_per_simd;
  scheme_storage s = storage_of_contexts(c, swfs);
  s.paths += (swfs + 1) * bits_of_split_registers(swfs + 1, splits) - swfs * path_widths{}.mask;
  return s;
}
// SWFs run in contexts that there are for wavefronts.
scheme_storage storage_of_dws(const machine_config& c, uint32_t splits) {
  scheme_storage s;
  s.paths = bits_of_split_registers(c.n_wfc, splits);
  return s;
}

}  // namespace pws::models
