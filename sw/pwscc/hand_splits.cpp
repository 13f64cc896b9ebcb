// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/hand_splits.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>

#include "base/error.h"
#include "models/isa/opcode_row.h"
#include "sw/cfg/divergent_branch.h"
#include "sw/pwscc/assembled_kernel.h"
#include "sw/pwscc/assembly_file.h"

namespace pws::pwscc {

namespace {

bool is_by_hand(const isa::inst& i) {
  return i.unit == isa::unit::split || i.unit == isa::unit::merge;
}

// Whether the code may have some at all, without assembling it: as data, or by a macro.
bool may_have_some(const assembly_file& file) {
  const auto in = [&](const std::vector<assembly_file::kernel_lines>& functions) {
    return std::any_of(functions.begin(), functions.end(), [&](const assembly_file::kernel_lines& f) {
      for (size_t k = f.label; k < f.end; ++k) {
        const assembly_line& l = file.lines()[k];
        const std::string_view word = first_word(l.statement).first;
        if (l.in_macro || holds_data(l) || word == "split" || word == "merge") return true;
      }
      return false;
    });
  };
  return in(file.kernels()) || in(file.functions());
}

// The branches of a function, and which of them a split means.
class hand_marked {
 public:
  explicit hand_marked(const cfg::function_code& code)
      : branches_(cfg::find_divergent_branches(code)), graph_(code, cfg::missing_skips(branches_)) {}

  // The divergent branch that ends the block in which the split at `k` stands; nullptr: none does. A split may stand
  // between the instructions of the branch, but behind its skip it belongs to the side.
  const cfg::divergent_branch* branch_behind(size_t k) const {
    const auto& code = graph_.code().instructions;
    size_t before = k;
    while (before > 0 && is_by_hand(code[before])) --before;
    const cfg::divergent_branch* nearest = nullptr;
    for (const cfg::divergent_branch& b : branches_) {
      // Splits behind the place of a skip that clang left out.
      if (b.skip.missing && b.skip.after == before) return &b;
      if (b.skip.after < k || graph_.block_of(b.skip.after) != graph_.block_of(k)) continue;
      if (nearest == nullptr || b.skip.after < nearest->skip.after) nearest = &b;
    }
    return nearest;
  }

 private:
  std::vector<cfg::divergent_branch> branches_;
  cfg::flow_graph graph_;
};

class finder {
 public:
  finder(assembly_file& file, bool removes, hand_splits& out) : file_(file), removes_(removes), out_(out) {}

  void look(const assembled_kernel& function, bool is_kernel) {
    const auto& code = function.code.instructions;
    if (std::none_of(code.begin(), code.end(), is_by_hand)) return;
    std::optional<hand_marked> marked;
    try {
      if (is_kernel) marked.emplace(function.code);
    } catch (const input_error&) {  // said where its branches are looked at
    }
    for (size_t k = 0; k < code.size(); ++k)
      if (is_by_hand(code[k])) take(function, is_kernel, marked ? marked->branch_behind(k) : nullptr, k);
  }

 private:
  void take(const assembled_kernel& function, bool is_kernel, const cfg::divergent_branch* branch, size_t k) {
    const auto& code = function.code.instructions;
    const size_t line = function.line_of[k];
    const cfg::source_place place = file_.place_of(line);
    hand_report r;
    put_place(r, function.name, place, line);
    const bool splits = code[k].unit == isa::unit::split;
    r.instruction = splits ? "split" : "merge";
    r.marks_branch = splits && branch != nullptr;
    if (!removes_) {
      r.reason = "left as it is: splitting was not asked for";
    } else if (!splits) {
      r.reason = "removed: the pass places merges, one for each split";
    } else if (r.marks_branch) {
      r.narrows = function.line_of[branch->skip.narrow];
      out_.marked.insert(r.narrows);
    } else if (!is_kernel) {
      r.reason = "removed: functions that are called are not split";
    } else {
      r.reason = "removed: no divergent branch ends its basic block";
    }
    if (removes_) {
      const bool alone =
          !file_.lines()[line].in_macro && std::count(function.line_of.begin(), function.line_of.end(), line) == 1;
      if (!alone)
        throw input_error(fmt::format(
            "{}:{}: a {} by hand that cannot be removed: write it as the only instruction of its line, without a macro",
            place.line != 0 ? place.file : file_.name(), place.line != 0 ? place.line : line + 1, r.instruction));
      file_.replace(line, fmt::format("\t; {} by hand", r.instruction));
    }
    out_.reports.push_back(std::move(r));
  }

  assembly_file& file_;
  bool removes_;
  hand_splits& out_;
};

}  // namespace

hand_splits take_hand_splits(const std::string& assembly, const std::string& name, bool removes) {
  hand_splits out;
  out.assembly = assembly;
  assembly_file file(assembly, name);
  if (!may_have_some(file)) return out;
  const assembled_functions functions = assemble_functions(file);
  finder f(file, removes, out);
  for (const assembled_kernel& k : functions.kernels) f.look(k, true);
  for (const assembled_kernel& k : functions.others) f.look(k, false);
  std::stable_sort(out.reports.begin(), out.reports.end(),
                   [](const hand_report& a, const hand_report& b) { return a.assembly_line < b.assembly_line; });
  if (removes && !out.reports.empty()) out.assembly = file.text();
  return out;
}

std::string with_mnemonics(const std::string& assembly) {
  for (size_t at = 0; at < assembly.size();) {
    const size_t end = std::min(assembly.find('\n', at), assembly.size());
    const size_t begin = assembly.find_first_not_of(" \t", at);
    if (begin < end) {
      const std::string_view word = first_word(std::string_view(assembly).substr(begin, end - begin)).first;
      if (word == "split" || word == "merge") return "\t.include \"pws.inc\"\n" + assembly;
    }
    at = end + 1;
  }
  return assembly;
}

}  // namespace pws::pwscc
