// SPDX-License-Identifier: Apache-2.0
// What a wavefront's worst case is made of: which instruction takes how much of E_WF, and why.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sw/cfg/marked_loop.h"
#include "sw/wcet/kernel/wavefront_bound.h"

namespace pws::platform {

// Cycles are of E_WF: of the longest path, as often as E_WF counts it (barrier_effect::factor).
struct path_cost {
  // How often it is executed: on the longest path, which of parts of a split wavefront is the chain that ends last; and
  // by all parts together, whose memory and LDS slots count.
  uint64_t executions = 0, by_all_parts = 0;
  uint64_t issue = 0;   // issue slots and latency; e_s and e_m; of a branch, what its target costs
  uint64_t memory = 0;  // slots of memory and LDS
  uint64_t wait = 0;    // until data are there
  uint64_t other = 0;   // delays by wavefronts that end early; a whole block, where block times are measured

  uint64_t cycles() const { return issue + memory + wait + other; }
  // Executions are those of the one that has most.
  path_cost& operator+=(const path_cost& o);
};

struct path_costs {
  std::vector<path_cost> instructions;  // of the code, in its order
  // Cycles that are no instruction's: where counts are an approximation, what they leave of the bound.
  uint64_t rest = 0;
  // Counts are an approximation that gives more than the bound: all cycles are scaled down to it.
  bool scaled = false;
};

// Their sum is E_WF. `code` is that of the bound.
path_costs costs_of(const wcet::analysed_kernel& code, const wcet::wavefront_bound& b);

// A line of the source. Line 0: what has no line.
struct source_cost {
  std::string file;
  uint32_t line = 0;
  path_cost cost;
  std::vector<size_t> instructions;
};
// All that the kernel has code from, by file and line, what has no line first. Their sum and `rest` is E_WF.
std::vector<source_cost> costs_by_line(const wcet::analysed_kernel& code, const path_costs& costs);

// How much one execution of an access takes at most: "2 lines", "1 line or 4 LDS passes". Empty: nothing.
std::string amount_text(const wcet::access_bound& a);
// What is known of an access: "load: at most 2 lines: 64 lanes x 4 bytes, contiguous, 4-byte aligned". Empty: it is no
// access, or none that is reached.
std::string access_text(const wcet::analysed_kernel& code, size_t instruction);
// The same of several instructions; what is said of more than one is said once, with their number.
std::vector<std::string> access_texts(const wcet::analysed_kernel& code, const std::vector<size_t>& instructions);

}  // namespace pws::platform
