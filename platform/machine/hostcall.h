// SPDX-License-Identifier: Apache-2.0
// The host's side of hostcall, by which device code of HIP asks the host for services (printf, assert, memory): a
// buffer in device memory with a packet per wavefront. A wavefront fills a packet (eight words per work-item), pushes
// it on the ready stack, interrupts the host, and waits until the packet's READY bit is clear; the words then hold the
// answers. (ROCm device libraries, ockl hostcall, as in clang 15)
//
// The host answers within the interrupt: a call costs the wavefront its instructions and no waiting.
#pragma once

#include <cstdint>
#include <functional>
#include <set>

#include "base/state_archive.h"
#include "platform/machine/device_printf.h"
#include "platform/machine/device_runtime.h"
#include "sw/loader/metadata.h"

namespace pws::platform {

// Answers host calls of device code: printf, assert, malloc and functions.
class hostcall_server {
 public:
  // Whether device code may call functions of this process by their address: those of its own host program.
  enum class host_functions { callable, none };

  hostcall_server(models::gpu& gpu, device_runtime& runtime, host_functions functions)
      : gpu_(gpu), runtime_(runtime), functions_(functions) {}

  // Before a launch: makes the buffer, and the device heap, if the kernel asks for it and it is not there yet. Throws
  // input_error if device memory is exhausted.
  void provide_for(const loader::kernel_metadata& kernel);
  // What device code prints while this holds is not written. May be empty.
  void print_unless(std::function<bool()> silent) { messages_.print_unless(std::move(silent)); }
  // The launch has written to standard error, which of device code only a failing assert does.
  bool said_error() const { return messages_.wrote_to_stderr(); }
  // All that device code has is free again: its programs are not in the machine any more.
  void release_memory_of_device_code();
  // Where it has its buffer, what device code has of memory, and messages that have begun.
  void keep(state_archive& a);

 private:
  void provide();
  void listen();
  void provide_heap();
  void serve();
  void serve_packet(uint64_t pointer);
  void serve_item(uint32_t service, uint64_t slot[8]);
  uint64_t allocate(uint64_t bytes);
  void release(uint64_t address);

  models::gpu& gpu_;
  device_runtime& runtime_;
  const host_functions functions_;
  uint64_t buffer_ = 0;
  served_arguments served_;
  uint64_t headers_ = 0, payloads_ = 0, index_mask_ = 0;
  message_table messages_;
  std::set<uint64_t> heap_;  // addresses of the blocks that device code has
};

}  // namespace pws::platform
