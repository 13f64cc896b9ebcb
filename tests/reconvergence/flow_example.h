// SPDX-License-Identifier: Apache-2.0
// Small programs with traces through them, written by hand or at random.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "models/flow/code_table.h"
#include "sw/reconvergence/trace.h"

namespace pws::test {

// Blocks named A, B, C, ... in the order of the code. A trace is its blocks' names, with | for a barrier.
class flow_example {
 public:
  struct block {
    uint32_t instructions;             // its branch included
    std::vector<unsigned> successors;  // none: it ends; one; or two, the first of which is the next block
  };
  explicit flow_example(const std::vector<block>& blocks);

  const cfg::code_table& code() const { return *code_; }
  const reconvergence::pass_table& passes() const { return passes_; }
  uint64_t place(char name) const { return code_->blocks()[static_cast<size_t>(name - 'A')].begin; }
  reconvergence::trace trace(const std::string& names) const;
  reconvergence::warp warp(const std::vector<std::string>& traces) const;
  // Work-items that go through the program, deciding at random; at most `longest` blocks.
  reconvergence::warp random_warp(std::mt19937& random, size_t work_items, size_t longest) const;
  // "A:0123 B:01 C:23": each slot's block, and its members.
  std::string text(const reconvergence::schedule& s) const;
  uint64_t time(const reconvergence::schedule& s) const { return time_of(s, passes_); }

 private:
  std::vector<block> blocks_;
  std::vector<uint32_t> words_;
  std::unique_ptr<cfg::code_table> code_;
  reconvergence::pass_table passes_;
};

// A program of random shape, with loops and several ends.
flow_example random_example(std::mt19937& random);

// Empty if every work-item goes through all of its passes, in their order and to each barrier with the others if
// `barriers`; else what is wrong.
std::string not_an_order_of(const reconvergence::warp& w, const reconvergence::schedule& s, bool barriers = true);

}  // namespace pws::test
