// SPDX-License-Identifier: Apache-2.0
// Scalar registers whose value the compiler says is undefined at a place. clang writes them in comments. From version
// 16 on, it gives a constant from one side of a branch to the other in a scalar register, which on the other paths
// around a loop is undefined. Read without the comments, its old value seems to be needed behind the merge.
#pragma once

#include <vector>

#include "models/flow/flow_graph.h"
#include "sw/cfg/scalar_set.h"
#include "sw/pwscc/assembled_kernel.h"
#include "sw/pwscc/assembly_file.h"

namespace pws::pwscc {

// Per instruction of the kernel, what is undefined in front of it: what the comments "implicit-def: $sgpr4_sgpr5" say
// that stand between it and the instruction before it, in front of a block behind the last label. Comments in inline
// assembly are not the compiler's.
std::vector<cfg::scalar_set> undefined_scalars(const assembly_file& file, const assembled_kernel& kernel,
                                               const cfg::flow_graph& graph);

}  // namespace pws::pwscc
