// SPDX-License-Identifier: Apache-2.0
// A driver of the GPU: a program of the board's processor that knows the GPU's registers (docs/registers.md) and what
// HSA says of packets in memory, and nothing else of it. For kernels without scratch.
#pragma once

#include <pwsvp/gpu_registers.h>
#include <pwsvp/models/isa/abi/aql.h>
#include <pwsvp/models/machine/address_map.h>
#include <pwsvp/sw/loader/program_image.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "processor.h"

namespace parts {

// Kernel arguments as memory has them: each at a multiple of its size.
template <class... T>
std::vector<uint8_t> kernel_arguments(const T&... values) {
  std::vector<uint8_t> bytes;
  const auto add = [&bytes](const auto& value) {
    bytes.resize((bytes.size() + sizeof value - 1) / sizeof value * sizeof value);
    const auto* const from = reinterpret_cast<const uint8_t*>(&value);
    bytes.insert(bytes.end(), from, from + sizeof value);
  };
  (add(values), ...);
  return bytes;
}

class gpu_driver {
 public:
  // `registers`: where the GPU's window is on the bus. `place`: where the driver's own memory begins, a multiple of 64
  // KiB, which processor and GPU have at the same address; the program lies there too.
  gpu_driver(processor& cpu, uint64_t registers, const sc_core::sc_signal<bool>& interrupt, uint64_t place)
      : cpu_(cpu), registers_(registers), interrupt_(interrupt), place_(place) {
    if ((get(PWSGPU_ID) & PWSGPU_ID_VENDOR_MASK) != (PWSGPU_ID_RESET & PWSGPU_ID_VENDOR_MASK))
      throw std::runtime_error("there is no GPU at this address");
    reset();
  }

  // Resets the GPU, also after a fault, and gives it an empty queue. Memory stays as it is.
  void reset() {
    set(PWSGPU_CONTROL, PWSGPU_CONTROL_RESET_MASK);
    while ((get(PWSGPU_STATUS) & PWSGPU_STATUS_IN_RESET_MASK) != 0) sc_core::wait(1, sc_core::SC_US);
    pws::isa::amd_queue object;
    object.group_segment_aperture_base_hi = pws::models::flat_apertures{}.lds;
    object.private_segment_aperture_base_hi = pws::models::flat_apertures{}.scratch;
    cpu_.write(place_ + queue_object, &object, sizeof object);
    set(PWSGPU_QUEUE_BASE(0), place_ + ring);
    set(PWSGPU_QUEUE_OBJECT(0), place_ + queue_object);
    set(PWSGPU_QUEUE_PACKETS(0), packets);
    set(PWSGPU_INTERRUPT_MASK, PWSGPU_INTERRUPT_MASK_COMPLETION_MASK | PWSGPU_INTERRUPT_MASK_FAULT_MASK);
    started_ = 0;
  }

  // Puts the code of a program into memory.
  void load(pws::loader::program_image program) {
    program_ = std::move(program);
    images_ = program_.load(place_ + code);
    for (const pws::loader::image& i : images_) cpu_.write(i.base, i.bytes.data(), i.bytes.size());
  }

  // Starts a kernel, behind those that were started before, in workgroups of at most 256 work-items.
  void start(const std::string& name, uint32_t work_items, const std::vector<uint8_t>& arguments) {
    const pws::loader::found_kernel found = program_.find_kernel(name);
    const pws::loader::kernel_metadata& kernel = found.kernel->metadata;
    if (kernel.private_segment_fixed_size != 0) throw std::runtime_error(name + " needs scratch");
    if (kernel.kernarg_segment_size > argument_bytes || arguments.size() > kernel.kernarg_segment_size)
      throw std::runtime_error(name + ": wrong arguments");
    while (started_ - completed() == packets) take_interrupt();  // the ring is full

    const uint64_t slot = started_ % packets;
    std::vector<uint8_t> segment(argument_bytes);  // hidden arguments are 0
    std::copy(arguments.begin(), arguments.end(), segment.begin());
    cpu_.write(place_ + kernargs + slot * argument_bytes, segment.data(), segment.size());

    using pws::isa::fence_scope;
    pws::isa::kernel_dispatch_packet p;
    p.header =
        pws::isa::packet_header(pws::isa::packet_type::kernel_dispatch, true, fence_scope::system, fence_scope::system);
    p.setup = 1;  // dimension
    p.workgroup_size_x = static_cast<uint16_t>(std::min(work_items, 256u));
    p.workgroup_size_y = p.workgroup_size_z = 1;
    p.grid_size_x = work_items;
    p.grid_size_y = p.grid_size_z = 1;
    p.group_segment_size = kernel.group_segment_fixed_size;
    p.kernel_object = descriptor(found);
    p.kernarg_address = place_ + kernargs + slot * argument_bytes;
    cpu_.write(place_ + ring + slot * sizeof p, &p, sizeof p);
    set(PWSGPU_QUEUE_DOORBELL(0), started_++);  // the index of this packet
  }

  // Waits until all that was started is complete. Throws what the GPU says of a fault, which stays until reset().
  void finish() {
    while (completed() != started_) take_interrupt();
  }

  // A counter, such as PWSGPU_CYCLES_BUSY.
  uint64_t counter(uint64_t offset) { return get(offset); }

 private:
  // The driver's memory, as offsets from `place`.
  static constexpr uint64_t packets = 64, argument_bytes = 512;
  static constexpr uint64_t ring = 0, queue_object = 0x2000, kernargs = 0x4000, code = 0x10000;
  static_assert(kernargs + packets * argument_bytes <= code);

  uint64_t get(uint64_t offset) { return cpu_.read_register(registers_ + offset); }
  void set(uint64_t offset, uint64_t value) { cpu_.write_register(registers_ + offset, value); }
  uint64_t completed() { return get(PWSGPU_QUEUE_READ_INDEX(0)); }
  // Waits for the interrupt, and lowers its line. What it was for is seen after that, so that nothing is missed.
  void take_interrupt() {
    cpu_.wait_for(interrupt_);
    const uint64_t happened = get(PWSGPU_INTERRUPT_STATUS);
    set(PWSGPU_INTERRUPT_STATUS, happened);  // clears these bits
    if ((happened & PWSGPU_INTERRUPT_STATUS_FAULT_MASK) != 0) throw std::runtime_error(fault());
    sc_core::wait(1, sc_core::SC_NS);  // the line falls
  }
  // Where the kernel's descriptor is.
  uint64_t descriptor(const pws::loader::found_kernel& k) const {
    const auto object = static_cast<size_t>(k.object - program_.code_objects().data());
    return images_[object].base + k.kernel->descriptor_offset;
  }
  std::string fault() {
    std::string text;
    for (unsigned word = 0; word < PWSGPU_FAULT_TEXT_WORDS; ++word) {
      const uint64_t eight = get(PWSGPU_FAULT_TEXT(word));
      char letters[8];
      std::memcpy(letters, &eight, sizeof letters);
      text.append(letters, strnlen(letters, sizeof letters));
      if (strnlen(letters, sizeof letters) != sizeof letters) break;
    }
    return text;
  }

  processor& cpu_;
  const uint64_t registers_;
  const sc_core::sc_signal<bool>& interrupt_;
  const uint64_t place_;
  pws::loader::program_image program_{"no program", pws::loader::program_kind::code_object, {}};
  std::vector<pws::loader::image> images_;
  uint64_t started_ = 0;  // packets
};

}  // namespace parts
