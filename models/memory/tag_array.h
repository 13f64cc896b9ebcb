// SPDX-License-Identifier: Apache-2.0
// Tags of a set-associative cache with LRU replacement. No data: see transaction.h.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <type_traits>

#include "base/state_archive.h"
#include "models/machine/machine_config.h"

namespace pws::models {

class tag_array {
 public:
  // `interleave`: the cache sees every interleave-th line only (an L2 bank).
  explicit tag_array(const cache_config& c, uint32_t interleave = 1)
      : ways_(c.ways),
        sets_(c.size_kib * 1024 / (c.line_bytes * c.ways)),
        interleave_(interleave),
        entries_(static_cast<entry*>(std::calloc(size_t{ways_} * sets_, sizeof(entry)))) {
    if (entries_ == nullptr) throw std::bad_alloc();
  }

  // All zero is an empty one, so that the host has no memory for sets that no line was in.
  struct entry {
    uint64_t line = 0;      // line number: address / line_bytes
    uint64_t last_use = 0;  // a line is there only if this is after the last invalidate_all
    bool dirty = false;
  };
  static_assert(std::is_trivially_destructible_v<entry>);

  // The entry that holds `line`, its use recorded, or nullptr.
  entry* find(uint64_t line) {
    entry* set = &entries_[set_of(line) * ways_];
    for (uint32_t w = 0; w < ways_; ++w)
      if (set[w].line == line && set[w].last_use > emptied_) {
        set[w].last_use = ++use_;
        return &set[w];
      }
    return nullptr;
  }
  // Puts `line` into its set in place of the least recently used one and returns that; its line is `invalid` where
  // there was none.
  entry replace(uint64_t line, bool dirty) {
    entry* set = &entries_[set_of(line) * ways_];
    entry* victim = set;
    for (uint32_t w = 1; w < ways_; ++w)
      if (set[w].last_use < victim->last_use) victim = &set[w];
    const entry old = victim->last_use > emptied_ ? *victim : entry{invalid, 0, false};
    *victim = {line, ++use_, dirty};
    return old;
  }
  // Drops a line, if it is there.
  void invalidate(uint64_t line) {
    if (entry* e = find(line)) *e = {};
  }
  void invalidate_all() { emptied_ = use_; }  // drops every line

  static constexpr uint64_t invalid = ~uint64_t{0};

  // The entry that holds `line`, or nullptr; no use of it.
  const entry* look(uint64_t line) const {
    const entry* const set = &entries_[set_of(line) * ways_];
    for (uint32_t w = 0; w < ways_; ++w)
      if (set[w].line == line && set[w].last_use > emptied_) return &set[w];
    return nullptr;
  }
  // Calls f(entry) for each line that is there.
  template <class F>
  void each(F f) const {
    for (uint64_t k = 0; k < uint64_t{ways_} * sets_; ++k)
      if (entries_[k].last_use > emptied_) f(entries_[k]);
  }

  // Only entries that a line has been in.
  void keep(state_archive& a) {
    a(use_, emptied_);
    const uint64_t all = uint64_t{ways_} * sets_;
    uint64_t used = 0;
    for (uint64_t k = 0; k < all; ++k) used += entries_[k].last_use != 0;
    a(used);
    uint64_t k = 0;
    for (uint64_t n = 0; n < used; ++n, ++k) {
      while (!a.restores() && entries_[k].last_use == 0) ++k;
      a.index(k, all);
      a(entries_[k].line, entries_[k].last_use, entries_[k].dirty);
    }
  }

 private:
  uint64_t set_of(uint64_t line) const { return (interleave_ == 1 ? line : line / interleave_) % sets_; }
  uint32_t ways_;
  uint64_t sets_;
  uint32_t interleave_;
  uint64_t use_ = 0;
  uint64_t emptied_ = 0;  // use_ at the last invalidate_all
  struct free_memory {
    void operator()(entry* e) const { std::free(e); }
  };
  std::unique_ptr<entry[], free_memory> entries_;
};

}  // namespace pws::models
