#include "models/divergence/swf_pool.h"

namespace pws::models {

wf_context* spsimd_pool::take(const wf_context& w) {
  for (simd_unit* u : cu_.spsimds_of(w.simd))
    if (wf_context* c = u->allocate_swf(w.slot)) return c;
  return nullptr;
}

swf_number spsimd_pool::number_of(const wf_context& w) const {
  return cu_.units[w.unit]->number;
}

wf_context& spsimd_pool::context(const wf_context& w, swf_number n) const {
  simd_unit& u = n == simd_unit::own_number ? *cu_.units[w.simd] : *cu_.spsimds_of(w.simd)[n - 2u];
  return u.contexts[w.slot];
}

wf_context* simd_context_pool::take(const wf_context& w) {
  if (w.root->live > limit_) return nullptr;
  return cu_.units[w.unit]->allocate_swf_from_wavefronts(w.state.n_sgprs);
}

swf_number simd_context_pool::number_of(const wf_context& w) const {
  return static_cast<swf_number>(w.slot + 1);
}

wf_context& simd_context_pool::context(const wf_context& w, swf_number n) const {
  return cu_.units[w.unit]->contexts[n - 1u];
}

}  // namespace pws::models
