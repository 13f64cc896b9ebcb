// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/protocol_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace pws::test {

namespace {

using rule = protocol_rule;

std::string name_of(const tlm::tlm_phase& p) {
  return p.get_name();
}

size_t hash_of(const unsigned char* bytes, unsigned n) {
  if (bytes == nullptr) return 0;
  return std::hash<std::string_view>{}({reinterpret_cast<const char*>(bytes), n});
}

// Holds a payload while a call is made that may end its transaction.
class held_payload {
 public:
  explicit held_payload(tlm::tlm_generic_payload& t) : t_(t), held_(t.has_mm() && t.get_ref_count() > 0) {
    if (held_) t_.acquire();
  }
  ~held_payload() {
    if (held_) t_.release();
  }
  held_payload(const held_payload&) = delete;
  held_payload& operator=(const held_payload&) = delete;

 private:
  tlm::tlm_generic_payload& t_;
  const bool held_;
};

}  // namespace

protocol_checker::attributes::attributes(const payload& t)
    : command(t.get_command()),
      address(t.get_address()),
      data(t.get_data_ptr()),
      byte_enables(t.get_byte_enable_ptr()),
      length(t.get_data_length()),
      byte_enable_length(t.get_byte_enable_length()),
      streaming_width(t.get_streaming_width()),
      option(t.get_gp_option()),
      managed(t.has_mm()) {
  if (!managed)
    for (unsigned k = 0; k < tlm::max_num_extensions(); ++k) extensions.push_back(t.get_extension(k));
}

protocol_checker::contents::contents(const attributes& a)
    : data(a.command == tlm::TLM_WRITE_COMMAND ? hash_of(a.data, a.length) : 0),
      byte_enables(hash_of(a.byte_enables, a.byte_enable_length)) {}

protocol_checker::protocol_checker(const sc_core::sc_module_name& name, std::string where, protocol_log& log)
    : sc_module(name), from("from"), to("to"), where_(std::move(where)), log_(log) {
  from.bind(*static_cast<tlm::tlm_fw_transport_if<>*>(this));
  to.bind(*static_cast<tlm::tlm_bw_transport_if<>*>(this));
}

// ---- the rules

void protocol_checker::violated(rule r, const std::string& what) {
  log_.add(r, where_, fmt::format("at {}: {}", sc_core::sc_time_stamp().to_string(), what));
}

void protocol_checker::violated(rule r, const payload& t, const std::string& what) {
  const char* command = t.is_read() ? "read" : t.is_write() ? "write" : "ignore";
  violated(r, fmt::format("{} of {} bytes at {:#x}: {}", command, t.get_data_length(), t.get_address(), what));
}

void protocol_checker::require_initial(const payload& t) {
  const tlm::tlm_command c = t.get_command();
  const bool moves = c != tlm::TLM_IGNORE_COMMAND;
  if (c != tlm::TLM_READ_COMMAND && c != tlm::TLM_WRITE_COMMAND && moves)
    violated(rule::command, t, fmt::format("command {}", static_cast<int>(c)));
  if (moves && t.get_data_ptr() == nullptr) violated(rule::data_pointer, t, "no data pointer");
  if (moves && t.get_data_length() == 0) violated(rule::data_length, t, "length 0");
  if (t.get_byte_enable_ptr() != nullptr && t.get_byte_enable_length() == 0)
    violated(rule::byte_enable_length, t, "byte enables of length 0");
  if (t.get_streaming_width() == 0) violated(rule::streaming_width, t, "streaming width 0");
  if (t.is_dmi_allowed()) violated(rule::dmi_hint_cleared, t, "the hint is true");
  if (t.get_response_status() != tlm::TLM_INCOMPLETE_RESPONSE)
    violated(rule::response_incomplete, t, t.get_response_string());
  if (t.get_gp_option() != tlm::TLM_MIN_PAYLOAD)
    violated(rule::option_minimal, t, fmt::format("option {}", static_cast<int>(t.get_gp_option())));
}

void protocol_checker::require_kept(const payload& t, const attributes& before) {
  const auto kept = [&](bool same, const char* which) {
    if (!same) violated(rule::attributes_kept, t, std::string(which) + " has changed");
  };
  kept(t.get_command() == before.command, "the command");
  kept(t.get_data_ptr() == before.data, "the data pointer");
  kept(t.get_data_length() == before.length, "the length");
  kept(t.get_byte_enable_ptr() == before.byte_enables, "the byte enable pointer");
  kept(t.get_byte_enable_length() == before.byte_enable_length, "the byte enable length");
  kept(t.get_streaming_width() == before.streaming_width, "the streaming width");
  kept(t.get_gp_option() == before.option, "the option");
  if (before.managed) return;
  if (t.has_mm()) violated(rule::memory_manager_cleared, t, "it has a memory manager now");
  for (unsigned k = 0; k < before.extensions.size(); ++k)
    if (before.extensions[k] == nullptr && t.get_extension(k) != nullptr)
      violated(rule::extensions_cleared, t, fmt::format("extension {} is left", k));
}

