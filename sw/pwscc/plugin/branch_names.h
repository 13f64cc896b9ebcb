// SPDX-License-Identifier: Apache-2.0
// PWS_SPLIT: the instructions of the branch that follows a mark get its number.
#pragma once

namespace llvm {
class Module;
}

namespace pws::pwscc {

// Whether the module had marks. The number is the discriminator of the instructions' debug locations: it goes where
// they go, through whatever the optimiser does, into the line tables of the assembly (assembly_line::branch_of_mark),
// and no code depends on it.
bool name_branches(llvm::Module& module);

}  // namespace pws::pwscc
