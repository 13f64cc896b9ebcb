// SPDX-License-Identifier: Apache-2.0
// Accesses outside of allocations that the machine tolerates (memory.faults: page): each place in the code is told of
// once.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <unordered_set>

#include "models/isa/global_memory.h"

namespace pws::models {

// Accesses outside of allocations that a machine went on after, counted and the first of them kept.
struct tolerated_accesses {
  std::function<void(const std::string& message)> say;  // who hears of a place
  std::unordered_set<uint64_t> places;                  // PCs that it has heard of
};

// While instructions of `w` are executed.
class witness_scope {
 public:
  witness_scope(const isa::global_memory& memory, isa::access_observer& w)
      : memory_(memory), before_(memory.witness()) {
    memory_.set_access_observer(&w);
  }
  ~witness_scope() { memory_.set_access_observer(before_); }
  witness_scope(const witness_scope&) = delete;
  witness_scope& operator=(const witness_scope&) = delete;

 private:
  const isa::global_memory& memory_;
  isa::access_observer* const before_;
};

}  // namespace pws::models
