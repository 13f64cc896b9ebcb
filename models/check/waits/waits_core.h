// SPDX-License-Identifier: Apache-2.0
// What one wavefront context does, instruction by instruction in program order, against what GCN3 asks of its waits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "models/check/finding.h"
#include "models/check/waits/outstanding.h"
#include "models/check/waits/wait_states.h"

namespace pws::check {

class context_waits {
 public:
  // A wavefront begins: nothing is under way. `who` has all of a site but address and lanes. `alone`: it is the only
  // one of its workgroup, so its barriers order nothing.
  void begin(const site& who, bool alone);
  // A path begins in a context where `from` is: what is just behind `from` is just behind it too. `carries`: so is what
  // it has under way; else the machine has waited for that.
  void begin_path(const site& who, const context_waits& from, bool carries);
  // Paths have become one.
  void join(const context_waits& other) { under_way_.join(other.under_way_); }
  // The machine has waited for everything.
  void drained() { under_way_.clear(); }

  // The instruction at `pc` is about to issue with these lanes. `f` must stay where it is as long as this; where it
  // names registers by M0, `actual` has them.
  void issue(const instruction_facts& f, const instruction_facts& actual, uint64_t pc, uint64_t lanes,
             finding_sink& sink);
  // It was a memory operation, whose lanes are these. `touches_lds`: of FLAT, that some lanes went to LDS.
  void accessed(const instruction_facts& f, uint64_t pc, uint64_t lanes, bool touches_lds) {
    under_way_.issue(f, pc, lanes, touches_lds);
    if (f.counts == counted_by::scalar && f.store_data.count != 0) scalar_store_ = pc;
  }
  // It fills these bytes of LDS, and no register.
  void fills_lds(uint32_t first, uint32_t end) { under_way_.last_fills_lds(first, end); }
  bool tracks_lds() const { return under_way_.fills_lds(); }
  // An access of LDS touches these bytes. Only asked where tracks_lds().
  void lds_accessed(uint64_t pc, uint64_t lanes, uint32_t first, uint32_t end, finding_sink& sink);

  const outstanding_operations& under_way() const { return under_way_; }

 private:
  void check_registers(const instruction_facts& f, uint64_t pc, uint64_t lanes, finding_sink& sink);
  void act(const instruction_facts& f, uint64_t pc, finding_sink& sink);
  void at_barrier(uint64_t pc, finding_sink& sink);
  void report_operation(std::string_view rule, const operation_under_way& o, uint64_t pc, uint64_t lanes,
                        const std::string& what, finding_sink& sink);
  void report_wait_states(const wait_state_rule& r, uint64_t first, uint64_t pc, uint32_t between,
                          const isa::inst::run& in, finding_sink& sink) const;
  site at(uint64_t pc, uint64_t lanes) const;

  outstanding_operations under_way_;
  recent_instructions recent_;
  site who_;
  bool alone_ = false;
  uint64_t scalar_store_ = 0;  // the last one not written back; 0: none
};

// "s_waitcnt vmcnt(2) lgkmcnt(0)"
std::string text(const wait_counts& w);

}  // namespace pws::check
