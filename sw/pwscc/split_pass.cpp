// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/split_pass.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "base/error.h"
#include "models/isa/code/decode.h"
#include "models/isa/opcode_row.h"
#include "sw/cfg/divergent_branch.h"
#include "sw/cfg/exec_tracking.h"
#include "sw/cfg/liveness.h"
#include "sw/cfg/split_region.h"
#include "sw/pwscc/assembled_kernel.h"
#include "sw/pwscc/assembly_file.h"
#include "sw/pwscc/loop_marks.h"
#include "sw/pwscc/mark_matching.h"
#include "sw/pwscc/region_safety.h"
#include "sw/pwscc/scalar_carry.h"
#include "sw/pwscc/split_choice.h"
#include "sw/pwscc/split_editor.h"
#include "sw/pwscc/target_alignment.h"
#include "sw/pwscc/undefined_scalars.h"

namespace pws::pwscc {

namespace {

using kind = cfg::divergent_branch::kind;

std::string where(const assembly_file& file, const assembled_kernel& kernel, size_t instruction) {
  const size_t line = kernel.line_of[instruction];
  const cfg::source_place place = file.place_of(line);
  return place.line != 0 ? fmt::format("{}:{}", place.file, place.line) : fmt::format("{}:{}", file.name(), line + 1);
}

// One kernel's way through the pass.
class kernel_pass {
 public:
  kernel_pass(assembly_file& file, const assembled_kernel& kernel, const pass_options& options, mark_matcher& marks,
              const std::set<size_t>& marked_by_hand)
      : file_(file),
        kernel_(kernel),
        options_(options),
        marks_(marks),
        marked_by_hand_(marked_by_hand),
        branches_(cfg::find_divergent_branches(kernel.code)),
        graph_(kernel.code, cfg::missing_skips(branches_)),
        registers_(file, kernel.where),
        bounded_(read_marked_loops(file, kernel)),
        regions_(cfg::find_regions(graph_, branches_)),
        carried_(regions_.size()) {}

  std::vector<branch_report> run(unsigned& label_number) {
    check_regions();
    const std::vector<bool> marked_by_macro = marks_.marked(file_, kernel_, graph_, branches_);
    std::vector<bool> marked = marked_by_macro;
    for (size_t k = 0; k < branches_.size(); ++k)
      if (marked_by_hand_.count(kernel_.line_of[branches_[k].skip.narrow]) != 0) marked[k] = true;
    const std::vector<region_choice> choice = choose(marked);
    std::vector<branch_report> reports;
    for (size_t k = 0; k < regions_.size(); ++k) {
      reports.push_back(report(k, marked[k], choice[k]));
      reports.back().by_hand = marked[k] && !marked_by_macro[k];
    }
    std::vector<chosen_split> chosen;
    for (size_t k = 0; k < regions_.size(); ++k)
      if (choice[k].split) chosen.push_back({&regions_[k], &carried_[k]});
    write_splits(file_, kernel_, graph_, chosen, registers_, label_number);
    registers_.write(file_);
    return reports;
  }

 private:
  void check_regions() {
    const cfg::exec_tracking exec(graph_, branches_);
    const cfg::scalar_liveness live(graph_, undefined_scalars(file_, kernel_, graph_));
    for (size_t k = 0; k < regions_.size(); ++k) {
      cfg::split_region& r = regions_[k];
      if (!r.refused()) r.refusal = why_not_editable(file_, kernel_, graph_, r);
      if (r.refused()) continue;
      if (const unsafe_instruction u = find_unsafe(graph_, exec, r); !u.why.empty()) {
        r.refusal = fmt::format("{} ({}): {}", isa::disassemble(kernel_.code.instructions[u.instruction]),
                                where(file_, kernel_, u.instruction), u.why);
        continue;
      }
      carried_[k] = find_carried(graph_, live, r);
      r.refusal = carried_[k].refusal;
      const size_t masks = carried_[k].masks.size();
      if (!r.refused() && masks > 0 && !registers_.has_vgprs(static_cast<unsigned>(masks)))
        r.refusal = "no vector register is left to carry a lane mask over its merge";
      if (!r.refused() && masks > 0 && !carried_[k].vcc_free && !registers_.has_sgpr_pair())
        r.refusal = "no scalar registers are left to carry a lane mask over its merge";
    }
  }

  std::vector<region_choice> choose(const std::vector<bool>& marked) {
    // Fewer wavefronts at a time can make a launch longer than any split makes it shorter.
    for (size_t k = 0; k < regions_.size() && weighs_machine(); ++k) {
      const auto masks = static_cast<unsigned>(carried_[k].masks.size());
      if (!regions_[k].refused() && masks > 0 && !registers_.has_room(masks, !carried_[k].vcc_free))
        regions_[k].refusal = "the registers that carry its lane masks may leave room for fewer wavefronts";
    }
    std::vector<bool> candidates(regions_.size(), false);
    for (size_t k = 0; k < regions_.size(); ++k)
      candidates[k] = !regions_[k].refused() && (options_.choice != split_choice::marked || marked[k]);
    if (options_.choice == split_choice::none) return std::vector<region_choice>(regions_.size());
    return choose_regions(graph_, regions_, carried_, candidates, options_,
                          [&](size_t header) { return iterations_at_most(graph_, bounded_, header); });
  }

