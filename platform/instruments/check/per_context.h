// SPDX-License-Identifier: Apache-2.0
// What a check knows of each context of the machine, whoever is in it.
#pragma once

#include <memory>
#include <vector>

#include "models/context/wf_context.h"

namespace pws::platform {

// A T for each context, made when it is first asked for. It stays where it is.
template <class T>
class per_context {
 public:
  T& of(uint32_t cu, const models::wf_context& c) {
    // Mostly the one that was asked for last.
    if (last_ != nullptr && last_cu_ == cu && last_unit_ == c.unit.value && last_slot_ == c.slot.value) return *last_;
    std::unique_ptr<T>& x = at(at(at(cus_, cu), c.unit.value), c.slot.value);
    if (x == nullptr) x = std::make_unique<T>();
    last_ = x.get();
    last_cu_ = cu;
    last_unit_ = c.unit.value;
    last_slot_ = c.slot.value;
    return *x;
  }

 private:
  template <class U>
  static U& at(std::vector<U>& list, size_t n) {
    if (list.size() <= n) list.resize(n + 1);
    return list[n];
  }

  std::vector<std::vector<std::vector<std::unique_ptr<T>>>> cus_;  // by unit and slot
  T* last_ = nullptr;
  uint32_t last_cu_ = 0, last_unit_ = 0, last_slot_ = 0;
};

}  // namespace pws::platform
