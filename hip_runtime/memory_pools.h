// SPDX-License-Identifier: Apache-2.0
// Memory pools of stream-ordered allocation. Work is done when it is submitted, so memory is there at once and goes
// back to the device at once: a pool is an account of what was allocated from it, and has no memory in reserve.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

#include "hip_runtime/failure.h"

namespace pws::hip {

// What a hipMemPool_t points at.
struct memory_pool {
  bool follows_events = true, opportunistic = true, internal_dependencies = true;  // where it may reuse memory
  uint64_t release_threshold = 0;                                                  // bytes
  uint64_t used = 0, used_high = 0;  // bytes that are allocated now, and were at most since that was set to 0
};

class memory_pools {
 public:
  memory_pools();

  hipMemPool_t default_pool() const { return handle(*default_); }
  hipMemPool_t current_pool() const { return handle(*current_); }
  // Throw failure (hipErrorInvalidValue) for what is no pool of the program.
  void set_current(hipMemPool_t pool) { current_ = &of(pool); }
  memory_pool& of(hipMemPool_t pool) const;
  bool has(hipMemPool_t pool) const { return pools_.count(pool) != 0; }

  hipMemPool_t create();
  // What is allocated from it stays until it is freed. If it was the current one, the default one is current again.
  // Throws failure: hipErrorInvalidValue, for the default pool too.
  void destroy(hipMemPool_t pool);

  // The block at `address` is of this pool now.
  void allocated(hipMemPool_t pool, uint64_t address, uint64_t bytes);
  // A block has been freed; it may be of no pool.
  void freed(uint64_t address);

 private:
  struct block {
    std::shared_ptr<memory_pool> pool;
    uint64_t bytes = 0;
  };
  static hipMemPool_t handle(memory_pool& p) { return reinterpret_cast<hipMemPool_t>(&p); }

  std::map<hipMemPool_t, std::shared_ptr<memory_pool>> pools_;
  std::map<uint64_t, block> blocks_;  // by address
  memory_pool* default_ = nullptr;
  memory_pool* current_ = nullptr;
};

}  // namespace pws::hip
