// SPDX-License-Identifier: Apache-2.0
// What an instruction does to what is known of the registers.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

#include "models/flow/flow_graph.h"
#include "models/isa/operation.h"
#include "sw/cfg/exec_tracking.h"
#include "sw/wcet/lanes/lane_number.h"
#include "sw/wcet/lanes/lane_state.h"
#include "sw/wcet/launch_facts.h"

namespace pws::wcet {

class lane_transfer {
 public:
  // Keeps references.
  lane_transfer(const cfg::flow_graph& graph, const launch_facts& facts);

  // The state after the instruction. For a split it covers all that the split can make.
  void apply(lane_state& s, size_t instruction) const;

  // What a split makes where EXEC, SpM and its mask are numbers: in each case what holds from there on. Nothing: they
  // are not, or it is no split.
  struct split_cases {
    lane_state whole;
    std::optional<lane_state> first, second;  // not there: it surely makes no parts
  };
  std::optional<split_cases> cases_of(const lane_state& s, size_t instruction) const;
  // At a merge, what holds of both parts behind it.
  lane_state merged(const lane_state& first, const lane_state& second, size_t merge) const;

  // The number of EXEC as it is when the loop with that header block is entered; nothing if there are too many masks.
  std::optional<unsigned> mask_of_loop(size_t header) const;

 private:
  struct split_region {
    std::vector<bool> written;  // by vector register
    mask_set before;            // masks saved elsewhere
  };
  void number_masks();
  void find_split_regions();
  void execute(lane_state& s, size_t instruction) const;
  split_region region_of(const std::vector<size_t>& instructions) const;
  void note_lanes_of_others(const std::vector<size_t>& instructions);

  unsigned save_sides(lane_state& s, size_t instruction) const;
  void scalar_instruction(lane_state& s, size_t instruction) const;
  void vector_instruction(lane_state& s, size_t instruction) const;
  void scalar_load(lane_state& s, const isa::inst& i) const;
  void vector_load(lane_state& s, const isa::inst& i) const;
  // Into which buffers the result leads, if it is an address (lane_buffers.cpp).
  buffer_set buffers_of_result(const lane_state& s, const isa::inst& i) const;
  void note_loaded_pointers(lane_state& s, const isa::inst& i) const;

  const cfg::flow_graph& graph_;
  const launch_facts& facts_;
  std::map<size_t, unsigned> mask_saved_by_;  // instruction to number
  std::map<size_t, unsigned> mask_of_loop_;   // header block to number
  // s_xor_b64 that makes the other side's lanes of what a branch has narrowed: numbers of this side's and the other's.
  std::map<size_t, std::pair<unsigned, unsigned>> sides_of_;
  std::map<size_t, split_region> merges_;  // by the merge instruction
  // By instruction in a split region: vector registers that a part may write in lanes of the other, at any time.
  std::map<size_t, std::set<unsigned>> written_by_others_;
  cfg::exec_tracking activity_;
  std::optional<uint32_t> mode_;  // MODE as the launch sets it, if the code does not change how numbers are rounded
};

// --- Operands --------------------------------------------------------------------------------------

lane_value source(const lane_state& s, const isa::operand& o);      // 32 bits
lane_pair source64(const lane_state& s, const isa::operand& o);     // a 32-bit one: upper half 0
lane_mask source_mask(const lane_state& s, const isa::operand& o);  // 64 bits
word_set scalar_source(const lane_state& s, const isa::operand& o);
// What an integer compare of a vector register with something says of that; null: nothing, or something is modified.
std::shared_ptr<const compared_row> comparison_of(const lane_state& s, const isa::inst& compare);
// The compare of scalars by which the block's last instruction branches. Nothing: it does not branch by SCC, something
// else has set that, or a register that was compared has been written since.
std::optional<size_t> scalar_compare_of(const cfg::flow_graph& graph, size_t block);
// Behind that branch, where the compare has come out set or clear: what it says of the numbers compared.
void suppose(lane_state& s, const isa::inst& compare, bool set);
// Whatever the instruction writes may hold anything.
void forget_results(lane_state& s, const isa::inst& i);

// What the bytes at that distance into a known block hold, as a dword; nothing if they are beyond its end.
std::optional<uint32_t> dword_at(const std::vector<uint8_t>& block, uint64_t distance);

}  // namespace pws::wcet
