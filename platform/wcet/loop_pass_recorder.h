// SPDX-License-Identifier: Apache-2.0
// How often loops of the machine code go round while a kernel runs: what `pwsvp wcet --suggest` prints of those that
// have no bound.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "models/compute_unit/compute_unit.h"

namespace pws::platform {

class loop_pass_recorder : public models::execution_observer {
 public:
  // Device addresses of instructions.
  struct loop {
    uint64_t header = 0;
    std::set<uint64_t> inside;  // the header among them
  };
  explicit loop_pass_recorder(std::vector<loop> loops) : loops_(std::move(loops)), most_(loops_.size(), 0) {}

  // By loop: the most executions of its header between coming in and going out; 0: none has come to it.
  const std::vector<uint64_t>& most() const { return most_; }

  void wave_started(uint32_t cu, const models::wf_context& c, models::cycle_t at) override;
  void issuing(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;
  void issued(uint32_t, const models::wf_context&, const isa::inst&, models::cycle_t) override {}
  void wave_ended(uint32_t, const models::wf_context&, models::cycle_t) override {}

 private:
  struct position {
    uint64_t last = 0;             // the instruction before; 0: none
    std::vector<uint64_t> passes;  // by loop
  };
  std::vector<loop> loops_;
  std::vector<uint64_t> most_;
  std::map<const models::wf_context*, position> positions_;
};

}  // namespace pws::platform
