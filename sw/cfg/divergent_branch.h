// SPDX-License-Identifier: Apache-2.0
// Divergent branches as clang leaves them in GCN3 code: EXEC is narrowed to one side's work-items, and a branch skips
// the side if none is left (PWS paper Fig. 7, thesis Fig. 4.4).
//
//     s_and_saveexec_b64 D, cond       narrows; D: EXEC before
//     s_xor_b64 S, exec, D             S: the other side's work-items
//     s_cbranch_execz BSB              the skip; clang leaves it out where the side is short,
//                                      and puts a side that it expects to be rare elsewhere: s_cbranch_execnz SIDE
//     then side
//   BSB:                               the branch serialization block
//     s_andn2_saveexec_b64 D, S        or s_or_saveexec_b64 D, S; ...; s_xor_b64 exec, exec, D
//     s_cbranch_execz END
//     else side
//   END:
//     s_or_b64 exec, exec, D           restores
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "models/flow/flow_graph.h"

namespace pws::cfg {

constexpr unsigned no_pair = static_cast<unsigned>(-1);

// A branch that skips code if EXEC is empty.
struct exec_skip {
  size_t narrow = 0;  // instruction that writes EXEC
  size_t after = 0;   // the branch, or where it is missing the instruction that it belongs behind
  size_t target = 0;  // instruction
  bool missing = false;
};

struct divergent_branch {
  enum class kind : uint8_t {
    if_else,    // two sides and a BSB
    if_only,    // one side; the others wait
    loop_exit,  // work-items leave a loop one by one
    unknown     // EXEC is narrowed in a way that is none of these
  };
  kind what = kind::unknown;
  exec_skip skip;                    // over the first side
  exec_skip bsb;                     // if_else: over the second; bsb.target is where both sides are through
  unsigned restored_from = no_pair;  // scalar register pair that the EXEC of before is restored from
};

// All of them, in the order of the code. Each has a skip branch in the code, or both a recognised beginning and end.
std::vector<divergent_branch> find_divergent_branches(const function_code& code);

// The skips that the code does not have, of the branches with two sides.
std::vector<added_branch> missing_skips(const std::vector<divergent_branch>& branches);

// True for s_or_b64 exec, exec, PAIR and s_mov_b64 exec, PAIR.
bool restores_exec(const isa::inst& i, unsigned pair);

}  // namespace pws::cfg
