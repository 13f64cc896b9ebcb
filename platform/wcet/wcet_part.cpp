// SPDX-License-Identifier: Apache-2.0
// The report of pwsvp wcet.
#include <algorithm>
#include <map>

#include "models/isa/code/decode.h"
#include "platform/wcet/path_costs.h"
#include "platform/wcet/wcet_report.h"

namespace pws::platform {

namespace {

using wcet::scheme;

// What is said of one of the code's parts, by index.
struct element {
  const wcet_result& result;
  size_t at;
  const cfg::flow_graph& graph() const { return result.analysed->graph(); }
  const wcet::bounded_loop& loop() const { return result.analysed->loops()[at]; }
  const wcet::split_point& split() const { return result.analysed->split_points()[at]; }
  const wcet::access_bound& access() const { return result.analysed->accesses()[at]; }
};

// Those of so many that are shown.
template <class N, class F>
auto elements(N count, F shown) {
  return [=](const wcet_result& of) {
    std::vector<element> all;
    for (size_t k = 0; k < count(*of.analysed); ++k)
      if (shown(of, k)) all.push_back({of, k});
    return all;
  };
}
template <class N>
auto elements(N count) {
  return elements(count, [](const wcet_result&, size_t) { return true; });
}

// Adds one member for each scheme.
template <class T, class F>
report_part<T> by_scheme(F add) {
  report_part<T> all;
  for (const auto& s : enumerators(scheme{})) add(all, s.name, static_cast<size_t>(s.value));
  return all;
}

nullable<cfg::source_place> source_of(const cfg::source_place& p) {
  return p.line == 0 ? nullable<cfg::source_place>() : nullable<cfg::source_place>(p);
}

report_part<cfg::source_place> source_part() {
  using p = cfg::source_place;
  return report_part<p>()
      .value("file", "where it is from", &p::file)
      .value("line", "likewise", &p::line)
      .value("column", "likewise", &p::column);
}

struct shared_wait {
  uint64_t offset, cycles, executions, paid;
};

struct scheme_result {
  const wcet_result& result;
  const scheme_bound& bound;

