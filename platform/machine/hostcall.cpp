// SPDX-License-Identifier: Apache-2.0
#include "platform/machine/hostcall.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <string>
#include <vector>

#include "base/error.h"
#include "models/isa/host_fp.h"
#include "models/machine/occupancy.h"

namespace pws::platform {

namespace {

// As the device libraries lay them out.
struct buffer_header {
  uint64_t headers = 0, payloads = 0;  // device addresses
  uint64_t doorbell = 0;               // amd_signal
  uint64_t free_stack = 0, ready_stack = 0;
  uint64_t index_mask = 0;
};
struct packet_header {
  uint64_t next = 0;  // tagged index of the packet below it on its stack; 0: none
  uint64_t active = 0;
  uint32_t service = 0;
  uint32_t control = 0;  // bit 0: READY
};
constexpr uint64_t slot_bytes = 8 * sizeof(uint64_t);
constexpr uint64_t payload_bytes = isa::wave_size * slot_bytes;
constexpr uint32_t interrupt_event = 1;

enum service : uint32_t { function_call = 1, printf_message = 2, device_memory_request = 3 };

// What malloc of device code knows of its memory, where kernels are told of it (ockl dm.cl, heap_t; ROCm's runtime has
// as much for it).
constexpr uint64_t heap_table_bytes = uint64_t{128} << 10;
// Blocks that device code cuts into smaller ones are so large, and it finds their beginning by that.
constexpr uint64_t slab_bytes = uint64_t{2} << 20;

uint64_t power_of_two(uint64_t at_least) {
  uint64_t n = 2;
  while (n < at_least) n *= 2;
  return n;
}

}  // namespace

void hostcall_server::provide_for(const loader::kernel_metadata& kernel) {
  const auto asks_for = [&](loader::value_kind kind) {
    return std::any_of(kernel.arguments.begin(), kernel.arguments.end(),
                       [=](const loader::kernel_argument& a) { return a.kind == kind; });
  };
  if (buffer_ == 0 && asks_for(loader::value_kind::hidden_hostcall_buffer)) provide();
  if (served_.heap == 0 && asks_for(loader::value_kind::hidden_heap_v1)) provide_heap();
  messages_.forget_stderr();
}

// Zeros mean a heap without memory, which asks for more by hostcall. Up to version 4 of code objects it is a variable
// of each of them.
void hostcall_server::provide_heap() {
  served_.heap = runtime_.allocate(heap_table_bytes, "device heap");
  const std::vector<uint8_t> zeros(heap_table_bytes);  // whatever the memory has been before
  runtime_.write(served_.heap, zeros.data(), zeros.size());
  runtime_.set_served(served_);
}

void hostcall_server::provide() {
  const models::machine_config& c = gpu_.config;
  // One for each context: a wavefront waits for its answer. Device code does not check for an empty stack.
  const uint64_t contexts = models::contexts_of_machine(c) * (1 + models::spsimds_per_simd(c));
  const uint64_t packets = power_of_two(contexts);
  const uint64_t headers_at = 256, payloads_at = 256 + packets * sizeof(packet_header);
  const uint64_t mailbox_at = 128, signal_at = 64;
  const uint64_t base = runtime_.allocate(payloads_at + packets * payload_bytes, "hostcall buffer",
                                          device_heap::alignment, isa::memory_use::service);
  headers_ = base + headers_at;
  payloads_ = base + payloads_at;
  index_mask_ = packets - 1;

  isa::amd_signal signal;
  signal.event_mailbox_ptr = base + mailbox_at;  // makes the device send its interrupt
  signal.event_id = interrupt_event;
  runtime_.write(base + signal_at, &signal, sizeof signal);
  // Indices carry a tag above the mask, which a pop increments; tag 1 here, because 0 means none.
  std::vector<packet_header> stack(packets);
  for (uint64_t k = 1; k < packets; ++k) stack[k].next = packets + k - 1;
  runtime_.write(headers_, stack.data(), packets * sizeof(packet_header));
  buffer_header h;
  h.headers = headers_;
  h.payloads = payloads_;
  h.doorbell = base + signal_at;
  h.free_stack = packets + packets - 1;
  h.index_mask = index_mask_;
  runtime_.write(base, &h, sizeof h);

  buffer_ = served_.hostcall_buffer = base;
  runtime_.set_served(served_);
  listen();
}

void hostcall_server::listen() {
  gpu_.dispatcher.on_host_interrupt = [this](uint32_t) { serve(); };
}

void hostcall_server::keep(state_archive& a) {
  a.section("hostcall");
  a(buffer_, served_.hostcall_buffer, served_.heap, headers_, payloads_, index_mask_);
  std::vector<uint64_t> blocks(heap_.begin(), heap_.end());
  a.list(blocks);
  if (a.restores()) heap_ = std::set<uint64_t>(blocks.begin(), blocks.end());
  messages_.keep(a);
  if (a.restores() && buffer_ != 0) listen();
}

void hostcall_server::serve() {
  const isa::host_fp_scope host_arithmetic;  // not the rounding and flushing of the wavefront that calls
  uint64_t ready = 0;
  const uint64_t none = 0, stack = buffer_ + offsetof(buffer_header, ready_stack);
  runtime_.read(stack, &ready, sizeof ready);
  runtime_.write(stack, &none, sizeof none);
  while (ready != 0) {
    packet_header h;
    runtime_.read(headers_ + (ready & index_mask_) * sizeof h, &h, sizeof h);
    serve_packet(ready);
    ready = h.next;
  }
}

void hostcall_server::serve_packet(uint64_t pointer) {
  const uint64_t index = pointer & index_mask_;
  const uint64_t header_at = headers_ + index * sizeof(packet_header), payload_at = payloads_ + index * payload_bytes;
  packet_header h;
  runtime_.read(header_at, &h, sizeof h);
  for (uint32_t lane = 0; lane < isa::wave_size; ++lane) {
    if ((h.active >> lane & 1) == 0) continue;
    uint64_t slot[8];
    runtime_.read(payload_at + lane * slot_bytes, slot, sizeof slot);
    serve_item(h.service, slot);
    runtime_.write(payload_at + lane * slot_bytes, slot, sizeof slot);
  }
  h.control &= ~uint32_t{1};
  runtime_.write(header_at + offsetof(packet_header, control), &h.control, sizeof h.control);
}

void hostcall_server::serve_item(uint32_t service_id, uint64_t slot[8]) {
  switch (service_id) {
    case function_call: {
      if (functions_ == host_functions::none)
        throw program_error("hostcall: service 1 calls a function of the host program, and a run has none");
      using host_function = void (*)(uint64_t * results, const uint64_t* arguments);
      uint64_t results[2] = {};
      reinterpret_cast<host_function>(slot[0])(results, slot + 1);
      slot[0] = results[0];
      slot[1] = results[1];
      return;
    }
    case printf_message:
      messages_.take(slot);
      return;
    case device_memory_request: {
      const uint64_t address = slot[0], bytes = slot[1];
      slot[0] = address == 0 ? allocate(bytes) : 0;
      slot[1] = 0;
      if (address != 0) release(address);
      return;
    }
    default:
      throw program_error("hostcall: service " + std::to_string(service_id) +
                          " is none of this platform's (1: host function, 2: printf, 3: memory)");
  }
}

// 0: there is not so much.
uint64_t hostcall_server::allocate(uint64_t bytes) {
  if (bytes == 0) return 0;  // free(nullptr) asks for it
  try {
    const uint64_t align = bytes % slab_bytes == 0 ? slab_bytes : device_heap::alignment;
    const uint64_t address = runtime_.allocate(bytes, "memory of device code", align);
    heap_.insert(address);
    return address;
  } catch (const input_error&) {
    return 0;
  }
}

void hostcall_server::release(uint64_t address) {
  const auto block = heap_.find(address);
  if (block != heap_.end()) {
    heap_.erase(block);
    runtime_.release(address);
    return;
  }
  const std::string text =
      fmt::format("free({:#x}) in a kernel: no block of malloc begins there, or it is free", address);
  if (gpu_.config.memory.faults == models::memory_faults::allocation) throw program_error(text);
  std::cerr << "warning: " << text << '\n';
}

void hostcall_server::release_memory_of_device_code() {
  for (const uint64_t address : heap_) runtime_.release(address);
  heap_.clear();
  if (served_.heap == 0) return;
  runtime_.release(served_.heap);
  served_.heap = 0;
  runtime_.set_served(served_);
}

}  // namespace pws::platform
