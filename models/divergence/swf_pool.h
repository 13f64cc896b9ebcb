// SPDX-License-Identifier: Apache-2.0
// Where SWFs come from: the contexts that a scheme may give them, and the numbers by which registers name them.
#pragma once

#include "models/context/context_map.h"

namespace pws::models {

class swf_pool {
 public:
  virtual ~swf_pool() = default;
  // A free context for an SWF split off `w`, taken; nullptr if there is none.
  virtual wf_context* take(const wf_context& w) = 0;
  virtual swf_number number_of(const wf_context& w) const = 0;
  // The context of that number in the wavefront that `w` belongs to.
  virtual wf_context& context(const wf_context& w, swf_number n) const = 0;
  // The context that the register of `swf` names; nullptr: none.
  wf_context* parent_of(const wf_context& swf) const {
    return swf.tree.parent.is_none() ? nullptr : &context(swf, swf.tree.parent);
  }
};

// Contexts of SpSIMD units: each wavefront has the one with its own ID on every SpSIMD unit of its SIMD unit, so no
// other wavefront can take it away (PWS paper, 4.1). The lowest-numbered unit comes first.
class spsimd_pool : public swf_pool {
 public:
  explicit spsimd_pool(context_map& contexts) : contexts_(contexts) {}
  wf_context* take(const wf_context& w) override;
  swf_number number_of(const wf_context& w) const override;
  wf_context& context(const wf_context& w, swf_number n) const override;

 private:
  context_map& contexts_;
};

// Free wavefront contexts of the SIMD unit itself, `limit` per wavefront: SWFs compete with one another and with other
// wavefronts for its ALUs, scalar registers and contexts.
class simd_context_pool : public swf_pool {
 public:
  simd_context_pool(context_map& contexts, uint32_t limit) : contexts_(contexts), limit_(limit) {}
  wf_context* take(const wf_context& w) override;
  swf_number number_of(const wf_context& w) const override;
  wf_context& context(const wf_context& w, swf_number n) const override;

 private:
  context_map& contexts_;
  uint32_t limit_;
};

}  // namespace pws::models
