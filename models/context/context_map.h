// The contexts of a compute unit, by the unit that they are in. What divergence schemes see of it.
#pragma once

#include <vector>

#include "models/context/context_file.h"

namespace pws::models {

class context_map {
 public:
  explicit context_map(uint32_t n_simd) : spsimds_(n_simd) {}

  // SIMD units in order, then the SpSIMD units of the first, of the second, ...
  void add(context_file& unit) {
    units_.push_back(&unit);
    if (unit.is_spsimd()) spsimds_[unit.simd].push_back(&unit);
  }

  context_file& of(const wf_context& c) const { return *units_[c.unit]; }
  // SpSIMD units of a SIMD unit, by number.
  const std::vector<context_file*>& spsimds_of(uint32_t simd) const { return spsimds_[simd]; }
  // The SIMD unit itself or one of its SpSIMD units, by SpSIMDID.
  context_file& numbered(uint32_t simd, swf_number n) const {
    return n == own_number ? *units_[simd] : *spsimds_[simd][spsimd_index(n)];
  }

 private:
  std::vector<context_file*> units_;
  std::vector<std::vector<context_file*>> spsimds_;
};

}  // namespace pws::models
