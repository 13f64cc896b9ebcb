// SPDX-License-Identifier: Apache-2.0
// Random structured programs as their threads see them, and as gfx803 assembly: what the warp formation machines run,
// and what an independent model of them walks through.
//
// A program is a loop around a barrier that is gone through twice. In the first pass all conditions are true and loops
// have one iteration, so that every instruction is fetched; in the second each work-item goes by its own words. A
// branch tests a bit of the work-item's condition word, or of its complement (the other side of an if/else).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tests/splitting/random_kernels.h"

namespace pws::test {

constexpr unsigned loop_levels = 4;  // of nested loops

// What an instruction does to its thread, as far as branches depend on it.
enum class thread_effect : uint8_t {
  none,
  rotate,             // condition word, one to the right
  rotate_complement,  // the other one
  set_trips,          // loop counter of `level`: a field of the trip word
  count_down,         // it
  set_rounds,         // counter of the loop that all threads go round equally often
  count_round,        // it
};
enum class thread_branch : uint8_t {
  none,
  always,
  condition_false,   // bit `bit` of the condition word is 0
  complement_false,  // bit `bit` of its complement is 0
  trips_left,        // the loop counter of `level` is not 0
  rounds_left,
  last_pass,
};
enum class thread_unit : uint8_t { vector, quarter_rate_vector, scalar, branch, idle, barrier };

struct thread_instruction {
  std::string text;  // assembly; the branch's target is not in it
  thread_unit unit = thread_unit::scalar;
  std::vector<unsigned> registers = {};  // vector registers and VCC that it reads or writes
  std::vector<unsigned> results = {};    // those that it writes
  thread_effect effect = thread_effect::none;
  thread_branch branch = thread_branch::none;
  unsigned bit = 0, level = 0;  // bit: first bit of the field too; rounds
  unsigned cycles = 1;          // idle
  size_t target = 0;            // of a branch; the program's size: its end
};

class thread_program {
 public:
  explicit thread_program(uint64_t seed);

  // The first is the barrier at which a pass begins and ends.
  const std::vector<thread_instruction>& code() const { return code_; }
  work_item_words words_of(uint32_t work_item) const { return words_.of(work_item); }
  // Instructions at which the two ways of some conditional branch meet: its immediate post-dominator.
  std::vector<bool> post_dominators() const;
  // The kernel's code; its labels begin with `name`.
  std::string assembly(const std::string& name) const;

 private:
  class writer;
  std::vector<thread_instruction> code_;
  word_source words_;
};

// An assembly file with kernels k0, k1, ...
std::string assembly_of(const std::vector<thread_program>& programs);

}  // namespace pws::test
