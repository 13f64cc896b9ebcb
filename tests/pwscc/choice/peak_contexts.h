// SPDX-License-Identifier: Apache-2.0
// How many SWF contexts a choice of splits needs, counted by itself: what select() and choose_splits() must keep to.
#pragma once

#include <cstddef>

#include "sw/cfg/cost_graph.h"

namespace pws::cfg::test {

// The most SWF contexts in use at one time, whatever the timing, if the branches `chosen` are split (they need neither
// be marked nor splittable). In sequence, or on different paths of a uniform branch: the largest need. A split branch:
// one, and the needs of both its sides, as these run at the same time. An unsplit branch: the larger need of its two
// sides. A loop: its body's need. The wavefront itself is not counted, as it has its WF context.
//
// Takes O(n log n). Throws std::invalid_argument for a malformed graph and for ids that are not in it.
size_t peak_contexts(const cost_graph& graph, const split_set& chosen);

}  // namespace pws::cfg::test
