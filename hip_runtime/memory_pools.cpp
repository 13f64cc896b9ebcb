// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/memory_pools.h"

#include <fmt/format.h>

#include <algorithm>

namespace pws::hip {

memory_pools::memory_pools() {
  default_ = current_ = &of(create());
}

memory_pool& memory_pools::of(hipMemPool_t pool) const {
  const auto at = pools_.find(pool);
  if (at == pools_.end())
    throw failure(hipErrorInvalidValue, fmt::format("{} is no memory pool", static_cast<const void*>(pool)));
  return *at->second;
}

hipMemPool_t memory_pools::create() {
  const auto pool = std::make_shared<memory_pool>();
  pools_.emplace(handle(*pool), pool);
  return handle(*pool);
}

void memory_pools::destroy(hipMemPool_t pool) {
  memory_pool& p = of(pool);
  if (&p == default_) throw failure(hipErrorInvalidValue, "the device's default memory pool cannot be destroyed");
  if (&p == current_) current_ = default_;
  pools_.erase(pool);
}

void memory_pools::allocated(hipMemPool_t pool, uint64_t address, uint64_t bytes) {
  memory_pool& p = of(pool);
  blocks_[address] = {pools_.at(pool), bytes};
  p.used += bytes;
  p.used_high = std::max(p.used_high, p.used);
}

void memory_pools::freed(uint64_t address) {
  const auto at = blocks_.find(address);
  if (at == blocks_.end()) return;
  at->second.pool->used -= at->second.bytes;
  blocks_.erase(at);
}

}  // namespace pws::hip
