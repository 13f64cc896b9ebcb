// SPDX-License-Identifier: Apache-2.0
#include "models/context/context_file.h"

#include <algorithm>

#include "models/isa/allocation.h"
#include "models/machine/occupancy.h"

namespace pws::models {

namespace {
uint32_t granted(uint32_t sgprs) {
  return isa::granted(sgprs, isa::sgpr_granule);
}
}  // namespace

context_file::context_file(const machine_config& c, const place& where)
    : unit(where.unit),
      simd(where.simd),
      number(where.number),
      split_masks(contexts_per_unit(c)),
      child_stacks(contexts_per_unit(c), c.child_stack_entries),
      contexts(contexts_per_unit(c)),
      n_wfc_(c.n_wfc),
      per_wavefront_(contexts_per_wavefront(c)),
      sgprs_(c.sgprs_per_simd),
      free_sgprs_(sgprs_),
      vgprs_(is_spsimd() ? 0 : c.vgprs_per_simd, isa::vgpr_granule),
      rows_(is_spsimd() ? 0 : c.vgprs_per_simd),
      taken_further_(contexts.size() - c.n_wfc) {
  for (uint32_t i = 0; i < contexts.size(); ++i) {
    contexts[i].unit = where.unit;
    contexts[i].simd = where.simd;
    contexts[i].slot = slot_id(i);
    contexts[i].tdm_requester = {where.simd.value * n_wfc_ + i % n_wfc_, is_second(contexts[i]) ? 1 : number.part()};
  }
  order.reserve(contexts.size());
}

wf_context* context_file::free_context() {
  const auto end = contexts.begin() + n_wfc_;
  const auto free = std::find_if(contexts.begin(), end, [](const wf_context& c) { return !c.taken; });
  return free == end ? nullptr : &*free;
}

// The youngest of the unit from now on.
void context_file::occupy(wf_context& context) {
  context.taken = true;
  wavefronts_ += context.slot.value < n_wfc_;
  context.age = next_age_++;
  context.rank = context_rank(in_use());
  order.push_back(static_cast<uint16_t>(context.slot.value));
}

void context_file::vacate(wf_context& context) {
  context.taken = false;
  wavefronts_ -= context.slot.value < n_wfc_;
  context.become(wf_status::idle);
  if (context.slot.value >= n_wfc_) {
    const uint32_t further = context.slot.value - n_wfc_;
    taken_further_[further] = false;
    first_free_further_ = std::min(first_free_further_, further);
  }
  const uint32_t rank = context.rank.value;
  order.erase(order.begin() + rank);
  for (uint32_t r = rank; r < in_use(); ++r) ranked(context_rank(r)).rank = context_rank(r);
}

wf_context* context_file::allocate(const dispatch& d) {
  if (granted(d.sgprs) > free_sgprs_) return nullptr;
  wf_context* const free = free_context();
  if (free == nullptr) return nullptr;
  const auto first = vgprs_.allocate(d.vgprs);
  if (!first) return nullptr;
  free_sgprs_ -= granted(d.sgprs);
  free->vgpr_first = *first;
  free->state.vgpr = &rows_[*first];
  free->state.n_vgprs = d.vgprs;
  free->state.n_sgprs = d.sgprs;
  occupy(*free);
  if (per_wavefront_ == 2) occupy(paired_with(*free));
  return free;
}

void context_file::release(wf_context& context) {
  if (is_second(context)) return context.become(wf_status::idle);
  if (!context.is_swf()) vgprs_.release(context.vgpr_first, context.state.n_vgprs);
  if (!is_spsimd() && context.slot.value < n_wfc_) free_sgprs_ += granted(context.state.n_sgprs);
  if (per_wavefront_ == 2) vacate(paired_with(context));
  vacate(context);
}

void context_file::clear() {
  for (wf_context& c : contexts) {
    c.status = wf_status::idle;  // not by become(): what it counts is gone too
    c.taken = false;
    c.front.clear();
    c.front.next = nullptr;
    c.front.slot = nullptr;
  }
  order.clear();
  wavefronts_ = 0;
  free_sgprs_ = sgprs_;
  vgprs_ = range_allocator(static_cast<uint32_t>(rows_.size()), isa::vgpr_granule);
  std::fill(taken_further_.begin(), taken_further_.end(), false);
  first_free_further_ = 0;
}

wf_context* context_file::allocate_swf(slot_id slot) {
  wf_context& context = (*this)[slot];
  if (context.taken) return nullptr;
  occupy(context);
  return &context;
}

wf_context* context_file::allocate_swf_from_wavefronts(uint32_t sgprs) {
  if (granted(sgprs) > free_sgprs_) return nullptr;
  wf_context* const free = free_context();
  if (free == nullptr) return nullptr;
  free_sgprs_ -= granted(sgprs);
  occupy(*free);
  return free;
}

wf_context& context_file::take_further(const wf_context& root) {
  while (taken_further_[first_free_further_]) ++first_free_further_;
  taken_further_[first_free_further_] = true;
  wf_context& free = contexts[n_wfc_ + first_free_further_];
  free.tdm_requester = root.tdm_requester;
  occupy(free);
  return free;
}

void context_file::keep(state_archive& a) {
  a.section("contexts");
  split_masks.keep(a);
  child_stacks.keep(a);
  vgprs_.keep(a);
  a(free_sgprs_, next_age_, wavefronts_, first_free_further_);
  for (auto&& taken : taken_further_) a.value(taken);
  a.list(order, [this](state_archive& b, uint16_t& slot) { b.index(slot, contexts.size()); });
  for (wf_context& c : contexts) {
    a(c.taken, c.tdm_requester.place, c.tdm_requester.part, c.age, c.rank.value, c.vgpr_first);
    if (a.restores() && c.taken && c.rank.value >= order.size())
      throw bad_state("a context has a rank that is too high");
  }
}

uint32_t context_file::room(const dispatch& d, uint32_t limit) const {
  limit = std::min(limit, n_wfc_ - wavefronts());
  if (d.sgprs != 0) limit = std::min(limit, free_sgprs_ / granted(d.sgprs));
  return vgprs_.room(d.vgprs, limit);
}

}  // namespace pws::models
