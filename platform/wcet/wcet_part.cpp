// SPDX-License-Identifier: Apache-2.0
// The report of pwsvp wcet.
#include <algorithm>
#include <map>

#include "platform/wcet/wcet_report.h"

namespace pws::platform {

namespace {

using wcet::scheme;

// What is said of a block or an instruction of the code, by index.
struct element {
  const wcet_result& result;
  size_t at;
  const cfg::flow_graph& graph() const { return result.analysed->graph(); }
};

template <class F>
std::vector<element> elements(const wcet_result& of, size_t n, F shown) {
  std::vector<element> all;
  for (size_t k = 0; k < n; ++k)
    if (shown(k)) all.push_back({of, k});
  return all;
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

// `get`: the place.
template <class T, class F>
void add_source(report_part<T>& to, F get) {
  using p = cfg::source_place;
  to.part(
      "source", [get](const T& of) { return source_of(std::invoke(get, of)); },
      report_part<p>()
          .value("file", &p::file, "", "where it is from")
          .value("line", &p::line, "", "likewise")
          .value("column", &p::column, "", "likewise"));
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
    for (const auto& [k, n] : paid)
      all.push_back({result.offset_of(k), times()->of[k].wait,
                     bound.wavefront.path.node_count[result.analysed->graph().block_of(k)], n});
    return all;
  }
};

report_part<wcet::ipet_result> ilp_part() {
  using i = wcet::ipet_result;
  return report_part<i>()
      .value("variables", &i::variables, "", "of the integer linear program")
      .value("constraints", &i::constraints, "", "likewise")
      .value(
          "path", [](const i& of) { return of.is_path ? "exact" : "approximation"; }, "",
          "exact, or approximation: no whole path reaches the bound");
}

report_part<wcet::barrier_effect> barriers_part() {
  using b = wcet::barrier_effect;
  using e = wcet::early_end;
  return report_part<b>()
      .value("paths_in_E_WF", &b::factor, "", "longest paths that E_WF is the sum of")
      .list("early_ends", &b::ends,
            report_part<e>()
                .value("block", &e::block, "", "in which wavefronts may end before others' barrier")
                .value("delay", &e::cycles, "cycles", "of the barrier by that"))
      .value("undecided_block", &b::undecided, "", "where wavefronts of a workgroup may go different ways to barriers");
}

report_part<scheme_result> scheme_part() {
  using s = scheme_result;
  using wait = shared_wait;
  const auto of_bound = [](auto member) { return [member](const s& of) { return of.bound.*member; }; };
  const auto of_wavefront = [](auto member) {
    return [member](const s& of) -> const auto& {
      return of.bound.wavefront.*member;
    };
  };
  const auto is_static = [](const s& of) { return of.times() != nullptr; };
  return report_part<s>()
      .value(e_wf_row, of_wavefront(&wcet::wavefront_bound::cycles))
      .value(d_row, of_bound(&scheme_bound::d))
      .value("N_SIMD_total", of_bound(&scheme_bound::n_simd), "SIMD units per CU", "Eq. 2")
      .value("G_parallel_printed", of_bound(&scheme_bound::g_parallel_printed), "workgroups",
             "at a time, by the paper's equation")
      .value(g_parallel_row, of_bound(&scheme_bound::g_parallel))
      .value(d_s_row, of_bound(&scheme_bound::d_s))
      .value(e_kernel_row, of_bound(&scheme_bound::e_kernel))
      .part("ilp", of_wavefront(&wcet::wavefront_bound::path), ilp_part())
      .value("F_entry", of_wavefront(&wcet::wavefront_bound::pruned_cycles), "cycles",
             "the same by Prune's own sums, where they fit in 64 bits")
      .part(
          "E_WF_parts", [](const s& of) { return parts_of(of.result, of.bound.wavefront); },
          report_part<e_wf_parts>()
              .value("issue", &e_wf_parts::issue, "cycles", "issue slots")
              .value("memory_and_lds_slots", &e_wf_parts::memory, "cycles", "slots of memory and LDS")
              .value("waiting_for_data", &e_wf_parts::wait, "cycles", "until data are there"))
      .where(is_static)
      .list("shared_waits", &s::shared_waits,
            report_part<wait>()
                .value("offset", &wait::offset, "", "of a wait that is not paid whenever it is executed")
                .value("cycles", &wait::cycles, "cycles", "of one that is paid")
                .value("executions", &wait::executions, "", "on the worst path")
                .value("paid", &wait::paid, "", "of these"))
      .where(is_static)
      .part("barriers", of_wavefront(&wcet::wavefront_bound::barriers), barriers_part())
      .list("removed_edges", of_wavefront(&wcet::wavefront_bound::removed),
            report_part<wcet::removed_side>()
                .value("from", &wcet::removed_side::from, "", "block; Prune")
                .value("to", &wcet::removed_side::to, "", "block")
                .value("split", &wcet::removed_side::split, "", "index of the split point"));
}

struct loop_entry {
  const wcet_result& result;
  const wcet::bounded_loop& loop;
};

report_part<loop_entry> loop_part() {
  using l = loop_entry;
  using mark = wcet::marked_loop;
  report_part<mark> marks;
  add_source(marks, &mark::place);
  marks.value("bound", &mark::bound, "iterations", "at most").value("from", &mark::from, "", "who says so");
  report_part<l> all;
  all.value(
         "header", [](const l& of) { return of.loop.header; }, "", "block")
      .value(
          "blocks", [](const l& of) { return of.loop.blocks; }, "", "blocks of the loop");
  add_source(all, [](const l& of) { return of.loop.place; });
  return all
      .value(
          "passes", [](const l& of) { return *of.loop.passes; },
          "executions of the header each time the loop is entered", "at most")
      .list(
          "marks",
          [](const l& of) {
            std::vector<mark> all_marks;
            for (const size_t m : of.loop.marks) all_marks.push_back(of.result.analysed->marked_loops()[m]);
            return all_marks;
          },
          marks);
}

struct split_entry {
  const wcet_result& result;
  const wcet::split_point& split;
};

report_part<split_entry> split_part() {
  using s = split_entry;
  const auto of_split = [](auto member) { return [member](const s& of) { return of.split.*member; }; };
  using point = wcet::split_point;
  report_part<s> all;
  all.value("block", of_split(&point::block), "", "that ends with the split")
      .value(
          "offset", [](const s& of) { return of.result.offset_of(of.split.instruction); }, "",
          "bytes from the kernel's entry");
  add_source(all, [](const s& of) { return of.result.analysed->place(of.split.instruction); });
  return all.value("sides_known", of_split(&point::recognised), "", "both sides and their merge are found in the code")
      .value("contexts_needed", of_split(&point::contexts_needed), "", "SWF contexts in use from it on")
      .value("in_S_B", of_split(&point::guaranteed), "", "it finds a context for sure");
}

report_part<element> block_part() {
  using b = element;
  const auto counted = [](const char* unit, const std::string& meaning, auto get) {
    return by_scheme<b>([&](report_part<b>& all, const char* name, size_t k) {
      all.value(
          name, [get, k](const b& of) { return get(of.result.schemes[k].wavefront, of.at); }, unit, meaning);
    });
  };
  using w = wcet::wavefront_bound;
  const auto is_pruned = [](const b& of) {
    return std::any_of(of.result.schemes.begin(), of.result.schemes.end(),
                       [](const scheme_bound& s) { return s.wavefront.pruned_cycles.has_value(); });
  };
  report_part<b> all;
  all.value("block", &b::at, "", "index")
      .value(
          "offset", [](const b& of) { return of.result.offset_of(of.graph()[of.at].first); }, "",
          "bytes from the kernel's entry")
      .value(
          "instructions", [](const b& of) { return of.graph()[of.at].end - of.graph()[of.at].first; }, "",
          "of the block");
  add_source(all, [](const b& of) { return of.result.analysed->place(of.graph()[of.at].first); });
  return all
      .value(
          "reachable", [](const b& of) { return of.graph().reachable(of.at); }, "", "from the entry")
      .value(
          "successors", [](const b& of) { return of.graph()[of.at].successors; }, "", "blocks")
      .group("e_bb",
             counted("cycles", "of the block at most", [](const w& f, size_t k) { return f.block_cycles()[k]; }))
      .group("executions",
             counted("", "on the longest path", [](const w& f, size_t k) { return f.path.node_count[k]; }))
      .group("executions_by_all_parts",
             counted("", "the same with split wavefronts", [](const w& f, size_t k) { return f.work_count[k]; }))
      .group("F", counted("cycles", "Prune: from the block on",
                          [](const w& f, size_t k) { return f.pruned_cycles ? std::optional(f.f[k]) : std::nullopt; }))
      .where(is_pruned);
}

report_part<element> access_part() {
  using a = element;
  const auto of_access = [](auto member) {
    return [member](const a& of) { return of.result.analysed->accesses()[of.at].*member; };
  };
  using access = wcet::access_bound;
  report_part<a> all;
  all.value(
         "offset", [](const a& of) { return of.result.offset_of(of.at); }, "", "bytes from the kernel's entry")
      .value(
          "instruction", [](const a& of) { return isa::disassemble(of.result.code.instructions[of.at]); }, "",
          "disassembled");
  add_source(all, [](const a& of) { return of.result.analysed->place(of.at); });
  return all.value("lines", of_access(&access::lines), "lines at most", "that it asks for")
      .value("lds_passes", of_access(&access::lds_passes), "passes at most", "that it takes")
      .value("reason", of_access(&access::why), "", "why no more");
}

report_part<wcet_result> machine_part_of_bounds() {
  using t = wcet::machine_timing;
  return report_part<wcet_result>().part(
      "machine",
      [](const wcet_result& of) {
        const auto* constants = std::get_if<static_basis>(&of.basis);
        return constants == nullptr ? nullptr : &constants->timing;
      },
      report_part<t>()
          .value("issue_round", &t::round, "cycles", "between two issue slots of a context")
          .value("memory_frame", &t::memory_frame, "cycles", "between two memory slots of it")
          .value("lds_frame", &t::lds_frame, "cycles", "between two LDS slots of it"));
}

// What was launched, but for its file.
const report_part<wcet_result>& what_part() {
  static const report_part<wcet_result> all =
      report_part<wcet_result>()
          .value("kernel", &wcet_result::kernel, "", "its name")
          .value("source", &wcet_result::source, "", "the program")
          .value("G", &wcet_result::workgroups, "workgroups", "of the launch")
          .value("wavefronts_per_workgroup", &wcet_result::wavefronts_per_group, "", "of the launch")
          .value("S", &wcet_result::swf_contexts, "", "SWF contexts of a wavefront")
          .value("block_times", &wcet_result::block_times, "", "wcet.block_times");
  return all;
}

report_part<wcet_result> observed_part() {
  const auto of_run = [](auto member) { return [member](const wcet_result& of) { return of.observed.*member; }; };
  const auto made = of_run(&observation::made);
  return report_part<wcet_result>()
      .value("completed", of_run(&observation::completed), "", "--observe: the kernel came to its end")
      .where(made)
      .value("cycles", of_run(&observation::cycles), "cycles", "--observe: what it took")
      .where(made)
      .value("counted_loops", &wcet_result::counted_loops, "", "loops that were held to their bounds")
      .where(made)
      .text("error", of_run(&observation::error), "why it did not come to its end")
      .text("broken", of_run(&observation::broken), "the bound that the run broke");
}

// All of one launch but what it is.
const report_part<wcet_result>& bounds_part() {
  const auto schemes = by_scheme<wcet_result>([](report_part<wcet_result>& all, const char* name, size_t k) {
    all.part(
        name,
        [k](const wcet_result& of) {
          return scheme_result{of, of.schemes[k]};
        },
        scheme_part());
  });
  const auto is_run = [](const wcet_result& of) {
    return of.observed.made || !of.observed.error.empty() || !of.observed.broken.empty();
  };
  static const report_part<wcet_result> all =
      report_part<wcet_result>()
          .group("", machine_part_of_bounds())
          .group("bounds", schemes)
          .part(
              "bound", &wcet_result::configured,
              report_part<scheme_bound>()
                  .value(
                      "scheme", [](const scheme_bound& s) { return s.wavefront.of_scheme; }, "", "that the machine has")
                  .value("E_kernel", &scheme_bound::e_kernel, "cycles", "its bound"))
          .part("thesis", &wcet_result::measured, thesis_part())
          .list(
              "loops",
              [](const wcet_result& of) {
                std::vector<loop_entry> loops;
                for (const wcet::bounded_loop& l : of.analysed->loops()) loops.push_back({of, l});
                return loops;
              },
              loop_part())
          .list(
              "split_points",
              [](const wcet_result& of) {
                std::vector<split_entry> splits;
                for (const wcet::split_point& p : of.analysed->split_points()) splits.push_back({of, p});
                return splits;
              },
              split_part())
          .list(
              "blocks",
              [](const wcet_result& of) {
                return elements(of, of.analysed->graph().size(), [](size_t) { return true; });
              },
              block_part())
          .list(
              "accesses",
              [](const wcet_result& of) {
                return elements(of, of.analysed->accesses().size(),
                                [&](size_t k) { return of.code.instructions[k].is_memory(); });
              },
              access_part())
          .group("observed", observed_part())
          .where(is_run);
  return all;
}

}  // namespace

const report_part<wcet_program>& wcet_part() {
  using p = wcet_program;
  const auto single = [](const p& of) { return of.launches.size() == 1 ? of.launches.front().get() : nullptr; };
  const auto several = [](const p& of) { return of.launches.size() > 1; };
  const auto sums = by_scheme<launch_sums>([](report_part<launch_sums>& all, const char* name, size_t k) {
    all.value(
        name, [k](const launch_sums& s) { return s.e_kernel[k]; }, "cycles", "several launches: the sum");
  });
  static const report_part<p> all =
      report_part<p>()
          .group("run", report_part<p>()
                            .value("file", &p::file, "", "the run file")
                            .part("", single, what_part())
                            .also({},
                                  [=](json_text& t, const p& of) {
                                    if (!several(of)) return;
                                    t.add("source", of.source);
                                    t.add("block_times", name_of(of.launches.front()->block_times()));
                                  }))
          .part("", single, bounds_part())
          .list(
              "launches",
              [](const p& of) {
                std::vector<std::reference_wrapper<const wcet_result>> launches;
                for (const auto& l : of.launches) launches.emplace_back(*l);
                return launches;
              },
              report_part<wcet_result>().group("run", what_part()).group("", bounds_part()))
          .where(several)
          .part("total", sums_of,
                report_part<launch_sums>()
                    .group("E_kernel", sums)
                    .value("bound", &launch_sums::bound, "cycles",
                           "several launches: sum of their bounds under the machine's scheme")
                    .value("observed", &launch_sums::observed, "cycles", "--observe: what they took"))
          .where(several)
          .part("split_by_launch", &p::by_launch, launch_choice_part())
          .value("warnings", &p::warnings, "", "what of the configuration does nothing, and which key to set")
          .part("", &p::inputs, inputs_part());
  return all;
}

}  // namespace pws::platform
