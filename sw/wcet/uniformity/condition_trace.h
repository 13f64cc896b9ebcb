// SPDX-License-Identifier: Apache-2.0
// Where the condition of a branch comes from: a walk back through the instructions that compute it.
#pragma once

#include <optional>
#include <set>
#include <vector>

#include "sw/wcet/uniformity/branch_uniformity.h"

namespace pws::wcet {

// The operands of instructions that may differ between active work-items, as far as the analysis knows; bit n: src[n],
// bit old_value: the destination, where that is read too.
struct varying_operands {
  static constexpr unsigned old_value = 7;
  uint8_t bits = 0;
  bool at(unsigned n) const { return (bits >> n & 1) != 0; }
};

class condition_trace {
 public:
  condition_trace(const cfg::flow_graph& graph, const std::vector<varying_operands>& varying)
      : graph_(graph), code_(graph.code().instructions), varying_(varying) {}

  // Fills in origin and chain, following operands that may differ if the branch may be divergent.
  void follow(branch_uniformity& b) const;

 private:
  struct definitions {
    std::vector<size_t> instructions;  // ascending
    bool at_entry = false;             // it may be what the wavefront starts with
  };
  definitions reaching(const isa::operand& o, size_t before) const;
  bool writes(const isa::inst& i, const isa::operand& o) const;
  std::optional<condition_origin> generates(size_t instruction) const;
  // What `instruction` reads that matters: operands that may differ, or all of them.
  std::vector<isa::operand> operands_of(size_t instruction, bool varying) const;
  bool varying_from(const isa::operand& o, size_t before, branch_uniformity& b, std::set<size_t>& seen) const;
  bool uniform_from(const isa::operand& o, size_t before, branch_uniformity& b, std::set<size_t>& seen) const;

  const cfg::flow_graph& graph_;
  const std::vector<isa::inst>& code_;
  const std::vector<varying_operands>& varying_;
};

// The operands that say who takes which side: masks, or what v_cmpx compares.
std::vector<unsigned> condition_operands(const isa::inst& i, cfg::branch_kind kind);

}  // namespace pws::wcet
