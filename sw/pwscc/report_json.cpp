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
  to.value("file", what, &T::file)
      .value("line", "likewise", &T::line)
      .value("column", "likewise", &T::column)
      .value("assembly_line", "of the assembly before the pass", &T::assembly_line);
}

template <class T>
report_part<T> function_part() {
  return report_part<T>().value("function", "mangled name", &T::function).value("demangled", "name", [](auto& of) {
    return loader::demangle(of.function);
  });
}

// For a T with a function, a place and a reason; `between` has the rest.
template <class T>
report_part<T> place_part(const char* what, const report_part<T>& between) {
  report_part<T> all = function_part<T>();
  add_place(all, what);
  return all.group("", between).value("reason", "why so", &T::reason);
}

report_part<branch_report> branch_part() {
  using b = branch_report;
  return place_part("of the branch", report_part<b>()
                                         .value("marked", "with PWS_SPLIT", &b::marked)
                                         .value("split", "it is", &b::split)
                                         .value("carried_masks", "lane masks kept over the merge", &b::carried_masks));
}

report_part<check_report> check_part() {
  using c = check_report;
  return place_part("of the branch",
                    report_part<c>()
                        .value("instructions", "that it skips", &c::instructions)
                        .value("blocks", "likewise", &c::blocks)
                        .value("single_entry_exit", "they are entered and left at one place", &c::single)
                        .value("kept", "the check is in the code", &c::kept)
                        .value("by_rule", "the paper's rule asks for it", &c::asked_for));
}

report_part<hand_report> hand_part() {
  using h = hand_report;
  return place_part(
      "of the instruction",
      report_part<h>()
          .value("instruction", "split or merge, written in the source", &h::instruction)
          .value("marks_branch", "the split stands in the basic block that a divergent branch ends", &h::marks_branch));
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
      .value("ir_blocks", "blocks of the IR", of_ir(&ir_structure::blocks))
      .value("ir_regions", "its regions", of_ir(&ir_structure::regions))
      .value("ir_loops", "its loops", of_ir(&ir_structure::loops))
      .value("ir_branches", "its branches", of_ir(&ir_structure::branches))
      .value("ir_switches", "its switches", of_ir(&ir_structure::switches))
      .value("blocks", "of the machine code", of_kernel(&k::blocks))
      .value("uniform_branches", "scalar branches of the source's conditions", of_kernel(&k::uniform))
      .value("checks", "branches that skip what no work-item is in", of_kernel(&k::checks))
      .value("loop_branches", "branches back to a loop's begin", of_kernel(&k::loop_branches))
      .value("other_branches", "the others", of_kernel(&k::other))
      .value("missed_uniform_branches", "uniform and not scalar", &c::missed)
      .value(most + "vgprs", "vector registers" + at_most, of_kernel(&k::vgprs))
      .value(most + "sgprs", "scalar registers" + at_most, of_kernel(&k::sgprs))
      .value(most + "mask_pairs", "scalar register pairs that hold lane masks at a time" + at_most,
             of_kernel(&k::mask_pairs));
}

report_part<kernel_report> kernel_part() {
  using k = kernel_report;
  using m = missed_branch;
  report_part<m> missed;
  add_place(missed, "of a branch that is uniform and not scalar");
  missed.value("instruction", "disassembled", &m::instruction)
      .value("origin", "where its condition comes from", &m::origin);
  report_part<k> all = function_part<k>();
  return all.part("", counts_part("", ""),
                  [](auto& of) {
                    return kernel_counts{of, of.missed.size()};
                  })
      .list("missed_uniform", missed, &k::missed);
}

report_part<kernel_sums> sums_part() {
  using s = kernel_sums;
  const auto share = [](uint64_t kernel_report::*member) {
    return [member](const s& of) { return of.share(of.all.*member); };
  };
  using k = kernel_report;
  return report_part<s>()
      .part("", counts_part("most_", " of a kernel, at most"),
            [](auto& of) {
              return kernel_counts{of.all, of.missed};
            })
      .value("predicated_branches", "that have become predication without a check", &s::predicated)
      .group("shares", report_part<s>()
                           .value("uniform_branches", "of these four kinds", share(&k::uniform))
                           .value("checks", "likewise", share(&k::checks))
                           .value("loop_branches", "likewise", share(&k::loop_branches))
                           .value("predicated_branches", "likewise", [](auto& of) { return of.share(of.predicated); }));
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
                                .value("split", "--split", option(&pass_options::choice))
                                .value("divergence", "--divergence", &p::divergence)
                                .value("swf_contexts", "-S", option(&pass_options::swf_contexts))
                                .value("split_cycles", "e_s", option(&pass_options::split_cycles))
                                .value("merge_cycles", "e_m", option(&pass_options::merge_cycles)))
          .list("branches", branch_part(), reported(&pass_report::branches))
          .list("checks", check_part(), reported(&pass_report::checks))
          .list("lost_marks",
                report_part<mark_report>()
                    .value("file", "of a PWS_SPLIT that fits no branch", [](auto& m) { return m.mark.file; })
                    .value("line", "likewise", [](auto& m) { return m.mark.line; })
                    .value("reason", "why", &mark_report::reason),
                reported(&pass_report::lost_marks))
          .list("by_hand", hand_part(), reported(&pass_report::by_hand))
          .list("kernels", kernel_part(), reported(&pass_report::kernels))
          .part("all_kernels", sums_part(), [](auto& of) { return kernel_sums(of.report); })
          .where([](const p& of) { return !of.report.kernels.empty(); })
          .part("totals",
                report_part<t>()
                    .value("branches", "divergent branches", &t::branches)
                    .value("split", "of them split", &t::split)
                    .value("marked", "of them marked", &t::marked)
                    .value("marked_not_split", "marked, and all the same not split", &t::marked_not_split)
                    .value("carried_masks", "lane masks kept over merges", &t::masks),
                [](auto& of) { return totals_of(of.report); });
  return all;
}

std::string report_json(const reported_pass& pass) {
  return pass_part().json(pass).dump(2) + "\n";
}

}  // namespace pws::pwscc
