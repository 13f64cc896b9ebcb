// SPDX-License-Identifier: Apache-2.0
// The contexts of a compute unit, by the unit that they are in. What divergence schemes see of it.
#pragma once

#include <vector>

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

 private:
  unit_layout layout_;
  std::vector<context_file*> units_;
};

}  // namespace pws::models
