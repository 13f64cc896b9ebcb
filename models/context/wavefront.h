// SPDX-License-Identifier: Apache-2.0
// Wavefronts and their SWFs begin and end: what engines and schemes have in common.
#pragma once

#include <algorithm>

#include "models/context/context_map.h"

namespace pws::models {

// Makes `w`, a context just taken, the root of a wavefront with these work-items, in one piece. Its architectural state
// is the caller's to set.
inline void begin_wavefront(context_map& contexts, wf_context& w, resident_workgroup& group, uint64_t launched) {
  w.group = &group;
  w.front.next = nullptr;
  w.tree = {};
  w.tree.root = &w;
  w.tree.launched = launched;
  w.tree.live = 1;
  contexts.of(w).set_split_mask(w, ~uint64_t{0});
  contexts.of(w).child_stacks.clear(w.slot);
}

// Makes `child`, a context just taken, an SWF that goes on where `w` does: scalar registers with VCC, SCC, M0 and MODE,
// EM and PC are copied; vector registers, LDS and scratch are the wavefront's. Its SpM is the caller's to set.
inline void begin_swf(wf_context& child, const wf_context& w, swf_number parent) {
  child.state = w.state;
  child.state.access = nullptr;
  child.tree.parent = parent;
  child.tree.root = w.tree.root;
  child.group = w.group;
  child.wave_in_group = w.wave_in_group;
  child.code = w.code;
  child.front.next = nullptr;
  ++w.tree.root->tree.live;
}

// Takes `lanes` from the path in `w` and gives them to a path of their own, in a further context that it returns.
inline wf_context& cut_path(context_map& contexts, wf_context& w, uint64_t lanes) {
  wf_context& other = contexts.of(w).take_further(*w.tree.root);
  begin_swf(other, w, {});
  contexts.of(other).set_split_mask(other, lanes);
  contexts.of(w).set_split_mask(w, w.state.split_mask & ~lanes);
  return other;
}

// The merge that a path stands behind: its PC is the following instruction's.
inline uint64_t merge_before(const isa::wave_state& s) {
  constexpr uint64_t merge_bytes = 4;
  return s.pc - merge_bytes;
}

// `w` has the work-items of `other` too, with SpM and EM the OR of both; its scalar registers stay.
inline void take_work_items(context_map& contexts, wf_context& w, const isa::wave_state& other) {
  contexts.of(w).set_split_mask(w, w.state.split_mask | other.split_mask);
  w.state.set_scalar64(isa::exec_lo, w.state.scalar64(isa::exec_lo) | other.scalar64(isa::exec_lo));
}

// Whether a split by `mask` leaves work-items of the path in `w` on both sides.
inline bool diverges_by(const wf_context& w, uint64_t mask) {
  const uint64_t work_items = w.state.split_mask & w.tree.root->tree.launched;
  return (work_items & mask) != 0 && (work_items & ~mask) != 0;
}

// `w`, an SWF or its root, is no part of its wavefront any more. An SWF's registers are cleared for the next one.
inline void leave_wavefront(context_map& contexts, wf_context& w) {
  --w.tree.root->tree.live;
  if (!w.is_swf()) return;
  w.tree.parent = {};
  contexts.of(w).set_split_mask(w, 0);
  contexts.of(w).child_stacks.clear(w.slot);
}

// An SWF runs in its workgroup from now on, or no more.
inline void run_swf(wf_context& swf) {
  swf.group->swfs.push_back(&swf);
  swf.become(wf_status::running);
}
inline void stop_swf(wf_context& swf) {
  std::vector<wf_context*>& swfs = swf.group->swfs;
  swfs.erase(std::find(swfs.begin(), swfs.end(), &swf));
  swf.become(wf_status::ended);
}

}  // namespace pws::models