void protocol_checker::require_kept(const payload& t, const attributes& before, const contents& bytes) {
  require_kept(t, before);
  const contents now(before);
  if (now.data != bytes.data) violated(rule::write_data_kept, t, "other data");
  if (now.byte_enables != bytes.byte_enables) violated(rule::byte_enables_kept, t, "other byte enables");
}

void protocol_checker::require_held(const payload& t) {
  if (t.has_mm() && t.get_ref_count() <= 0) violated(rule::reference_count, t, "nobody holds the payload");
}

void protocol_checker::note_call(const payload& t) {
  if (log_.in_debug_ != 0) violated(rule::debug_side_effects, t, "transported while a debug access is made");
}

// By nb_transport only with the response: until then whoever has passed the transaction on may need its own address.
void protocol_checker::require_address(const payload& t, const attributes& before) {
  if (t.get_address() != before.address)
    violated(rule::address_restored, t, fmt::format("it was {:#x}", before.address));
}

protocol_checker::transaction* protocol_checker::find(const payload& t) {
  const auto it = in_flight_.find(&t);
  return it == in_flight_.end() ? nullptr : &it->second;
}

// ---- steps of a transaction

void protocol_checker::begin_request(payload& t) {
  require_initial(t);
  if (find(t) != nullptr) {
    violated(rule::payload_in_use, t, "BEGIN_REQ while its transaction goes on");
    forget(t);
  }
  if (request_ != nullptr) violated(rule::request_exclusion, t, "BEGIN_REQ while another request has not ended");
  if (blocking_.count(&t) != 0) violated(rule::blocking_apart, t, "BEGIN_REQ during b_transport");
  in_flight_.emplace(&t, transaction{attributes(t), tlm::BEGIN_REQ, sc_core::SC_ZERO_TIME});
  request_ = &t;
  log_.paths_[&t].push_back(this);
}

void protocol_checker::at_time(payload& t, const sc_core::sc_time& delay) {
  transaction* k = find(t);
  if (k == nullptr) return;
  const sc_core::sc_time now = sc_core::sc_time_stamp() + delay;
  if (now < k->at) violated(rule::delay_order, t, fmt::format("{} after {}", now.to_string(), k->at.to_string()));
  k->at = std::max(k->at, now);
}

void protocol_checker::go_back(payload& t, const tlm::tlm_phase& phase) {
  if (phase != tlm::END_REQ && phase != tlm::BEGIN_RESP) {
    if (phase <= tlm::END_RESP) violated(rule::phase_direction, t, name_of(phase) + " on the way back");
    return;  // an ignorable phase
  }
  transaction* k = find(t);
  const bool in_order =
      k != nullptr && (k->phase == tlm::BEGIN_REQ || (k->phase == tlm::END_REQ && phase == tlm::BEGIN_RESP));
  if (!in_order) {
    violated(rule::phase_order, t, name_of(phase) + (k == nullptr ? " without a request" : " too late"));
    return;
  }
  if (request_ == &t) request_ = nullptr;
  k->phase = phase == tlm::END_REQ ? tlm::END_REQ : tlm::BEGIN_RESP;
  if (phase == tlm::END_REQ) return;
  if (response_ != nullptr) violated(rule::response_exclusion, t, "BEGIN_RESP while another response has not ended");
  response_ = &t;
  response_comes(t);
}

void protocol_checker::response_comes(payload& t) {
  note_hint(t);
  if (t.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) violated(rule::response_set, t, "it is not set");
  auto& path = log_.paths_[&t];
  const auto last = std::find(path.rbegin(), path.rend(), this);
  if (last != path.rbegin()) {
    violated(rule::response_path, t,
             path.empty() ? "the response has been here" : "the response has not been at " + path.back()->where());
  }
  if (last != path.rend()) path.erase(last.base() - 1, path.end());
  if (path.empty()) log_.paths_.erase(&t);
}

void protocol_checker::note_hint(const payload& t) {
  if (t.is_dmi_allowed()) hinted_ = t.get_address();
}

