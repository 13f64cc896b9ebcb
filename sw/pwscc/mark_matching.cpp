// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/mark_matching.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

#include "models/isa/opcode_row.h"
#include "sw/cfg/scalar_set.h"
#include "sw/pwscc/anchor_text.h"

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

// The anchors of marks in front of the branch: in its block, and behind what narrowed EXEC before.
std::vector<branch_anchor> anchors_of(const assembly_file& file, const assembled_kernel& kernel,
                                      const cfg::flow_graph& graph, const cfg::divergent_branch& branch) {
  const auto& code = graph.code().instructions;
  const size_t first = graph[graph.block_of(branch.skip.narrow)].first;
  size_t from = branch.skip.narrow;
  while (from > first && !code[from - 1].writes_exec) --from;
  std::vector<branch_anchor> out;
  for (size_t k = from == 0 ? kernel.where.label : kernel.line_of[from - 1]; k < kernel.line_of[branch.skip.narrow];
       ++k) {
    const assembly_line& line = file.lines()[k];
    // What is in front of a block's label belongs to the block before.
    if (line.what == assembly_line::kind::label && line.statement.rfind(".Ltmp", 0) != 0) out.clear();
    if (line.what != assembly_line::kind::other) continue;
    if (const auto a = read_branch_anchor(line.text)) out.push_back(*a);
  }
  return out;
}

// Whether the anchor alone says that the branch is the mark's.
bool decides(const branch_anchor& a) {
  return a.inlined.line == 0 || a.of == 1;
}

std::string text_of(const branch_anchor::place& place) {
  return fmt::format("{}:{}", std::filesystem::path(place.file).filename().string(), place.line);
}

}  // namespace

cfg::source_place place_of_branch(const assembly_file& file, const assembled_kernel& kernel,
                                  const cfg::flow_graph& graph, const cfg::divergent_branch& branch) {
  for (const branch_anchor& a : anchors_of(file, kernel, graph, branch))
    if (decides(a)) return {a.statement.file, a.statement.line, a.statement.column};
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
  std::vector<std::set<uint32_t>> anchored(branches.size());  // the marks
  for (size_t k = 0; k < branches.size(); ++k) {
    at.push_back(witnesses(graph, branches[k]));
    for (const branch_anchor& a : anchors_of(file, kernel, graph, branches[k])) {
      if (decides(a))
        anchored[k].insert(a.mark);
      else
        inlined_[a.mark].insert(text_of(a.inlined));
    }
  }
  for (size_t m = 0; m < marks_.size(); ++m) {
    if (marks_[m].what != source_mark::kind::split || !marks_[m].names_branch) continue;
    std::vector<size_t> here;
    for (size_t k = 0; k < branches.size(); ++k)
      if (anchored[k].count(marks_[m].number) != 0 || std::any_of(at[k].begin(), at[k].end(), [&](size_t i) {
            return file.lines()[kernel.line_of[i]].branch_of_mark == marks_[m].number;
          }))
        here.push_back(k);
    const auto two_sided = [&](size_t k) { return branches[k].what == cfg::divergent_branch::kind::if_else; };
    const bool any_two_sided = std::any_of(here.begin(), here.end(), two_sided);
    for (const size_t k : here)
      if (!any_two_sided || two_sided(k)) out[k] = true;
    if (!here.empty()) used_[m] = true;
  }
  return out;
}

std::string mark_matcher::why_lost(const source_mark& mark) const {
  if (!mark.names_branch) return "no if, for, while, do or switch follows it";
  if (mark.branch_removed)
    return "the optimiser has left no branch there: both sides became selects, the condition is known, or nothing "
           "leads "
           "there";
  if (const auto found = inlined_.find(mark.number); found != inlined_.end())
    return fmt::format(
        "the optimiser has made its branch one with those of what is inlined in its condition ({}), and none of them "
        "is "
        "it alone: mark one of these",
        fmt::join(found->second, ", "));
  return "the compiled kernels have no divergent branch there: the condition is the same for all work-items, or the "
         "function is called";
}

std::vector<mark_report> mark_matcher::lost() const {
  std::vector<mark_report> out;
  for (size_t m = 0; m < marks_.size(); ++m)
    if (!used_[m] && marks_[m].what == source_mark::kind::split) out.push_back({marks_[m], why_lost(marks_[m])});
  return out;
}

}  // namespace pws::pwscc
