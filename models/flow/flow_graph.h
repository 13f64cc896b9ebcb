// SPDX-License-Identifier: Apache-2.0
// The control flow graph of machine code: of one function, or of a whole region of it as a machine loads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "models/isa/code/program.h"
#include "models/isa/inst.h"

namespace pws::cfg {

// Instructions in ascending order of their addresses; all else here names them by their index. Those of a function
// follow each other without gaps; between those of a region there may be data.
struct function_code {
  std::string name;
  std::vector<isa::inst> instructions;

  uint64_t begin() const { return instructions.front().pc; }
  uint64_t end() const { return instructions.back().pc + instructions.back().bytes(); }
  // The instruction at that address, or instructions.size() if none begins there.
  size_t at(uint64_t pc) const;
};

// Where the code may switch VGPR indexing on, M0 may choose the vector registers of every vector ALU instruction: they
// are marked as `relative_index`, as v_movrel* are. For whoever puts a function together; decode_function and
// decode_region have done it.
void mark_indexed_vectors(function_code& code);

// Decodes `n_words` dwords that lie at device address `begin`. Throws program_error for what does not decode, naming
// the address, and input_error for an empty function.
function_code decode_function(std::string name, const uint32_t* words, size_t n_words, uint64_t begin);
// What can be executed of a region of several functions with data or padding between them: the instructions that follow
// each other from the region's begin to its end, and those at targets of branches, where these lie in the middle of
// others. Words that do not decode are skipped; data that decodes is taken for instructions. May be empty.
function_code decode_region(isa::program& code);

// Instructions that run one after the other.
struct basic_block {
  size_t first = 0, end = 0;         // instructions [first, end), at least one
  std::vector<size_t> successors;    // blocks; what follows in memory first
  std::vector<size_t> predecessors;  // blocks, ascending
  bool leaves = false;               // the code may end behind it, or go on elsewhere
  size_t last() const { return end - 1; }
};

// A conditional branch that the code does not have but may: from behind `after` to `target`. Clang leaves out the skip
// over a few instructions; the graph with it is the one to reason about.
struct added_branch {
  size_t after = 0;
  size_t target = 0;
};

class flow_graph {
 public:
  // Throws input_error naming function and address for a branch out of the function or into the middle of an
  // instruction, code that runs off its end, and branches whose target the code does not say (s_setpc_b64 other
  // than as a return, s_cbranch_g_fork, ...): these have no graph. s_swappc_b64 is a call: it goes on behind itself or,
  // where nothing comes behind it, is one of a function that does not return.
  explicit flow_graph(const function_code& code, const std::vector<added_branch>& added = {});
  // The graph of a region. Ways out are branches that leave it, branches whose target the code does not say, and code
  // that runs into data or off the end. Whatever no branch leads to may be called from elsewhere: every block is
  // reachable.
  static flow_graph of_region(const function_code& code);

  const function_code& code() const { return *code_; }
  const basic_block& operator[](size_t block) const { return blocks_[block]; }
  size_t size() const { return blocks_.size(); }
  size_t block_of(size_t instruction) const { return block_of_[instruction]; }
  bool reachable(size_t block) const { return reachable_[block]; }
  // Reachable blocks, each before its successors but for back edges.
  const std::vector<size_t>& reverse_postorder() const { return order_; }

 private:
  struct whole_region {};
  flow_graph(const function_code& code, whole_region);
  void find_leaders(const std::vector<added_branch>& added);
  void connect(const std::vector<added_branch>& added);
  // Depth first from each of the first `roots` blocks that has not been reached yet.
  void order(size_t roots);
  void visit(size_t root);

  const function_code* code_;
  std::vector<basic_block> blocks_;
  std::vector<size_t> block_of_;
  std::vector<bool> reachable_;
  std::vector<size_t> order_;
};

// s_endpgm, a return (s_setpc_b64) or s_trap, at which the machine stops the program: nothing of the function comes
// after it.
bool ends_function(const isa::inst& i);

}  // namespace pws::cfg
