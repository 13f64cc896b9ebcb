// SPDX-License-Identifier: Apache-2.0
// The contexts of a compute unit, by the unit that they are in. What divergence schemes see of it.
#pragma once

#include <vector>

#include "base/state_archive.h"
#include "models/context/context_file.h"

namespace pws::models {

class context_map {
 public:
  explicit context_map(const unit_layout& layout) : layout_(layout) {}

  // In the layout's order.
  void add(context_file& unit) { units_.push_back(&unit); }

  const unit_layout& layout() const { return layout_; }
  context_file& of(const wf_context& c) { return *units_[c.unit.value]; }
  const context_file& of(const wf_context& c) const { return *units_[c.unit.value]; }
  // The SIMD unit itself or one of its SpSIMD units.
  context_file& at(simd_id simd, swf_number n) { return *units_[layout_.unit(simd, n).value]; }
  const context_file& at(simd_id simd, swf_number n) const { return *units_[layout_.unit(simd, n).value]; }

  // The wavefront context that has this place among those that take turns (requester::place).
  wf_context& wavefront_at(uint32_t place) const {
    const uint32_t n = units_.front()->wavefront_contexts();
    return (*units_[place / n])[slot_id(place % n)];
  }
  // The registers of a path of a wavefront that has no context: they are its wavefront's but for the scalar ones.
  void keep_state(state_archive& a, isa::wave_state& s, uint32_t place) const {
    s.keep(a);
    if (!a.restores()) return;
    const isa::wave_state& of = wavefront_at(place).state;
    s.vgpr = of.vgpr;
    s.lds = of.lds;
    s.memory = of.memory;
    s.host_csr = of.host_csr;
  }
  // A context in the state of a machine, by its place; nullptr: none.
  void keep(state_archive& a, wf_context*& c) const {
    bool there = c != nullptr;
    a(there);
    uint32_t unit = 0, slot = 0;
    if (c != nullptr && !a.restores()) {
      unit = c->unit.value;
      slot = c->slot.value;
    }
    if (a.restores()) c = nullptr;
    if (!there) return;
    a.index(unit, units_.size());
    a.index(slot, units_[unit]->contexts.size());
    c = &units_[unit]->contexts[slot];
  }

 private:
  unit_layout layout_;
  std::vector<context_file*> units_;
};

}  // namespace pws::models
