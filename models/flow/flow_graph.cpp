// SPDX-License-Identifier: Apache-2.0
#include "models/flow/flow_graph.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/isa/code/decode.h"
#include "models/isa/operands.h"
#include "models/isa/predicates.h"

namespace pws::cfg {

namespace {

bool is_direct_branch(const isa::inst& i) {
  return branch_condition_of(i) != isa::branch_condition::none;
}

// A branch of which the code does not say where it goes, or not all of it: s_cbranch_g_fork, s_cbranch_join, ...
bool is_open_branch(const isa::inst& i) {
  return i.unit == isa::unit::branch && !is_direct_branch(i) && !is_call(i) && !ends_function(i);
}

// What lies behind it may be executed next.
bool goes_on(const isa::inst& i) {
  return !ends_function(i) && !is_open_branch(i) && branch_condition_of(i) != isa::branch_condition::always;
}

// s_cbranch_i_fork has a target without being a direct branch: it may go on elsewhere too.
bool has_target(const isa::inst& i) {
  return is_direct_branch(i) || (is_open_branch(i) && i.target != 0);
}

uint64_t behind(const isa::inst& i) {
  return i.pc + i.bytes();
}

// The instruction behind k, or instructions.size().
size_t following(const function_code& code, size_t k) {
  const uint64_t pc = behind(code.instructions[k]);
  if (k + 1 < code.instructions.size() && code.instructions[k + 1].pc == pc) return k + 1;
  return code.at(pc);
}

[[noreturn]] void refuse(const function_code& code, const isa::inst& i, const std::string& problem) {
  throw input_error(fmt::format("{}+0x{:x}: {}: {}", code.name, i.pc - code.begin(), isa::disassemble(i), problem));
}

// Refuses functions that have no graph.
void require_graph(const function_code& code) {
  for (const isa::inst& i : code.instructions) {
    if (is_open_branch(i)) refuse(code, i, "the code does not say where this branch goes");
    if (is_direct_branch(i) && code.at(i.target) == code.instructions.size())
      refuse(code, i, "the target is not an instruction of the function");
  }
  // Clang puts nothing behind the call of a function that does not return, as a failed assert's.
  if (goes_on(code.instructions.back()) && !is_call(code.instructions.back()))
    refuse(code, code.instructions.back(), "the code runs off the end of the function");
}

// A vector ALU instruction with a vector register.
bool names_vectors(const isa::inst& i) {
  if (i.native < isa::format::vop1 || i.native > isa::format::vopc) return false;
  const auto is_vector = [](const isa::inst::run& r) { return r.is_vgpr; };
  return std::any_of(i.reads, i.reads + i.n_reads, is_vector) ||
         std::any_of(i.writes, i.writes + i.n_writes, is_vector);
}

// The instructions of a region, by dword.
class region_decoder {
 public:
  explicit region_decoder(isa::program& code) : code_(code), found_((code.end() - code.begin()) / 4) {}

  // From the address on: as far as nobody has been, and no further than the instructions go on.
  void follow(uint64_t pc) {
    while (const isa::inst* i = add(pc)) {
      if (!goes_on(*i)) return;
      pc = behind(*i);
    }
  }
  void sweep() {
    for (uint64_t pc = code_.begin(); pc < code_.end();) {
      const isa::inst* i = add(pc);
      pc = i == nullptr ? pc + 4 : behind(*i);
    }
  }
  void follow_targets() {
    while (!targets_.empty()) {
      const uint64_t pc = targets_.back();
      targets_.pop_back();
      follow(pc);
    }
  }
  function_code result() const {
    function_code out;
    for (const isa::inst* i : found_)
      if (i != nullptr) out.instructions.push_back(*i);
    mark_indexed_vectors(out);
    return out;
  }

 private:
  // nullptr: it is there already, or is no instruction.
  const isa::inst* add(uint64_t pc) {
    if (pc < code_.begin() || pc >= code_.end()) return nullptr;
    const isa::inst*& place = found_[(pc - code_.begin()) / 4];
    if (place != nullptr) return nullptr;
    try {
      place = &code_.at(pc);
    } catch (const program_error&) {
      return nullptr;
    }
    if (has_target(*place)) targets_.push_back(place->target);
    return place;
  }

  isa::program& code_;
  std::vector<const isa::inst*> found_;
  std::vector<uint64_t> targets_;  // to be followed
};

}  // namespace

bool ends_function(const isa::inst& i) {
  const isa::operation does = operation_of(i);
  return does == isa::operation::end_program || does == isa::operation::set_pc || does == isa::operation::trap;
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
  mark_indexed_vectors(code);
  return code;
}

void mark_indexed_vectors(function_code& code) {
  const auto may_index = [](const isa::inst& i) {
    return (isa::operands_of(i).mode_written & isa::mode_indexing) != 0;
  };
  if (std::none_of(code.instructions.begin(), code.instructions.end(), may_index)) return;
  for (isa::inst& i : code.instructions) i.relative_index = i.relative_index || names_vectors(i);
}

function_code decode_region(isa::program& code) {
  region_decoder region(code);
  region.sweep();
  region.follow_targets();
  return region.result();
}

flow_graph::flow_graph(const function_code& code, const std::vector<added_branch>& added) : code_(&code) {
  require_graph(code);
  find_leaders(added);
  connect(added);
  order(1);
}

flow_graph::flow_graph(const function_code& code, whole_region) : code_(&code) {
  find_leaders({});
  connect({});
  order(blocks_.size());
}

flow_graph flow_graph::of_region(const function_code& code) {
  return {code, whole_region()};
}

void flow_graph::find_leaders(const std::vector<added_branch>& added) {
  const auto& instructions = code_->instructions;
  const size_t n = instructions.size();
  std::vector<bool> leader(n + 1, false);
  leader[0] = true;
  for (size_t k = 0; k < n; ++k) {
    const isa::inst& i = instructions[k];
    if (!goes_on(i) || is_direct_branch(i)) leader[k + 1] = true;
    if (has_target(i)) leader[code_->at(i.target)] = true;
    if (const size_t next = following(*code_, k); next != k + 1) leader[k + 1] = leader[next] = true;
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
  for (basic_block& block : blocks_) {
    const isa::inst& last = instructions[block.last()];
    const auto add = [&](size_t target) {
      if (target == instructions.size()) {
        block.leaves = true;
        return;
      }
      const size_t to = block_of_[target];
      if (std::find(block.successors.begin(), block.successors.end(), to) == block.successors.end())
        block.successors.push_back(to);
    };
    if (goes_on(last)) add(following(*code_, block.last()));
    if (is_direct_branch(last)) add(code_->at(last.target));
    if (ends_function(last) || is_open_branch(last)) block.leaves = true;
    for (const added_branch& a : added)
      if (a.after == block.last()) add(a.target);
  }
  for (size_t b = 0; b < blocks_.size(); ++b)
    for (const size_t s : blocks_[b].successors) blocks_[s].predecessors.push_back(b);
}

void flow_graph::order(size_t roots) {
  reachable_.assign(blocks_.size(), false);
  for (size_t root = 0; root < roots; ++root)
    if (!reachable_[root]) visit(root);
  std::reverse(order_.begin(), order_.end());
}

void flow_graph::visit(size_t root) {
  // With an explicit stack: generated code nests deeper than a thread's stack may.
  struct visited {
    size_t block;
    size_t next;
  };
  std::vector<visited> stack{{root, 0}};
  reachable_[root] = true;
  while (!stack.empty()) {
    visited& top = stack.back();
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
}

}  // namespace pws::cfg
