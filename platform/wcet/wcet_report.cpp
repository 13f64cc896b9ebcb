// SPDX-License-Identifier: Apache-2.0
#include "platform/wcet/wcet_report.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/output/output_files.h"
#include "base/output/quantity.h"
#include "base/output/trace_time.h"
#include "base/ratio.h"
#include "models/isa/code/decode.h"
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

uint64_t offset_of(const wcet_result& r, size_t instruction) {
  return r.code.instructions[instruction].pc - r.code.begin();
}

size_t guaranteed(const wcet_result& r) {
  const auto& points = r.analysed->split_points();
  return static_cast<size_t>(std::count_if(points.begin(), points.end(), [](const auto& p) { return p.guaranteed; }));
}

// SWF contexts that the wavefront uses at most.
size_t contexts_used(const wcet_result& r) {
  return wcet::swfs_at_most(r.analysed->split_points(), r.swf_contexts);
}

// "at most 8 iterations (PWS_LOOP_BOUND)", or of loops that have become one "at most 54 passes (PWS_LOOP_BOUND of lines
// 3, 5)". A loop that the compiler unrolled has fewer passes than its statement has iterations.
std::string limits_text(const wcet_result& r, const wcet::bounded_loop& l) {
  const auto& marked = r.analysed->marked_loops();
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

// Each loop in words, in the order of the code, with how many others say the same (copies that the compiler made).
std::vector<std::pair<std::string, size_t>> loop_texts(const wcet_result& r) {
  std::vector<std::pair<std::string, size_t>> out;
  for (const wcet::bounded_loop& l : r.analysed->loops()) {
    const std::string text =
        fmt::format("{} {}",
                    l.place.line != 0 ? place_text(l.place)
                                      : fmt::format("+0x{:x}", offset_of(r, r.analysed->graph()[l.header].first)),
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
  return place.empty() ? fmt::format("+0x{:x}", offset_of(r, last)) : place;
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
                     place.line != 0 ? place_text(place) : fmt::format("+0x{:x}", offset_of(r, graph[first].first)));
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

using nlohmann::ordered_json;

ordered_json place_json(const cfg::source_place& p) {
  if (p.line == 0) return nullptr;
  return {{"file", p.file}, {"line", p.line}, {"column", p.column}};
}

ordered_json marks_json(const wcet_result& r, const wcet::bounded_loop& l) {
  ordered_json out = ordered_json::array();
  for (const size_t m : l.marks) {
    const wcet::marked_loop& marked = r.analysed->marked_loops()[m];
    out.push_back(
        {{"source", place_json(marked.place)}, {"bound", quantity(marked.bound, "iterations")}, {"from", marked.from}});
  }
  return out;
}

ordered_json blocks_json(const wcet_result& r) {
  ordered_json all = ordered_json::array();
  const cfg::flow_graph& graph = r.analysed->graph();
  for (size_t k = 0; k < graph.size(); ++k) {
    ordered_json b = {{"block", k},
                      {"offset", offset_of(r, graph[k].first)},
                      {"instructions", graph[k].end - graph[k].first},
                      {"source", place_json(r.analysed->place(graph[k].first))},
                      {"reachable", graph.reachable(k)},
                      {"successors", graph[k].successors}};
    for (const scheme_bound& s : r.schemes) {
      b["e_bb"][name_of(s.wavefront.of_scheme)] = quantity(s.wavefront.block_cycles()[k], "cycles");
      b["executions"][name_of(s.wavefront.of_scheme)] = s.wavefront.path.node_count[k];
      b["executions_by_all_parts"][name_of(s.wavefront.of_scheme)] = s.wavefront.work_count[k];
      if (s.wavefront.pruned_cycles) b["F"][name_of(s.wavefront.of_scheme)] = quantity(s.wavefront.f[k], "cycles");
    }
    all.push_back(b);
  }
  return all;
}

ordered_json accesses_json(const wcet_result& r) {
  ordered_json all = ordered_json::array();
  const auto& accesses = r.analysed->accesses();
  for (size_t k = 0; k < accesses.size(); ++k)
    if (r.code.instructions[k].is_memory())
      all.push_back({{"offset", offset_of(r, k)},
                     {"instruction", isa::disassemble(r.code.instructions[k])},
                     {"source", place_json(r.analysed->place(k))},
                     {"lines", quantity(accesses[k].lines, "lines at most")},
                     {"lds_passes", quantity(accesses[k].lds_passes, "passes at most")},
                     {"reason", accesses[k].why}});
  return all;
}

// What the worst path consists of. e_bb has all waits of a block in full.
ordered_json shared_waits_json(const wcet_result& r, const wcet::wavefront_bound& b, const wcet::static_times& times) {
  std::map<size_t, uint64_t> paid;
  for (size_t c = 0; c < times.waits.charges.size(); ++c)
    paid[times.waits.charges[c].instruction] += b.path.charge_count[c];
  ordered_json all = ordered_json::array();
  for (const auto& [k, n] : paid)
    all.push_back({{"offset", offset_of(r, k)},
                   {"cycles", quantity(times.of[k].wait, "cycles")},
                   {"executions", b.path.node_count[r.analysed->graph().block_of(k)]},
                   {"paid", n}});
  return all;
}

ordered_json scheme_json(const wcet_result& r, const scheme_bound& s) {
  ordered_json j = {{"E_WF", quantity(s.wavefront.cycles, "cycles")},
                    {"d", quantity(s.d, "cycles")},
                    {"N_SIMD_total", quantity(s.n_simd, "SIMD units per CU")},
                    {"G_parallel_printed", quantity(s.g_parallel_printed, "workgroups")},
                    {"G_parallel", quantity(s.g_parallel, "workgroups")},
                    {"D_S", quantity(s.d_s, "dispatches")},
                    {"E_kernel", quantity(s.e_kernel, "cycles")},
                    {"ilp",
                     {{"variables", s.wavefront.path.variables},
                      {"constraints", s.wavefront.path.constraints},
                      {"path", s.wavefront.path.is_path ? "exact" : "approximation"}}}};
  if (s.wavefront.pruned_cycles) j["F_entry"] = quantity(*s.wavefront.pruned_cycles, "cycles");
  if (const auto* times = std::get_if<wcet::static_times>(&s.wavefront.times)) {
    const e_wf_parts parts = parts_of(r, s.wavefront);
    j["E_WF_parts"] = {{"issue", quantity(parts.issue, "cycles")},
                       {"memory_and_lds_slots", quantity(parts.memory, "cycles")},
                       {"waiting_for_data", quantity(parts.wait, "cycles")}};
    j["shared_waits"] = shared_waits_json(r, s.wavefront, *times);
  }
  const wcet::barrier_effect& barriers = s.wavefront.barriers;
  j["barriers"] = {{"paths_in_E_WF", barriers.factor}, {"early_ends", ordered_json::array()}};
  if (barriers.undecided) j["barriers"]["undecided_block"] = *barriers.undecided;
  for (const wcet::early_end& e : barriers.ends)
    j["barriers"]["early_ends"].push_back({{"block", e.block}, {"delay", quantity(e.cycles, "cycles")}});
  j["removed_edges"] = ordered_json::array();
  for (const wcet::removed_side& e : s.wavefront.removed)
    j["removed_edges"].push_back({{"from", e.from}, {"to", e.to}, {"split", e.split}});
  return j;
}

ordered_json to_json(const wcet_result& r) {
  const wcet::analysed_kernel& code = *r.analysed;
  ordered_json j;
  j["run"] = {{"file", r.file},
              {"kernel", r.kernel},
              {"source", r.source},
              {"G", quantity(r.workgroups, "workgroups")},
              {"wavefronts_per_workgroup", r.wavefronts_per_group},
              {"S", r.swf_contexts},
              {"block_times", name_of(r.block_times())}};
  if (const auto* constants = std::get_if<static_basis>(&r.basis))
    j["machine"] = {{"issue_round", quantity(constants->timing.round, "cycles")},
                    {"memory_frame", quantity(constants->timing.memory_frame, "cycles")},
                    {"lds_frame", quantity(constants->timing.lds_frame, "cycles")}};
  for (const scheme_bound& s : r.schemes) j["bounds"][name_of(s.wavefront.of_scheme)] = scheme_json(r, s);
  if (const scheme_bound* b = r.configured())
    j["bound"] = {{"scheme", name_of(b->wavefront.of_scheme)}, {"E_kernel", quantity(b->e_kernel, "cycles")}};
  if (const measured_basis* m = r.measured())
    j["thesis"] = {{"L_kernel", quantity(m->l_kernel, "cycles")},
                   {"L_kernel_serialised", quantity(m->l_kernel_serialised, "cycles")}};
  j["loops"] = ordered_json::array();
  for (const wcet::bounded_loop& l : code.loops())
    j["loops"].push_back({{"header", l.header},
                          {"blocks", l.blocks},
                          {"source", place_json(l.place)},
                          {"passes", quantity(*l.passes, "executions of the header each time the loop is entered")},
                          {"marks", marks_json(r, l)}});
  j["split_points"] = ordered_json::array();
  for (const wcet::split_point& p : code.split_points())
    j["split_points"].push_back({{"block", p.block},
                                 {"offset", offset_of(r, p.instruction)},
                                 {"source", place_json(code.place(p.instruction))},
                                 {"sides_known", p.recognised},
                                 {"contexts_needed", p.contexts_needed},
                                 {"in_S_B", p.guaranteed}});
  j["blocks"] = blocks_json(r);
  j["accesses"] = accesses_json(r);
  if (r.observed.made)
    j["observed"] = {{"completed", r.observed.completed},
                     {"cycles", quantity(r.observed.cycles, "cycles")},
                     {"counted_loops", r.counted_loops}};
  if (!r.observed.error.empty()) j["observed"]["error"] = r.observed.error;
  if (!r.observed.broken.empty()) j["observed"]["broken"] = r.observed.broken;
  return j;
}

}  // namespace

std::string worst_case_timeline(const wcet_result& r, scheme s) {
  constexpr uint64_t most_rows = 64, most_dispatches = 64;
  const scheme_bound& b = r.of(s);
  const uint32_t mhz = r.machine.clock_mhz;
  const uint64_t serial = s == scheme::dws ? r.swf_contexts + 1 : 1;
  ordered_json events = ordered_json::array();
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
                      {"ts", ordered_json::parse(trace_time(begin, mhz))},
                      {"dur", ordered_json::parse(trace_duration(begin, begin + length, mhz))},
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
  return ordered_json{{"traceEvents", events}, {"displayTimeUnit", "ns"}}.dump() + "\n";
}

namespace {

// Sums over all launches: launches run one after the other, so a program's bound is the sum of theirs.
struct launch_sums {
  std::array<uint64_t, 3> e_kernel{};  // by scheme
  std::optional<uint64_t> bound;       // of the machine's scheme; nothing: it has none
  bool observed = true;                // every launch was run to its end
  uint64_t cycles = 0;                 // that they took
};

launch_sums sums_of(const wcet_program& p) {
  constexpr const char* what = "the sum of the launches' bounds";
  launch_sums s;
  if (p.launches.front()->configured() != nullptr) s.bound = 0;
  for (const auto& l : p.launches) {
    for (size_t k = 0; k < s.e_kernel.size(); ++k)
      s.e_kernel[k] = wcet::checked_sum(s.e_kernel[k], l->schemes[k].e_kernel, what);
    if (s.bound) s.bound = wcet::checked_sum(*s.bound, l->configured()->e_kernel, what);
    s.observed = s.observed && l->observed.completed;
    s.cycles += l->observed.cycles;
  }
  return s;
}

}  // namespace

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
      row("observed", fmt::format("{} cycles{}", s.cycles,
                                  s.bound ? fmt::format(": bound / observed {:.3f}",
                                                        static_cast<double>(*s.bound) / static_cast<double>(s.cycles))
                                          : ""));
  }
  if (p.by_launch) row("split: auto", text(*p.by_launch));
  for (const std::string& w : p.warnings) row("warning", w);
}

