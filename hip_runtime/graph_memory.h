// SPDX-License-Identifier: Apache-2.0
// Memory that nodes of graphs allocate. Its address is known, and the memory set aside, as soon as the node is there;
// the program has it from a launch of the graph until it is freed: by a node, hipFree or hipFreeAsync.
//
// Who has it is decided when a graph is put into a stream, in the order of the program's calls, as for all
// stream-ordered allocation.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "hip_runtime/failure.h"

namespace pws::hip {

// What a device's graphs have, in bytes.
struct graph_memory_account {
  uint64_t used = 0, used_high = 0;          // by the program
  uint64_t reserved = 0, reserved_high = 0;  // by nodes, whether the program has it or not

  void use(uint64_t bytes);
  void reserve(uint64_t bytes);
};

class graph_allocation;
// By address.
using graph_allocations = std::map<uint64_t, graph_allocation*>;

// The memory of one node, which its copies in instantiated graphs share. When the last of these goes it is freed,
// unless the program has it: then it is a block as hipMalloc gives it.
class graph_allocation : public std::enable_shared_from_this<graph_allocation> {
 public:
  // On the device that the properties name. Throws failure: hipErrorOutOfMemory.
  explicit graph_allocation(const hipMemAllocNodeParams& p);
  graph_allocation(const graph_allocation&) = delete;
  graph_allocation& operator=(const graph_allocation&) = delete;
  ~graph_allocation();

  uint64_t address() const { return address_; }
  bool in_use() const { return in_use_; }
  // Throw failure (hipErrorInvalidValue): the program has it already, or has it not.
  void give();
  void take();

  // As the program is told.
  hipMemAllocNodeParams parameters() const;

 private:
  int device() const { return parameters_.poolProps.location.id; }

  hipMemAllocNodeParams parameters_{};
  std::vector<hipMemAccessDesc> access_;
  uint64_t address_ = 0;
  bool in_use_ = false;
};

}  // namespace pws::hip