void protocol_checker::end_response(payload& t) {
  const transaction* k = find(t);
  if (k == nullptr || k->phase != tlm::BEGIN_RESP)
    violated(rule::phase_order, t, k == nullptr ? "END_RESP without a transaction" : "END_RESP without BEGIN_RESP");
  forget(t);
}

void protocol_checker::forget(payload& t) {
  if (request_ == &t) request_ = nullptr;
  if (response_ == &t) response_ = nullptr;
  in_flight_.erase(&t);
}

// ---- non-blocking transport

tlm::tlm_sync_enum protocol_checker::nb_transport_fw(payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  ++calls_.forward;
  note_call(t);
  const tlm::tlm_phase given = phase;
  const sc_core::sc_time given_delay = delay;
  if (!t.has_mm()) violated(rule::memory_manager, t, "no memory manager");
  require_held(t);
  if (phase == tlm::BEGIN_REQ)
    begin_request(t);
  else if (phase <= tlm::END_RESP && phase != tlm::END_RESP)
    violated(rule::phase_direction, t, name_of(phase) + " on the way forward");
  at_time(t, delay);
  const attributes before(t);
  const contents bytes(before);
  const auto response = t.get_response_status();
  const held_payload hold(t);
  // What the target does during the call, to this transaction too, may come by nb_transport_bw.
  if (phase == tlm::END_RESP) end_response(t);
  const tlm::tlm_sync_enum status = to->nb_transport_fw(t, phase, delay);
  require_kept(t, before, bytes);
  const bool answered = status == tlm::TLM_COMPLETED || (status == tlm::TLM_UPDATED && phase == tlm::BEGIN_RESP);
  if (given == tlm::BEGIN_REQ && answered) require_address(t, before);
  if (given == tlm::END_RESP) {
    if (status == tlm::TLM_UPDATED && phase <= tlm::END_RESP)
      violated(rule::phase_order, t, name_of(phase) + " after END_RESP");
    return status;
  }
  if (status == tlm::TLM_ACCEPTED) {
    if (phase != given || delay != given_delay ||
        (find(t) != nullptr && find(t)->phase == tlm::BEGIN_REQ && t.get_response_status() != response))
      violated(rule::accepted_unchanged, t, "something has changed");
    return status;
  }
  at_time(t, delay);
  if (status == tlm::TLM_UPDATED) {
    go_back(t, phase);
  } else {
    if (given != tlm::BEGIN_REQ || find(t) == nullptr)
      violated(rule::completion, t, "TLM_COMPLETED in answer to " + name_of(given));
    else
      response_comes(t);
    forget(t);
  }
  return status;
}

tlm::tlm_sync_enum protocol_checker::nb_transport_bw(payload& t, tlm::tlm_phase& phase, sc_core::sc_time& delay) {
  ++calls_.backward;
  note_call(t);
  const tlm::tlm_phase given = phase;
  const sc_core::sc_time given_delay = delay;
  if (!t.has_mm()) violated(rule::memory_manager, t, "no memory manager");
  require_held(t);
  if (const transaction* k = find(t)) {
    require_kept(t, attributes(k->sent));
    if (phase == tlm::BEGIN_RESP) require_address(t, k->sent);
  }
  at_time(t, delay);
  go_back(t, phase);
  const auto response = t.get_response_status();
  const held_payload hold(t);
  const tlm::tlm_sync_enum status = from->nb_transport_bw(t, phase, delay);
  if (given == tlm::BEGIN_RESP && t.get_response_status() != response)
    violated(rule::response_kept, t, "the initiator has changed the response");
  if (status == tlm::TLM_ACCEPTED) {
    if (phase != given || delay != given_delay) violated(rule::accepted_unchanged, t, "something has changed");
    return status;
  }
  at_time(t, delay);
  if (status == tlm::TLM_UPDATED) {
    if (phase == tlm::END_RESP)
      end_response(t);
    else if (phase <= tlm::END_RESP)
      violated(rule::phase_direction, t, name_of(phase) + " on the way forward");
  } else {
    if (given != tlm::BEGIN_RESP) violated(rule::completion, t, "TLM_COMPLETED in answer to " + name_of(given));
    forget(t);
  }
  return status;
}

// ---- blocking transport

