// SPDX-License-Identifier: Apache-2.0
#include "models/memory/memory_port.h"

#include <algorithm>
#include <cstring>

#include "models/bus/bus_access.h"

namespace pws::models {

memory_port::memory_port(const sc_core::sc_module_name& name, const memory_range& range, const memory_port_config& c,
                         const banks_above& l2, const gpu_clock& clock)
    : sc_module(name),
      socket("socket"),
      untimed("untimed"),
      range_(range),
      config_(c),
      line_bytes_(l2.line_bytes),
      clock_(clock) {
  socket.register_nb_transport_bw(this, &memory_port::answered);
  socket.register_invalidate_direct_mem_ptr(this, &memory_port::invalidate);
  untimed.register_b_transport(this, &memory_port::b_transport);
  untimed.register_transport_dbg(this, &memory_port::transport_dbg);
  untimed.register_get_direct_mem_ptr(this, &memory_port::get_direct_mem_ptr);
  for (uint32_t k = 0; k < l2.banks; ++k) {
    const auto bank = static_cast<int>(k);
    from_banks.push_back(std::make_unique<target_socket>(("from_bank" + std::to_string(k)).c_str()));
    from_banks.back()->register_nb_transport_fw(this, &memory_port::from_bank, bank);
    if (l2.is_last) continue;
    to_next.push_back(std::make_unique<initiator_socket>(("to_next" + std::to_string(k)).c_str()));
    to_next.back()->register_nb_transport_bw(this, &memory_port::from_next, bank);
  }
  SC_HAS_PROCESS(memory_port);
  SC_METHOD(send);
  sensitive << send_;
  dont_initialize();
}

memory_port::~memory_port() = default;

// ---- the banks' side

tlm::tlm_sync_enum memory_port::from_bank(int bank, tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                          sc_core::sc_time& delay) {
  const bool is_here = holds(t.get_address());
  if (!is_here && !to_next.empty()) return (*to_next[static_cast<size_t>(bank)])->nb_transport_fw(t, phase, delay);
  if (phase != tlm::BEGIN_REQ) return tlm::TLM_ACCEPTED;
  if (!is_here) {  // instructions are fetched ahead, beyond the end of memory too
    delay += clock_.duration(config_.latency);
    t.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  const bool posted = info(t).kind == access_kind::writeback;
  const request r{posted ? nullptr : &t, t.get_address(), bank, clock_.now() + clock_.cycles_in(delay)};
  const auto later = [](const request& a, const request& b) {
    return a.arrival != b.arrival ? a.arrival < b.arrival : a.bank < b.bank;
  };
  waiting_.insert(std::upper_bound(waiting_.begin(), waiting_.end(), r, later), r);
  send_.notify(std::max(clock_.time_of(r.arrival), sc_core::sc_time_stamp()) - sc_core::sc_time_stamp());
  if (posted) {
    t.set_response_status(tlm::TLM_OK_RESPONSE);
    return tlm::TLM_COMPLETED;
  }
  phase = tlm::END_REQ;
  return tlm::TLM_UPDATED;
}

tlm::tlm_sync_enum memory_port::from_next(int bank, tlm::tlm_generic_payload& t, tlm::tlm_phase& phase,
                                          sc_core::sc_time& delay) {
  return (*from_banks[static_cast<size_t>(bank)])->nb_transport_bw(t, phase, delay);
}

// ---- lines on their way

memory_port::line& memory_port::free_line() {
  const auto free = std::find_if(lines_.begin(), lines_.end(), [](const auto& l) { return !l->in_use; });
  if (free != lines_.end()) return **free;
  lines_.push_back(std::make_unique<line>(line_bytes_));
  return *lines_.back();
}

// One request phase at a time (IEEE 1666-2011, 15.2.6), and as many lines as the key says.
void memory_port::send() {
  while (!waiting_.empty() && requesting_ == nullptr && out_ < config_.outstanding) {
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    const sc_core::sc_time at = std::max(clock_.time_of(waiting_.front().arrival), free_at_);
    if (at > now) return send_.notify(at - now);
    const request r = waiting_.front();
    waiting_.pop_front();
    issue(r);
  }
}

void memory_port::issue(const request& r) {
  line& l = free_line();
  l.in_use = true;
  l.asked = r.asked;
  l.bank = r.bank;
  tlm::tlm_generic_payload& t = l.payload;
  t.acquire();
  const bool writes = r.asked == nullptr;
  if (!writes) ++lines_read_;
  t.set_command(writes ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  t.set_address(r.address / line_bytes_ * line_bytes_);
  t.set_data_ptr(l.data.data());
  t.set_data_length(line_bytes_);
  t.set_streaming_width(line_bytes_);
  t.set_byte_enable_ptr(writes ? l.disabled.data() : nullptr);
  t.set_byte_enable_length(writes ? line_bytes_ : 0);
  t.set_dmi_allowed(false);
  t.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
  ++out_;
  requesting_ = &l;
  tlm::tlm_phase phase = tlm::BEGIN_REQ;
  sc_core::sc_time delay;
  const tlm::tlm_sync_enum how = socket->nb_transport_fw(t, phase, delay);
  if (how == tlm::TLM_ACCEPTED) return;
  requesting_ = nullptr;
  free_at_ = sc_core::sc_time_stamp() + delay;
  if (how == tlm::TLM_COMPLETED) return finish(l, delay);
  if (phase != tlm::BEGIN_RESP) return;
  tlm::tlm_phase end = tlm::END_RESP;
  sc_core::sc_time at_end = delay;
  socket->nb_transport_fw(t, end, at_end);
  finish(l, delay);
}

tlm::tlm_sync_enum memory_port::answered(tlm::tlm_generic_payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) return tlm::TLM_ACCEPTED;
  const auto at = std::find_if(lines_.begin(), lines_.end(), [&](const auto& l) { return &l->payload == &t; });
  if (at == lines_.end() || !(*at)->in_use) SC_REPORT_FATAL(name(), "an answer to what was not asked for");
  line& l = **at;
  if (requesting_ == &l) {  // BEGIN_RESP ends the request phase too
    requesting_ = nullptr;
    free_at_ = sc_core::sc_time_stamp() + delay;
    send_.notify(delay);
  }
  if (phase == tlm::END_REQ) return tlm::TLM_ACCEPTED;
  finish(l, delay);
  return tlm::TLM_COMPLETED;
}

// The line is here `after` from now; the bank has it as many cycles later as the key says.
void memory_port::finish(line& l, const sc_core::sc_time& after) {
  if (l.payload.is_response_error()) ++errors_;
  --out_;
  tlm::tlm_generic_payload* const asked = l.asked;
  const auto bank = static_cast<size_t>(l.bank);
  l.payload.release();
  send_.notify(sc_core::SC_ZERO_TIME);
  if (asked == nullptr) return;
  const cycle_t here =
      clock_.now() + clock_.cycles_in(after + (sc_core::sc_time_stamp() - clock_.time_of(clock_.now())));
  asked->set_response_status(tlm::TLM_OK_RESPONSE);
  tlm::tlm_phase phase = tlm::BEGIN_RESP;
  sc_core::sc_time delay = clock_.time_of(here + config_.latency) - sc_core::sc_time_stamp();
  (*from_banks[bank])->nb_transport_bw(*asked, phase, delay);
}

// ---- data

void memory_port::invalidate(sc_dt::uint64 begin, sc_dt::uint64 end) {
  const auto touches = [=](const region& r) { return r.begin <= end && begin <= r.end; };
  regions_.erase(std::remove_if(regions_.begin(), regions_.end(), touches), regions_.end());
  // Whoever has asked through this port has the same grants.
  if (untimed.size() != 0) untimed->invalidate_direct_mem_ptr(begin, end);
}

// What the target has said of an address, the answer for `for_write` if it was not asked yet.
const memory_port::region& memory_port::region_of(uint64_t address, bool for_write) {
  const auto has = [=](const region& r) { return r.begin <= address && address <= r.end; };
  const auto known = std::find_if(regions_.begin(), regions_.end(), has);
  if (known != regions_.end()) return *known;
  tlm::tlm_generic_payload t;
  t.set_command(for_write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
  t.set_address(address);
  tlm::tlm_dmi dmi;
  const bool granted = socket->get_direct_mem_ptr(t, dmi);
  // A refusal says for which addresses it is.
  region r{dmi.get_start_address(), dmi.get_end_address(), dmi.get_dmi_ptr(), granted && dmi.is_read_allowed(),
           granted && dmi.is_write_allowed()};
  if (!has(r)) return refused_ = {address, address, nullptr, false, false};
  regions_.push_back(r);
  return regions_.back();
}

unsigned char* memory_port::direct(uint64_t address, uint64_t bytes, bool for_write) {
  const region& r = region_of(address, for_write);
  return r.allows(for_write) && bytes - 1 <= r.end - address ? r.bytes + (address - r.begin) : nullptr;
}

// A piece for each region that the bytes lie in.
bool memory_port::transfer(tlm::tlm_command command, uint64_t address, unsigned char* data, uint64_t bytes) {
  const bool writes = command == tlm::TLM_WRITE_COMMAND;
  while (bytes != 0) {
    const region& r = region_of(address, writes);
    if (!r.allows(writes)) return debug_transfer(socket, command, address, data, bytes);
    const uint64_t n = std::min(bytes - 1, r.end - address) + 1;
    unsigned char* const there = r.bytes + (address - r.begin);
    std::memcpy(writes ? there : data, writes ? data : there, n);
    address += n;
    data += n;
    bytes -= n;
  }
  return true;
}

bool memory_port::read(uint64_t address, void* to, uint32_t bytes) {
  return transfer(tlm::TLM_READ_COMMAND, address, static_cast<unsigned char*>(to), bytes);
}

bool memory_port::write(uint64_t address, const void* from, uint32_t bytes) {
  // Neither way of writing changes the data that it is given.
  return transfer(tlm::TLM_WRITE_COMMAND, address, static_cast<unsigned char*>(const_cast<void*>(from)), bytes);
}

void memory_port::b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time& delay) {
  socket->b_transport(t, delay);
}

unsigned memory_port::transport_dbg(tlm::tlm_generic_payload& t) {
  return socket->transport_dbg(t);
}

bool memory_port::get_direct_mem_ptr(tlm::tlm_generic_payload& t, tlm::tlm_dmi& dmi) {
  return socket->get_direct_mem_ptr(t, dmi);
}

}  // namespace pws::models
