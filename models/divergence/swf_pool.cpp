// SPDX-License-Identifier: Apache-2.0
#include "models/divergence/swf_pool.h"

namespace pws::models {

wf_context* spsimd_pool::take(const wf_context& w) {
  for (uint32_t k = 0; k < contexts_.layout().spsimds; ++k)
    if (wf_context* c = contexts_.at(w.simd, swf_number::spsimd_unit(k)).allocate_swf(w.slot)) return c;
  return nullptr;
}

swf_number spsimd_pool::number_of(const wf_context& w) const {
  return contexts_.of(w).number;
}

wf_context& spsimd_pool::context(const wf_context& w, swf_number n) const {
  return contexts_.at(w.simd, n)[w.slot];
}

wf_context* simd_context_pool::take(const wf_context& w) {
  if (w.tree.root->tree.live > limit_) return nullptr;
  return contexts_.of(w).allocate_swf_from_wavefronts(w.state.n_sgprs);
}

swf_number simd_context_pool::number_of(const wf_context& w) const {
  return swf_number::context(w.slot);
}

wf_context& simd_context_pool::context(const wf_context& w, swf_number n) const {
  return contexts_.of(w)[n.context_slot()];
}

}  // namespace pws::models
