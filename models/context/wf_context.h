// SPDX-License-Identifier: Apache-2.0
// One wavefront context: a wavefront in execution, or an SWF, which has the same registers and a parent. Its parts:
// architectural state, front end, and place in the tree of splits.
#pragma once

#include <cstdint>

#include "models/context/front_end.h"
#include "models/context/workgroup.h"
#include "models/isa/wave_state.h"
#include "models/machine/ids.h"
#include "models/machine/time_division.h"

namespace pws::models {

// A context's place in its wavefront. The child stack and the split mask's register are its unit's.
struct tree_place {
  swf_number parent;           // who split
  wf_context* root = nullptr;  // the launch wavefront's context; its own in one
  cycle_t began_at = 0;        // SWF
  // Facts of the whole wavefront, kept in its root context:
  uint64_t launched = 0;  // work-items there are
  uint32_t live = 0;      // contexts it has, its own included; kept by wavefront.h
  uint32_t paths = 0;     // those of them that neither wait at a merge nor have ended; kept by become()
  uint32_t stacked = 0;   // paths without a context, which its scheme keeps
};

struct wf_context {
  isa::wave_state state;
  wf_status status = wf_status::idle;  // changed by become() alone
  unit_id unit;                        // where this context is,
  simd_id simd;                        // the SIMD unit whose vector registers it uses,
  slot_id slot;                        // its place in its unit
  requester tdm_requester;             // in the compute unit, where time is divided
  uint64_t age = 0;                    // dispatch order in the CU
  resident_workgroup* group = nullptr;
  uint32_t wave_in_group = 0;
  uint32_t vgpr_first = 0;
  isa::program* code = nullptr;
  context_rank rank;  // by age among its unit's contexts in use
  bool taken = false;
  // Instructions of the machine that had begun with its latest one, where they are counted
  // (compute_unit/instruction_attention.h).
  uint64_t begun = 0;

  front_end front;
  tree_place tree;

  // A path of its wavefront is without a context, or has one again: its workgroup's barriers wait for it too.
  void stack_path() {
    ++tree.root->tree.stacked;
    ++group->running;
  }
  void unstack_path() {
    --tree.root->tree.stacked;
    --group->running;
  }

  bool is_swf() const { return tree.root != this; }
  // Its wavefront is split: there are paths besides this one.
  bool is_split() const { return tree.root->tree.live + tree.root->tree.stacked > 1; }

  // The one place where a status changes, and with it what its wavefront and workgroup count.
  // Inlined, since `s` is a constant wherever it is called.
  [[gnu::always_inline]] void become(wf_status s) {
    if (s == status) return;
    const status_counts before = counts_of(status), after = counts_of(s);
    status = s;
    if (before == after) return;
    tree.root->tree.paths += static_cast<uint32_t>(after.path) - static_cast<uint32_t>(before.path);
    group->running += static_cast<uint32_t>(after.running) - static_cast<uint32_t>(before.running);
    group->at_barrier += static_cast<uint32_t>(after.at_barrier) - static_cast<uint32_t>(before.at_barrier);
  }
};

}  // namespace pws::models