bool holds(const wcet_program& p) {
  return std::all_of(p.launches.begin(), p.launches.end(), [](const auto& l) { return holds(*l); });
}

ordered_json to_json(const wcet_program& p) {
  ordered_json j;
  if (p.launches.size() == 1) {
    j = to_json(*p.launches.front());
  } else {
    j["run"] = {{"file", p.file}, {"source", p.source}, {"block_times", name_of(p.launches.front()->block_times())}};
    for (const auto& l : p.launches) {
      j["launches"].push_back(to_json(*l));
      j["launches"].back()["run"].erase("file");
    }
    const launch_sums s = sums_of(p);
    for (size_t k = 0; k < s.e_kernel.size(); ++k)
      j["total"]["E_kernel"][name_of(static_cast<wcet::scheme>(k))] = quantity(s.e_kernel[k], "cycles");
    if (s.bound) j["total"]["bound"] = quantity(*s.bound, "cycles");
    if (s.observed) j["total"]["observed"] = quantity(s.cycles, "cycles");
  }
  if (p.by_launch) j["split_by_launch"] = launch_choice_part().json(*p.by_launch);
  j["warnings"] = p.warnings;
  add_inputs(j, p.inputs);
  return j;
}

void write(const wcet_program& p, const wcet_outputs& o) {
  if (p.launches.size() > 1)
    for (const auto& [option, path] :
         {std::pair{"--dot", o.dot}, std::pair{"--svg", o.svg}, std::pair{"--timeline", o.timeline}})
      if (!path.empty())
        throw input_error(
            fmt::format("{}: {} has {} launches, and a drawing is of one", option, p.file, p.launches.size()));
  const wcet_result& r = *p.launches.front();
  if (!o.report.empty()) write_output({"--report", o.report}, to_json(p).dump(2) + "\n");
  if (!o.timeline.empty()) write_output({"--timeline", o.timeline}, worst_case_timeline(r, o.drawn));
  if (!o.dot.empty()) write_output({"--dot", o.dot}, to_dot(r, o.drawn));
  if (o.svg.empty()) return;
  const auto dot = loader::find_executable("dot");
  if (dot.empty())
    throw input_error("--svg needs Graphviz's dot (Debian package graphviz); --dot writes the graph itself");
  const loader::temporary_directory scratch;
  const std::string graph = (scratch.path() / "cfg.dot").string();
  write_output({"--svg", graph}, to_dot(r, o.drawn));
  write_output({"--svg", o.svg}, "");
  const loader::process_result run = loader::run_process({dot.string(), "-Tsvg", "-o", o.svg, graph});
  if (run.exit_code != 0) throw input_error("--svg: dot failed:\n" + run.output);
}

}  // namespace pws::platform
