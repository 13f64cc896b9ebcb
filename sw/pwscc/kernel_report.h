// SPDX-License-Identifier: Apache-2.0
// What the finished code of a kernel is made of: the static columns of Table I of the predication paper (004), and the
// uniform branches that the compiler missed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pws::pwscc {

// A function of LLVM's IR behind the optimiser, before code is generated from it.
struct ir_structure {
  uint64_t blocks = 0;
  uint64_t regions = 0;  // single-entry single-exit, at any depth, without the function itself
  uint64_t loops = 0;
  uint64_t branches = 0;  // conditional ones
  uint64_t switches = 0;
};

// A branch that the code serialises (it takes work-items out of EXEC) although all active work-items take the same side
// in every run, as our own analysis of the machine code proves (sw/wcet/uniformity).
struct missed_branch {
  std::string file;            // source file; empty if the assembly has no line information
  uint32_t line = 0;           // 0: unknown
  uint32_t column = 0;         // 0: unknown
  uint32_t assembly_line = 0;  // of the instruction that narrows EXEC, in the finished code; from 1
  std::string instruction;     // disassembled
  std::string origin;          // what the condition comes from: names of wcet::condition_origin
};

struct kernel_report {
  std::string function;  // mangled
  bool has_structure = false;
  ir_structure structure;
  uint64_t blocks = 0;  // of the machine code
  uint64_t uniform = 0, checks = 0, loop_branches = 0, other = 0;
  uint64_t vgprs = 0, sgprs = 0, mask_pairs = 0;
  std::vector<missed_branch> missed;  // in the order of the code
};

// Describes the kernels in `assembly`. `structure`: by function, from read_structure(). Throws input_error as
// place_splits does.
std::vector<kernel_report> describe_kernels(const std::string& assembly, const std::string& name,
                                            const std::map<std::string, ir_structure>& structure);

// What the compiler's plugin wrote: lines "function blocks regions loops branches switches".
std::map<std::string, ir_structure> read_structure(const std::string& text);

}  // namespace pws::pwscc
