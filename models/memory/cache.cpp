// SPDX-License-Identifier: Apache-2.0
#include "models/memory/cache.h"

#include <algorithm>

namespace pws::models {

cache::cache(const sc_core::sc_module_name& name, const parameters& p, const gpu_clock& clock)
    : sc_module(name),
      upstream("upstream"),
      downstream("downstream"),
      parameters_(p),
      clock_(clock),
      line_shift_(p.tags.line_shift()),
      tags_(p.tags, p.interleave),
      misses_(p.tags.mshrs) {
  upstream.register_nb_transport_fw(this, &cache::nb_transport_fw);
  downstream.register_nb_transport_bw(this, &cache::nb_transport_bw);
  fills_.reserve(p.tags.mshrs);
  if (p.sequencer != nullptr) {
    sequence_number_ = p.sequencer->add(*this);
    return;
  }
  SC_HAS_PROCESS(cache);
  SC_METHOD(drain_waiting);
  sensitive << retry_event_;
  dont_initialize();
}

cache::line_counts cache::lines() const {
  line_counts n;
  n.room = uint64_t{parameters_.tags.size_kib} * 1024 / parameters_.tags.line_bytes;
  n.on_their_way = misses_.size();
  tags_.each([&n](const tag_array::entry& e) {
    ++n.here;
    n.dirty += e.dirty ? 1 : 0;
  });
  return n;
}

cache::line_place cache::place_of(uint64_t address) const {
  const uint64_t line = address >> line_shift_;
  const tag_array::entry* const e = tags_.look(line);
  return {e != nullptr, e != nullptr && e->dirty, misses_.has(line)};
}

// A line that is on its way has a miss register until it enters the tags.
void cache::keep(state_archive& a) {
  a.section("cache");
  tags_.keep(a);
  a.list(fills_, [this](state_archive& b, pending_fill& f) {
    b(f.at, f.line);
    bool dirty = !b.restores() && misses_.find(f.line)->dirty;
    b(dirty);
    if (!b.restores()) return;
    if (misses_.full()) throw bad_state("a cache has more lines on their way than miss registers");
    misses_.add(f.line).dirty = dirty;
  });
  a(next_fill_, port_free_, statistics_);
}

tlm::tlm_sync_enum cache::nb_transport_fw(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;  // END_RESP: nothing is held for it
  if (refuses(t)) return tlm::TLM_COMPLETED;
  const cycle_t arrival = clock_.now() + clock_.cycles_in(delay);
  if (parameters_.sequencer != nullptr) {
    arrivals_.push(t, arrival, info(t).source_port);
    parameters_.sequencer->arm(sequence_number_, arrival);
    phase = tlm::END_REQ;
    return tlm::TLM_UPDATED;
  }
  const outcome result = accept(t, arrival);
  if (result.known) {
    delay = clock_.time_of(result.at) - sc_core::sc_time_stamp();
    t.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

void cache::run(cycle_t now) {
  drain_waiting();
  while (!arrivals_.empty() && arrivals_.next() <= now) {
    tlm::tlm_generic_payload& t = arrivals_.pop();
    const outcome result = accept(t, now);
    if (result.known) respond(t, result.at);
  }
  if (!arrivals_.empty()) parameters_.sequencer->arm(sequence_number_, arrivals_.next());
}

cache::outcome cache::accept(tlm::tlm_generic_payload& t, cycle_t arrival) {
  outcome result;
  if (waiting_.empty()) {
    cycle_t start = std::max(arrival, port_free_);
    if (process(t, start, result)) return result;
  }
  waiting_.push_back({&t, arrival});
  return {};
}

void cache::invalidate(cycle_t at) {
  if (!waiting_.empty()) {
    waiting_.push_back({nullptr, at});
    return;
  }
  apply_fills(at);
  tags_.invalidate_all();
}

// True if every line that arrives by `start` has been announced. If not, drain_waiting() runs when it has.
bool cache::decidable(cycle_t start) {
  if (misses_.size() == fills_.size()) return true;
  const cycle_t now = clock_.now();
  if (start < now + parameters_.lookahead) return true;
  const cycle_t again = start - parameters_.lookahead + 1;
  if (parameters_.sequencer != nullptr)
    parameters_.sequencer->arm(sequence_number_, again);
  else
    retry_event_.notify(clock_.time_of(again) - sc_core::sc_time_stamp());
  return false;
}

// Serves t at `start` or later. False if it cannot be decided yet what it meets then.
bool cache::process(tlm::tlm_generic_payload& t, cycle_t& start, outcome& result) {
  if (!decidable(start)) return false;
  apply_fills(start);
  const uint64_t line = t.get_address() >> line_shift_;
  const transaction_info& i = info(t);
  const bool write_through = parameters_.policy == write_policy::write_through;
  const bool passes_through =
      write_through && (i.kind == access_kind::store || i.kind == access_kind::atomic || i.bypass_l1);
  const bool allocates = !passes_through && !(i.kind == access_kind::store || i.kind == access_kind::writeback);
  tag_array::entry* hit = passes_through ? nullptr : tags_.find(line);
  if (allocates && hit == nullptr && misses_.find(line) == nullptr) {
    if (!reserve_miss(start)) return false;
  }

  const bool carries_data = i.kind == access_kind::store || i.kind == access_kind::writeback;
  const uint32_t beats =
      carries_data ? (t.get_data_length() + parameters_.bytes_per_cycle - 1) / parameters_.bytes_per_cycle : 1;
  port_free_ = start + (parameters_.port_per_initiator ? 0 : std::max(1u, beats));

  if (passes_through) {
    ++(i.kind == access_kind::store    ? statistics_.writes
       : i.kind == access_kind::atomic ? statistics_.atomics
                                       : statistics_.reads);
    if (i.kind == access_kind::atomic) tags_.invalidate(line);  // the next level changes it
    result = send_down(t, start + 1);
  } else if (!allocates) {
    ++statistics_.writes;
    if (miss_table::miss* m = misses_.find(line)) {
      m->dirty = true;
    } else if (hit != nullptr) {
      hit->dirty = true;
    } else {
      fill(line, true);
    }
    result = {true, start + parameters_.tags.hit_latency};
  } else {
    ++(i.kind == access_kind::atomic ? statistics_.atomics : statistics_.reads);
    result = read(t, start, line, hit);
  }
  return true;
}

cache::outcome cache::read(tlm::tlm_generic_payload& t, cycle_t start, uint64_t line, tag_array::entry* hit) {
  const bool dirties = info(t).kind == access_kind::atomic;
  if (hit != nullptr) {
    if (!dirties) ++statistics_.read_hits;
    hit->dirty |= dirties;
    return {true, start + parameters_.tags.hit_latency};
  }
  if (miss_table::miss* m = misses_.find(line)) {
    ++statistics_.merged;
    m->dirty |= dirties;
    for (const pending_fill& f : fills_)
      if (f.line == line) return {true, std::max(start, f.at) + parameters_.tags.hit_latency};
    info(t).arrival = start;
    miss_table::append(*m, t);
    return {};
  }
  miss_table::miss& m = misses_.add(line);
  m.dirty = dirties;
  m.primary = &t;
  const outcome below = send_down(t, start + 1);
  if (!below.known) return {};
  add_fill(line, below.at);
  return {true, below.at + parameters_.tags.hit_latency};
}

// A free miss register at `start`, or at the first later cycle at which one becomes free. False if that is not known
// yet.
bool cache::reserve_miss(cycle_t& start) {
  if (!misses_.full()) return true;
  if (fills_.empty()) return false;
  cycle_t first = fills_.front().at;
  for (const pending_fill& f : fills_) first = std::min(first, f.at);
  if (!decidable(first)) return false;
  ++statistics_.blocked;
  start = std::max(start, first);
  apply_fills(start);
  return true;
}

// Lines that have arrived by `upto` enter the tags in order of arrival, whenever the calls that announced them were
// made.
void cache::apply_fills(cycle_t upto) {
  while (next_fill_ <= upto) {
    auto first = std::min_element(fills_.begin(), fills_.end(), [](const pending_fill& a, const pending_fill& b) {
      return a.at != b.at ? a.at < b.at : a.line < b.line;
    });
    if (first->at > upto) {
      next_fill_ = first->at;
      return;
    }
    const uint64_t line = first->line;
    *first = fills_.back();
    fills_.pop_back();
    if (fills_.empty()) next_fill_ = never_;
    fill(line, misses_.take(line).dirty);
  }
}

void cache::add_fill(uint64_t line, cycle_t at) {
  fills_.push_back({at, line});
  next_fill_ = std::min(next_fill_, at);
}

void cache::fill(uint64_t line, bool dirty) {
  const tag_array::entry old = tags_.replace(line, dirty);
  if (old.line == tag_array::invalid || !old.dirty) return;
  ++statistics_.writebacks;
  // Nobody waits for a write-back: whoever takes it completes it in this call.
  const uint64_t address = old.line << line_shift_;
  const bool has_bytes = address - parameters_.storage_begin < parameters_.storage_bytes;
  tlm::tlm_generic_payload* t = writebacks_.acquire(
      has_bytes ? tlm::TLM_WRITE_COMMAND : tlm::TLM_IGNORE_COMMAND, address,
      has_bytes ? parameters_.storage + (address - parameters_.storage_begin) : nullptr, parameters_.tags.line_bytes);
  info(*t).kind = access_kind::writeback;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = clock_.period();  // as for every request to the next level: it is there in a later cycle
  if (downstream->nb_transport_fw(*t, phase, delay) != tlm::TLM_COMPLETED)
    SC_REPORT_FATAL(name(), "a write-back was not taken at once");
  t->release();
}

cache::outcome cache::send_down(tlm::tlm_generic_payload& t, cycle_t at) {
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay = clock_.time_of(at) - sc_core::sc_time_stamp();
  if (downstream->nb_transport_fw(t, phase, delay) != tlm::TLM_COMPLETED) return {};
  return {true, clock_.now() + clock_.cycles_in(delay)};
}

tlm::tlm_sync_enum cache::nb_transport_bw(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
  const cycle_t at = clock_.now() + clock_.cycles_in(delay);
  const uint64_t line = t.get_address() >> line_shift_;
  miss_table::miss* m = misses_.find(line);
  if (m != nullptr && m->primary == &t)
    filled(line, at);
  else
    respond(t, at);  // a store, an atomic or a bypassing load that only passed through
  drain_waiting();
  return tlm::TLM_COMPLETED;
}

void cache::filled(uint64_t line, cycle_t at) {
  miss_table::miss* m = misses_.find(line);
  tlm::tlm_generic_payload* primary = m->primary;
  tlm::tlm_generic_payload* waiter = m->head;
  m->primary = m->head = m->tail = nullptr;
  add_fill(line, at);
  respond(*primary, at + parameters_.tags.hit_latency);
  while (waiter != nullptr) {
    tlm::tlm_generic_payload* next = info(*waiter).next_waiter;
    respond(*waiter, std::max(at, info(*waiter).arrival) + parameters_.tags.hit_latency);
    waiter = next;
  }
}

void cache::drain_waiting() {
  while (!waiting_.empty()) {
    const waiting_request w = waiting_.front();
    if (w.trans == nullptr) {
      if (!decidable(w.arrival)) return;
      waiting_.pop_front();
      apply_fills(w.arrival);
      tags_.invalidate_all();
      continue;
    }
    cycle_t start = std::max(w.arrival, port_free_);
    outcome result;
    if (!process(*w.trans, start, result)) return;
    waiting_.pop_front();
    if (result.known) respond(*w.trans, result.at);
  }
}

void cache::respond(tlm::tlm_generic_payload& t, cycle_t at) {
  t.set_response_status(tlm::TLM_OK_RESPONSE);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = clock_.time_of(at) - sc_core::sc_time_stamp();
  upstream->nb_transport_bw(t, phase, delay);
}

}  // namespace pws::models
