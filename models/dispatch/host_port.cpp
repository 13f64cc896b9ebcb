// SPDX-License-Identifier: Apache-2.0
#include "models/dispatch/host_port.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>

#include "models/bus/bus_access.h"
#include "models/registers/gpu_register_map.h"

namespace pws::models {

namespace {
constexpr size_t largest_transfer = size_t{1} << 30;  // a payload's length is 32 bits
}

host_port::host_port(const sc_core::sc_module_name& name, uint64_t window)
    : sc_module(name), bus("bus"), interrupt("interrupt"), window_(window) {
  SC_HAS_PROCESS(host_port);
  SC_THREAD(ring_doorbells);
  SC_THREAD(serve_interrupts);
}

uint64_t host_port::read_register(uint32_t row) {
  return bus_read<uint64_t>(bus, window_ + gpu_registers.address(row));
}

uint64_t host_port::peek_register(uint32_t row, uint32_t word) {
  uint64_t value = 0;
  read(window_ + gpu_registers.address(row, 0, word), &value, sizeof value);
  return value;
}

bool host_port::halted() {
  return gpu_field::status_halted.in(peek_register(gpu_register::status)) != 0;
}

host_port::fault_record host_port::fault() {
  constexpr uint32_t words = gpu_registers.rows[gpu_register::fault_text].words;
  constexpr size_t longest_character = 4;  // of UTF-8, which is not cut
  fault_record f;
  const uint64_t queue = peek_register(gpu_register::fault_queue);
  if (queue != ~uint64_t{0}) f.queue = static_cast<uint32_t>(queue);
  std::array<char, words * sizeof(uint64_t)> text{};
  read(window_ + gpu_registers.address(gpu_register::fault_text), text.data(), text.size());
  f.text.assign(text.data(), strnlen(text.data(), text.size()));
  f.is_cut = f.text.size() + longest_character >= text.size();
  return f;
}

void host_port::write_register(uint32_t row, uint64_t value, uint32_t queue, uint32_t word) {
  bus_write(bus, window_ + gpu_registers.address(row, queue, word), value);
}

void host_port::set_queue(uint32_t number, const queue_registers& q) {
  if (number >= queues_.size()) queues_.resize(number + 1);
  static_cast<queue_registers&>(queues_[number]) = q;
  write_register(gpu_register::queue_base, q.ring, number);
  write_register(gpu_register::queue_packets, q.packets, number);
  write_register(gpu_register::queue_object, q.object, number);
  write_register(gpu_register::queue_priority, q.priority, number);
  for (uint32_t k = 0; k < cu_mask::words; ++k) write_register(gpu_register::queue_cu_mask, q.cus.word(k), number, k);
  if (listens_) return;
  listens_ = true;
  write_register(gpu_register::interrupt_mask,
                 gpu_field::interrupt_mask_completion.mask() | gpu_field::interrupt_mask_fault.mask());
}

void host_port::write(uint64_t address, const void* data, size_t bytes) {
  // TLM has one pointer for both directions.
  transfer(tlm::TLM_WRITE_COMMAND, address, static_cast<unsigned char*>(const_cast<void*>(data)), bytes);
}

void host_port::read(uint64_t address, void* data, size_t bytes) {
  transfer(tlm::TLM_READ_COMMAND, address, static_cast<unsigned char*>(data), bytes);
}

void host_port::transfer(tlm::tlm_command command, uint64_t address, unsigned char* data, size_t bytes) {
  for (size_t at = 0; at < bytes; at += largest_transfer) {
    const size_t n = std::min(bytes - at, largest_transfer);
    if (debug_transfer(bus, command, address + at, data + at, n)) continue;
    SC_REPORT_FATAL(name(), fmt::format("{} of {} bytes at {:#x}: not all of that is memory",
                                        command == tlm::TLM_READ_COMMAND ? "read" : "write", n, address + at)
                                .c_str());
  }
}

host_port::known_queue& host_port::at(uint32_t number) {
  if (number >= queues_.size() || queues_[number].ring == 0)
    SC_REPORT_FATAL(name(), fmt::format("there is no queue {}", number).c_str());
  return queues_[number];
}

uint64_t host_port::room(uint32_t queue) {
  const known_queue& q = at(queue);
  uint64_t complete = 0;
  read(q.object + offsetof(isa::amd_queue, read_dispatch_id), &complete, sizeof complete);
  return q.packets - (q.written - complete);
}

void host_port::submit_bytes(uint32_t queue, const void* packet) {
  known_queue& q = at(queue);
  if (room(queue) == 0) SC_REPORT_FATAL(name(), fmt::format("queue {} is full", queue).c_str());
  constexpr size_t bytes = sizeof(isa::kernel_dispatch_packet);
  write(q.ring + q.written % q.packets * bytes, packet, bytes);
  ++q.written;
  to_ring_.push_back(queue);
  done_ = false;
  submitted_.notify(sc_core::SC_ZERO_TIME);
}

void host_port::ring_doorbells() {
  for (;;) {
    wait(submitted_);
    for (const uint32_t number : to_ring_)
      write_register(gpu_register::queue_doorbell, queues_[number].written - 1, number);
    to_ring_.clear();
  }
}

void host_port::serve_interrupts() {
  for (;;) {
    wait(interrupt.default_event());
    // What happens between the look and the fall of the line keeps it high, without an edge.
    for (; interrupt.read(); wait(sc_core::SC_ZERO_TIME, interrupt.default_event())) interrupted();
  }
}

void host_port::interrupted() {
  const uint64_t happened = read_register(gpu_register::interrupt_status);
  if (happened == 0) return;
  write_register(gpu_register::interrupt_status, happened);
  const uint64_t status = read_register(gpu_register::status);
  const bool fault = gpu_field::status_halted.in(status) != 0;
  done_ = gpu_field::status_busy.in(status) == 0 && !fault;
  if (done_ || fault || at_each_) sc_core::sc_pause();
}

}  // namespace pws::models
