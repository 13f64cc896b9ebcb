// SPDX-License-Identifier: Apache-2.0
// In which ranges registers are where loops begin, and sources of instructions in loops: what counting their passes
// takes from the analysis of lane values, which holds for all wavefronts of the launch.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "models/flow/flow_graph.h"
#include "models/isa/wave_state.h"
#include "sw/cfg/natural_loops.h"
#include "sw/wcet/lanes/lane_state.h"
#include "sw/wcet/lanes/lane_word_set.h"

namespace pws::wcet {

// A register by one number: scalar registers by their own, vector registers behind them.
using register_place = size_t;
constexpr register_place place_of_vector(size_t row) {
  return isa::scalar_count + row;
}
// The first of an operand's registers; nothing: it is none.
std::optional<register_place> place_of(const isa::operand& o);

// Two words that may be one number of 64 bits.
struct word_pair {
  word_set low = word_set::any(), high = word_set::constant(0);
};

class value_ranges {
 public:
  // Keeps references.
  value_ranges(const cfg::flow_graph& graph, const cfg::loop_forest& forest);

  // To be called for all that the analysis visits (lane_value_analysis.h).
  void visit(size_t instruction, const lane_state& before);
  void visit_edge(size_t from, size_t to, const lane_state& after);

  // What the n-th value that the instruction computes with (operand_list::value) may be, in any active lane of any
  // wavefront. Nothing: not asked of, or never executed.
  std::optional<word_pair> source(size_t instruction, unsigned n) const;
  // Whether all active lanes of a wavefront surely have the same result of a compare.
  bool alike(size_t compare) const { return differing_.count(compare) == 0; }
  // What the register may hold when the loop with that header is entered.
  word_set entering(size_t header, register_place place) const;
  // Whether every wavefront of the launch comes to the block: no way that may be taken leads past it to the end.
  bool surely_comes_to(size_t block) const;
  // False: no wavefront of the launch comes to it.
  bool is_entered(size_t header) const { return entries_.count(header) != 0; }

 private:
  const cfg::flow_graph& graph_;
  const cfg::loop_forest& forest_;
  std::map<std::pair<size_t, unsigned>, word_pair> sources_;
  std::set<size_t> differing_;                       // instructions whose sources may differ from lane to lane
  std::map<size_t, std::vector<word_set>> entries_;  // by header, by place
  std::set<std::pair<size_t, size_t>> edges_;        // that may be taken
};

}  // namespace pws::wcet
