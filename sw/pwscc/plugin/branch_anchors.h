// SPDX-License-Identifier: Apache-2.0
// Anchors in LLVM's IR, and which marked branches need one: those that line tables cannot name.
#pragma once

#include <string>

namespace llvm {
class Instruction;
class Module;
}  // namespace llvm

namespace pws::pwscc {

// Puts the anchor's text (anchor_text.h) there, as inline assembly without an instruction.
void put_anchor(llvm::Instruction* before, const std::string& anchor);

// Looks for the branches of marks (branch_names.h) in the optimised module, and returns whether it had marks. The code
// generator forgets where a branch was: a branch is named by the instruction of its condition, if that is in its block
// and has the mark's number. Any other branch gets an anchor (anchor_text.h). Where the branch itself is gone, the
// branches of functions that are inlined in the condition get one: they may have taken its place. Where there are none,
// the optimiser has removed the branch, and the mark's records say so.
bool anchor_branches(llvm::Module& module);

}  // namespace pws::pwscc
