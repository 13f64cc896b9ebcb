// SPDX-License-Identifier: Apache-2.0
// The schemes that split wavefronts, as their papers have them: which path issues which instruction in which cycle.
// Written from the PWS paper (sections 4.1 and 7: pws, dws) and the DPE paper (sections 2, 3 and 7: stack, dws-table,
// dpe); where they are silent it does as docs/splitting.md says. It shares no code with the machine.
//
// It assumes a SIMD unit around them that is as simple as can be: no memory but the instruction fetch, and that brings
// the whole program at once; scalar results are there for the next instruction. In a cycle a unit takes one instruction
// to its vector ALU, for as many cycles as a wavefront has work-items for its lanes (four times as many at quarter
// rate), then one to its scalar port, where branches, splits and merges go, then all that need neither. A path issues
// in order, at most once in a cycle. Who can is known when the cycle begins; a path that another one suspends in it
// does not issue any more. With `schedule: round_robin` the one behind whoever had its turn last comes first, whatever
// it was; a path's end, in the cycle behind its s_endpgm, is a turn too. The oldest path is the one whose context has
// been in use longest. Where several units act in one cycle, another one is the first in each cycle.
#pragma once

#include "models/machine/machine_config.h"
#include "tests/splitting/path_program.h"

namespace pws::test {

struct path_issue {
  uint64_t cycle = 0;  // from the one in which the last wavefront comes to the program's first barrier
  uint32_t wavefront = 0;
  uint64_t work_items = 0;  // of the path
  size_t instruction = 0;
  uint64_t active = 0;  // work-items that execute it
  bool operator==(const path_issue& o) const {
    return cycle == o.cycle && wavefront == o.wavefront && work_items == o.work_items && instruction == o.instruction &&
           active == o.active;
  }
  bool operator<(const path_issue& o) const {
    if (cycle != o.cycle) return cycle < o.cycle;
    return wavefront != o.wavefront ? wavefront < o.wavefront : work_items < o.work_items;
  }
};

// What a workgroup of `work_items` issues behind that barrier, in order. `begin`: the machine's cycle that is cycle 0.
std::vector<path_issue> predict(const path_program& program, const models::machine_config& machine, uint32_t work_items,
                                uint64_t begin);

}  // namespace pws::test