  // In the source, if that part of the block is from there; `file`: the branch's.
  std::string place_behind_merge(const cfg::split_region& r, const std::string& file) const {
    const cfg::basic_block& join = graph_[r.join];
    for (size_t k = r.joins_in_place ? r.merge_after + 1 : join.first; k < join.end; ++k) {
      const cfg::source_place place = file_.place_of(kernel_.line_of[k]);
      if (place.line != 0) return (place.file == file ? "line " : place.file + ":") + std::to_string(place.line);
    }
    return "";
  }

  bool weighs_machine() const { return options_.choice == split_choice::automatic && options_.machine; }

  branch_report report(size_t k, bool marked, const region_choice& choice) const {
    const cfg::split_region& r = regions_[k];
    const size_t narrow = branches_[k].skip.narrow;
    branch_report out;
    put_place(out, kernel_.name, place_of_branch(file_, kernel_, graph_, branches_[k]), kernel_.line_of[narrow]);
    out.marked = marked;
    out.split = choice.split;
    if (choice.split) {
      out.merge = place_behind_merge(r, out.file);
      out.carried_masks = static_cast<unsigned>(carried_[k].masks.size());
    } else if (r.refused()) {
      out.reason = r.refusal;
    } else if (options_.choice == split_choice::none) {
      out.reason = "splitting was not asked for";
    } else if (options_.choice == split_choice::marked && !marked) {
      out.reason = "not marked";
    } else if (!choice.reason.empty()) {
      out.reason = choice.reason;
    } else if (options_.choice == split_choice::automatic) {
      out.reason = fmt::format("with S = {} the worst case is not shorter with it", options_.swf_contexts);
    } else {
      out.reason = fmt::format("no SWF context is left for it with S = {}", options_.swf_contexts);
    }
    return out;
  }

  assembly_file& file_;
  const assembled_kernel& kernel_;
  const pass_options& options_;
  mark_matcher& marks_;
  const std::set<size_t>& marked_by_hand_;  // lines of instructions that narrow EXEC
  std::vector<cfg::divergent_branch> branches_;
  cfg::flow_graph graph_;
  register_budget registers_;
  std::vector<cfg::marked_loop> bounded_;
  std::vector<cfg::split_region> regions_;
  std::vector<carried_scalars> carried_;
};

// What became of the branches that splits by hand mark.
void tell_outcomes(std::vector<hand_report>& by_hand, const std::vector<branch_report>& branches) {
  for (hand_report& h : by_hand) {
    if (!h.marks_branch || !h.reason.empty()) continue;
    const auto b = std::find_if(branches.begin(), branches.end(),
                                [&](const branch_report& r) { return r.assembly_line == h.narrows + 1; });
    if (b == branches.end()) continue;
    const std::string place =
        b->line != 0 ? fmt::format("line {}", b->line) : fmt::format("assembly line {}", b->assembly_line);
    if (!b->split)
      h.reason = fmt::format("marks the branch in {}, which is not split: {}", place, b->reason);
    else if (b->merge.empty())
      h.reason = fmt::format("splits the branch in {}", place);
    else
      h.reason = fmt::format("splits the branch in {}; merged before {}", place, b->merge);
  }
}

}  // namespace

pass_result place_splits(const std::string& assembly, const std::string& name, const pass_options& options) {
  const hand_splits by_hand = take_hand_splits(assembly, name, options.choice != split_choice::none);
  assembly_file file(by_hand.assembly, name);
  pass_result result;
  mark_matcher marks(options.marks);
  unsigned label_number = 0;
  for (const assembled_kernel& kernel : assemble_kernels(file)) {
    for (branch_report& b : kernel_pass(file, kernel, options, marks, by_hand.marked).run(label_number))
      result.report.branches.push_back(std::move(b));
  }
  result.report.lost_marks = marks.lost();
  result.report.by_hand = by_hand.reports;
  tell_outcomes(result.report.by_hand, result.report.branches);
  result.assembly = options.choice == split_choice::none ? assembly : file.text();
  if (options.choice != split_choice::automatic || !options.machine) return result;
  std::set<std::string> changed;
  for (const branch_report& b : result.report.branches)
    if (b.split) changed.insert(b.function);
  if (!changed.empty()) result.assembly = align_targets(result.assembly, name, changed, options.machine->fetch_bytes);
  return result;
}

}  // namespace pws::pwscc
