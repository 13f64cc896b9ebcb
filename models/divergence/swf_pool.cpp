#include "models/divergence/swf_pool.h"

namespace pws::models {

wf_context* spsimd_pool::take(const wf_context& w) {
  for (context_file* u : contexts_.spsimds_of(w.simd))
    if (wf_context* c = u->allocate_swf(w.slot)) return c;
  return nullptr;
}

swf_number spsimd_pool::number_of(const wf_context& w) const {
  return contexts_.of(w).number;
}

wf_context& spsimd_pool::context(const wf_context& w, swf_number n) const {
  return contexts_.numbered(w.simd, n).contexts[w.slot];
}

wf_context* simd_context_pool::take(const wf_context& w) {
  if (w.tree.root->tree.live > limit_) return nullptr;
  return contexts_.of(w).allocate_swf_from_wavefronts(w.state.n_sgprs);
}

swf_number simd_context_pool::number_of(const wf_context& w) const {
  return static_cast<swf_number>(w.slot + 1);
}

wf_context& simd_context_pool::context(const wf_context& w, swf_number n) const {
  return contexts_.of(w).contexts[n - 1u];
}

}  // namespace pws::models
