// What the pipeline knows of a context between instructions: its instruction buffer, its next instruction and when that
// may issue, and what is under way. The functional engine uses `next` alone.
#pragma once

#include <cstdint>

#include "models/context/instruction_buffer.h"
#include "models/context/outstanding.h"
#include "models/context/scoreboard.h"
#include "models/context/wf_status.h"
#include "models/isa/inst.h"

namespace pws::models {

struct front_end {
  instruction_buffer ibuf;
  const isa::inst* next = nullptr;
  cycle_t earliest = 0;  // the previous instruction allows the next one from here on
  stall reason = stall::other;
  cycle_t ready_at = 0;  // all but the port was there, for the stall statistics
  cycle_t issued_at = 0;
  isa::unit issued_to{};  // unit of the instruction issued last

  scoreboard results;
  outstanding vm{outstanding::order::in_order};
  outstanding lgkm{outstanding::order::any};

  // Nothing is under way.
  void clear_results() {
    results.clear();
    vm.clear();
    lgkm.clear();
  }
};

}  // namespace pws::models
