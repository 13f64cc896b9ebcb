// SPDX-License-Identifier: Apache-2.0
// How the dispatcher takes packets from its queues.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "base/error.h"
#include "models/dispatch/dispatcher.h"
#include "models/machine/occupancy.h"

namespace pws::models {

namespace {

bool is_barrier(isa::packet_type t) {
  return t == isa::packet_type::barrier_and || t == isa::packet_type::barrier_or;
}

std::string name_of_packet(const aql_queue& q) {
  const std::string name = fmt::format("AQL packet {}", q.taken);
  return q.number == 0 ? name : fmt::format("{} of queue {}", name, q.number);
}

}  // namespace

// All that can be taken now. False: one stopped the machine.
bool dispatcher::take_packets() {
  while (true) {
    aql_queue* next = nullptr;
    for (size_t n = 0; n < known_.size(); ++n) {  // a transfer may take time, in which queues come
      aql_queue* const q = known_[n];
      serving_ = q;
      if (!q->has_packet() || !may_be_taken(*q)) continue;
      const bool earlier = next == nullptr || q->priority > next->priority ||
                           (q->priority == next->priority && q->packet_turn < next->packet_turn);
      if (earlier) next = q;
    }
    if (next == nullptr) return true;
    serving_ = next;
    if (!take_packet(*next)) return false;
  }
}

void dispatcher::packet_fault(const aql_queue& q, const std::string& message, uint64_t launch) {
  noted_fault f;
  f.message = message;
  f.cause = fault_cause::packet;
  f.launch = launch;
  if (q.head) f.kernel_object = q.head->kernel_object;
  f.queue = q.number;
  f.packet = q.taken;
  note(f);
}

bool dispatcher::may_be_taken(aql_queue& q) {
  const bool full = in_service_.size() == config_.hardware_queues;
  if (!q.head) q.head = read<isa::kernel_dispatch_packet>(q.address_of_next(), "the next packet");
  q.is_invalid = isa::type_of(q.head->header) == isa::packet_type::invalid;
  if (q.is_invalid) {  // its producer has still to write it, and rings again
    q.head.reset();
    return false;
  }
  const isa::kernel_dispatch_packet& p = *q.head;
  if (isa::has_barrier_bit(p.header) && q.in_service != 0) return false;
  if (is_barrier(isa::type_of(p.header))) return signals_allow(p);
  if (full) return false;
  // The kernels of a queue share its scratch memory, in which each context has a place by the kernel's size of it.
  return p.private_segment_size == 0 || std::all_of(in_service_.begin(), in_service_.end(), [&](const auto& k) {
           const uint32_t other = k->launch.packet.private_segment_size;
           return k->queue != &q || other == 0 || other == p.private_segment_size;
         });
}

// As the dependent signals of a barrier packet stand. Those that are not there are nothing to wait for.
bool dispatcher::signals_allow(const isa::kernel_dispatch_packet& packet) {
  isa::barrier_packet barrier;
  std::memcpy(static_cast<void*>(&barrier), &packet, sizeof barrier);
  size_t there = 0, zero = 0;
  for (const uint64_t signal : barrier.dep_signal) {
    if (signal == 0) continue;
    ++there;
    if (read<int64_t>(signal + offsetof(isa::amd_signal, value), "a signal that the packet waits for") == 0) ++zero;
  }
  return isa::type_of(barrier.header) == isa::packet_type::barrier_and ? zero == there : there == 0 || zero != 0;
}

// False: it has stopped the machine.
bool dispatcher::take_packet(aql_queue& q) {
  q.packet_turn = ++turn_of_queues_;
  if (!is_barrier(isa::type_of(q.head->header))) return begin_kernel(q);
  const isa::kernel_dispatch_packet packet = *q.head;
  q.head.reset();
  ++q.taken;
  signal_completion(packet.completion_signal, clock_.now(), clock_.now());
  note_read_index(q);
  return true;
}

bool dispatcher::begin_kernel(aql_queue& q) {
  const isa::kernel_dispatch_packet packet = *q.head;
  in_hand_ = std::make_unique<kernel_in_service>();
  kernel_in_service* const k = in_hand_.get();
  k->queue = &q;
  k->packet = q.taken;
  k->began = k->last_finish = clock_.now();
  k->launch.launch_number = packet.launch_number != 0 ? packet.launch_number : launches_ + 1;
  try {
    if (isa::type_of(packet.header) != isa::packet_type::kernel_dispatch)
      throw program_error(fmt::format("{}: type {} is neither a kernel dispatch nor a barrier", name_of_packet(q),
                                      static_cast<unsigned>(isa::type_of(packet.header))));
    find_code(*k, packet);
    k->launch.setup.dispatch_packet = q.address_of_next();
    set_up(*k, packet);
  } catch (const std::runtime_error& e) {
    packet_fault(q, k->launch.kernel.empty() ? e.what() : fmt::format("kernel {}: {}", k->launch.kernel, e.what()),
                 k->launch.number());
    in_hand_.reset();
    return false;
  }
  if (on_acquire) on_acquire();
  q.head.reset();
  ++q.taken;
  ++q.in_service;
  ++launches_;
  if (in_service_.empty()) {
    done_ = total_ = 0;
    busy_since_ = clock_.now();
  }
  total_ += k->workgroups;
  in_service_.push_back(std::move(in_hand_));
  if (in_service_.size() == 1) arm_limit();
  return true;
}

// By the directory of kernels, if there is one; set_up() reads it from memory otherwise. Throws program_error.
void dispatcher::find_code(kernel_in_service& k, const isa::kernel_dispatch_packet& p) {
  const dispatched_kernel* const code = kernels_ ? kernels_(p.kernel_object) : nullptr;
  if (code != nullptr) {
    k.launch.kernel = code->name;
    k.launch.code = code->code;
  } else if (kernels_) {
    throw program_error(
        fmt::format("{}: no kernel has its descriptor at {:#x}", name_of_packet(*k.queue), p.kernel_object));
  } else {
    k.launch.kernel = fmt::format("at {:#x}", p.kernel_object);
  }
}

// Fills in its launch from the packet and the kernel's descriptor. Throws program_error where the machine cannot run
// it.
void dispatcher::set_up(kernel_in_service& k, const isa::kernel_dispatch_packet& p) {
  dispatch& d = k.launch;
  d.packet = p;
  std::array<uint8_t, isa::kernel_descriptor::size> raw{};
  transfer(tlm::TLM_READ_COMMAND, p.kernel_object, raw.data(), raw.size(), "the kernel's descriptor");
  d.descriptor = isa::kernel_descriptor::parse(raw.data(), raw.size());
  d.vgprs = d.descriptor.n_vgprs;
  d.sgprs = d.descriptor.n_sgprs;
  d.lds_bytes = p.group_segment_size;
  d.functional_time = functional_time_;
  d.time = clock_.now() + functional_time_;
  const auto queue = read<isa::amd_queue>(k.queue->object, "the queue's amd_queue_t");
  isa::wave_launch& l = d.setup;
  l.entry = p.kernel_object + static_cast<uint64_t>(d.descriptor.entry_offset);
  if (d.code == nullptr) {
    k.found = found_.at(l.entry);
    d.code = k.found.get();
  }
  l.queue = k.queue->object;
  l.kernarg = p.kernarg_address;
  l.dispatch_id = k.packet;
  l.workgroup_size = {p.workgroup_size_x, p.workgroup_size_y, p.workgroup_size_z};
  l.grid_size = {p.grid_size_x, p.grid_size_y, p.grid_size_z};
  l.shared_aperture = uint64_t{queue.group_segment_aperture_base_hi} << 32;
  l.private_aperture = uint64_t{queue.private_segment_aperture_base_hi} << 32;
  l.scratch_backing = queue.scratch_backing_memory_location;
  l.scratch_bytes_per_lane = p.private_segment_size;
  const uint64_t scratch = contexts_of_machine(config_) * l.scratch_bytes_per_lane * isa::wave_size;
  if (scratch > queue.scratch_backing_memory_byte_size || scratch > UINT32_MAX)
    throw program_error(
        fmt::format("needs {} bytes of scratch for every context of the machine; the queue has {}, and a "
                    "buffer resource reaches 4 GiB",
                    scratch, queue.scratch_backing_memory_byte_size));
  if (p.private_segment_size % sizeof(uint32_t) != 0)
    throw program_error(
        fmt::format("{} bytes of scratch for each work-item are no multiple of 4", p.private_segment_size));
  l.scratch_backing_bytes = static_cast<uint32_t>(scratch);
  const std::array<uint32_t, 3> size{p.workgroup_size_x, p.workgroup_size_y, p.workgroup_size_z};
  const std::array<uint32_t, 3> grid{p.grid_size_x, p.grid_size_y, p.grid_size_z};
  k.workgroups = 1;
  for (size_t n = 0; n < 3; ++n) {
    if (size[n] == 0 || grid[n] == 0) throw program_error("grid and workgroup sizes must not be zero");
    d.workgroups[n] = (grid[n] - 1) / size[n] + 1;
    if (__builtin_mul_overflow(k.workgroups, d.workgroups[n], &k.workgroups))
      throw program_error(
          fmt::format("a grid of {} x {} x {} work-items has 2^64 workgroups or more", grid[0], grid[1], grid[2]));
  }
  workgroup largest{&d, {}, size};
  for (size_t n = 0; n < 3; ++n) largest.size[n] = std::min(size[n], grid[n]);
  const std::string shortage = shortage_of(config_, {largest.work_items(), d.vgprs, d.sgprs, d.lds_bytes});
  if (!shortage.empty()) throw program_error(shortage);
}

void dispatcher::signal_completion(uint64_t signal, cycle_t began, cycle_t ended) {
  if (signal != 0) {
    constexpr const char* what = "the packet's completion signal";
    write<uint64_t>(signal + offsetof(isa::amd_signal, start_ts), began, what);
    write<uint64_t>(signal + offsetof(isa::amd_signal, end_ts), ended, what);
    const uint64_t value = signal + offsetof(isa::amd_signal, value);
    write<int64_t>(value, read<int64_t>(value, what) - 1, what);
  }
  ++completed_;
  interrupt_.notify(sc_core::SC_ZERO_TIME);
}

// The host may write again where packets were that are complete.
uint64_t dispatcher::first_incomplete(uint32_t number) const {
  uint64_t complete = queues_[number].taken;
  for (const auto& k : in_service_)
    if (k->queue->number == number) complete = std::min(complete, k->packet);
  return complete;
}

void dispatcher::note_read_index(const aql_queue& q) {
  write<uint64_t>(q.object + offsetof(isa::amd_queue, read_dispatch_id), first_incomplete(q.number),
                  "the queue's amd_queue_t");
}

std::string dispatcher::describe_queues() const {
  std::string text;
  for (const aql_queue* q : known_) {
    if (!q->has_packet()) continue;
    const char* waits = "waits for a hardware queue or the packets before it";
    if (q->is_invalid)
      waits = "is of type INVALID: the queue waits for the doorbell behind its header";
    else if (is_barrier(isa::type_of(q->head->header)))
      waits = "waits for its signals";
    text += fmt::format("  {} {}\n", name_of_packet(*q), waits);
  }
  return text;
}

}  // namespace pws::models
