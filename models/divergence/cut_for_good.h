// SPDX-License-Identifier: Apache-2.0
// `pdom`, `naive`, `dwf` and `mimd`: the machines of the warp formation paper. A wavefront begins as static warps, each
// a path of its own with dwf.warp_size work-items, or as single work-items (mimd). Where work-items of a path take
// different ways at s_cbranch_execz or s_cbranch_execnz, naive and dwf cut it in two. Paths never become one again:
// unmodified programs run, and which paths issue together as a warp is the warp scheduler's business.
//
// With pdom nothing is cut at branches: the code serialises its sides through EXEC and restores EXEC where they meet,
// which is where clang's structurisation puts a branch's immediate post-dominator.
#pragma once

#include "models/divergence/divergence_scheme.h"

namespace pws::models {

class cut_for_good : public divergence_scheme {
 public:
  cut_for_good(const machine_config& c, context_map& contexts);

  void launched(wf_context& root, swf_scheduler& s) override;
  bool diverges(const wf_context& w, const isa::inst& i) const override;
  after_divergence execute(wf_context& w, const isa::inst& i, swf_scheduler& s) override;
  // Every path takes part in barriers with its work-items.
  void check_barrier(const wf_context&) const override {}
  void ended(wf_context& w, swf_scheduler& s) override;
  // What a path has under way at a cut goes on, and both parts wait for it.
  bool waits_at(const wf_context&, const isa::inst&) const override { return false; }
  void begin_path(front_end& path, const front_end& from) const override { path.share(from); }
  std::vector<shown_register> shown() const override;
  void show(const wf_context& c, uint64_t* values) const override;

 private:
  context_map& contexts_;
  const uint32_t first_paths_;  // work-items of each path that a wavefront begins with
};

}  // namespace pws::models
