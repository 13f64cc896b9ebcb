// SPDX-License-Identifier: Apache-2.0
// What a divergence scheme counts. Plain data; the report adds the compute units up.
#pragma once

#include "models/machine/counter_list.h"

namespace pws::models {

struct divergence_statistics {
  uint64_t splits = 0;      // SWFs created; stack: splits with two sides
  uint64_t one_sided = 0;   // splits of which one side had no work-item
  uint64_t no_context = 0;  // splits that found no free SWF context: both sides went on serially
  uint64_t merges = 0;      // SWFs joined with their parent; stack: of two sides
  uint64_t deepest = 0;     // stack: most entries that a wavefront had; most convergence barriers that a path had open
  // Paths that take turns: turns that paths had after others, and times that one yielded
  uint64_t turns = 0, yields = 0;
  // Warp-split table, and paths that take turns
  uint64_t most_splits = 0;  // paths that a wavefront had at a time
  uint64_t late = 0;  // merges passed by work-items whose other side passed it by itself: what follows runs twice

  static const counter_list<divergence_statistics>& rows();
};

}  // namespace pws::models
