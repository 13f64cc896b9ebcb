// SPDX-License-Identifier: Apache-2.0
// The RTL where wavefronts split and paths become one: what the machine does is given to it, and what it says is
// compared or, where it drives, taken.
#include <fmt/format.h>

#include "base/error.h"
#include "models/context/context_map.h"
#include "models/isa/code/decode.h"
#include "models/isa/scalar/scalar_semantics.h"
#include "platform/machine/rtl_executor.h"
#include "platform/machine/rtl_inputs.h"

namespace pws::platform::cosim {

using models::cycle_t;
using models::wf_context;
using rtl::spsimd_rtl;

namespace {

// s_getreg of a whole hardware register.
uint32_t hardware_register(const isa::wave_state& s, uint32_t number) {
  return isa::get_hardware_register(s, number | 31u << 11);
}

// The instruction that `a` executes, or else `b`: of the two whose paths meet or part here, one does.
const isa::inst* cause(const wf_context& a, const wf_context& b) {
  return a.front.next != nullptr ? a.front.next : b.front.next;
}

}  // namespace

void rtl_executor::diverging(wf_context& c, const isa::inst& i, cycle_t now) {
  advance(now);
  contexts_[c.slot.value].model = &c;
  uint64_t free = 0;
  for (uint32_t j = 0; j < cu_.layout().spsimds; ++j)
    if (!cu_.contexts().at(simd_, models::swf_number::spsimd_unit(j))[c.slot].taken) free |= uint64_t{1} << j;
  split_answer_ = rtl_->issue_scalar(c.slot.value, words_of(i), i.pc, free);
  if (!split_answer_.supported)
    throw program_error(fmt::format("{}: the RTL does not know {}", name(), isa::disassemble(i)));
  ++statistics_.splits_and_merges;
  if (i.unit == isa::unit::split)
    cover(split_answer_.child != 0 ? divergence_event::creates : divergence_event::finds_none, c);
  else
    cover(cu_.contexts().of(c).child_stacks.empty(c.slot) ? divergence_event::merges_without_one
                                                          : divergence_event::merges_with_child,
          c);
}

void rtl_executor::cover(divergence_event e, const wf_context& c) {
  if (coverage_ != nullptr)
    coverage_->divergence(e, cu_.contexts().of(c).child_stacks.depth(c.slot), c.state.split_mask);
}

void rtl_executor::split_changes(const wf_context& c, const char* what, const isa::inst* i) {
  context_state& s = contexts_[c.slot.value];
  s.split_changed = true;
  s.event = {&c, what, i, cycle_};
}

void rtl_executor::diverged(wf_context& c, const isa::inst& i, cycle_t) {
  split_changes(c, i.row->mnemonic, &i);
  if (i.unit != isa::unit::split) return;
  const models::child_stack_block& stack = cu_.contexts().of(c).child_stacks;
  const unsigned child = stack.top(c.slot).value();
  if (child == split_answer_.child) return;
  if (checker_ != nullptr) checker_->created({&c, i.row->mnemonic, &i, cycle_}, {child, 0}, {split_answer_.child, 0});
  throw program_error(
      fmt::format("{}: the RTL's split takes SpSIMD unit {}, the model's {}", name(), split_answer_.child, child));
}

void rtl_executor::divides(const wf_context& from, wf_context& swf, cycle_t) {
  if (coverage_ != nullptr) coverage_->hands_over_m0(contexts_[from.slot.value].m0_by);
  const isa::inst& split = *from.front.next;
  if (checker_ != nullptr) {
    checker_->created({&from, split.row->mnemonic, &split, cycle_},
                      {cu_.layout().number_of(swf.unit).value(), swf.state.split_mask},
                      {split_answer_.child, split_answer_.child_spm});
    hands_over(from, swf, {&from, split.row->mnemonic, &split, cycle_});
    return;
  }
  // The masks are the RTL's: what stays here, and what the new SWF has.
  if (split_answer_.child == 0) return;  // diverged() says so
  wf_context& here = model_->of(from)[from.slot];
  model_->of(here).set_split_mask(here, here.state.split_mask & ~split_answer_.child_spm);
  model_->of(swf).set_split_mask(swf, split_answer_.child_spm);
  hands_over(from, swf, {&from, split.row->mnemonic, &split, cycle_});
}

spsimd_rtl::start rtl_executor::start_of(const wf_context& c) const {
  spsimd_rtl::start s;
  s.pc = c.state.pc;
  s.spm = c.state.split_mask;
  s.launched = c.tree.root->tree.launched;
  s.parent = c.tree.parent.value();
  s.hw_id = c.state.hw_id;
  s.gpr_alloc = hardware_register(c.state, 5);
  s.lds_alloc = hardware_register(c.state, 6);
  return s;
}

void rtl_executor::launches(wf_context& wave, cycle_t at) {
  launched_.push_back({&wave, at - spsimd_rtl::handover_cycles()});
}

// Nothing has been written for the SWF that was in the context before.
void rtl_executor::check_left_behind(unsigned slot) {
  context_state& s = contexts_[slot];
  if (!s.free) return;
  s.free = false;
  const uint32_t* scalar = rtl_->scalar(slot);
  for (unsigned k = 0; k < isa::scalar_count; ++k)
    if (scalar[k] != s.left_behind[k]) checker_->written_after_leaving(s.event, k, s.left_behind[k], scalar[k]);
}

void rtl_executor::begins(wf_context& swf, cycle_t now) {
  clock_until(now);
  context_state& s = contexts_[swf.slot.value];
  check_left_behind(swf.slot.value);
  if (coverage_ != nullptr) {
    if (s.left_at)
      coverage_->begins_after(now - *s.left_at);
    else
      coverage_->begins_first();
  }
  s = {};
  s.model = &swf;
  if (const rtl_executor* const from = givers_[swf.slot.value]; from != nullptr)
    s.m0_by = from->contexts_[swf.slot.value].m0_by;
  cover(divergence_event::begins, swf);
  if (swf.tree.parent.is_none())
    split_changes(swf, "the beginning of the wavefront", nullptr);
  else
    split_changes(swf, "the beginning of the SWF", cause(model_->at(simd_, swf.tree.parent)[swf.slot], swf));
  rtl_->begin(swf.slot.value, start_of(swf));
  rtl_->load_status(swf.slot.value, given_status(swf));
  expects_registers(swf);
}

void rtl_executor::joins(wf_context& parent, const wf_context& child, cycle_t now) {
  advance(now);
  cover(divergence_event::joined, parent);
  if (rtl_executor* const from = by_unit_[child.unit.value]; from != nullptr) {
    from->advance(now);
    rtl_->join(parent.slot.value, from->rtl_->spm(child.slot.value), from->rtl_->em(child.slot.value));
  } else {
    rtl_->join(parent.slot.value, child.state.split_mask, child.state.scalar64(isa::exec_lo));
  }
  split_changes(parent, "the merge with its child", cause(parent, child));
  contexts_[parent.slot.value].issued = true;  // EM comes back changed
}

void rtl_executor::drops(wf_context& parent, models::swf_number child, cycle_t now) {
  advance(now);
  cover(divergence_event::dropped, parent);
  rtl_->drop(parent.slot.value, child.value());
  if (parent.status != models::wf_status::ended)
    split_changes(parent, "the end of a child before its merge", model_->at(simd_, child)[parent.slot].front.next);
}

void rtl_executor::taken_over(wf_context& c, cycle_t) {
  cover(divergence_event::taken_over, c);
  drop_results(c);
  rtl_->take_over(c.slot.value, start_of(c));
  rtl_->load_status(c.slot.value, given_status(c));
  expects_registers(c);
  split_changes(c, "taking over from an SWF that has ended", c.front.next);
}

void rtl_executor::leaves(wf_context& swf, cycle_t now) {
  advance(now);
  cover(divergence_event::leaves, swf);
  rtl_->leave(swf.slot.value);
  context_state& s = contexts_[swf.slot.value];
  s = {};
  s.left_at = now;
  s.left = checker_ != nullptr;
  s.event = {&swf, swf.tree.parent.is_none() ? "the wavefront has ended" : "the SWF has left", swf.front.next, cycle_};
  const bool scalar = drop_results(swf);
  bool vector = false;
  for (unsigned k = 0; k < vector_count_; ++k)
    vector |= vector_[(vector_first_ + k) % vector_slots].issued.context == &swf;
  if (coverage_ != nullptr) coverage_->leaves(scalar, vector);
}

void rtl_executor::reset(cycle_t now) {
  launched_.clear();
  for (const context_state& s : contexts_)
    if (s.model != nullptr) leaves(*s.model, now);
}

// An SWF may end with results on their way: the scalar queue drops them, the vector ALU finishes. True: there was a
// scalar one.
bool rtl_executor::drop_results(const wf_context& ended) {
  for (unsigned k = 0; k < vector_count_; ++k)
    if (flight& f = vector_[(vector_first_ + k) % vector_slots]; f.issued.context == &ended) f.abandoned = true;
  unsigned kept = 0;
  const unsigned under_way = scalar_count_;
  for (unsigned k = 0; k < scalar_count_; ++k) {
    flight& f = scalar_[(scalar_first_ + k) % scalar_slots];
    if (f.issued.context == &ended) continue;
    if (kept != k) scalar_[(scalar_first_ + kept) % scalar_slots] = f;
    ++kept;
  }
  scalar_count_ = kept;
  contexts_[ended.slot.value].in_flight = 0;
  return kept != under_way;
}

context_registers rtl_executor::model_registers(const wf_context& c) const {
  const models::child_stack_block& children = cu_.contexts().of(c).child_stacks;
  context_registers r;
  if (c.status == models::wf_status::merge)
    r.state = children.empty(c.slot) ? context_registers::waits_for_parent : context_registers::waits_for_child;
  else if (c.status != models::wf_status::idle)
    r.state = context_registers::running;
  r.pc = c.state.pc;
  r.em = c.state.scalar64(isa::exec_lo);
  r.spm = c.state.split_mask;
  r.vcc = c.state.vcc();
  r.scc = c.state.scc;
  r.parent = c.tree.parent.value();
  r.depth = children.depth(c.slot);
  return r;
}

context_registers rtl_executor::rtl_registers(unsigned slot) const {
  return {rtl_->state(slot), rtl_->pc(slot),  rtl_->em(slot),     rtl_->spm(slot),
          rtl_->vcc(slot),   rtl_->scc(slot), rtl_->parent(slot), rtl_->depth(slot)};
}

split_state rtl_executor::model_split(const wf_context& c) const {
  const models::child_stack_block& children = cu_.contexts().of(c).child_stacks;
  split_state s{model_registers(c), 0, {}};
  s.top = s.depth == 0 ? 0 : children.top(c.slot).value();
  for (unsigned k = 0; k < s.depth && k < s.children.size(); ++k) s.children[k] = children.at(c.slot, k).value();
  return s;
}

split_state rtl_executor::rtl_split(unsigned slot) const {
  split_state s{rtl_registers(slot), 0, {}};
  s.top = rtl_->top(slot);
  for (unsigned k = 0; k < s.depth && k < s.children.size(); ++k)
    s.children[k] = static_cast<uint16_t>(rtl_->child(slot, k));
  return s;
}

}  // namespace pws::platform::cosim
