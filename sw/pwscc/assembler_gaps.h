// SPDX-License-Identifier: Apache-2.0
// Instructions that clang's code generator writes, and that clang's assembler refuses: LLVM before 18 counts M0 as a
// second scalar operand of v_writelane_b32, though the lane's number does not go by the constant bus (LLVM's pull
// request 78827).
#pragma once

#include <string>

namespace pws::pwscc {

// The assembly with such instructions as data of the same words, which every version takes. Lines stay where they are.
std::string without_assembler_gaps(const std::string& assembly);

}  // namespace pws::pwscc
