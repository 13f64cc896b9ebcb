// SPDX-License-Identifier: Apache-2.0
// Anchors: comments in the assembly that say where a loop statement of the source is reached and where its body begins,
// and which branch is a marked one. pwscc's compiler plugin writes them, in inline assembly; assembly by hand may have
// those of loops too.
//
//     ;pws.loop enter 3 bound 8 mark 79 "dir/file.hip" statement 78 in 2
//     ;pws.loop iterate 3
//     ;pws.loop missed 4 bound 8 mark 95 "dir/file.hip" statement 90
//
// `enter N`: the loop statement numbered N is reached, in front of its first test. `iterate N`: its body begins, which
// happens at most `bound` times for each time that it is reached, in each work-item. A copy of the code has copies of
// its anchors, with the same number. Numbers are unique in a file. The rest is what an `enter` says of the loop; in an
// assembly by hand "bound" is enough. `missed N` stands where a mark does that not every iteration of the loop passes;
// it ends with "entered" where the loop can be entered behind it.
//
//     ;pws.split 5 "dir/file.hip" 29 7
//     ;pws.split 6 "dir/file.hip" 41 7 inlined "dir/file.hip" 16 9 of 2
//
// The next divergent branch of the block is that of the PWS_SPLIT with this number, at that line and column. `inlined`:
// it was one of a function that is inlined in the marked condition, at the second place, and there are that many.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pws::pwscc {

struct loop_anchor {
  enum class kind : uint8_t { enter, iterate, missed };
  kind what = kind::enter;
  uint32_t id = 0;
  // Not of an `iterate`.
  uint64_t bound = 0;
  uint32_t line = 0;            // of the mark; 0: the bound is stated elsewhere ("stated")
  std::string file;             // as the compiler names it
  uint32_t statement_line = 0;  // where the loop statement begins; 0: unknown
  // The nearest loop with anchors around it in the same function; 0: none. `directly`: no other loop lies between.
  uint32_t parent = 0;
  bool directly = false;
  // For a `missed`: the loop can be entered behind the mark, by a switch or a goto.
  bool entered_behind = false;
  // Another loop statement, of this line (0: unknown), goes back to the same place and has no mark.
  bool shared = false;
  uint32_t other_line = 0;
};

struct branch_anchor {
  struct place {
    std::string file;  // as the compiler names it
    uint32_t line = 0, column = 0;
  };
  uint32_t mark = 0;  // number
  place statement;    // of the condition
  place inlined;      // line 0: the branch is the statement's own
  uint32_t of = 1;    // inlined: how many such branches there are
};

std::string text_of(const loop_anchor& anchor);
std::string text_of(const branch_anchor& anchor);
// Reads an anchor from a line of assembly. Nothing: it is no anchor. Throws input_error for one that is damaged.
std::optional<loop_anchor> read_anchor(std::string_view line);
std::optional<branch_anchor> read_branch_anchor(std::string_view line);

}  // namespace pws::pwscc
