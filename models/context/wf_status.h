// SPDX-License-Identifier: Apache-2.0
// What a context does, and why it did not issue.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace pws::models {

// Values appear in the VCD; append only.
enum class wf_status : uint8_t {
  idle = 0,     // no wavefront
  running = 1,  // its next instruction is being fetched, waits for operands or a unit, or issues
  waitcnt = 2,  // at s_waitcnt, or at an instruction whose counter is full
  barrier = 3,
  merge = 4,        // at a merge, waits for the other side
  draining = 5,     // past s_endpgm, memory operations or a fetch still on their way
  ended = 6,        // ended; the context is freed with its workgroup, or when the SWFs split off it have ended
  suspended = 7,    // its scheme lets another path go first
  grid_barrier = 8  // at a barrier of all workgroups of its launch
};
constexpr size_t n_wf_statuses = static_cast<size_t>(wf_status::grid_barrier) + 1;
const char* name_of(wf_status s);
// It stands at its next instruction, which can issue or waits for what it needs.
constexpr bool stands(wf_status s) {
  return s == wf_status::running || s == wf_status::waitcnt;
}

// What a wavefront and its workgroup count of a context with this status; wf_context::become() keeps the counts.
struct status_counts {
  bool path = false;        // it is not suspended, does not wait at a merge and has not ended
  bool running = false;     // it has not reached s_endpgm: barriers wait for it
  bool at_barrier = false;  // it waits at one
  constexpr bool operator==(const status_counts& o) const {
    return path == o.path && running == o.running && at_barrier == o.at_barrier;
  }
};
constexpr status_counts counts_of(wf_status s) {
  constexpr std::array<status_counts, n_wf_statuses> table{{{},
                                                            {true, true, false},
                                                            {true, true, false},
                                                            {true, true, true},
                                                            {false, true, false},
                                                            {true, false, false},
                                                            {},
                                                            {false, true, false},
                                                            {true, true, false}}};
  return table[static_cast<size_t>(s)];
}

// Why a context did not issue; cycles are charged to one reason each.
enum class stall : uint8_t { fetch, operand, unit_busy, memory, barrier, other, merge, count };
const char* name_of(stall s);

}  // namespace pws::models
