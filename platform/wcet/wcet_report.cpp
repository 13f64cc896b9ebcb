// SPDX-License-Identifier: Apache-2.0
#include "platform/wcet/wcet_report.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/output/json_file.h"
#include "base/output/trace_time.h"
#include "base/ratio.h"
#include "platform/wcet/annotated_source.h"
#include "sw/loader/subprocess.h"
#include "sw/wcet/kernel/kernel_bound.h"

namespace pws::platform {

namespace {

using wcet::scheme;

// As a user in the working directory would type it.
std::string place_text(const cfg::source_place& p) {
  if (p.line == 0) return "";
  std::error_code error;
  const std::string near = std::filesystem::proximate(p.file, error).string();
  return fmt::format("{}:{}", error || near.size() > p.file.size() ? p.file : near, p.line);
}

size_t guaranteed(const wcet_result& r) {
  const auto& points = r.analysed->split_points();
  return static_cast<size_t>(std::count_if(points.begin(), points.end(), [](const auto& p) { return p.guaranteed; }));
}

// SWF contexts that the wavefront uses at most.
size_t contexts_used(const wcet_result& r) {
  return wcet::swfs_at_most(r.analysed->split_points(), r.swf_contexts);
}

// Who says the least, where this is no mark.
const char* unmarked_source(const wcet::bounded_loop& l) {
  if (l.by_marks == l.passes) return nullptr;
  return l.by_code == l.passes ? "counted by the code" : "by the launch's arguments and ids";
}

}  // namespace

// "at most 8 iterations (PWS_LOOP_BOUND)", or of loops that have become one "at most 54 passes (PWS_LOOP_BOUND of lines
// 3, 5)". A loop that the compiler unrolled has fewer passes than its statement has iterations. Without marks, or where
// these allow more: "at most 8 passes (counted by the code; the marks allow 10)".
std::string limits_text(const wcet_result& r, const wcet::bounded_loop& l) {
  const auto& marked = r.analysed->marked_loops();
  if (const char* source = unmarked_source(l))
    return fmt::format("at most {} passes ({}{})", *l.passes, source,
                       l.by_marks ? fmt::format("; the marks allow {}", *l.by_marks) : "");
  if (l.marks.size() == 1) {
    const wcet::marked_loop& m = marked[l.marks.front()];
    return fmt::format("at most {} iterations ({}){}", m.bound, m.from,
                       *l.passes < m.bound ? fmt::format(" in {} passes", *l.passes) : "");
  }
  std::string lines;
  for (const size_t m : l.marks) lines += fmt::format("{}{}", lines.empty() ? "" : ", ", marked[m].place.line);
  return fmt::format("at most {} passes ({})", *l.passes,
                     l.marks.empty() ? std::string("from the loops in it")
                                     : fmt::format("{} of lines {}", marked[l.marks.front()].from, lines));
}

namespace {

// Each loop in words, in the order of the code, with how many others say the same (copies that the compiler made).
std::vector<std::pair<std::string, size_t>> loop_texts(const wcet_result& r) {
  std::vector<std::pair<std::string, size_t>> out;
  for (const wcet::bounded_loop& l : r.analysed->loops()) {
    const std::string text =
        fmt::format("{} {}",
                    l.place.line != 0 ? place_text(l.place)
                                      : fmt::format("+0x{:x}", r.offset_of(r.analysed->graph()[l.header].first)),
                    limits_text(r, l));
    const auto same = std::find_if(out.begin(), out.end(), [&](const auto& o) { return o.first == text; });
    if (same == out.end())
      out.emplace_back(text, 1);
    else
      ++same->second;
  }
  return out;
}

// Where the block's last instruction is from.
std::string end_of_block(const wcet_result& r, size_t block) {
  const size_t last = r.analysed->graph()[block].last();
  const std::string place = place_text(r.analysed->place(last));
  return place.empty() ? fmt::format("+0x{:x}", r.offset_of(last)) : place;
}

// What wavefronts that wait for one another at barriers add to a path's time.
std::vector<std::string> barrier_texts(const wcet_result& r, const wcet::barrier_effect& e) {
  std::vector<std::string> out;
  if (e.undecided)
    out.push_back(
        fmt::format("wavefronts of a workgroup may go different ways to their barriers at {}: E_WF is {} times "
                    "the longest path",
                    end_of_block(r, *e.undecided), e.factor));
  for (const wcet::early_end& end : e.ends)
    out.push_back(fmt::format("wavefronts may end early at {} and delay the others' barrier: {} cycles more each time",
                              end_of_block(r, end.block), end.cycles));
  return out;
}

// Blocks that no run executed have time 0: the bound is one for runs that do not execute them either.
std::string measured_text(const wcet_result& r) {
  const cfg::flow_graph& graph = r.analysed->graph();
  const std::vector<uint64_t>& cycles = r.schemes.front().wavefront.block_cycles();
  size_t n = 0, first = graph.size();
  for (size_t k = 0; k < graph.size(); ++k) {
    if (!graph.reachable(k) || cycles[k] != 0) continue;
    if (n++ == 0) first = k;
  }
  std::string text = "measured: the longest seen, an estimate";
  if (n == 0) return text;
  const cfg::source_place place = r.analysed->place(graph[first].first);
  return text +
         fmt::format("; {} of {} blocks were not executed, the first at {}", n, graph.size(),
                     place.line != 0 ? place_text(place) : fmt::format("+0x{:x}", r.offset_of(graph[first].first)));
}

std::string times_text(const wcet_result& r) {
  const auto* constants = std::get_if<static_basis>(&r.basis);
  if (constants == nullptr) return measured_text(r);
  const wcet::machine_timing& t = constants->timing;
  return fmt::format("static: a slot every {} cycles; a memory line every {}, an LDS pass every {}", t.round,
                     t.memory_frame, t.lds_frame);
}

}  // namespace

e_wf_parts parts_of(const wcet_result& r, const wcet::wavefront_bound& b) {
  e_wf_parts s;
  const auto* times = std::get_if<wcet::static_times>(&b.times);
  if (times == nullptr) return s;
  for (size_t k = 0; k < r.analysed->graph().size(); ++k)
    for (size_t i = r.analysed->graph()[k].first; i < r.analysed->graph()[k].end; ++i) {
      s.issue += b.path.node_count[k] * times->of[i].issue;
      s.memory += b.work_count[k] * times->of[i].memory;
      if (!times->waits.shared[i]) s.wait += b.path.node_count[k] * times->of[i].wait;
    }
  for (size_t c = 0; c < times->waits.charges.size(); ++c)
    s.wait += b.path.charge_count[c] * times->waits.charges[c].cycles;
  return s;
}

namespace {

void print(std::ostream& out, const wcet_result& r) {
  const auto row = [&](const char* label, const std::string& text) { fmt::print(out, "  {:<14}{}\n", label, text); };
  const models::machine_config& m = r.machine;
  const wcet::analysed_kernel& code = *r.analysed;
  fmt::print(out, "{} ({}): worst-case execution time\n", r.kernel, r.source);
  row("machine", fmt::format("{} CU x {} SIMD x {} wavefront contexts, S = {}, {} VALU lanes", m.n_cu, m.n_simd,
                             m.n_wfc, r.swf_contexts, m.valu_lanes));
  row("launch", fmt::format("{}x{}x{} work-items in workgroups of {}x{}x{}: G = {}, {} wavefronts each",
                            r.launch.grid[0], r.launch.grid[1], r.launch.grid[2], r.launch.workgroup[0],
                            r.launch.workgroup[1], r.launch.workgroup[2], r.workgroups, r.wavefronts_per_group));
  row("code", fmt::format("{} instructions in {} blocks, {} loops, {} divergent branches, {} split points",
                          r.code.instructions.size(), code.graph().size(), code.loops().size(), code.branches().size(),
                          code.split_points().size()));
  if (!code.split_points().empty())
    row("splits", fmt::format("{} of {} find an SWF context for sure; {} contexts in use at most", guaranteed(r),
                              code.split_points().size(), contexts_used(r)));
  row("block times", times_text(r));
  for (const auto& [text, n] : loop_texts(r)) row(n == 1 ? "loop" : fmt::format("{} loops", n).c_str(), text);
  for (const std::string& text : barrier_texts(r, r.of(scheme::none).wavefront.barriers)) row("barriers", text);
  fmt::print(out, "\n  {:<14} {:>15} {:>15} {:>15}\n", "cycles", "no splitting",
             fmt::format("PWS, S = {}", r.swf_contexts), fmt::format("DWS, S = {}", r.swf_contexts));
  const auto numbers = [&](const char* label, auto value) {
    fmt::print(out, "  {:<14} {:>15} {:>15} {:>15}\n", label, value(r.of(scheme::none)), value(r.of(scheme::pws)),
               value(r.of(scheme::dws)));
  };
  numbers("E_WF", [](const scheme_bound& b) { return b.wavefront.cycles; });
  numbers("d", [](const scheme_bound& b) { return b.d; });
  numbers("N_SIMD_total", [](const scheme_bound& b) { return b.n_simd; });
  numbers("G_parallel", [](const scheme_bound& b) { return b.g_parallel; });
  numbers("D_S", [](const scheme_bound& b) { return b.d_s; });
  numbers("E_kernel", [](const scheme_bound& b) { return b.e_kernel; });
  const uint64_t none = r.of(scheme::none).e_kernel, pws = r.of(scheme::pws).e_kernel, dws = r.of(scheme::dws).e_kernel;
  const auto below = [](uint64_t mine, uint64_t other) {
    return mine <= other ? fmt::format("{:.1f} % below", percent(other - mine, other))
                         : fmt::format("{:.1f} % above", percent(mine - other, other));
  };
  fmt::print(out, "\n");
  row("PWS", fmt::format("{} no splitting, {} DWS", below(pws, none), below(pws, dws)));
  if (r.measured() == nullptr) {
    const wcet::wavefront_bound& w = r.of(scheme::pws).wavefront;
    const e_wf_parts s = parts_of(r, w);
    row("E_WF of PWS", fmt::format("{:.1f} % issue, {:.1f} % memory and LDS slots, {:.1f} % waiting for data",
                                   percent(s.issue, w.cycles), percent(s.memory, w.cycles), percent(s.wait, w.cycles)));
  }
  if (const measured_basis* thesis = r.measured())
    row("thesis", fmt::format("L_kernel {} with splits in parallel (Eq. 5.4), {} one after the other (Eq. 5.5)",
                              thesis->l_kernel, thesis->l_kernel_serialised));
  if (const size_t used = contexts_used(r);
      models::traits_of(r.machine.divergence).bound == models::divergence_bound::parallel_sides &&
      used < r.swf_contexts)
    row("idle units",
        fmt::format("{} of {} SpSIMD units per SIMD unit: machine.reuse_idle_spsimd and split_points: {} make "
                    "N_SIMD_total {} (Eq. 2)",
                    r.swf_contexts - used, r.swf_contexts, used,
                    wcet::n_simd_total(r.machine.n_simd, r.swf_contexts, used)));
  const wcet::ipet_result& ilp = r.of(scheme::pws).wavefront.path;
  row("ILP", fmt::format("{} variables, {} constraints", ilp.variables, ilp.constraints));
  for (const scheme_bound& s : r.schemes)
    if (!s.wavefront.path.is_path)
      row("path", fmt::format("{}: too large to find in whole numbers; E_WF is the relaxation's bound, executions are "
                              "its counts, rounded: an approximation",
                              name_of(s.wavefront.of_scheme)));
  if (!r.observed.made) return;
  const scheme_bound* bound = r.configured();
  if (!r.observed.completed) {
    fmt::print(out, "error: {}\n", r.observed.error);
  } else if (bound == nullptr) {
    row("observed", fmt::format("{} cycles; {} has no bound here", r.observed.cycles,
                                models::traits_of(r.machine.divergence).name));
  } else {
    row("observed", fmt::format("{} cycles with {}: bound / observed {:.3f}", r.observed.cycles,
                                name_of(bound->wavefront.of_scheme),
                                static_cast<double>(bound->e_kernel) / static_cast<double>(r.observed.cycles)));
    if (bound->e_kernel < r.observed.cycles) fmt::print(out, "error: the run took longer than the bound\n");
  }
}

bool holds(const wcet_result& r) {
  if (!r.observed.made) return true;
  const scheme_bound* bound = r.configured();
  return r.observed.completed && (bound == nullptr || r.observed.cycles <= bound->e_kernel);
}

}  // namespace

std::string worst_case_timeline(const wcet_result& r, scheme s) {
  constexpr uint64_t most_rows = 64, most_dispatches = 64;
  const scheme_bound& b = r.of(s);
  const uint32_t mhz = r.machine.clock_mhz;
  const uint64_t serial = s == scheme::dws ? r.swf_contexts + 1 : 1;
  nlohmann::ordered_json events = nlohmann::ordered_json::array();
  const uint64_t rows = std::min({b.g_parallel, r.workgroups, most_rows});
  for (uint64_t w = 0; w < rows; ++w)
    events.push_back({{"name", "thread_name"},
                      {"ph", "M"},
                      {"pid", 0},
                      {"tid", w},
                      {"args", {{"name", fmt::format("workgroup slot {}", w)}}}});
  const auto slice = [&](uint64_t row, const std::string& name, uint64_t begin, uint64_t length) {
    events.push_back({{"name", name},
                      {"ph", "X"},
                      {"pid", 0},
                      {"tid", row},
                      {"ts", nlohmann::ordered_json::parse(trace_time(begin, mhz))},
                      {"dur", nlohmann::ordered_json::parse(trace_duration(begin, begin + length, mhz))},
                      {"args", {{"cycle", begin}, {"cycles", length}}}});
  };
  for (uint64_t n = 0; n < std::min(b.d_s, most_dispatches); ++n)
    for (uint64_t w = 0; w < rows && n * b.g_parallel + w < r.workgroups; ++w) {
      const uint64_t begin = n * (b.d + serial * b.wavefront.cycles);
      const std::string group = fmt::format("WG {}", n * b.g_parallel + w);
      slice(w, "d of " + group, begin, b.d);
      for (uint64_t k = 0; k < serial; ++k)
        slice(w, (k == 0 ? "E_WF of " : fmt::format("E_WF of SWF {} of ", k)) + group,
              begin + b.d + k * b.wavefront.cycles, b.wavefront.cycles);
    }
  return nlohmann::ordered_json{{"traceEvents", events}, {"displayTimeUnit", "ns"}}.dump() + "\n";
}

launch_sums sums_of(const wcet_program& p) {
  constexpr const char* what = "the sum of the launches' bounds";
  launch_sums s;
  if (p.launches.front()->configured() != nullptr) s.bound = 0;
  s.observed = 0;
  for (const auto& l : p.launches) {
    for (size_t k = 0; k < s.e_kernel.size(); ++k)
      s.e_kernel[k] = wcet::checked_sum(s.e_kernel[k], l->schemes[k].e_kernel, what);
    if (s.bound) s.bound = wcet::checked_sum(*s.bound, l->configured()->e_kernel, what);
    if (!l->observed.completed) s.observed.reset();
    if (s.observed) *s.observed += l->observed.cycles;
  }
  return s;
}

void print(std::ostream& out, const wcet_program& p) {
  for (size_t k = 0; k < p.launches.size(); ++k) {
    if (p.launches.size() > 1) fmt::print(out, "{}launch {} of {}: ", k == 0 ? "" : "\n", k + 1, p.launches.size());
    print(out, *p.launches[k]);
  }
  const auto row = [&](const char* label, const std::string& text) { fmt::print(out, "  {:<14}{}\n", label, text); };
  if (p.launches.size() > 1) {
    const launch_sums s = sums_of(p);
    fmt::print(out, "\nall {} launches, one after the other\n", p.launches.size());
    row("sum of E_kernel", fmt::format(" {:>15} {:>15} {:>15}", s.e_kernel[0], s.e_kernel[1], s.e_kernel[2]));
    if (s.observed)
      row("observed",
          fmt::format("{} cycles{}", *s.observed,
                      s.bound ? fmt::format(": bound / observed {:.3f}",
                                            static_cast<double>(*s.bound) / static_cast<double>(*s.observed))
                              : ""));
  }
  if (p.by_launch) row("split: auto", text(*p.by_launch));
  for (const std::string& w : p.warnings) row("warning", w);
  if (p.sensitivity) print(out, *p.sensitivity);
}

bool holds(const wcet_program& p) {
  return std::all_of(p.launches.begin(), p.launches.end(), [](const auto& l) { return holds(*l); });
}

void write(const wcet_program& p, const wcet_outputs& o) {
  if (p.launches.size() > 1)
    for (const auto& [option, path] :
         {std::pair{"--dot", o.dot}, std::pair{"--svg", o.svg}, std::pair{"--timeline", o.timeline}})
      if (!path.empty())
        throw input_error(
            fmt::format("{}: {} has {} launches, and a drawing is of one", option, p.file, p.launches.size()));
  const wcet_result& r = *p.launches.front();
  if (!o.report.empty()) write_json_file("--report", o.report, wcet_part().json(p));
  if (!o.annotate.empty()) write_output({"--annotate", o.annotate}, annotated_html(p));
  if (!o.callgrind.empty()) write_output({"--callgrind", o.callgrind}, annotated_callgrind(p));
  const scheme drawn = o.drawn.value_or(scheme::pws);
  if (!o.timeline.empty()) write_output({"--timeline", o.timeline}, worst_case_timeline(r, drawn));
  if (!o.dot.empty()) write_output({"--dot", o.dot}, to_dot(r, drawn));
  if (o.svg.empty()) return;
  const auto dot = loader::find_executable("dot");
  if (dot.empty())
    throw input_error("--svg needs Graphviz's dot (Debian package graphviz); --dot writes the graph itself");
  const loader::temporary_directory scratch;
  const std::string graph = (scratch.path() / "cfg.dot").string();
  write_output({"--svg", graph}, to_dot(r, drawn));
  write_output({"--svg", o.svg}, "");
  const loader::process_result run = loader::run_process({dot.string(), "-Tsvg", "-o", o.svg, graph});
  if (run.exit_code != 0) throw input_error("--svg: dot failed:\n" + run.output);
}

}  // namespace pws::platform
