// SPDX-License-Identifier: Apache-2.0
// The registers of divergence schemes as waveform and debug window show them: paths that each have a context, the
// registers of predictable wavefront splitting, and reconvergence stacks.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "models/context/context_map.h"
#include "models/context/wf_context.h"

namespace pws::models {

// The waveform has this many of a list's registers, the first ones; the debug window has room for more.
constexpr uint32_t listed_in_waveform = 8;

// A register that a divergence scheme keeps for a context.
struct shown_register {
  std::string name;            // below the context's scope in the waveform
  unsigned bits = 0;           // in the waveform; 0: not there
  uint64_t record_offset = 0;  // in the context's record of the debug window (models/dispatch/debug_window.h)
  unsigned record_bytes = 0;
};

// ---- Paths that each have a context: PC and work-items of every path, the wavefront's own context first

// Where they stand in the record of the wavefront's context in the debug window.
namespace paths_record {
constexpr uint64_t count = 0x38;    // 32 bits
constexpr uint64_t entries = 0x40;  // in the order in which the paths were cut
constexpr uint64_t entry_bytes = 16;
constexpr uint64_t pc = 0, mask = 8;    // in an entry, 64 bits each
constexpr uint32_t entries_shown = 60;  // what a record has room for
}  // namespace paths_record

std::vector<shown_register> shown_paths();
// Their values, in that order, of the wavefront in `root`.
void show_paths(const wf_context& root, uint64_t* values);

// ---- Predictable wavefront splitting: a context's parent and its child stack

// Where they stand in a context's record of the debug window.
namespace split_record {
constexpr uint64_t parent = 0x24;
constexpr uint64_t child_depth = 0x38;
constexpr uint64_t children = 0x40;
constexpr unsigned child_bytes = 2;
}  // namespace split_record

// With the first entries of a child stack in the waveform and all of them in the debug window.
std::vector<shown_register> shown_split_registers(uint32_t child_stack_entries);
void show_split_registers(const context_map& contexts, const wf_context& c, uint64_t* values);

// ---- A reconvergence stack: its entries, outermost first, with PC and mask of both sides and the merge where they
// meet

// Where they stand in a context's record of the debug window. An entry's mask is 0 for a side that does not run any
// more: it has no work-items, stands at its merge, or has ended.
namespace stack_record {
constexpr uint64_t path = 0x24;  // 32 bits: which sides of the innermost entry issue, the sum of:
constexpr uint64_t left_issues = 1, right_issues = 2;
constexpr uint64_t depth = 0x38;    // 32 bits: entries
constexpr uint64_t entries = 0x40;  // outermost first
constexpr uint64_t entry_bytes = 40;
constexpr uint64_t left_pc = 0, left_mask = 8, right_pc = 16, right_mask = 24, rpc = 32;  // in an entry, 64 bits each
constexpr uint32_t entries_shown = 23;                                                    // what a record has room for
}  // namespace stack_record

// With the first entries in the waveform. `limit`: entries that a stack can have.
std::vector<shown_register> shown_stack(uint32_t limit);

// A side of a split as the waveform shows it.
struct stack_side {
  uint64_t pc = 0, mask = 0;
};

// Their values, in that order, of a stack with `depth` entries.
class stack_values {
 public:
  stack_values(uint32_t limit, uint32_t depth, uint64_t* values);
  void path(uint64_t issuing) { values_[0] = issuing; }
  // The entries of `stack`, outermost first, each with `left`, `right` and `rpc`. `side_of(path, inside)` is where a
  // path is and which work-items it has; one that is split is `inside`: it goes on where the entry inside meets, with
  // the work-items of both its sides. `running` is that for the innermost entry.
  template <class Stack, class SideOf>
  void entries(const Stack& stack, const stack_side& running, SideOf side_of);

 private:
  // Entry `k`, 0 the outermost; one that is not shown may be set too.
  void entry(uint32_t k, const stack_side& left, const stack_side& right, uint64_t rpc);
  const uint32_t shown_;
  uint64_t* const values_;
};

template <class Stack, class SideOf>
void stack_values::entries(const Stack& stack, const stack_side& running, SideOf side_of) {
  stack_side inside = running;
  for (size_t k = stack.size(); k-- > 0;) {
    const auto& e = stack[k];
    uint64_t had = 0;
    const auto side = [&](const auto& path) -> stack_side {
      using place = std::decay_t<decltype(path.where)>;
      if (path.where == place::nowhere) return {};
      const stack_side there = side_of(path, inside);
      had |= there.mask;
      return {there.pc, path.where == place::at_merge ? 0 : there.mask};
    };
    const stack_side left = side(e.left), right = side(e.right);
    entry(static_cast<uint32_t>(k), left, right, e.rpc);
    inside = {e.rpc, had};
  }
}

}  // namespace pws::models