  const wcet::static_times* times() const { return std::get_if<wcet::static_times>(&bound.wavefront.times); }
  // What the worst path consists of. e_bb has all waits of a block in full.
  std::vector<shared_wait> shared_waits() const {
    const std::vector<uint64_t>& charges = bound.wavefront.path.charge_count;
    std::map<size_t, uint64_t> paid;
    for (size_t c = 0; c < times()->waits.charges.size(); ++c)
      paid[times()->waits.charges[c].instruction] += charges[c];
    std::vector<shared_wait> all;
    all.reserve(paid.size());
    for (const auto& [k, n] : paid)
      all.push_back({result.offset_of(k), times()->of[k].wait,
                     bound.wavefront.path.node_count[result.analysed->graph().block_of(k)], n});
    return all;
  }
};

report_part<wcet::ipet_result> ilp_part() {
  using i = wcet::ipet_result;
  return report_part<i>()
      .value("variables", "of the integer linear program", &i::variables)
      .value("constraints", "likewise", &i::constraints)
      .value("path", "exact, or approximation: no whole path reaches the bound",
             [](auto& of) { return of.is_path ? "exact" : "approximation"; });
}

report_part<wcet::barrier_effect> barriers_part() {
  using b = wcet::barrier_effect;
  using e = wcet::early_end;
  return report_part<b>()
      .value("paths_in_E_WF", "longest paths that E_WF is the sum of", &b::factor)
      .list("early_ends",
            report_part<e>()
                .value("block", "in which wavefronts may end before others' barrier", &e::block)
                .value("delay", "cycles", "of the barrier by that", &e::cycles),
            &b::ends)
      .value("undecided_block", "where wavefronts of a workgroup may go different ways to barriers", &b::undecided);
}

report_part<scheme_result> scheme_part() {
  using s = scheme_result;
  using wait = shared_wait;
  const auto is_static = [](const s& of) { return of.times() != nullptr; };
  return report_part<s>()
      .value(e_wf_row, [](auto& of) { return of.bound.wavefront.cycles; })
      .value(d_row, [](auto& of) { return of.bound.d; })
      .value("N_SIMD_total", "SIMD units per CU", "Eq. 2", [](auto& of) { return of.bound.n_simd; })
      .value("G_parallel_printed", "workgroups", "at a time, by the paper's equation",
             [](auto& of) { return of.bound.g_parallel_printed; })
      .value(g_parallel_row, [](auto& of) { return of.bound.g_parallel; })
      .value(d_s_row, [](auto& of) { return of.bound.d_s; })
      .value(e_kernel_row, [](auto& of) { return of.bound.e_kernel; })
      .part("ilp", ilp_part(), [](auto& of) { return of.bound.wavefront.path; })
      .value("F_entry", "cycles", "the same by Prune's own sums, where they fit in 64 bits",
             [](auto& of) { return of.bound.wavefront.pruned_cycles; })
      .part("E_WF_parts",
            report_part<e_wf_parts>()
                .value("issue", "cycles", "issue slots", &e_wf_parts::issue)
                .value("memory_and_lds_slots", "cycles", "slots of memory and LDS", &e_wf_parts::memory)
                .value("waiting_for_data", "cycles", "until data are there", &e_wf_parts::wait),
            [](auto& of) { return parts_of(of.result, of.bound.wavefront); })
      .where(is_static)
      .list("shared_waits",
            report_part<wait>()
                .value("offset", "of a wait that is not paid whenever it is executed", &wait::offset)
                .value("cycles", "cycles", "of one that is paid", &wait::cycles)
                .value("executions", "on the worst path", &wait::executions)
                .value("paid", "of these", &wait::paid),
            &s::shared_waits)
      .where(is_static)
      .part("barriers", barriers_part(), [](auto& of) { return of.bound.wavefront.barriers; })
      .list("removed_edges",
            report_part<wcet::removed_side>()
                .value("from", "block; Prune", &wcet::removed_side::from)
                .value("to", "block", &wcet::removed_side::to)
                .value("split", "index of the split point", &wcet::removed_side::split),
            [](auto& of) { return of.bound.wavefront.removed; });
}

report_part<element> loop_part() {
  using mark = wcet::marked_loop;
  const auto marks = [](const element& e) {
    std::vector<mark> all;
    for (const size_t m : e.loop().marks) all.push_back(e.result.analysed->marked_loops()[m]);
    return all;
  };
  return report_part<element>()
      .value("header", "block", [](auto& e) { return e.loop().header; })
      .value("blocks", "blocks of the loop", [](auto& e) { return e.loop().blocks; })
      .part("source", source_part(), [](auto& e) { return source_of(e.loop().place); })
      .value("passes", "executions of the header each time the loop is entered", "at most",
             [](auto& e) { return *e.loop().passes; })
      .value("by_marks", "passes by the marks; null: they do not say", "at most",
             [](auto& e) { return e.loop().by_marks; })
      .value("by_code", "passes as the code counts them; null: it does not say", "at most",
             [](auto& e) { return e.loop().by_code; })
      .value("by_launch", "passes of the launch's wavefronts, followed one by one; null: this does not say", "at most",
             [](auto& e) { return e.loop().by_launch; })
      .value("counted", "how the code counts them, or why it does not", [](auto& e) { return e.loop().counted; })
      .list("marks",
            report_part<mark>()
                .part("source", source_part(), [](auto& m) { return source_of(m.place); })
                .value("bound", "iterations", "at most", &mark::bound)
                .value("from", "who says so", &mark::from),
            marks);
}

report_part<element> split_part() {
  return report_part<element>()
      .value("block", "that ends with the split", [](auto& e) { return e.split().block; })
      .value("offset", "bytes from the kernel's entry",
             [](auto& e) { return e.result.offset_of(e.split().instruction); })
      .part("source", source_part(), [](auto& e) { return source_of(e.result.analysed->place(e.split().instruction)); })
      .value("sides_known", "both sides and their merge are found in the code",
             [](auto& e) { return e.split().recognised; })
      .value("contexts_needed", "SWF contexts in use from it on", [](auto& e) { return e.split().contexts_needed; })
      .value("in_S_B", "it finds a context for sure", [](auto& e) { return e.split().guaranteed; });
}

report_part<element> block_part() {
  const auto counted = [](const char* unit, const std::string& meaning, auto get) {
    return by_scheme<element>([&](auto& all, const char* name, size_t k) {
      all.value(name, unit, meaning, [get, k](auto& e) { return get(e.result.schemes[k].wavefront, e.at); });
    });
  };
  const auto is_pruned = [](const element& e) {
    return std::any_of(e.result.schemes.begin(), e.result.schemes.end(),
                       [](const scheme_bound& s) { return s.wavefront.pruned_cycles.has_value(); });
  };
  return report_part<element>()
      .value("block", "index", &element::at)
      .value("offset", "bytes from the kernel's entry",
             [](auto& e) { return e.result.offset_of(e.graph()[e.at].first); })
      .value("instructions", "of the block", [](auto& e) { return e.graph()[e.at].end - e.graph()[e.at].first; })
      .part("source", source_part(), [](auto& e) { return source_of(e.result.analysed->place(e.graph()[e.at].first)); })
      .value("reachable", "from the entry", [](auto& e) { return e.graph().reachable(e.at); })
      .value("successors", "blocks", [](auto& e) { return e.graph()[e.at].successors; })
      .group("e_bb", counted("cycles", "of the block at most", [](auto& w, size_t k) { return w.block_cycles()[k]; }))
      .group("executions", counted("", "on the longest path", [](auto& w, size_t k) { return w.path.node_count[k]; }))
      .group("executions_by_all_parts",
             counted("", "the same with split wavefronts", [](auto& w, size_t k) { return w.work_count[k]; }))
      .group("F", counted("cycles", "Prune: from the block on",
                          [](auto& w, size_t k) { return w.pruned_cycles ? std::optional(w.f[k]) : std::nullopt; }))
      .where(is_pruned);
}

report_part<element> access_part() {
  return report_part<element>()
      .value("offset", "bytes from the kernel's entry", [](auto& e) { return e.result.offset_of(e.at); })
      .value("instruction", "disassembled", [](auto& e) { return isa::disassemble(e.result.code.instructions[e.at]); })
      .part("source", source_part(), [](auto& e) { return source_of(e.result.analysed->place(e.at)); })
      .value("lines", "lines at most", "that it asks for", [](auto& e) { return e.access().lines; })
      .value("lds_passes", "passes at most", "that it takes", [](auto& e) { return e.access().lds_passes; })
      .value("reason", "why no more", [](auto& e) { return e.access().why; });
}

struct explained_line {
  const wcet_result& result;
  source_cost line;
};

std::vector<explained_line> explained_lines(const wcet_result& of) {
  std::vector<explained_line> all;
  const wcet::wavefront_bound& bound = of.of(*of.explained).wavefront;
  const path_costs costs = costs_of(*of.analysed, bound);
  for (source_cost& l : costs_by_line(*of.analysed, costs)) all.push_back({of, std::move(l)});
  if (costs.rest == 0) return all;
  source_cost rest;
  rest.cost.other = costs.rest;
  all.push_back({of, rest});
  return all;
}

report_part<explained_line> line_part() {
  using l = explained_line;
  const auto cycles = [](uint64_t path_cost::*of) { return [of](const l& x) { return x.line.cost.*of; }; };
  return report_part<l>()
      .text("file", "the source; left out: of no line", [](auto& x) { return x.line.file; })
      .value("line", "0: of no line", [](auto& x) { return x.line.line; })
      .value("executions", "on the worst path, of its instruction that has most", cycles(&path_cost::executions))
      .value("executions_by_all_parts", "the same with split wavefronts", cycles(&path_cost::by_all_parts))
      .value("cycles", "cycles", "of E_WF; all lines' are E_WF", [](auto& x) { return x.line.cost.cycles(); })
      .value("issue", "cycles", "issue slots", cycles(&path_cost::issue))
      .value("memory_and_lds_slots", "cycles", "slots of memory and LDS", cycles(&path_cost::memory))
      .value("waiting_for_data", "cycles", "until data are there", cycles(&path_cost::wait))
      .value("other", "cycles", "measured blocks; waiting for wavefronts that end; what is of no line",
             cycles(&path_cost::other))
      .value("accesses", "what is known of its addresses",
             [](auto& x) { return access_texts(*x.result.analysed, x.line.instructions); });
}

report_part<wcet::machine_timing> timing_part() {
  using t = wcet::machine_timing;
  return report_part<t>()
      .value("issue_round", "cycles", "between two issue slots of a context", &t::round)
      .value("memory_frame", "cycles", "between two memory slots of it", &t::memory_frame)
      .value("lds_frame", "cycles", "between two LDS slots of it", &t::lds_frame);
}

// What was launched, but for its file.
const report_part<wcet_result>& what_part() {
  static const report_part<wcet_result> all =
      report_part<wcet_result>()
          .value("kernel", "its name", &wcet_result::kernel)
          .value("source", "the program", &wcet_result::source)
          .value("G", "workgroups", "of the launch", &wcet_result::workgroups)
          .value("wavefronts_per_workgroup", "of the launch", &wcet_result::wavefronts_per_group)
          .value("S", "SWF contexts of a wavefront", &wcet_result::swf_contexts)
          .value("block_times", "wcet.block_times", &wcet_result::block_times);
  return all;
}

report_part<wcet_result> observed_part() {
  return report_part<wcet_result>()
      .group("", report_part<wcet_result>()
                     .value("completed", "--observe: the kernel came to its end",
                            [](auto& of) { return of.observed.completed; })
                     .value("cycles", "cycles", "--observe: what it took", [](auto& of) { return of.observed.cycles; })
                     .value("counted_loops", "loops that were held to their bounds", &wcet_result::counted_loops))
      .where([](auto& of) { return of.observed.made; })
      .text("error", "why it did not come to its end", [](auto& of) { return of.observed.error; })
      .text("broken", "the bound that the run broke", [](auto& of) { return of.observed.broken; });
}

// All of one launch but what it is.
const report_part<wcet_result>& bounds_part() {
  const auto schemes = by_scheme<wcet_result>([](auto& all, const char* name, size_t k) {
    all.part(name, scheme_part(), [k](auto& of) { return scheme_result{of, of.schemes[k]}; });
  });
  const auto timing = [](const wcet_result& of) {
    const auto* constants = std::get_if<static_basis>(&of.basis);
    return constants == nullptr ? nullptr : &constants->timing;
  };
  const auto is_memory = [](const wcet_result& of, size_t k) { return of.code.instructions[k].is_memory(); };
  const auto is_run = [](const wcet_result& of) {
    return of.observed.made || !of.observed.error.empty() || !of.observed.broken.empty();
  };
  static const report_part<wcet_result> all =
      report_part<wcet_result>()
          .part("machine", timing_part(), timing)
          .group("bounds", schemes)
          .part("bound",
                report_part<scheme_bound>()
                    .value("scheme", "that the machine has", [](auto& s) { return s.wavefront.of_scheme; })
                    .value("E_kernel", "cycles", "its bound", &scheme_bound::e_kernel),
                &wcet_result::configured)
          .part("thesis", thesis_part(), &wcet_result::measured)
          .list("loops", loop_part(), elements([](auto& code) { return code.loops().size(); }))
          .list("split_points", split_part(), elements([](auto& code) { return code.split_points().size(); }))
          .list("blocks", block_part(), elements([](auto& code) { return code.graph().size(); }))
          .list("accesses", access_part(), elements([](auto& code) { return code.accesses().size(); }, is_memory))
          .value("explained", "--annotate, --callgrind: the scheme that lines are of", &wcet_result::explained)
          .list("source_lines", line_part(), explained_lines)
          .where([](auto& of) { return of.explained.has_value(); })
          .group("observed", observed_part())
          .where(is_run);
  return all;
}

}  // namespace

const report_part<wcet_program>& wcet_part() {
  using p = wcet_program;
  const auto single = [](const p& of) { return of.launches.size() == 1 ? of.launches.front().get() : nullptr; };
  const auto several = [](const p& of) { return of.launches.size() > 1; };
  const auto launches = [](const p& of) {
    std::vector<std::reference_wrapper<const wcet_result>> all;
    for (const auto& l : of.launches) all.emplace_back(*l);
    return all;
  };
  const auto sums = by_scheme<launch_sums>([](auto& all, const char* name, size_t k) {
    all.value(name, "cycles", "several launches: the sum", [k](auto& s) { return s.e_kernel[k]; });
  });
  static const report_part<p> all =
      report_part<p>()
          .group("run", report_part<p>()
                            .value("file", "the run file", &p::file)
                            .part("", what_part(), single)
                            .also({},
                                  [=](json_text& t, const p& of) {
                                    if (!several(of)) return;
                                    t.add("source", of.source);
                                    t.add("block_times", name_of(of.launches.front()->block_times()));
                                  }))
          .part("", bounds_part(), single)
          .list("launches", report_part<wcet_result>().group("run", what_part()).group("", bounds_part()), launches)
          .where(several)
          .part("total",
                report_part<launch_sums>()
                    .group("E_kernel", sums)
                    .value("bound", "cycles", "several launches: sum of their bounds under the machine's scheme",
                           &launch_sums::bound)
                    .value("observed", "cycles", "--observe: what they took", &launch_sums::observed),
                sums_of)
          .where(several)
          .part("sensitivity", sensitivity_part(), &p::sensitivity)
          .part("split_by_launch", launch_choice_part(), &p::by_launch)
          .value("warnings", "what of the configuration does nothing, and which key to set", &p::warnings)
          .part("", inputs_part(), &p::inputs);
  return all;
}

}  // namespace pws::platform
