// Changes to a context's split registers that schemes share.
#pragma once

#include "models/compute_unit/compute_unit.h"

namespace pws::models {

// SpM stands in the unit's register block, where it is looked at, and in the state, where instructions see it.
inline void set_split_mask(compute_unit& cu, wf_context& w, uint64_t mask) {
  w.state.split_mask = mask;
  cu.units[w.unit]->split_masks.write(w.slot, mask);
}

// Makes `child`, a context just taken, an SWF that goes on where `w` does: scalar registers with VCC, SCC, M0 and MODE,
// EM and PC are copied; vector registers, LDS and scratch are the wavefront's. Its SpM is the caller's to set.
inline void begin_swf(wf_context& child, const wf_context& w, swf_number parent) {
  child.state = w.state;
  child.state.access = nullptr;
  child.parent = parent;
  child.root = w.root;
  child.group = w.group;
  child.wave_in_group = w.wave_in_group;
  child.code = w.code;
  child.next = nullptr;
  ++w.root->live;
  ++w.root->paths;
}

// Clears an SWF context for the next one.
inline void end_swf(compute_unit& cu, wf_context& child) {
  child.parent = 0;
  set_split_mask(cu, child, 0);
  cu.units[child.unit]->child_stacks.clear(child.slot);
}

}  // namespace pws::models
