// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/mark_matching.h"

#include <algorithm>

#include "models/isa/opcode_row.h"
#include "sw/cfg/scalar_set.h"

namespace pws::pwscc {

namespace {

// Instructions that say where the branch is in the source, the best first: the narrowing one, the skip, and what
// computes the mask, back through the block.
std::vector<size_t> witnesses(const cfg::flow_graph& graph, const cfg::divergent_branch& branch) {
  std::vector<size_t> out{branch.skip.narrow};
  if (!branch.skip.missing) out.push_back(branch.skip.after);
  const auto& code = graph.code().instructions;
  cfg::scalar_set wanted = cfg::scalars_read(code[branch.skip.narrow]);
  wanted.reset(isa::exec_lo);
  wanted.reset(isa::exec_hi);
  wanted.reset(cfg::scc_bit);
  for (size_t k = branch.skip.narrow; wanted.any() && k-- > graph[graph.block_of(branch.skip.narrow)].first;) {
    const cfg::scalar_set written = cfg::scalars_written(code[k]);
    if ((written & wanted).none()) continue;
    out.push_back(k);
    wanted &= ~written;
    // Masks are joined by the scalar unit; a compare is where the condition was.
    if (code[k].unit != isa::unit::salu) continue;
    cfg::scalar_set sources = cfg::scalars_read(code[k]);
    sources.reset(isa::exec_lo);
    sources.reset(isa::exec_hi);
    sources.reset(cfg::scc_bit);
    wanted |= sources;
  }
  return out;
}

}  // namespace

cfg::source_place place_of_branch(const assembly_file& file, const assembled_kernel& kernel,
                                  const cfg::flow_graph& graph, const cfg::divergent_branch& branch) {
  for (const size_t k : witnesses(graph, branch)) {
    cfg::source_place place = file.place_of(kernel.line_of[k]);
    if (place.line != 0) return place;
  }
  return {};
}

std::vector<bool> mark_matcher::marked(const assembly_file& file, const assembled_kernel& kernel,
                                       const cfg::flow_graph& graph,
                                       const std::vector<cfg::divergent_branch>& branches) {
  std::vector<bool> out(branches.size(), false);
  std::vector<std::vector<size_t>> at;
  for (const cfg::divergent_branch& b : branches) at.push_back(witnesses(graph, b));
  for (size_t m = 0; m < marks_.size(); ++m) {
    if (marks_[m].what != source_mark::kind::split || !marks_[m].names_branch) continue;
    std::vector<size_t> here;
    for (size_t k = 0; k < branches.size(); ++k)
      if (std::any_of(at[k].begin(), at[k].end(),
                      [&](size_t i) { return file.lines()[kernel.line_of[i]].branch_of_mark == marks_[m].number; }))
        here.push_back(k);
    const auto two_sided = [&](size_t k) { return branches[k].what == cfg::divergent_branch::kind::if_else; };
    const bool any_two_sided = std::any_of(here.begin(), here.end(), two_sided);
    for (const size_t k : here)
      if (!any_two_sided || two_sided(k)) out[k] = true;
    if (!here.empty()) used_[m] = true;
  }
  return out;
}

std::vector<mark_report> mark_matcher::lost() const {
  std::vector<mark_report> out;
  for (size_t m = 0; m < marks_.size(); ++m) {
    if (used_[m] || marks_[m].what != source_mark::kind::split) continue;
    out.push_back(
        {marks_[m], !marks_[m].names_branch
                        ? "no if, for, while, do or switch follows it"
                        : "the compiled kernels have no divergent branch there: the condition is the same for all "
                          "work-items, both sides became selects, or the function is called"});
  }
  return out;
}

}  // namespace pws::pwscc
