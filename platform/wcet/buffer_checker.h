// SPDX-License-Identifier: Apache-2.0
// Checks while a kernel runs what its bound takes for granted of pointers: that an access through a pointer to a buffer
// stays in that buffer (wcet::access_bound::within; `pwsvp wcet`, `pwsvp exec --wcet`).
#pragma once

#include <string>
#include <vector>

#include "models/compute_unit/execution_observer.h"
#include "sw/wcet/accesses/access_pattern.h"

namespace pws::platform {

class buffer_checker : public models::execution_observer {
 public:
  // `code` at its device address; an access of each of its instructions.
  buffer_checker(const cfg::function_code& code, const std::vector<wcet::access_bound>& accesses,
                 std::vector<wcet::device_buffer> buffers);

  // How many instructions are checked.
  size_t checked() const { return checked_; }
  // What the machine was stopped for; empty: nothing.
  const std::string& broken() const { return broken_; }

  // Throws program_error at the first access of a lane that is outside.
  void issuing(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;
  void wave_started(uint32_t, const models::wf_context&, models::cycle_t) override {}
  void issued(uint32_t, const models::wf_context&, const isa::inst&, models::cycle_t) override {}
  void wave_ended(uint32_t, const models::wf_context&, models::cycle_t) override {}

 private:
  struct access {
    wcet::buffer_set within = 0;  // 0: not checked
    uint32_t bytes = 0;           // per lane
  };
  bool is_in(const access& a, uint64_t address) const;
  [[noreturn]] void fail(const access& a, uint64_t address, int lane);

  const uint64_t begin_;
  std::vector<access> accesses_;  // by dword of the code
  const std::vector<wcet::device_buffer> buffers_;
  size_t checked_ = 0;
  std::string broken_;
};

}  // namespace pws::platform
