// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/device_heap.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "base/round_up.h"

namespace pws::platform {

std::optional<uint64_t> device_heap::place_of(uint64_t need, uint64_t align, bool over_kept) const {
  uint64_t at = round_up(begin_, align);
  for (const auto& [begin, r] : taken_) {
    if (over_kept && r.kept) continue;
    if (at + need <= begin) break;
    at = std::max(at, round_up(r.end, align));
  }
  return at + need <= end_ ? std::optional(at) : std::nullopt;
}

std::optional<uint64_t> device_heap::allocate(uint64_t bytes, uint64_t align) {
  if (bytes > end_ - begin_) return std::nullopt;
  const uint64_t need = round_up(std::max<uint64_t>(bytes, 1), alignment) + guard;
  std::optional<uint64_t> at = place_of(need, align, false);
  if (!at && !place_of(need, align, true)) return std::nullopt;
  while (!at) {
    drop_oldest();
    at = place_of(need, align, false);
  }
  taken_[*at] = {*at + need, false};
  used_ += need;
  touched_ = std::max(touched_, *at + need - begin_);
  return at;
}

device_heap::runs::iterator device_heap::in_use(uint64_t address) {
  const auto it = taken_.find(address);
  return it == taken_.end() || it->second.kept ? taken_.end() : it;
}

bool device_heap::release(uint64_t address) {
  const auto it = in_use(address);
  if (it == taken_.end()) return false;
  used_ -= it->second.end - address;
  taken_.erase(it);
  return true;
}

bool device_heap::retire(uint64_t address) {
  if (keeps_ == 0) return release(address);
  const auto it = in_use(address);
  if (it == taken_.end()) return false;
  const uint64_t bytes = it->second.end - address;
  it->second.kept = true;
  used_ -= bytes;
  kept_.push_back(address);
  kept_bytes_ += bytes;
  while (kept_.size() > most_kept || (kept_bytes_ > keeps_ && kept_.size() > 1)) drop_oldest();
  return true;
}

void device_heap::drop_oldest() {
  const auto it = taken_.find(kept_.front());
  kept_bytes_ -= it->second.end - it->first;
  taken_.erase(it);
  kept_.pop_front();
}

void device_heap::keep(state_archive& a) {
  a.section("heap");
  std::vector<std::pair<uint64_t, run>> blocks(taken_.begin(), taken_.end());
  a.list(blocks, [](state_archive& b, auto& x) { b(x.first, x.second.end, x.second.kept); });
  if (a.restores()) taken_ = runs(blocks.begin(), blocks.end());
  a.list(kept_);
  a(used_, touched_, kept_bytes_);
  const bool inside = touched_ <= end_ - begin_ && (taken_.empty() || taken_.rbegin()->second.end <= begin_ + touched_);
  const bool known = std::all_of(kept_.begin(), kept_.end(), [this](uint64_t at) { return taken_.count(at) != 0; });
  if (!inside || !known) throw bad_state("a block of device memory is not there");
}

}  // namespace pws::platform
