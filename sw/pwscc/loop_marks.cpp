// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/loop_marks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string_view>

#include "base/error.h"
#include "models/flow/dominators.h"
#include "sw/cfg/natural_loops.h"
#include "sw/pwscc/anchor_text.h"

namespace pws::pwscc {

namespace {

using kind = assembly_line::kind;

std::set<std::string, std::less<>> branch_targets(const assembly_file& file, const assembly_file::kernel_lines& where) {
  std::set<std::string, std::less<>> out;
  for (size_t k = where.label; k < where.end; ++k) {
    const assembly_line& line = file.lines()[k];
    if (line.what != kind::instruction) continue;
    const auto [word, rest] = first_word(line.statement);
    if (word.substr(0, 8) == "s_branch" || word.substr(0, 9) == "s_cbranch") out.emplace(rest);
  }
  return out;
}

bool ends_block(std::string_view statement) {
  const std::string_view word = first_word(statement).first;
  return word.substr(0, 8) == "s_branch" || word.substr(0, 9) == "s_cbranch" || word.substr(0, 8) == "s_endpgm" ||
         word.substr(0, 7) == "s_setpc" || word.substr(0, 6) == "s_swap";
}
bool may_write_exec(std::string_view statement) {
  return statement.find("exec") != std::string_view::npos || statement.substr(0, 6) == "v_cmpx";
}

class anchor_finder {
 public:
  anchor_finder(const assembly_file& file, const assembly_file::kernel_lines& where)
      : file_(file), where_(where), targets_(branch_targets(file, where)) {}

  static constexpr size_t none = static_cast<size_t>(-1);
  // The line of an instruction in the anchor's block that the same work-items execute: the next one or, where the block
  // ends, the one before. none: there is none.
  size_t home(size_t anchor) const {
    for (size_t k = anchor + 1; k < where_.end && !begins_block(k); ++k)
      if (is_code(k)) return k;
    for (size_t k = anchor; k-- > where_.label && !begins_block(k + 1);) {
      if (!is_code(k)) continue;
      const std::string& s = file_.lines()[k].statement;
      return ends_block(s) || may_write_exec(s) ? none : k;
    }
    return none;
  }

 private:
  bool is_code(size_t k) const { return file_.lines()[k].what == kind::instruction && !file_.lines()[k].in_macro; }
  bool begins_block(size_t k) const {
    const assembly_line& line = file_.lines()[k];
    if (line.what != kind::label) return false;
    return targets_.count(line.statement.substr(0, line.statement.size() - 1)) != 0;
  }

  const assembly_file& file_;
  const assembly_file::kernel_lines& where_;
  std::set<std::string, std::less<>> targets_;
};

std::optional<loop_anchor> anchor_at(const assembly_file& file, size_t line) {
  if (file.lines()[line].what != kind::other) return std::nullopt;
  try {
    return read_anchor(file.lines()[line].text);
  } catch (const input_error& e) {
    throw input_error(fmt::format("{}:{}: {}", file.name(), line + 1, e.what()));
  }
}

}  // namespace

std::string with_anchored_blocks(const std::string& assembly, const std::string& name) {
  if (assembly.find(";pws.loop") == std::string::npos) return assembly;
  assembly_file file(assembly, name);
  const auto functions = {file.kernels(), file.functions()};
  for (const auto& some : functions)
    for (const auto& f : some) {
      const anchor_finder anchors(file, f);
      for (size_t k = f.label; k < f.end; ++k)
        if (anchor_at(file, k) && anchors.home(k) == anchor_finder::none) file.insert_before(k + 1, "\ts_nop 0\n");
    }
  return file.text();
}

std::vector<cfg::marked_loop> read_marked_loops(const assembly_file& file, const assembled_kernel& kernel) {
  const anchor_finder anchors(file, kernel.where);
  std::map<size_t, size_t> instruction_of;  // by line
  for (size_t k = kernel.line_of.size(); k-- > 0;) instruction_of[kernel.line_of[k]] = k;
  struct found_loop {
    loop_anchor what;
    cfg::marked_loop loop;
  };
  std::map<uint32_t, found_loop> found;  // by number
  for (size_t k = kernel.where.label; k < kernel.where.end; ++k) {
    const auto anchor = anchor_at(file, k);
    if (!anchor) continue;
    const auto place = [&] { return fmt::format("{}:{}", file.name(), k + 1); };
    const size_t home = anchors.home(k);
    if (home == anchor_finder::none || instruction_of.count(home) == 0)
      throw input_error(fmt::format("{}: no instruction is in the block of this anchor", place()));
    if (anchor->what == loop_anchor::kind::missed) continue;
    found_loop& f = found[anchor->id];
    f.loop.anchors.push_back({instruction_of[home], anchor->what == loop_anchor::kind::enter});
    if (anchor->what == loop_anchor::kind::iterate) {
      f.loop.iterations.push_back(instruction_of[home]);
      continue;
    }
    if (!f.loop.entries.empty() && f.what.bound != anchor->bound)
      throw input_error(fmt::format("{}: loop {} has another bound here than before", place(), anchor->id));
    f.what = *anchor;
    f.loop.entries.push_back(instruction_of[home]);
  }
  std::vector<cfg::marked_loop> out;
  std::map<uint32_t, size_t> index_of;
  for (auto& [id, f] : found) {
    if (f.loop.entries.empty())
      throw input_error(fmt::format("{}: {}: loop {} has iterations, and no \";pws.loop enter {}\"", file.name(),
                                    kernel.name, id, id));
    f.loop.bound = f.what.bound;
    f.loop.from = f.what.line != 0 ? "PWS_LOOP_BOUND" : f.what.file.empty() ? "pws.loop" : "wcet.loops";
    f.loop.place = {f.what.file, f.what.statement_line != 0 ? f.what.statement_line : f.what.line, 0};
    f.loop.directly = f.what.directly;
    index_of[id] = out.size();
    out.push_back(std::move(f.loop));
  }
  for (const auto& [id, f] : found)
    if (const auto parent = index_of.find(f.what.parent); parent != index_of.end())
      out[index_of[id]].parent = parent->second;
  return out;
}

std::optional<uint64_t> iterations_at_most(const cfg::flow_graph& graph, const std::vector<cfg::marked_loop>& marked,
                                           size_t header) {
  const cfg::dominator_tree dominators(graph, cfg::dominator_tree::direction::dominators);
  const cfg::loop_forest forest(graph, dominators);
  const auto& loops = forest.loops();
  const size_t l = static_cast<size_t>(
      std::find_if(loops.begin(), loops.end(), [&](const cfg::natural_loop& x) { return x.header == header; }) -
      loops.begin());
  constexpr uint64_t most = uint64_t{1} << 31;
  // An unrolled loop has several copies of the body that each pass goes through.
  const auto in_every_pass = [&](size_t block) {
    const auto& latches = loops[l].latches;
    return std::all_of(latches.begin(), latches.end(), [&](size_t b) { return dominators.dominates(block, b); });
  };
  uint64_t product = 1;
  bool known = false;
  for (const cfg::marked_loop& m : marked) {
    uint64_t copies = 0;
    bool here = false;
    for (const size_t k : m.iterations) {
      const size_t block = graph.block_of(k);
      if (forest.innermost(block) != l) continue;
      here = true;
      copies += in_every_pass(block) ? 1 : 0;
    }
    if (!here) continue;
    known = true;
    product = std::min(most, product * std::min(m.bound / std::max<uint64_t>(copies, 1), most));
  }
  return known ? std::optional(product) : std::nullopt;
}

}  // namespace pws::pwscc
