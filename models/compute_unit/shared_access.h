// SPDX-License-Identifier: Apache-2.0
// What the paths of a wavefront or a warp that issue a memory or LDS instruction together ask for: the accesses of all
// as one, and who counts it.
#pragma once

#include <algorithm>
#include <vector>

#include "models/context/wf_context.h"
#include "models/formation/combined_access.h"

namespace pws::models {

class shared_access {
 public:
  // Another instruction: nobody has asked for anything.
  void begin();
  // What the path in `c` touches. `lds_first`: where its workgroup's LDS begins in the compute unit's.
  void add(wf_context& c, const isa::memory_access& a, uint32_t lds_first);

  const isa::memory_access& memory() const { return combined_.memory(); }
  const isa::memory_access& lds() const { return combined_.lds(); }
  bool any_in_lds() const { return std::find(in_lds_.begin(), in_lds_.end(), true) != in_lds_.end(); }
  bool all_in_lds() const { return std::find(in_lds_.begin(), in_lds_.end(), false) == in_lds_.end(); }

  // Paths count an operation: those whose FLAT instruction went to LDS, with both counters; the others with that of
  // vector memory; all with the other counter.
  void in_lds(pending_operation& vm, pending_operation& lgkm) const;
  void in_memory(pending_operation& vm) const;
  void counted(pending_operation& lgkm) const;

 private:
  combined_access combined_;
  std::vector<wf_context*> paths_;
  std::vector<bool> in_lds_;  // by path
};

// Cycles for which addresses or registers of an instruction pass through: `once`, as often as `slowdown` says.
struct access_passes {
  cycle_t once = 1;
  uint32_t slowdown = 1;
  cycle_t cycles() const { return once * slowdown; }
};

}  // namespace pws::models
