// SPDX-License-Identifier: Apache-2.0
// Splitting by a bit of the MODE register (the thesis's form, 4.3 and 4.5): where s_cbranch_execz or s_cbranch_execnz
// meets a mask that is neither empty nor full while MODE bit 21 is set, the wavefront splits, and stays split to its
// end. `force_mode_split` takes the bit as set, so that unmodified programs split.
#pragma once

#include "models/divergence/divergence_scheme.h"
#include "models/divergence/swf_pool.h"

namespace pws::models {

class mode_bit_splitting : public divergence_scheme {
 public:
  mode_bit_splitting(const machine_config& c, context_map& contexts);

  bool diverges(const wf_context& w, const isa::inst& i) const override;
  after_divergence execute(wf_context& w, const isa::inst& i, swf_scheduler& s) override;
  // Every SWF takes part in barriers like a wavefront.
  void check_barrier(const wf_context&) const override {}
  void ended(wf_context& w, swf_scheduler& s) override;
  const wf_context* parent_of(const wf_context& swf) const override { return pool_.parent_of(swf); }
  std::vector<shown_register> shown() const override;
  void show(const wf_context& c, uint64_t* values) const override;

 private:
  context_map& contexts_;
  spsimd_pool pool_;
  const uint32_t child_stack_entries_;
  const bool forced_;
  const bool context_required_;
};

}  // namespace pws::models
