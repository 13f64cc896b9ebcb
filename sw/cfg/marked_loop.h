// SPDX-License-Identifier: Apache-2.0
// What a PWS_LOOP_BOUND or a bound in a run file says, in terms of the machine code: a flow fact.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace pws::cfg {

// A place in the source that machine code came from.
struct source_place {
  std::string file;   // as the compiler names it, with its folder; empty: unknown
  uint32_t line = 0;  // 0: unknown
  uint32_t column = 0;
};

// A loop statement of the source. Each time a work-item passes one of `entries`, it passes `iterations` at most `bound`
// times before it passes one of `entries` again, or for ever.
struct marked_loop {
  static constexpr size_t none = static_cast<size_t>(-1);

  uint64_t bound = 0;
  std::string from;    // "PWS_LOOP_BOUND", "wcet.loops"
  source_place place;  // of the loop statement; line 0: unknown
  // Instructions with an anchor in front of them or, at a block's end, behind them. One with two anchors is there
  // twice.
  std::vector<size_t> entries, iterations;
  // The same anchors in the order in which they stand in the code, for those of both kinds at one instruction. Empty:
  // an entry comes before an iteration there.
  struct anchor {
    size_t instruction = 0;
    bool enters = false;
  };
  std::vector<anchor> anchors;
  // The nearest marked loop around it, in the same function of the source (an index, or none). `directly`: no loop
  // without a mark lies between, so that it is reached at most once for each iteration of that one.
  size_t parent = none;
  bool directly = false;
  // A bound on a loop of the machine code: by instruction, whether it is in the loop. Reached is the loop then whenever
  // it is entered from outside, and `entries` is empty.
  std::vector<bool> in_loop;
  // That bound was computed from others. A run that breaks it has most likely broken one of those, which is to be named
  // then: so it is looked at a little later, when the loop is left or has gone round once more.
  bool computed = false;
};

}  // namespace pws::cfg
