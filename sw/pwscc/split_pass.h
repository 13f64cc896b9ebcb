// SPDX-License-Identifier: Apache-2.0
// The compiler pass that places split and merge in gfx803 assembly (PWS paper 4.2; thesis Fig. 4.4).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/enum_names.h"
#include "sw/pwscc/hand_splits.h"
#include "sw/pwscc/kernel_report.h"
#include "sw/pwscc/predication.h"
#include "sw/pwscc/source_mark.h"
#include "sw/wcet/instructions/machine_timing.h"

namespace pws::pwscc {

// Which divergent branches become split points.
enum class split_choice : uint8_t {
  none,       // the assembly stays as it is; branches are reported
  marked,     // those with a PWS_SPLIT, as far as Select (paper, Algorithm 1) finds SWF contexts for them
  all,        // every one that can be split
  automatic,  // the set that minimises the wavefront's worst case within S contexts, and never lengthens it
};

constexpr auto enumerators(split_choice) {
  using e = split_choice;
  return std::array{named{e::none, "none"}, named{e::marked, "marked"}, named{e::all, "all"},
                    named{e::automatic, "auto"}};
}

// Which splits code has that manages divergence so, if `d` is not none.
constexpr split_choice splits_of(divergence_code d) {
  return d == divergence_code::s ? split_choice::all : split_choice::none;
}

struct pass_options {
  split_choice choice = split_choice::marked;
  unsigned swf_contexts = 1;  // S: SpSIMD units per SIMD unit
  uint32_t split_cycles = 1;  // e_s, what `automatic` charges for a split
  uint32_t merge_cycles = 1;  // e_m
  // The predictable machine that `automatic` chooses for; its `split` and `merge` are those above. Nothing: another
  // machine, on which an instruction takes instruction_cycles and memory nothing.
  std::optional<wcet::machine_timing> machine;
  uint32_t instruction_cycles = 4;
  uint64_t default_loop_bound = 16;  // `automatic`: iterations of a loop without PWS_LOOP_BOUND
  std::vector<source_mark> marks;
};

// A divergent branch, and what became of it.
struct branch_report {
  std::string function;        // as in the assembly (mangled)
  std::string file;            // source file as the compiler names it; empty if the assembly has no line information
  uint32_t line = 0;           // 0: unknown
  uint32_t column = 0;         // 0: unknown
  uint32_t assembly_line = 0;  // of the instruction that narrows EXEC, in the pass's input; from 1
  bool marked = false;
  bool by_hand = false;  // marked by a split in the source, and by no PWS_SPLIT
  bool split = false;
  unsigned carried_masks = 0;  // lane masks that go through a vector register at its merge
  std::string reason;          // why it is not split; with `split`, what else is worth knowing, or empty
  std::string merge;           // split: the place of what its merge stands in front of; empty: unknown
};

// A mark that belongs to no branch or loop.
struct mark_report {
  source_mark mark;
  std::string reason;
};

struct pass_report {
  std::vector<branch_report> branches;  // in the order of the assembly
  std::vector<mark_report> lost_marks;
  std::vector<hand_report> by_hand;
  std::vector<check_report> checks;    // with --divergence=p, ps, psr; in the order of the assembly
  std::vector<kernel_report> kernels;  // of the finished code, if asked for
};

struct pass_result {
  std::string assembly;
  pass_report report;
};

// Places split and merge in the kernels of `assembly`, as clang 15 writes it with -S (with or without line tables).
// `name` is what messages call it. Throws input_error with name:line for assembly that it cannot read.
pass_result place_splits(const std::string& assembly, const std::string& name, const pass_options& options);

}  // namespace pws::pwscc
