// SPDX-License-Identifier: Apache-2.0
// The rules of TLM-2.0's generic payload and base protocol (IEEE 1666-2011, clauses 11, 14 and 15) that
// protocol_checker.h holds, and what all checkers of a simulation have found.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <systemc>
#include <tlm>
#include <unordered_map>
#include <vector>

namespace pws::test {

enum class protocol_rule : uint8_t {
  // What an initiator sets
  command,
  data_pointer,
  data_length,
  byte_enable_length,
  streaming_width,
  dmi_hint_cleared,
  response_incomplete,
  option_minimal,
  // What a payload holds at return
  attributes_kept,
  write_data_kept,
  byte_enables_kept,
  address_restored,
  extensions_cleared,
  memory_manager_cleared,
  response_set,
  response_kept,
  // Lifetime
  memory_manager,
  reference_count,
  payload_in_use,
  // Phases and time
  phase_direction,
  phase_order,
  completion,
  accepted_unchanged,
  request_exclusion,
  response_exclusion,
  response_path,
  delay_order,
  blocking_apart,
  blocking_from_thread,
  // Debug transport
  debug_pointer,
  debug_length,
  debug_side_effects,
  // Direct memory interface
  dmi_descriptor_initial,
  dmi_range,
  dmi_pointer,
  dmi_access,
  dmi_address_kept,
  dmi_hint_kept,
  invalidation_range,
  invalidation_of_a_grant,
  count
};

struct rule_text {
  const char* name;
  const char* clause;  // of IEEE 1666-2011; "stricter" where the standard leaves more freedom than this
  const char* says;
};
const rule_text& text_of(protocol_rule r);

struct protocol_violation {
  protocol_rule rule;
  std::string where;  // the sockets that are connected
  std::string what;
  uint64_t times = 1;
};

class protocol_checker;

// Shared by the checkers of a simulation.
class protocol_log {
 public:
  // Counted, so that a test can see that there was something to check.
  struct calls {
    uint64_t blocking = 0, forward = 0, backward = 0, debug = 0, dmi = 0, invalidations = 0;
    uint64_t all() const { return blocking + forward + backward + debug + dmi + invalidations; }
  };

  // The first violation of a rule at a place is described, further ones are counted.
  void add(protocol_rule rule, const std::string& where, const std::string& what);
  const std::vector<protocol_violation>& violations() const { return violations_; }
  // Names of the rules that were violated, each once, in the order of protocol_rule.
  std::vector<std::string> rules() const;
  // A line for each violation; "" if there is none.
  std::string text() const;

 private:
  friend class protocol_checker;
  std::vector<protocol_violation> violations_;
  // The checkers that a transaction has passed on its way to the target and not yet on its way back.
  std::unordered_map<const tlm::tlm_generic_payload*, std::vector<const protocol_checker*>> paths_;
  struct range {
    uint64_t begin, end;  // inclusive
  };
  std::vector<range> granted_;  // at some time, at any checker
  unsigned in_debug_ = 0;       // debug calls that are being made
};

}  // namespace pws::test
