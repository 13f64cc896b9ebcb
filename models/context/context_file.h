// SPDX-License-Identifier: Apache-2.0
// The contexts of a SIMD or SpSIMD unit: who has which, with which registers, and in which order they came.
#pragma once

#include <vector>

#include "base/state_archive.h"
#include "models/context/range_allocator.h"
#include "models/context/split_registers.h"
#include "models/context/wf_context.h"

namespace pws::models {

class context_file {
 public:
  // Whose contexts they are.
  struct place {
    unit_id unit;       // among the CU's
    simd_id simd;       // SIMD unit whose wavefronts run here
    swf_number number;  // SpSIMDID
  };
  context_file(const machine_config& c, const place& where);

  bool is_spsimd() const { return !number.is_simd_unit(); }

  // A context with registers for a wavefront of the kernel, or nullptr if one of them is short.
  wf_context* allocate(const dispatch& d);
  // The context that a wavefront context has for a second path of its wavefront, and the other way round; the same
  // wavefront has both, and they stand side by side in `order`. Only where the scheme needs it.
  wf_context& paired_with(const wf_context& c) {
    return contexts[c.slot.value < n_wfc_ ? c.slot.value + n_wfc_ : c.slot.value - n_wfc_];
  }
  bool is_second(const wf_context& c) const { return per_wavefront_ == 2 && c.slot.value >= n_wfc_; }
  // Contexts for wavefronts.
  uint32_t wavefront_contexts() const { return n_wfc_; }
  // Contexts to look at: all but further ones.
  uint32_t shown() const { return per_wavefront_ == 2 ? 2 * n_wfc_ : n_wfc_; }
  // A further context for a path of the wavefront of `root`, which never fails. Only where the scheme needs it.
  wf_context& take_further(const wf_context& root);
  // SpSIMD unit: the SWF context of that ID, or nullptr if it is in use.
  wf_context* allocate_swf(slot_id slot);
  // SIMD unit: a free wavefront context and scalar registers for an SWF, or nullptr if one of them is short.
  wf_context* allocate_swf_from_wavefronts(uint32_t sgprs);
  // Who has which context, and the registers of those that somebody has. What contexts have of wavefronts and
  // workgroups is the compute unit's to keep (keep_contexts.h).
  void keep(state_archive& a);
  // Wavefronts of the kernel that would fit now; at most `limit`.
  uint32_t room(const dispatch& d, uint32_t limit) const;

  // SpM stands in the unit's register block, where it is looked at, and in the state, where instructions see it.
  void set_split_mask(wf_context& w, uint64_t mask) {
    w.state.split_mask = mask;
    split_masks.write(w.slot, mask);
  }

  // Where the vector registers of a context begin, if there are so many; else nullptr.
  isa::vgpr_row* registers_of(const wf_context& c, uint32_t n_vgprs) {
    return c.vgpr_first <= rows_.size() && n_vgprs <= rows_.size() - c.vgpr_first ? rows_.data() + c.vgpr_first
                                                                                  : nullptr;
  }

  wf_context& operator[](slot_id slot) { return contexts[slot.value]; }
  const wf_context& operator[](slot_id slot) const { return contexts[slot.value]; }
  wf_context& ranked(context_rank rank) { return contexts[order[rank.value]]; }
  uint32_t in_use() const { return static_cast<uint32_t>(order.size()); }
  // Wavefront contexts in use, without second and further ones.
  uint32_t wavefronts() const { return wavefronts_; }

  const unit_id unit;
  const simd_id simd;
  const swf_number number;
  split_mask_block split_masks;
  child_stack_block child_stacks;
  std::vector<wf_context> contexts;  // of wavefronts, then their second ones in the same order, or further ones
  std::vector<uint16_t> order;       // slots of the contexts in use, oldest first: a context's place here is its rank

 protected:
  ~context_file() = default;
  // Frees all contexts, wherever they stand. Their workgroups are the caller's.
  void clear();
  // Frees a context with what it holds: an SWF's has no vector registers of its own. A second one stays its wavefront's
  // and goes with it. What else is kept by rank is the caller's to move up.
  void release(wf_context& context);

 private:
  wf_context* free_context();
  void occupy(wf_context& context);
  void vacate(wf_context& context);
  const uint32_t n_wfc_, per_wavefront_, sgprs_;
  uint32_t free_sgprs_;
  range_allocator vgprs_;
  std::vector<isa::vgpr_row> rows_;
  uint64_t next_age_ = 0;
  uint32_t wavefronts_ = 0;
  std::vector<bool> taken_further_;  // from contexts[n_wfc_] on
  uint32_t first_free_further_ = 0;  // all before it are taken
};

}  // namespace pws::models
