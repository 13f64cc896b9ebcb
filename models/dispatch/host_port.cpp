#include "models/dispatch/host_port.h"

#include <algorithm>

#include "models/bus/bus_access.h"

namespace pws::models {

namespace {
constexpr size_t largest_transfer = size_t{1} << 30;  // a payload's length is 32 bits
}

host_port::host_port(const sc_core::sc_module_name& name, dispatcher& d, uint64_t dispatcher_base)
    : sc_module(name), bus("bus"), dispatcher_(d), registers_(dispatcher_base) {
  SC_HAS_PROCESS(host_port);
  SC_METHOD(ring_doorbell);
  sensitive << submitted_;
  dont_initialize();
  SC_METHOD(interrupted);
  sensitive << d.interrupt();
  dont_initialize();
}

void host_port::set_queue(uint64_t ring, uint64_t packets, uint64_t object) {
  ring_ = ring;
  packets_ = packets;
  bus_write(bus, registers_ + dispatcher_register::queue_base, ring);
  bus_write(bus, registers_ + dispatcher_register::queue_packets, packets);
  bus_write(bus, registers_ + dispatcher_register::queue_object, object);
}

void host_port::write(uint64_t address, const void* data, size_t bytes) {
  auto* from = static_cast<unsigned char*>(const_cast<void*>(data));  // TLM has one pointer for both directions
  for (size_t at = 0; at < bytes; at += largest_transfer)
    bus_transfer(bus, tlm::TLM_WRITE_COMMAND, address + at, from + at, std::min(bytes - at, largest_transfer));
}

void host_port::read(uint64_t address, void* data, size_t bytes) {
  auto* to = static_cast<unsigned char*>(data);
  for (size_t at = 0; at < bytes; at += largest_transfer)
    bus_transfer(bus, tlm::TLM_READ_COMMAND, address + at, to + at, std::min(bytes - at, largest_transfer));
}

void host_port::submit(const isa::kernel_dispatch_packet& packet) {
  write(ring_ + written_ % packets_ * sizeof packet, &packet, sizeof packet);
  ++written_;
  done_ = false;
  submitted_.notify(sc_core::SC_ZERO_TIME);
}

void host_port::ring_doorbell() {
  bus_write(bus, registers_ + dispatcher_register::doorbell, written_ - 1);
}

void host_port::interrupted() {
  done_ = !dispatcher_.busy() && dispatcher_.fault_message().empty();
  if (done_ || !dispatcher_.fault_message().empty()) sc_core::sc_pause();
}

}  // namespace pws::models
