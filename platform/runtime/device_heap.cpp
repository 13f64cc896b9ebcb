#include "platform/runtime/device_heap.h"

#include <algorithm>

#include "base/round_up.h"

namespace pws::platform {

std::optional<uint64_t> device_heap::allocate(uint64_t bytes, uint64_t align) {
  if (bytes > end_ - begin_) return std::nullopt;
  const uint64_t need = round_up(std::max<uint64_t>(bytes, 1), alignment) + guard;
  uint64_t at = round_up(begin_, align);
  for (const auto& [begin, end] : taken_) {
    if (at + need <= begin) break;
    at = std::max(at, round_up(end, align));
  }
  if (at + need > end_) return std::nullopt;
  taken_[at] = at + need;
  used_ += need;
  return at;
}

bool device_heap::release(uint64_t address) {
  const auto it = taken_.find(address);
  if (it == taken_.end()) return false;
  used_ -= it->second - it->first;
  taken_.erase(it);
  return true;
}

}  // namespace pws::platform
