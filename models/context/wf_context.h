// One wavefront context: a wavefront in execution, or an SWF, which has the same registers and a parent. Its parts:
// architectural state, front end, place in the tree of splits, and what the waveform shows.
#pragma once

#include <array>
#include <cstdint>

#include "models/context/front_end.h"
#include "models/context/resident_workgroup.h"
#include "models/context/swf_number.h"
#include "models/isa/wave_state.h"
#include "models/machine/time_division.h"

namespace pws::models {

// What the VCD shows of a context; written only when the CU is traced.
struct wf_trace {
  uint64_t pc = 0, em = 0;
  unsigned status = 0;
  unsigned unit = 0;  // isa::unit of the instruction issued last
  unsigned vm_outstanding = 0, lgkm_outstanding = 0;
  uint64_t spm = 0;
  unsigned parent = 0;       // swf_number
  unsigned child_depth = 0;  // entries on the child stack ...
  static constexpr size_t shown_children = 8;
  std::array<unsigned, shown_children> children{};  // ... and the first of them, oldest first
};

// A context's place in its wavefront. The child stack and the split mask's register are its unit's.
struct tree_place {
  swf_number parent = no_swf;  // who split
  wf_context* root = nullptr;  // the launch wavefront's context; its own in one
  cycle_t began_at = 0;        // SWF
  // Of the wavefront, in its root:
  uint64_t launched = 0;  // work-items there are
  uint32_t live = 0;      // contexts it has, its own included; kept by wavefront.h
  uint32_t paths = 0;     // those of them that neither wait at a merge nor have ended; kept by become()
};

struct wf_context {
  isa::wave_state state;
  wf_status status = wf_status::idle;  // changed by become() alone
  uint32_t unit = 0;                   // where this context is: among the CU's SIMD and SpSIMD units,
  uint32_t simd = 0, slot = 0;         // SIMD unit whose vector registers it uses; ID - 1
  requester seat;                      // among those that take turns in the compute unit; `split` is not kept
  uint64_t age = 0;                    // dispatch order in the CU
  resident_workgroup* group = nullptr;
  uint32_t wave_in_group = 0;
  uint32_t vgpr_first = 0;
  isa::program* code = nullptr;
  uint32_t rank = 0;  // by age among its SIMD unit's contexts in use; when it is looked at stands there (simd_unit.h)
  bool taken = false;

  front_end front;
  tree_place tree;
  wf_trace trace;

  bool is_swf() const { return tree.root != this; }
  // Whose requests this context's are now.
  requester identity() const { return {seat.place, seat.part, tree.root->tree.live > 1}; }

  // The one place where a status changes, and with it what its wavefront and workgroup count.
  void become(wf_status s) {
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
