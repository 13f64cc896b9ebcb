// SPDX-License-Identifier: Apache-2.0
// What a program's waits do when it runs as it is, by a model that has nothing in common with the check's: each
// register remembers the operation that fills it, and whether anybody uses it before a wait for zero.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "models/compute_unit/execution_observer.h"

namespace pws::test {

// What one s_waitcnt did, over all its executions.
struct wait_record {
  uint64_t offset = 0;  // from the kernel's entry
  uint64_t executed = 0;
  uint64_t with_operations =
      0;  // of these: some operation that fills a register or touches LDS was not behind a wait for 0
  // of these: a register of such an operation was used, or a barrier reached, before the next s_waitcnt
  uint64_t used_before_next = 0;
};

class wait_witness : public models::execution_observer {
 public:
  void wave_started(uint32_t cu, const models::wf_context& c, models::cycle_t at) override;
  void issuing(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;
  void issued(uint32_t, const models::wf_context&, const isa::inst&, models::cycle_t) override {}
  void wave_ended(uint32_t, const models::wf_context&, models::cycle_t) override {}

  std::vector<wait_record> records() const;

 private:
  struct context {
    std::vector<uint16_t> vm, lgkm;  // registers that operations fill, VGPRs from 256 on; since the last wait for 0
    bool lds = false;                // LDS was accessed since the last lgkmcnt(0)
    wait_record* open = nullptr;     // the last wait, if nothing was used since
    std::vector<uint16_t> of_open;   // registers that were under way at it
    bool lds_of_open = false;
  };
  std::map<const models::wf_context*, context> contexts_;
  std::map<uint64_t, wait_record> records_;  // by address
};

}  // namespace pws::test
