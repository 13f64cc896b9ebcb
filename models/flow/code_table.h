// SPDX-License-Identifier: Apache-2.0
// What is known of a loaded program's control flow before it runs: its blocks, and where the sides of each conditional
// branch meet again. Schemes of the machine and its software ask it by address.
//
// A program is a whole code region: functions, and data between them (flow_graph::of_region). The sides of a branch
// meet at the first instruction of the branch's immediate post-dominator, the nearest block that every way from the
// branch to an end of the code goes through. There is none where ways end at different places, and none where no way
// from the branch ends: the sides of a branch in a loop without an exit meet nowhere. Where only some ways never end,
// those that end decide.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/isa/code/program.h"
#include "models/isa/inst.h"

namespace pws::cfg {

class code_table {
 public:
  static constexpr uint32_t none = ~uint32_t{0};

  // A basic block.
  struct block {
    uint64_t begin = 0, last = 0, end = 0;  // device addresses: its first and last instruction, and behind that
    uint32_t instructions = 0;
    uint32_t post_dominator = none;    // the immediate one, a block
    std::vector<uint32_t> successors;  // blocks; what follows in memory first
  };

  // Reads the program from end to end, once. What does not decode is passed over.
  explicit code_table(isa::program& code);

  // In ascending order of their addresses.
  const std::vector<block>& blocks() const { return blocks_; }

  // All of these take any address and cost one look into an array.
  // The block, by its place in blocks(), with an instruction there; none: no instruction begins at that address.
  uint32_t block_of(uint64_t pc) const {
    const uint64_t k = dword(pc);
    return k < block_of_.size() ? block_of_[k] : none;
  }
  bool begins_block(uint64_t pc) const {
    const uint32_t b = block_of(pc);
    return b != none && blocks_[b].begin == pc;
  }
  // The immediate post-dominator of some conditional branch begins there.
  bool is_post_dominator(uint64_t pc) const {
    const uint64_t k = dword(pc);
    return k < post_dominator_.size() && post_dominator_[k];
  }

 private:
  // The index of the program's dword at `pc`; an index past the end if `pc` is no address of a dword in it.
  uint64_t dword(uint64_t pc) const { return (pc & 3) == 0 ? (pc - begin_) >> 2 : ~uint64_t{0}; }

  uint64_t begin_;
  std::vector<block> blocks_;
  std::vector<uint32_t> block_of_;    // by dword
  std::vector<bool> post_dominator_;  // by dword
};

// The tables of the programs that a machine has loaded, each made when it is first asked for.
class code_tables {
 public:
  const code_table& of(isa::program& code) { return tables_.try_emplace(code.number(), code).first->second; }

 private:
  std::unordered_map<uint64_t, code_table> tables_;  // by the program's number
};

}  // namespace pws::cfg
