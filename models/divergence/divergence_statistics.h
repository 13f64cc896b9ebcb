// SPDX-License-Identifier: Apache-2.0
// What a divergence scheme counts. Plain data; the report adds the compute units up.
#pragma once

#include <algorithm>
#include <cstdint>

#include "models/machine/counter_list.h"

namespace pws::models {

struct divergence_statistics {
  uint64_t splits = 0;      // SWFs created; stack: splits with two sides
  uint64_t one_sided = 0;   // splits of which one side had no work-item
  uint64_t no_context = 0;  // splits that found no free SWF context: both sides went on serially
  uint64_t merges = 0;      // SWFs joined with their parent; stack: of two sides
  uint64_t deepest = 0;     // stack: most entries that a wavefront had
  // Paths that take turns: turns that paths had after others, and times that one yielded; most convergence barriers
  // that a path had open, and most paths of a wavefront at a time
  uint64_t turns = 0, yields = 0, open_barriers = 0, paths_in_turn = 0;
  // Warp-split table
  uint64_t most_splits = 0;  // that a wavefront had at a time
  uint64_t late = 0;  // merges passed by work-items whose other side passed it by itself: what follows runs twice

  // What storage is needed for: levels of nesting, and paths beside each other, whatever the scheme calls them.
  uint64_t levels() const { return std::max(deepest, open_barriers); }
  uint64_t paths() const { return std::max(most_splits, paths_in_turn); }

  static const counter_list<divergence_statistics>& rows();
};

}  // namespace pws::models
