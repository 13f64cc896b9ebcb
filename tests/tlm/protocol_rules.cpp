// SPDX-License-Identifier: Apache-2.0
#include "tests/tlm/protocol_rules.h"

#include <fmt/format.h>

#include <algorithm>

namespace pws::test {

namespace {
constexpr std::array<rule_text, static_cast<size_t>(protocol_rule::count)> texts{{
    {"command", "14.9", "the command is read, write or ignore"},
    {"data_pointer", "14.11 e", "a read or write has a data pointer"},
    {"data_length", "14.12 d", "a read or write has a length that is not 0"},
    {"byte_enable_length", "14.14 f", "byte enables have a length that is not 0"},
    {"streaming_width", "14.15 f", "the streaming width is not 0"},
    {"dmi_hint_cleared", "14.16", "the DMI hint is false before the call"},
    {"response_incomplete", "14.17 e", "the response status is TLM_INCOMPLETE_RESPONSE before the call"},
    {"option_minimal", "14.8 g", "the option is TLM_MIN_PAYLOAD in b_transport and nb_transport"},
    {"attributes_kept", "14.7",
     "command, data pointer, lengths, streaming width, byte enable pointer and option stay as the initiator set them"},
    {"write_data_kept", "14.7", "nobody changes the data of a write while it is being passed on"},
    {"byte_enables_kept", "14.7", "nobody changes the byte enables while the transaction is being passed on"},
    {"address_restored", "14.7, stricter", "a response has the address of its request"},
    {"extensions_cleared", "14.5 aa", "without a memory manager who sets an extension clears it again"},
    {"memory_manager_cleared", "14.5 aa", "who sets a memory manager clears it again"},
    {"response_set", "14.17", "a response has a status that is not TLM_INCOMPLETE_RESPONSE"},
    {"response_kept", "14.7", "whoever receives a response leaves its status alone"},
    {"memory_manager", "14.5 i", "a payload of nb_transport has a memory manager"},
    {"reference_count", "14.5 t", "a payload with a memory manager is held while it is passed"},
    {"payload_in_use", "14.5 x", "a payload is not sent again before its transaction has ended"},
    {"phase_direction", "15.2.3 c", "BEGIN_REQ and END_RESP go forward, END_REQ and BEGIN_RESP backward"},
    {"phase_order", "15.2.4",
     "phases follow one another as BEGIN_REQ, END_REQ, BEGIN_RESP, END_RESP; END_REQ may be left out"},
    {"completion", "15.2.5", "TLM_COMPLETED comes for BEGIN_REQ, BEGIN_RESP or END_RESP alone"},
    {"accepted_unchanged", "11.1.2.7", "TLM_ACCEPTED leaves phase, delay and response as they were"},
    {"request_exclusion", "15.2.6 e", "BEGIN_REQ waits until the request before has ended"},
    {"response_exclusion", "15.2.6 f", "BEGIN_RESP waits until the response before has ended"},
    {"response_path", "15.2.11 a", "a response takes the way of its request back"},
    {"delay_order", "15.2.7 c", "the time of a transaction, with its annotated delay, never goes back"},
    {"blocking_apart", "15.2.10 c", "a transaction is passed by b_transport or by nb_transport, not by both at a time"},
    {"blocking_from_thread", "11.1.1.4 b", "b_transport is not called from a method process"},
    {"debug_pointer", "11.3.4 l", "a debug access of some bytes has a data pointer"},
    {"debug_length", "11.3.4 s", "transport_dbg returns no more than the length"},
    {"debug_side_effects", "11.3.4", "transport_dbg takes no time, transports nothing else and changes no state"},
    {"dmi_descriptor_initial", "11.2.5", "the DMI descriptor is as its constructor made it before the call"},
    {"dmi_range", "11.2.5", "a DMI range is not empty and has the address that was asked for"},
    {"dmi_pointer", "11.2.5 f", "granted DMI has a pointer"},
    {"dmi_access", "11.2.5", "granted DMI allows what was asked for"},
    {"dmi_address_kept", "14.7, stricter", "get_direct_mem_ptr gives the address back as it was"},
    {"dmi_hint_kept", "11.2.9, stricter",
     "where the DMI hint of a response is true, DMI is granted until it is invalidated"},
    {"invalidation_range", "11.2.6", "an invalidated range is not empty"},
    {"invalidation_of_a_grant", "11.2.6, stricter", "what is invalidated has been granted to somebody"},
}};
}  // namespace

const rule_text& text_of(protocol_rule r) {
  return texts.at(static_cast<size_t>(r));
}

void protocol_log::add(protocol_rule rule, const std::string& where, const std::string& what) {
  const auto known = std::find_if(violations_.begin(), violations_.end(),
                                  [&](const protocol_violation& v) { return v.rule == rule && v.where == where; });
  if (known != violations_.end())
    ++known->times;
  else
    violations_.push_back({rule, where, what});
}

std::vector<std::string> protocol_log::rules() const {
  std::vector<std::string> names;
  for (size_t k = 0; k < texts.size(); ++k)
    if (std::any_of(violations_.begin(), violations_.end(),
                    [k](const protocol_violation& v) { return static_cast<size_t>(v.rule) == k; }))
      names.emplace_back(texts[k].name);
  return names;
}

std::string protocol_log::text() const {
  std::string all;
  for (const protocol_violation& v : violations_) {
    const rule_text& t = text_of(v.rule);
    all += fmt::format("{}: {}: {} (IEEE 1666-2011, {}): {}{}\n", v.where, t.name, t.says, t.clause, v.what,
                       v.times == 1 ? "" : fmt::format(", {} times", v.times));
  }
  return all;
}

}  // namespace pws::test
