// SPDX-License-Identifier: Apache-2.0
// Programs in situations that random ones, and kernels of compilers, meet seldom or never, for co-simulation.
#pragma once

#include "tests/cosim/directed_programs.h"

namespace pws::test {

// DPP between rows, in place and not, at full and at quarter rate, with all work-items and with all but one.
directed_programs moves_between_rows();
// Child stacks up to their last entries: splits in which all work-items are on one side, and inside them one whose SWF
// comes back, ends before its merge, or goes on in place of its parent.
directed_programs deep_child_stacks();
// M0 as each instruction that writes it leaves it, handed over by a split.
directed_programs m0_handed_over();
// Hardware registers, whole, some cycles behind each instruction that changes one. STATUS is the model's to read.
directed_programs hardware_registers_read();
// Vector registers above v31.
directed_programs high_vector_registers();
// What the unit leaves to the model: VGPR indexing mode, and two scalar registers in a vector instruction.
directed_programs left_to_the_model();
// Whether a report may name that instruction among those that the model executed, in these and in random programs.
bool is_left_to_the_model(const std::string& name);
// A vector instruction with the scalar registers s90 and `other`, as source 1 or 2.
std::string two_scalars(unsigned other, unsigned source);

}  // namespace pws::test
