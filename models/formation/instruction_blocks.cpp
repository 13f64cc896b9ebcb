// SPDX-License-Identifier: Apache-2.0
#include "models/formation/instruction_blocks.h"

#include <algorithm>

namespace pws::models {

instruction_blocks::instruction_blocks(const machine_config& c)
    : bytes_(c.fetch_bytes), blocks_(std::max<uint64_t>(2, uint64_t{4} * c.n_wfc * c.ibuf_dwords / c.fetch_bytes)) {}

uint32_t instruction_blocks::find(uint64_t address) {
  if (blocks_[last_].address == address) return last_;
  for (uint32_t b = 0; b < blocks_.size(); ++b)
    if (blocks_[b].address == address) return last_ = b;
  return none;
}

// In the place of the block that was asked for longest ago, but for `kept`.
uint32_t instruction_blocks::request(uint64_t address, uint32_t kept) {
  uint32_t oldest = none;
  for (uint32_t b = 0; b < blocks_.size(); ++b)
    if (b != kept && blocks_[b].here != never &&
        (oldest == none || blocks_[b].requested_at < blocks_[oldest].requested_at))
      oldest = b;
  if (oldest == none) return none;
  block& b = blocks_[oldest];
  b.address = address;
  b.here = never;
  b.requested_at = ++clock_;
  b.next_requested = false;
  queue_.push_back(oldest);
  return oldest;
}

cycle_t instruction_blocks::ask(uint64_t address, uint64_t end, path_id path) {
  uint32_t found = find(address);
  if (found == none) found = request(address, none);
  if (found == none) {
    starved_.push_back(path);
    return never;
  }
  block& b = blocks_[found];
  b.requested_at = ++clock_;
  if (!b.next_requested) {
    b.next_requested = true;
    const uint64_t next = address + bytes_;
    if (next < end && find(next) == none) request(next, found);
  }
  if (b.here == never) b.waiting.push_back(path);
  return b.here;
}

uint32_t instruction_blocks::begin_fetch() {
  const uint32_t b = queue_[first_++];
  if (first_ == queue_.size()) {
    queue_.clear();
    first_ = 0;
  }
  return b;
}

void instruction_blocks::arrived(uint32_t index, cycle_t at, std::vector<path_id>& paths) {
  block& b = blocks_[index];
  b.here = at;
  paths.clear();
  paths.swap(b.waiting);
  paths.insert(paths.end(), starved_.begin(), starved_.end());
  starved_.clear();
}

void instruction_blocks::keep(state_archive& a) {
  for (block& b : blocks_) a(b.address, b.here, b.requested_at, b.next_requested);
  uint64_t first = first_;
  a.list(queue_, [this](state_archive& b, uint32_t& index) { b.index(index, blocks_.size()); });
  a.index(first, queue_.size() + 1);
  first_ = first;
  a.index(last_, blocks_.size());
  a(clock_);
}

}  // namespace pws::models
