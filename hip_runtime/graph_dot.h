// SPDX-License-Identifier: Apache-2.0
// A graph as Graphviz reads it.
#pragma once

#include <string>

#include "hip_runtime/context.h"

namespace pws::hip {

// A node of the drawing for each operation, and an arrow to each that comes after it; a child graph is a cluster.
// `flags` of hipGraphDebugDotFlags choose what is said of the operations.
std::string dot_of(context& c, const graph& g, unsigned flags);

}  // namespace pws::hip
