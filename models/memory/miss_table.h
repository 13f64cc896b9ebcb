// SPDX-License-Identifier: Apache-2.0
// Miss status holding registers: lines on their way, each with the requests that wait for it.
#pragma once

#include <cstdint>
#include <tlm>
#include <vector>

#include "models/memory/transaction.h"

namespace pws::models {

class miss_table {
 public:
  // A line on its way.
  struct miss {
    uint64_t line = 0;
    // The request that went to the next level. Not in the list below: the next level may link it into a list of its
    // own.
    tlm::tlm_generic_payload* primary = nullptr;
    tlm::tlm_generic_payload* head = nullptr;  // further requests for the line, in order
    tlm::tlm_generic_payload* tail = nullptr;
    bool dirty = false;  // a store merged into it: the line is dirty when it arrives
  };
  explicit miss_table(uint32_t entries) : entries_(entries) { live_.reserve(entries); }

  bool full() const { return live_.size() >= entries_; }
  size_t size() const { return live_.size(); }
  // The line is on its way.
  bool has(uint64_t line) const {
    for (const auto& m : live_)
      if (m.line == line) return true;
    return false;
  }
  // The miss of a line; nullptr: the line is not on its way.
  miss* find(uint64_t line) {
    for (auto& m : live_)
      if (m.line == line) return &m;
    return nullptr;
  }
  // A new one, where the table is not full.
  miss& add(uint64_t line) {
    live_.push_back({line, nullptr, nullptr, nullptr, false});
    return live_.back();
  }
  // One more request that waits for the line.
  static void append(miss& m, tlm::tlm_generic_payload& t) {
    info(t).next_waiter = nullptr;
    if (m.tail == nullptr)
      m.head = &t;
    else
      info(*m.tail).next_waiter = &t;
    m.tail = &t;
  }
  // Removes the miss and returns it; its list of waiters is the caller's.
  miss take(uint64_t line) {
    for (auto& m : live_)
      if (m.line == line) {
        const miss found = m;
        m = live_.back();
        live_.pop_back();
        return found;
      }
    return {};
  }

 private:
  size_t entries_;
  std::vector<miss> live_;
};

}  // namespace pws::models
