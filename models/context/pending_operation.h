// SPDX-License-Identifier: Apache-2.0
// A memory operation under way, in the list of every path that counts it: a split shares what the wavefront has under
// way with both sides (outstanding.h).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/machine/machine_config.h"

namespace pws::models {

class operation_pool;

// By which who asks for memory names what it has asked for; the asker's own.
using ticket = uint32_t;

struct pending_operation {
  cycle_t done = never;     // it completes then; `never`: not known yet
  uint64_t number = 0;      // in the order of issue in the compute unit
  uint32_t references = 0;  // lists that it is in, and the memory interface until it is done
  ticket of = 0;
  operation_pool* home = nullptr;
  pending_operation* next_free = nullptr;

  void hold() { ++references; }
  inline void drop();
  // As drop(), but it stays: whoever has it holds it next.
  void drop_keeping() { --references; }
};

// Those of a compute unit; an operation that nobody holds is used again.
class operation_pool {
 public:
  pending_operation& acquire() {
    if (free_ == nullptr) add_block();
    pending_operation* const o = free_;
    free_ = o->next_free;
    *o = {};
    o->number = next_number_++;
    o->home = this;
    return *o;
  }
  void release(pending_operation& o) {
    o.next_free = free_;
    free_ = &o;
  }

  // That somebody holds.
  size_t in_use() const {
    size_t free = 0;
    for (const pending_operation* o = free_; o != nullptr; o = o->next_free) ++free;
    return blocks_.size() * block_size - free;
  }

 private:
  static constexpr size_t block_size = 64;
  void add_block() {
    blocks_.push_back(std::make_unique<pending_operation[]>(block_size));
    for (size_t k = 0; k < block_size; ++k) release(blocks_.back()[k]);
  }
  std::vector<std::unique_ptr<pending_operation[]>> blocks_;
  pending_operation* free_ = nullptr;
  uint64_t next_number_ = 0;
};

inline void pending_operation::drop() {
  if (--references == 0) home->release(*this);
}

}  // namespace pws::models
