// SPDX-License-Identifier: Apache-2.0
// Flow facts checked while a kernel runs (check.loop_bounds, `pwsvp wcet`, `pwsvp exec --wcet`): a work-item that takes
// a loop more often than its mark says stops the machine, whether or not the time still fits. What is counted, and how,
// is in sw/wcet/loops/loop_counter.h; this tells it what happens on the machine.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "models/compute_unit/compute_unit.h"
#include "sw/wcet/loops/loop_counter.h"

namespace pws::platform {

class loop_bound_checker : public models::execution_observer {
 public:
  // `code` at its device address; `machine` as provisioned. Instructions of other code are not looked at.
  loop_bound_checker(const models::machine_config& machine, const cfg::function_code& code,
                     std::vector<cfg::marked_loop> loops);

  void wave_started(uint32_t cu, const models::wf_context& c, models::cycle_t at) override;
  // Throws program_error at the first iteration that is one too many.
  void issuing(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;
  void issued(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;
  void wave_ended(uint32_t cu, const models::wf_context& c, models::cycle_t at) override;

  const std::vector<cfg::marked_loop>& loops() const { return counter_.loops(); }
  // Counts the loops of a function too that the code calls, from wherever.
  void count_called(const models::machine_config& machine, const cfg::function_code& function,
                    std::vector<cfg::marked_loop> loops) {
    called_.push_back(std::make_unique<loop_bound_checker>(machine, function, std::move(loops)));
  }
  // What the machine was stopped for; empty: nothing.
  const std::string& broken() const {
    for (const auto& c : called_)
      if (!c->broken().empty()) return c->broken();
    return broken_;
  }

 private:
  struct passed {
    uint32_t place = 0, before = 0;
  };
  struct context_state {
    wcet::loop_counter::counts counts;  // of a launch wavefront's context: all its work-items, split off or not
    uint32_t last = wcet::loop_counter::outside;  // the instruction executed last
    uint64_t owned = 0;                           // work-items that the context had then
    std::vector<passed> late;                     // whose work-items are not known yet
  };
  context_state& state_of(uint32_t cu, const models::wf_context& c) {
    return contexts_[(size_t{cu} * units_per_cu_ + c.unit.value) * contexts_per_unit_ + c.slot.value];
  }
  void pass(const models::wf_context& c, wcet::loop_counter::counts& counts, passed what);

  const wcet::loop_counter counter_;
  const uint64_t entry_;
  const size_t units_per_cu_, contexts_per_unit_;
  const bool exec_comes_late_;  // where RTL executes, EXEC is there when its instruction's latency has passed
  std::vector<context_state> contexts_;
  std::vector<uint32_t> last_in_cu_;  // the instruction executed last, by CU
  std::string broken_;
  std::vector<std::unique_ptr<loop_bound_checker>> called_;  // by function
};

}  // namespace pws::platform