void protocol_checker::b_transport(payload& t, sc_core::sc_time& delay) {
  ++calls_.blocking;
  note_call(t);
  require_held(t);
  require_initial(t);
  if (find(t) != nullptr) violated(rule::blocking_apart, t, "b_transport between BEGIN_REQ and END_RESP");
  if (blocking_[&t]++ != 0) violated(rule::payload_in_use, t, "in two calls of b_transport");
  if (sc_core::sc_get_status() == sc_core::SC_RUNNING &&
      sc_core::sc_get_current_process_handle().proc_kind() == sc_core::SC_METHOD_PROC_)
    violated(rule::blocking_from_thread, t, "called from a method process");
  const sc_core::sc_time begun = sc_core::sc_time_stamp() + delay;
  const attributes before(t);
  const contents bytes(before);
  to->b_transport(t, delay);
  require_kept(t, before, bytes);
  require_address(t, before);
  note_hint(t);
  if (t.get_response_status() == tlm::TLM_INCOMPLETE_RESPONSE) violated(rule::response_set, t, "it is not set");
  const sc_core::sc_time ended = sc_core::sc_time_stamp() + delay;
  if (ended < begun) violated(rule::delay_order, t, fmt::format("{} after {}", ended.to_string(), begun.to_string()));
  if (--blocking_[&t] == 0) blocking_.erase(&t);
}

// ---- debug transport

unsigned protocol_checker::transport_dbg(payload& t) {
  ++calls_.debug;
  if (t.get_data_length() > 0 && t.get_data_ptr() == nullptr) violated(rule::debug_pointer, t, "no data pointer");
  const attributes before(t);
  const contents bytes(before);
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  const uint64_t delta = sc_core::sc_delta_count();
  const uint64_t state = state_of_target ? state_of_target() : 0;
  ++log_.in_debug_;
  const unsigned n = to->transport_dbg(t);
  --log_.in_debug_;
  if (sc_core::sc_time_stamp() != now || sc_core::sc_delta_count() != delta)
    violated(rule::debug_side_effects, t, "it took time");
  if (state_of_target && !t.is_write() && state_of_target() != state)
    violated(rule::debug_side_effects, t, "the target has changed");
  require_kept(t, before, bytes);
  require_address(t, before);
  if (n > t.get_data_length()) violated(rule::debug_length, t, fmt::format("{} bytes moved", n));
  return n;
}

// ---- direct memory interface

bool protocol_checker::get_direct_mem_ptr(payload& t, tlm::tlm_dmi& dmi) {
  ++calls_.dmi;
  const bool fresh = dmi.get_dmi_ptr() == nullptr && dmi.is_none_allowed() && dmi.get_start_address() == 0 &&
                     dmi.get_end_address() == ~sc_dt::uint64{0} && dmi.get_read_latency() == sc_core::SC_ZERO_TIME &&
                     dmi.get_write_latency() == sc_core::SC_ZERO_TIME;
  if (!fresh) violated(rule::dmi_descriptor_initial, t, "it is not");
  const uint64_t address = t.get_address();
  const tlm::tlm_command command = t.get_command();
  const bool granted = to->get_direct_mem_ptr(t, dmi);
  if (t.get_address() != address) violated(rule::dmi_address_kept, t, fmt::format("it was {:#x}", address));
  const uint64_t begin = dmi.get_start_address(), end = dmi.get_end_address();
  if (begin > end || address < begin || address > end)
    violated(rule::dmi_range, t, fmt::format("{:#x} to {:#x} for {:#x}", begin, end, address));
  if (!granted) {
    if (hinted_ == address) violated(rule::dmi_hint_kept, t, "it is refused");
    return false;
  }
  if (dmi.get_dmi_ptr() == nullptr) violated(rule::dmi_pointer, t, "it has none");
  if (dmi.is_none_allowed() || (command == tlm::TLM_READ_COMMAND && !dmi.is_read_allowed()) ||
      (command == tlm::TLM_WRITE_COMMAND && !dmi.is_write_allowed()))
    violated(rule::dmi_access, t, fmt::format("access {} is granted", static_cast<int>(dmi.get_granted_access())));
  log_.granted_.push_back({begin, end});
  return true;
}

void protocol_checker::invalidate_direct_mem_ptr(sc_dt::uint64 begin, sc_dt::uint64 end) {
  ++calls_.invalidations;
  const std::string what = fmt::format("{:#x} to {:#x}", begin, end);
  if (begin > end) violated(rule::invalidation_range, what);
  if (hinted_ && begin <= *hinted_ && *hinted_ <= end) hinted_.reset();
  const auto& granted = log_.granted_;
  if (begin <= end && std::none_of(granted.begin(), granted.end(),
                                   [&](const protocol_log::range& g) { return g.begin <= end && begin <= g.end; }))
    violated(rule::invalidation_of_a_grant, what);
  from->invalidate_direct_mem_ptr(begin, end);
}

}  // namespace pws::test
