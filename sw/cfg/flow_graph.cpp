#include "sw/cfg/flow_graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/isa/predicates.h"

namespace pws::cfg {

namespace {

bool is_direct_branch(const isa::inst& i) {
  return branch_condition_of(i) != isa::branch_condition::none;
}

[[noreturn]] void refuse(const function_code& code, const isa::inst& i, const std::string& problem) {
  throw input_error(fmt::format("{}+0x{:x}: {}: {}", code.name, i.pc - code.begin(), isa::disassemble(i), problem));
}

}  // namespace

bool ends_function(const isa::inst& i) {
  return operation_of(i) == isa::operation::end_program || operation_of(i) == isa::operation::set_pc;
}

size_t function_code::at(uint64_t pc) const {
  const auto found = std::lower_bound(instructions.begin(), instructions.end(), pc,
                                      [](const isa::inst& i, uint64_t address) { return i.pc < address; });
  if (found == instructions.end() || found->pc != pc) return instructions.size();
  return static_cast<size_t>(found - instructions.begin());
}

function_code decode_function(std::string name, const uint32_t* words, size_t n_words, uint64_t begin) {
  if (n_words == 0) throw input_error(name + ": the function is empty");
  function_code code;
  code.name = std::move(name);
  for (size_t k = 0; k < n_words;) {
    code.instructions.push_back(
        isa::decode(words + k, static_cast<unsigned>(std::min<size_t>(2, n_words - k)), begin + 4 * k));
    k += code.instructions.back().dwords;
  }
  return code;
}

flow_graph::flow_graph(const function_code& code, const std::vector<added_branch>& added) : code_(&code) {
  find_leaders(added);
  connect(added);
  order();
}

void flow_graph::find_leaders(const std::vector<added_branch>& added) {
  const auto& instructions = code_->instructions;
  const size_t n = instructions.size();
  std::vector<bool> leader(n + 1, false);
  leader[0] = true;
  for (size_t k = 0; k < n; ++k) {
    const isa::inst& i = instructions[k];
    if (ends_function(i)) leader[k + 1] = true;
    if (!is_direct_branch(i)) {
      if (i.unit == isa::unit::branch && !is_call(i) && !ends_function(i))
        refuse(*code_, i, "the code does not say where this branch goes");
      continue;
    }
    const size_t target = code_->at(i.target);
    if (target == n) refuse(*code_, i, "the target is not an instruction of the function");
    leader[target] = leader[k + 1] = true;
  }
  for (const added_branch& a : added) leader[a.after + 1] = leader[a.target] = true;
  block_of_.resize(n);
  for (size_t k = 0; k < n; ++k) {
    if (leader[k]) {
      blocks_.emplace_back();
      blocks_.back().first = k;
    }
    blocks_.back().end = k + 1;
    block_of_[k] = blocks_.size() - 1;
  }
}

void flow_graph::connect(const std::vector<added_branch>& added) {
  const auto& instructions = code_->instructions;
  for (size_t b = 0; b < blocks_.size(); ++b) {
    basic_block& block = blocks_[b];
    const isa::inst& last = instructions[block.last()];
    const bool goes_on = !ends_function(last) && branch_condition_of(last) != isa::branch_condition::always;
    if (goes_on) {
      if (block.end == instructions.size()) refuse(*code_, last, "the code runs off the end of the function");
      block.successors.push_back(b + 1);
    }
    const auto add = [&](size_t target) {
      const size_t to = block_of_[target];
      if (std::find(block.successors.begin(), block.successors.end(), to) == block.successors.end())
        block.successors.push_back(to);
    };
    if (is_direct_branch(last)) add(code_->at(last.target));
    for (const added_branch& a : added)
      if (a.after == block.last()) add(a.target);
  }
  for (size_t b = 0; b < blocks_.size(); ++b)
    for (const size_t s : blocks_[b].successors) blocks_[s].predecessors.push_back(b);
}

void flow_graph::order() {
  reachable_.assign(blocks_.size(), false);
  // Depth first with an explicit stack: generated code nests deeper than a thread's stack may.
  struct visit {
    size_t block;
    size_t next;
  };
  std::vector<visit> stack{{0, 0}};
  reachable_[0] = true;
  while (!stack.empty()) {
    visit& top = stack.back();
    // The last successor first, so that what follows in memory comes first in reverse postorder.
    const auto& successors = blocks_[top.block].successors;
    if (top.next == successors.size()) {
      order_.push_back(top.block);
      stack.pop_back();
      continue;
    }
    const size_t s = successors[successors.size() - 1 - top.next++];
    if (reachable_[s]) continue;
    reachable_[s] = true;
    stack.push_back({s, 0});
  }
  std::reverse(order_.begin(), order_.end());
}

}  // namespace pws::cfg
