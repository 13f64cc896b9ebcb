// SPDX-License-Identifier: Apache-2.0
// Blocks of device memory that have been freed, for messages about who still uses them: the latest ones whose place has
// not been taken again.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <iterator>
#include <map>
#include <utility>

namespace pws::platform {

// The one of `blocks`, by address, that has the address; an empty one has one byte. nullptr: none.
template <class block>
const std::pair<const uint64_t, block>* block_at(const std::map<uint64_t, block>& blocks, uint64_t address) {
  auto at = blocks.upper_bound(address);
  if (at == blocks.begin()) return nullptr;
  --at;
  return address - at->first < std::max<uint64_t>(at->second.bytes, 1) ? &*at : nullptr;
}

// `block` has a member `bytes`.
template <class block>
class freed_blocks {
 public:
  using value_type = typename std::map<uint64_t, block>::value_type;  // by address

  explicit freed_blocks(size_t most) : most_(most) {}

  // A block has been freed. With more than `most` the oldest is forgotten.
  block& add(uint64_t address, block b) {
    order_.emplace_back(address, ++last_);
    numbers_[address] = last_;
    block& added = blocks_[address] = std::move(b);
    if (order_.size() > most_) drop_oldest();
    return added;
  }
  // Another block is there now.
  void taken(uint64_t address, uint64_t bytes) {
    auto old = blocks_.lower_bound(address);
    if (old != blocks_.begin() && std::prev(old)->first + std::prev(old)->second.bytes > address) --old;
    while (old != blocks_.end() && old->first < address + bytes) {
      numbers_.erase(old->first);
      old = blocks_.erase(old);
    }
  }
  // The one that had the address; nullptr: none that is known.
  const value_type* at(uint64_t address) const { return block_at(blocks_, address); }
  // Some are not known any more: what at() does not find may have been freed all the same.
  bool has_forgotten() const { return forgot_; }

 private:
  void drop_oldest() {
    const auto [address, number] = order_.front();
    order_.pop_front();
    const auto at = numbers_.find(address);
    if (at == numbers_.end() || at->second != number) return;  // its place was taken, or it was freed again
    numbers_.erase(at);
    blocks_.erase(address);
    forgot_ = true;
  }

  size_t most_;
  std::map<uint64_t, block> blocks_;
  std::map<uint64_t, uint64_t> numbers_;             // of the latest at an address, in the order of freeing
  std::deque<std::pair<uint64_t, uint64_t>> order_;  // addresses and numbers, the oldest first
  uint64_t last_ = 0;
  bool forgot_ = false;
};

}  // namespace pws::platform
