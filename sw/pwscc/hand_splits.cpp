// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/hand_splits.h"

#include <fmt/format.h>

#include <algorithm>

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

// The branch that a split at `k` stands right before: between it and the branch, or the place of one that clang left
// out, there is nothing else. branches.size(): none.
size_t branch_behind(const assembled_kernel& kernel, const std::vector<cfg::divergent_branch>& branches, size_t k) {
  const auto& code = kernel.code.instructions;
  size_t before = k, behind = k;
  while (before > 0 && is_by_hand(code[before])) --before;
  while (behind + 1 < code.size() && is_by_hand(code[behind])) ++behind;
  return static_cast<size_t>(
      std::find_if(branches.begin(), branches.end(),
                   [&](const cfg::divergent_branch& b) { return b.skip.after == (b.skip.missing ? before : behind); }) -
      branches.begin());
}

class finder {
 public:
  finder(assembly_file& file, bool removes, hand_splits& out) : file_(file), removes_(removes), out_(out) {}

  void look(const assembled_kernel& function) {
    const auto& code = function.code.instructions;
    if (std::none_of(code.begin(), code.end(), is_by_hand)) return;
    std::vector<cfg::divergent_branch> branches;
    try {
      branches = cfg::find_divergent_branches(function.code);
    } catch (const input_error&) {  // said where its branches are looked at
    }
    for (size_t k = 0; k < code.size(); ++k)
      if (is_by_hand(code[k])) take(function, branches, k);
  }

 private:
  void take(const assembled_kernel& function, const std::vector<cfg::divergent_branch>& branches, size_t k) {
    const auto& code = function.code.instructions;
    const size_t line = function.line_of[k];
    const cfg::source_place place = file_.place_of(line);
    hand_report r;
    put_place(r, function.name, place, line);
    const bool splits = code[k].unit == isa::unit::split;
    r.instruction = splits ? "split" : "merge";
    const size_t branch = splits ? branch_behind(function, branches, k) : branches.size();
    r.marks_branch = branch < branches.size();
    if (!removes_) {
      r.reason = "left as it is: splitting was not asked for";
    } else if (!splits) {
      r.reason = "removed: the pass places merges, one for each split";
    } else if (r.marks_branch) {
      r.reason = "marks the branch behind it";
      out_.marked.insert(function.line_of[branches[branch].skip.narrow]);
    } else {
      r.reason = "removed: it does not stand right before a divergent branch (PWS_SPLIT() before an if marks one)";
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
  for (const assembled_kernel& k : functions.kernels) f.look(k);
  for (const assembled_kernel& k : functions.others) f.look(k);
  std::stable_sort(out.reports.begin(), out.reports.end(),
                   [](const hand_report& a, const hand_report& b) { return a.assembly_line < b.assembly_line; });
  if (removes && !out.reports.empty()) out.assembly = file.text();
  return out;
}

}  // namespace pws::pwscc
