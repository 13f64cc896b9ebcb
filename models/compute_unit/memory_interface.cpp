// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/memory_interface.h"

#include <algorithm>
#include <bitset>

#include "base/popcount.h"
#include "models/bus/bus_width.h"

namespace pws::models {

namespace {
constexpr size_t most_fetched = 4096;  // bytes of a request: a line, or a block of instructions

// All 64 lanes, each right behind the one before.
bool contiguous(const isa::memory_access& a) {
  if (a.mask != ~uint64_t{0}) return false;
  uint64_t difference = 0;
  for (int l = 0; l < isa::wave_size; ++l)
    difference |= a.address[l] ^ (a.address[0] + static_cast<uint64_t>(l) * a.bytes_per_lane);
  return difference == 0;
}
}  // namespace

void coalescer::add(uint64_t line) {
  slot& s = seen_[line % seen_.size()];
  if (s.stamp == stamp_ && s.line == line) return;
  if (s.stamp == stamp_ && std::find(lines_.begin(), lines_.end(), line) != lines_.end()) return;
  s = {line, stamp_};
  lines_.push_back(line);
}

const std::vector<uint64_t>& coalescer::lines(const isa::memory_access& a, uint32_t line_shift) {
  lines_.clear();
  if (a.mask == 0 && a.n_further == 0) return lines_;
  if (a.n_further == 0 && contiguous(a)) {
    const uint64_t last = (a.address[63] + a.bytes_per_lane - 1) >> line_shift;
    for (uint64_t line = a.address[0] >> line_shift; line <= last; ++line) lines_.push_back(line);
    return lines_;
  }
  ++stamp_;
  add_all(a.mask, a.address, a.bytes_per_lane, line_shift);
  for (unsigned k = 0; k < a.n_further; ++k)
    add_all(a.further[k].mask, a.further[k].address, a.bytes_per_lane, line_shift);
  return lines_;
}

void coalescer::add_all(uint64_t lanes, const uint64_t* addresses, uint32_t bytes, uint32_t line_shift) {
  uint64_t previous = ~uint64_t{0};
  for (uint64_t m = lanes; m != 0; m &= m - 1) {
    const uint64_t address = addresses[__builtin_ctzll(m)];
    const uint64_t last = (address + bytes - 1) >> line_shift;
    for (uint64_t line = address >> line_shift; line <= last; ++line) {
      if (line != previous) add(line);
      previous = line;
    }
  }
}

memory_interface::memory_interface(const sc_core::sc_module_name& name, const memory_config& c, const gpu_clock& clock,
                                   memory_client& client)
    : sc_module(name),
      instruction("instruction"),
      scalar("scalar"),
      vector("vector"),
      clock_(clock),
      client_(client),
      line_bytes_(c.vector_l1.line_bytes),
      line_shift_(c.vector_l1.line_shift()),
      outside_(most_fetched) {
  instruction.register_nb_transport_bw(this, &memory_interface::nb_transport_bw);
  scalar.register_nb_transport_bw(this, &memory_interface::nb_transport_bw);
  vector.register_nb_transport_bw(this, &memory_interface::nb_transport_bw);
}

void memory_interface::set_window(unsigned char* storage, uint64_t base, uint64_t size) {
  storage_ = storage;
  window_base_ = base;
  window_size_ = size;
}

memory_interface::operation& memory_interface::acquire(requester who, ticket t, pending_operation* counted) {
  if (free_ == nullptr) {
    operations_.push_back(std::make_unique<operation>());
    free_ = operations_.back().get();
  }
  operation& op = *free_;
  free_ = op.next_free;
  op = {};
  op.who = who;
  op.of = t;
  op.counted = counted;
  if (counted != nullptr) {
    counted->of = t;
    counted->hold();
  }
  return op;
}

void memory_interface::send(tlm_utils::simple_initiator_socket<memory_interface, bus_width>& socket, operation& op,
                            access_kind kind, uint64_t address, uint32_t bytes, bool bypass_l1, cycle_t at) {
  const bool write = kind == access_kind::store || kind == access_kind::atomic;
  const uint64_t offset = address - window_base_;
  unsigned char* const data = offset < window_size_ ? storage_ + offset : outside_.data();
  tlm::tlm_generic_payload* t =
      pool_.acquire(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND, address, data, bytes);
  transaction_info& i = info(*t);
  i.kind = kind;
  i.bypass_l1 = bypass_l1;
  i.who = op.who;
  i.cookie = &op;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = clock_.time_of(at) - sc_core::sc_time_stamp();
  if (socket->nb_transport_fw(*t, phase, delay) == tlm::TLM_COMPLETED) {
    op.done = std::max(op.done, clock_.now() + clock_.cycles_in(delay));
    t->release();
  } else {
    ++op.remaining;
  }
}

void memory_interface::settle(operation& op) {
  if (op.remaining != 0) return;
  if (op.counted != nullptr) {
    op.counted->done = op.done;
    op.counted->drop();
  }
  op.next_free = free_;
  free_ = &op;
}

void memory_interface::forget() {
  for (const auto& op : operations_) op->forgotten = true;  // of those that are free it means nothing
}

cycle_t memory_interface::fetch(requester who, ticket t, uint64_t address, uint32_t bytes, cycle_t now) {
  ++statistics_.fetches;
  operation& op = acquire(who, t, nullptr);
  send(instruction, op, access_kind::fetch, address, bytes, false, now);
  const cycle_t here = op.remaining == 0 ? op.done : never;
  settle(op);
  return here;
}

memory_interface::asked_access memory_interface::scalar_access(requester who, ticket t, const isa::memory_access& a,
                                                               cycle_t now) {
  pending_operation& counted = counted_.acquire();
  operation& op = acquire(who, t, &counted);
  op.done = now + 1;
  for (const uint64_t line : coalescer_.lines(a, line_shift_)) {
    ++statistics_.scalar_lines;
    send(scalar, op, a.is_store ? access_kind::store : access_kind::load, line << line_shift_, line_bytes_, false,
         now++);
  }
  counted.hold();  // settle() may be the last to hold it
  settle(op);
  counted.drop_keeping();
  return {&counted, now};
}

memory_interface::asked_access memory_interface::vector_access(requester who, ticket t, const isa::memory_access& a,
                                                               bool bypass_l1, cycle_t now, cycle_t address_cycles) {
  ++statistics_.vector_instructions;
  uint64_t lanes = popcount(a.mask);
  for (unsigned k = 0; k < a.n_further; ++k) lanes += popcount(a.further[k].mask);
  (a.is_store || a.is_atomic ? statistics_.bytes_stored : statistics_.bytes_loaded) += lanes * a.bytes_per_lane;
  pending_operation& counted = counted_.acquire();
  operation& op = acquire(who, t, &counted);
  op.done = now + address_cycles;
  const access_kind kind = a.is_atomic ? access_kind::atomic : a.is_store ? access_kind::store : access_kind::load;
  cycle_t at = op.done;
  for (const uint64_t line : coalescer_.lines(a, line_shift_)) {
    ++statistics_.vector_lines;
    send(vector, op, kind, line << line_shift_, line_bytes_, bypass_l1, at++);
  }
  counted.hold();
  settle(op);
  counted.drop_keeping();
  return {&counted, at};
}

tlm::tlm_sync_enum memory_interface::nb_transport_bw(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                                     sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
  operation& op = *static_cast<operation*>(info(t).cookie);
  op.done = std::max(op.done, clock_.now() + clock_.cycles_in(delay));
  t.release();
  if (--op.remaining != 0) return tlm::TLM_COMPLETED;
  const ticket of = op.of;
  const cycle_t at = op.done;
  const bool heard = !op.forgotten;
  settle(op);
  if (heard) client_.completed(of, at);
  return tlm::TLM_COMPLETED;
}

}  // namespace pws::models
