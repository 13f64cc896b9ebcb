// SPDX-License-Identifier: Apache-2.0
// The instructions by which a program keeps EXEC around its splits and merges. A machine whose stack keeps masks needs
// none of them: there, one push and one pop are a branch's whole cost (machine.fold_mask_instructions).
//
//     s_and_saveexec_b64 D, cond    folded: EXEC is written, or the other side's mask made of it,
//     s_xor_b64 S, exec, D          right before a split
//     split exec_lo, exec_hi        the push
//     s_cbranch_execz BSB           the branch
//     then side
//   BSB:
//     s_andn2_saveexec_b64 D, S     folded: in the block that the split's branch leads to, where it turns to the other
//     side, s_cbranch_execz END           with the skip of that else side
//   END:
//     s_or_b64 exec, exec, D        folded: right before a merge
//     merge                         the pop
//
// Instructions that carry lane masks over a merge are no part of it: they compute values of the program.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/isa/code/program.h"

namespace pws::cfg {

class mask_instructions {
 public:
  // Whether the program's instruction at `pc` is one of them. The program is looked through once.
  bool contains(isa::program& code, uint64_t pc);

 private:
  std::unordered_map<uint64_t, std::vector<bool>> folded_;  // by the program's number; then by dword
};

}  // namespace pws::cfg
