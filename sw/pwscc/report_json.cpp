// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "sw/loader/names.h"
#include "sw/pwscc/report_text.h"

namespace pws::pwscc {

namespace {

// What is counted of a kernel, or of several.
struct kernel_counts {
  const kernel_report& kernel;
  uint64_t missed;
};

// Over all kernels: sums of what is counted, the most of registers and masks.
struct kernel_sums {
  kernel_report all;
  uint64_t missed = 0;
  uint64_t predicated = 0;  // branches without a check

  explicit kernel_sums(const pass_report& report) {
    const auto add = [](uint64_t& to, uint64_t n) { to += n; };
    const auto most = [](uint64_t& to, uint64_t n) { to = std::max(to, n); };
    for (const kernel_report& k : report.kernels) {
      all.has_structure = all.has_structure || k.has_structure;
      for (const auto member : {&ir_structure::blocks, &ir_structure::regions, &ir_structure::loops,
                                &ir_structure::branches, &ir_structure::switches})
        add(all.structure.*member, k.structure.*member);
      for (const auto member : {&kernel_report::blocks, &kernel_report::uniform, &kernel_report::checks,
                                &kernel_report::loop_branches, &kernel_report::other})
        add(all.*member, k.*member);
      for (const auto member : {&kernel_report::vgprs, &kernel_report::sgprs, &kernel_report::mask_pairs})
        most(all.*member, k.*member);
      missed += k.missed.size();
    }
    for (const check_report& c : report.checks) predicated += !c.kept;
  }
  // The predication paper's Fig. 6a: what became of the branches.
  nullable<double> share(uint64_t n) const {
    const uint64_t branches = all.uniform + all.checks + all.loop_branches + predicated;
    return branches == 0 ? nullable<double>() : nullable<double>(double(n) / double(branches));
  }
};

// Where a branch or an instruction is from.
template <class T>
void add_place(report_part<T>& to, const char* what) {
  to.value("file", &T::file, "", what)
      .value("line", &T::line, "", "likewise")
      .value("column", &T::column, "", "likewise")
      .value("assembly_line", &T::assembly_line, "", "of the assembly before the pass");
}

template <class T>
report_part<T> function_part() {
  return report_part<T>()
      .value("function", &T::function, "", "mangled name")
      .value(
          "demangled", [](const T& of) { return loader::demangle(of.function); }, "", "name");
}

// Of a T with a function, a place and a reason; `between` has the rest.
template <class T>
report_part<T> place_part(const char* what, const report_part<T>& between) {
  report_part<T> all = function_part<T>();
  add_place(all, what);
  return all.group("", between).value("reason", &T::reason, "", "why so");
}

report_part<branch_report> branch_part() {
  using b = branch_report;
  return place_part("of the branch",
                    report_part<b>()
                        .value("marked", &b::marked, "", "with PWS_SPLIT")
                        .value("split", &b::split, "", "it is")
                        .value("carried_masks", &b::carried_masks, "", "lane masks kept over the merge"));
}

report_part<check_report> check_part() {
  using c = check_report;
  return place_part("of the branch",
                    report_part<c>()
                        .value("instructions", &c::instructions, "", "that it skips")
                        .value("blocks", &c::blocks, "", "likewise")
                        .value("single_entry_exit", &c::single, "", "they are entered and left at one place")
                        .value("kept", &c::kept, "", "the check is in the code")
                        .value("by_rule", &c::asked_for, "", "the paper's rule asks for it"));
}

report_part<hand_report> hand_part() {
  using h = hand_report;
  return place_part(
      "of the instruction",
      report_part<h>()
          .value("instruction", &h::instruction, "", "split or merge, written in the source")
          .value("marks_branch", &h::marks_branch, "", "the split stands right before a divergent branch"));
}

// `most` stands in front of what has no sum.
report_part<kernel_counts> counts_part(const std::string& most, const std::string& at_most) {
  using c = kernel_counts;
  const auto of_ir = [](uint64_t ir_structure::*member) {
    return [member](const c& of) {
      return of.kernel.has_structure ? nullable<uint64_t>(of.kernel.structure.*member) : nullable<uint64_t>();
    };
  };
  const auto of_kernel = [](uint64_t kernel_report::*member) {
    return [member](const c& of) { return of.kernel.*member; };
  };
  using k = kernel_report;
  return report_part<c>()
      .value("ir_blocks", of_ir(&ir_structure::blocks), "", "blocks of the IR")
      .value("ir_regions", of_ir(&ir_structure::regions), "", "its regions")
      .value("ir_loops", of_ir(&ir_structure::loops), "", "its loops")
      .value("ir_branches", of_ir(&ir_structure::branches), "", "its branches")
      .value("ir_switches", of_ir(&ir_structure::switches), "", "its switches")
      .value("blocks", of_kernel(&k::blocks), "", "of the machine code")
      .value("uniform_branches", of_kernel(&k::uniform), "", "scalar branches of the source's conditions")
      .value("checks", of_kernel(&k::checks), "", "branches that skip what no work-item is in")
      .value("loop_branches", of_kernel(&k::loop_branches), "", "branches back to a loop's begin")
      .value("other_branches", of_kernel(&k::other), "", "the others")
      .value("missed_uniform_branches", &c::missed, "", "uniform and not scalar")
      .value(most + "vgprs", of_kernel(&k::vgprs), "", "vector registers" + at_most)
      .value(most + "sgprs", of_kernel(&k::sgprs), "", "scalar registers" + at_most)
      .value(most + "mask_pairs", of_kernel(&k::mask_pairs), "",
             "scalar register pairs that hold lane masks at a time" + at_most);
}

report_part<kernel_report> kernel_part() {
  using k = kernel_report;
  using m = missed_branch;
  report_part<m> missed;
  add_place(missed, "of a branch that is uniform and not scalar");
  missed.value("instruction", &m::instruction, "", "disassembled")
      .value("origin", &m::origin, "", "where its condition comes from");
  report_part<k> all = function_part<k>();
  return all
      .part(
          "",
          [](const k& of) {
            return kernel_counts{of, of.missed.size()};
          },
          counts_part("", ""))
      .list("missed_uniform", &k::missed, missed);
}

report_part<kernel_sums> sums_part() {
  using s = kernel_sums;
  const auto share = [](uint64_t kernel_report::*member) {
    return [member](const s& of) { return of.share(of.all.*member); };
  };
  using k = kernel_report;
  return report_part<s>()
      .part(
          "",
          [](const s& of) {
            return kernel_counts{of.all, of.missed};
          },
          counts_part("most_", " of a kernel, at most"))
      .value("predicated_branches", &s::predicated, "", "that have become predication without a check")
      .group("shares",
             report_part<s>()
                 .value("uniform_branches", share(&k::uniform), "", "of these four kinds")
                 .value("checks", share(&k::checks), "", "likewise")
                 .value("loop_branches", share(&k::loop_branches), "", "likewise")
                 .value(
                     "predicated_branches", [](const s& of) { return of.share(of.predicated); }, "", "likewise"));
}

}  // namespace

branch_totals totals_of(const pass_report& report) {
  branch_totals t;
  t.branches = report.branches.size();
  for (const branch_report& b : report.branches) {
    t.split += b.split;
    t.marked += b.marked;
    t.marked_not_split += b.marked && !b.split;
    t.masks += b.carried_masks;
  }
  return t;
}

const report_part<reported_pass>& pass_part() {
  using p = reported_pass;
  using t = branch_totals;
  const auto reported = [](auto member) {
    return [member](const p& of) -> const auto& {
      return of.report.*member;
    };
  };
  const auto option = [](auto member) { return [member](const p& of) { return of.options.*member; }; };
  static const report_part<p> all =
      report_part<p>()
          .group("options", report_part<p>()
                                .value("split", option(&pass_options::choice), "", "--split")
                                .value("divergence", &p::divergence, "", "--divergence")
                                .value("swf_contexts", option(&pass_options::swf_contexts), "", "-S")
                                .value("split_cycles", option(&pass_options::split_cycles), "", "e_s")
                                .value("merge_cycles", option(&pass_options::merge_cycles), "", "e_m"))
          .list("branches", reported(&pass_report::branches), branch_part())
          .list("checks", reported(&pass_report::checks), check_part())
          .list("lost_marks", reported(&pass_report::lost_marks),
                report_part<mark_report>()
                    .value(
                        "file", [](const mark_report& m) { return m.mark.file; }, "",
                        "of a PWS_SPLIT that fits no branch")
                    .value(
                        "line", [](const mark_report& m) { return m.mark.line; }, "", "likewise")
                    .value("reason", &mark_report::reason, "", "why"))
          .list("by_hand", reported(&pass_report::by_hand), hand_part())
          .list("kernels", reported(&pass_report::kernels), kernel_part())
          .part(
              "all_kernels", [](const p& of) { return kernel_sums(of.report); }, sums_part())
          .where([](const p& of) { return !of.report.kernels.empty(); })
          .part(
              "totals", [](const p& of) { return totals_of(of.report); },
              report_part<t>()
                  .value("branches", &t::branches, "", "divergent branches")
                  .value("split", &t::split, "", "of them split")
                  .value("marked", &t::marked, "", "of them marked")
                  .value("marked_not_split", &t::marked_not_split, "", "marked, and all the same not split")
                  .value("carried_masks", &t::masks, "", "lane masks kept over merges"));
  return all;
}

std::string report_json(const reported_pass& pass) {
  return pass_part().json(pass).dump(2) + "\n";
}

}  // namespace pws::pwscc
