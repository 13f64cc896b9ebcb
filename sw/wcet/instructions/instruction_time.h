// SPDX-License-Identifier: Apache-2.0
// Static basic-block times: what each instruction adds, at most, to a wavefront's time on the predictable machine.
//
// The sums bound the time of every path: let X be the sum over the instructions issued so far, then no instruction
// issues later than X after the first one. Waits for memory are accounted for in two parts. While the wavefront's queue
// is busy, each of its slots serves a line (or LDS pass) of it, so that a line takes a frame: charged to the
// instruction that asks for it, whichever part of the wavefront executes that. What is not queueing (the ways to and
// from the memory, and the alignment to the next issue slot) is charged to the instruction that waits, as often as it
// may wait (paid_waits.h). So work that goes on while slots are served is counted beside them: sound, and at most a
// factor of two too much.
#pragma once

#include <cstdint>
#include <vector>

#include "base/enum_names.h"
#include "models/flow/flow_graph.h"
#include "sw/wcet/accesses/access_pattern.h"
#include "sw/wcet/checked.h"
#include "sw/wcet/instructions/machine_timing.h"

namespace pws::wcet {

enum class scheme : uint8_t { none, pws, dws };
constexpr auto enumerators(scheme) {
  return std::array{named{scheme::none, "none"}, named{scheme::pws, "pws"}, named{scheme::dws, "dws"}};
}

struct instruction_time {
  uint64_t issue = 0;   // its own slots, e_s and e_m included
  uint64_t memory = 0;  // lines and passes that it asks for
  uint64_t wait = 0;    // for what is under way, of one execution that does wait (sw/wcet/instructions/paid_waits.h)
  uint64_t target = 0;  // a branch that is taken: more than one that is not
  uint64_t cycles() const { return checked_sum({issue, memory, wait}, "an instruction's time"); }
};

// One per instruction. `accesses`: from bound_accesses().
std::vector<instruction_time> instruction_times(const cfg::flow_graph& graph, const machine_timing& machine, scheme s,
                                                const std::vector<access_bound>& accesses);

// Which of the counters an instruction may have to wait for, with what may be under way.
struct outstanding_operations;
struct waited_counters {
  bool vector = false, local = false;  // vmcnt, lgkmcnt
};
waited_counters waits_for(const isa::inst& instruction, const outstanding_operations& under_way, scheme s);

// The time of one instruction, with what may be under way when it executes. Its memory accesses do not count.
instruction_time time_of(const isa::inst& instruction, const machine_timing& machine, scheme s,
                         const outstanding_operations& under_way);

}  // namespace pws::wcet
