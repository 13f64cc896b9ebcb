// Random programs of nested branches and loops, and what they cost by walking them: independent of cfg::cost_graph.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "sw/cfg/cost_graph.h"

namespace pws::test {

struct statement;
using sequence = std::vector<statement>;

struct statement {
  enum class kind : uint8_t { block, divergent, uniform, loop };
  kind what = kind::block;
  uint64_t cycles = 0;      // of the block; divergent: of u, uniform: of the branch
  uint64_t bsb_cycles = 0;  // divergent
  size_t id = 0;            // divergent
  bool splittable = false;
  bool has_else = true;
  uint64_t bound = 0;      // loop
  sequence first, second;  // sides; a loop's body
};

struct program_shape {
  unsigned branches = 12;  // at most
  unsigned depth = 6;
  bool loops = true;
};
// `branches` is counted down and numbers them from 0.
sequence random_program(std::mt19937_64& random, const program_shape& shape, unsigned& branches);

// Runs both sides of a branch that is not split one after the other, at the same time those of one that is.
uint64_t cycles_of(const sequence& program, const cfg::split_set& splits, uint64_t overhead);
unsigned contexts_of(const sequence& program, const cfg::split_set& splits);
void collect_splittable(const sequence& program, std::vector<size_t>& ids);

cfg::cost_graph graph_of(const sequence& program);

}  // namespace pws::test
