// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/graph_memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <exception>

#include "hip_runtime/context.h"

namespace pws::hip {

void graph_memory_account::use(uint64_t bytes) {
  used += bytes;
  used_high = std::max(used_high, used);
}

void graph_memory_account::reserve(uint64_t bytes) {
  reserved += bytes;
  reserved_high = std::max(reserved_high, reserved);
}

graph_allocation::graph_allocation(const hipMemAllocNodeParams& p)
    : parameters_(p), access_(p.accessDescs, p.accessDescs + p.accessDescCount) {
  context& c = context::instance();
  address_ = c.gpu(device()).memory->allocate(p.bytesize, memory_kind::device, 0);
  parameters_.dptr = reinterpret_cast<void*>(address_);
  parameters_.accessDescs = access_.empty() ? nullptr : access_.data();
  c.known_graphs.allocations[address_] = this;
  c.slot(device()).graph_memory.reserve(p.bytesize);
}

graph_allocation::~graph_allocation() {
  try {
    context& c = context::instance();
    c.known_graphs.allocations.erase(address_);
    graph_memory_account& account = c.slot(device()).graph_memory;
    account.reserved -= parameters_.bytesize;
    if (in_use_)
      account.used -= parameters_.bytesize;
    else if (device_slot& s = c.slot(device()); s.gpu)
      s.gpu->memory->release(address_, {memory_kind::device}, hipErrorInvalidValue);
  } catch (const std::exception& e) {  // nobody is left to be told: the graph is gone
    std::fputs("libamdhip64: memory of a graph is not freed: ", stderr);
    std::fputs(e.what(), stderr);
    std::fputs("\n", stderr);
  }
}

void graph_allocation::give() {
  if (in_use_)
    throw failure(hipErrorInvalidValue, fmt::format("{} is still allocated by an earlier launch", parameters_.dptr));
  in_use_ = true;
  context::instance().slot(device()).graph_memory.use(parameters_.bytesize);
}

void graph_allocation::take() {
  if (!in_use_) throw failure(hipErrorInvalidValue, fmt::format("{} is not allocated", parameters_.dptr));
  in_use_ = false;
  context::instance().slot(device()).graph_memory.used -= parameters_.bytesize;
}

hipMemAllocNodeParams graph_allocation::parameters() const {
  return parameters_;
}

}  // namespace pws::hip
