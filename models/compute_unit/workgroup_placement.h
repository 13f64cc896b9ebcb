// SPDX-License-Identifier: Apache-2.0
// Workgroups in a compute unit: which fit, in which contexts their wavefronts are, and what registers, LDS and scratch
// begin with.
#pragma once

#include "base/state_archive.h"
#include "models/compute_unit/cu_parts.h"
#include "models/isa/global_memory.h"

namespace pws::models {

class workgroup_placement {
 public:
  workgroup_placement(cu_parts& cu, const isa::global_memory& memory) : cu_(cu), memory_(memory) {}

  // True if all wavefronts of the workgroup, its LDS and registers fit now.
  bool fits(const workgroup& w) const;
  // Takes a workgroup that fits; its wavefronts can begin. Functional fidelity: with s_memtime at `time` at least.
  resident_workgroup& place(const workgroup& w, uint64_t time);
  // Frees what a workgroup held.
  void retire(resident_workgroup& g);
  // Takes everything out, wherever it stands.
  void clear();
  uint32_t live() const { return live_; }  // workgroups that are here
  // Its state, saved or restored.
  void keep(state_archive& a) { a(live_); }
  const isa::global_memory& memory() const { return memory_; }  // that wavefronts access

 private:
  resident_workgroup& free_group();
  wf_context& free_context(const dispatch& d);
  void initialise(wf_context& c, resident_workgroup& g, uint32_t wave, uint64_t time);
  void fill_lds(const resident_workgroup& g);
  void fill_undefined(wf_context& c, const resident_workgroup& g);

  cu_parts& cu_;
  const isa::global_memory& memory_;
  uint32_t live_ = 0;
};

}  // namespace pws::models
