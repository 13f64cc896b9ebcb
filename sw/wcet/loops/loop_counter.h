// SPDX-License-Identifier: Apache-2.0
// Counts flow facts while a kernel runs: how often each work-item of a wavefront passes the anchors of each marked
// loop, and the instruction that a bound of a machine loop is about. Knows nothing of the machine: it is told which
// instruction comes next, for which work-items.
//
// What is counted belongs to work-items, as vector registers do, so that it needs nothing at a split or a merge. What
// happens at an instruction is found in a table by its address; most have an empty entry.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "models/flow/flow_graph.h"
#include "sw/cfg/marked_loop.h"

namespace pws::wcet {

class loop_counter {
 public:
  static constexpr size_t lanes = 64;
  static constexpr uint32_t outside = ~uint32_t{0};  // the place of an instruction that is not the kernel's

  // Keeps only addresses (from the code's beginning) and branch targets of the code.
  loop_counter(const cfg::function_code& code, std::vector<cfg::marked_loop> loops);

  // Counts of one wavefront, by loop and work-item.
  using counts = std::vector<std::array<uint64_t, lanes>>;

  // How a flow fact does not hold.
  struct violation {
    const cfg::marked_loop* loop = nullptr;
    int lane = 0;       // the first work-item that takes one iteration more than the bound
    bool idle = false;  // instead: no work-item is active at an anchor
  };

  const std::vector<cfg::marked_loop>& loops() const { return loops_; }
  // Where the instruction at `offset` bytes from the code's beginning stands, for what follows.
  uint32_t place_of(uint64_t offset) const {
    const uint64_t place = offset / 4;
    return place < first_step_.size() - 1 ? static_cast<uint32_t>(place) : outside;
  }
  counts zero() const { return counts(loops_.size(), std::array<uint64_t, lanes>{}); }
  // True if anything is counted or set to 0 at the instruction.
  bool concerns(uint32_t place) const { return first_step_[place] != first_step_[place + 1]; }
  // The instruction there is about to be executed by `active` work-items of `owned`, those that the context has;
  // `before`: the instruction that it executed last. Of the first loop that breaks its bound, or the assumption that
  // only active work-items come to its anchors (loop_bounds.h); after that the counts mean nothing.
  std::optional<violation> pass(counts& of, uint32_t place, uint32_t before, uint64_t active, uint64_t owned) const;

  // "loop at FILE:LINE took N iterations, PWS_LOOP_BOUND says N - 1"
  std::string text_of(const violation& v) const;

 private:
  // What an instruction does to the counts of one loop: iterations that end before it is reached anew, how many it
  // takes between two entries, and iterations since the last one.
  struct step {
    uint32_t loop = 0;
    bool enters = false;
    bool of_machine = false;  // bound of a machine loop: all of the context's work-items count
    bool leaves = false;      // of a computed bound: the loop may have been left
    uint64_t before = 0;      // iterations in front of the first entry
    uint64_t between = 0;     // the most between two entries
    uint64_t after = 0;       // iterations behind the last entry
  };
  void add_anchors(uint32_t loop, std::vector<std::vector<step>>& steps) const;
  void add_machine_loop(uint32_t loop, const cfg::function_code& code, std::vector<std::vector<step>>& steps);

  std::string name_;
  std::vector<cfg::marked_loop> loops_;
  std::vector<uint32_t> place_of_instruction_;
  std::vector<std::vector<bool>> in_machine_loop_;  // by loop and place; empty: anchors are counted
  std::vector<uint32_t> first_step_;                // by place, and one more
  std::vector<step> steps_;
};

}  // namespace pws::wcet
