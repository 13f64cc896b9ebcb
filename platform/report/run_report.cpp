// SPDX-License-Identifier: Apache-2.0
#include "platform/report/run_report.h"

#include <fmt/format.h>
#include <fmt/ostream.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/output/json_file.h"
#include "base/ratio.h"
#include "models/divergence/path_storage.h"
#include "platform/instruments/check/finding_report.h"
#include "platform/instruments/observers/branch_report.h"
#include "platform/machine/interruption.h"
#include "platform/report/machine_report.h"

namespace pws::platform {

namespace {
using nlohmann::ordered_json;

}  // namespace

bool run_report::pass() const {
  const std::vector<check_outcome> all = all_checks();
  return completed && found.clean() &&
         std::all_of(all.begin(), all.end(), [](const check_outcome& c) { return c.pass; });
}

std::vector<check_outcome> run_report::all_checks() const {
  std::vector<check_outcome> all;
  for (const launch_report& l : launches)
    for (const check_outcome& c : l.checks)
      all.push_back({fmt::format("launch {}: {}", l.number, c.buffer), c.pass, c.text});
  all.insert(all.end(), checks.begin(), checks.end());
  return all;
}

void gather(run_report& r, const virtual_platform& board) {
  r.totals = read_counters(board.gpu);
  r.spsimds = read_spsimds(board.gpu);
  r.cosim = {board.gpu.config.cosim.mode, board.cosim.units(), board.cosim.statistics()};
}

namespace {
std::string spsimd_text(const run_report& r) {
  constexpr size_t shown = 4;
  std::string text = "VALU busy ";
  for (size_t k = 0; k < std::min(shown, r.spsimds.size()); ++k)
    text += (k == 0 ? "" : ", ") + filled("{valu_utilisation:.1f} %", r.spsimds[k], r.counted());
  if (r.spsimds.size() > shown) text += fmt::format(", ... ({} in the report)", r.spsimds.size());
  return text;
}

const char* memory_text(const models::machine_config& m) {
  if (m.memory.arbitration == models::memory_arbitration::tdm)
    return "{tdm.lines} lines in slots of a {tdm.frame}-cycle frame; waited {tdm.mean_wait:.0f} cycles on average, "
           "{tdm.longest_wait} at most";
  return "L1 {vector_l1.read_hit_rate:.1f} % of {vector_l1.reads} reads hit, L2 {l2.read_hit_rate:.1f} % of "
         "{l2.reads}; "
         "DRAM {dram.reads} reads, {dram.writes} writes, {dram.row_hit_rate:.1f} % row hits";
}

// What a scheme that keeps its own paths needs of storage.
std::string storage_text(const models::path_storage& s) {
  std::string t = s.turn_bits != 0 ? fmt::format("paths {} bits, convergence barriers {} bits, scoreboards {} bits",
                                                 s.turn_bits, s.barrier_bits, s.scoreboard_bits)
                                   : fmt::format("stack {} x {} bits (paper: {}), scoreboards {} bits", s.entries,
                                                 s.entry_bits, s.paper_entry_bits, s.scoreboard_bits);
  if (s.shadow_bits != 0) t += fmt::format(", {:.1f} % of them shadow bits", 100 * s.shadow_share());
  if (s.table_bits != 0) t += fmt::format(", warp-split table {} bits", s.table_bits);
  return t + fmt::format(", scalar registers of paths that wait {} x {} bits", s.paths_kept, s.scalars_per_path);
}
}  // namespace

namespace {
// The summary on the screen, line by line.
struct summary {
  std::ostream& out;
  const run_report& r;
  const models::machine_config& m = r.machine;
  const models::scheme_traits& scheme = models::traits_of(m.divergence);
  const bool several = r.launches.size() != 1 || r.launches.front().number != 1;
  const bool timed = m.fidelity == models::fidelity::timing;
  const char* const issuer = issuer_of(m, m.fidelity);

  void row(const char* label, const std::string& text) const { fmt::print(out, "  {:<13}{}\n", label, text); }
  std::string values(std::string_view text) const { return filled(text, r.totals, r.counted()); }

  void say_what_ran() const;
  void say_instructions() const;
  void say_divergence() const;
  void say_waiting() const;
  void say_outcome() const;
};

void summary::say_what_ran() const {
  if (several)
    fmt::print(out, "{}: {} launch{}\n", r.source, r.launches.size(), r.launches.size() == 1 ? "" : "es");
  else
    fmt::print(out, "{} ({})\n", r.launches.front().kernel, r.source);
  row("machine", fmt::format("{}, {}", machine_text(m), name_of(m.fidelity)));
  if (!r.restored.empty()) row("restored", r.restored);
  for (const launch_report& l : r.launches) {
    std::string text = fmt::format("{}x{}x{} work-items in workgroups of {}x{}x{}: ", l.grid[0], l.grid[1], l.grid[2],
                                   l.workgroup[0], l.workgroup[1], l.workgroup[2]) +
                       filled("{workgroups} workgroups, {wavefronts} wavefronts", l.counters, r.counted());
    if (several && timed) text += fmt::format("; {} cycles", l.cycles);
    row(several ? fmt::format("launch {}", l.number).c_str() : "launch", (several ? l.kernel + ": " : "") + text);
    if (!several) row("occupancy", platform::text(l.occupancy));
  }
  if (!r.split.choice.empty())
    row("split points", fmt::format("{}: {} of {} divergent branches, {} lane masks carried", r.split.choice,
                                    r.split.splits, r.split.branches, r.split.carried_masks));
  if (r.split.by_launch) row("by launch", platform::text(*r.split.by_launch));
  if (m.check.loop_bounds)
    row("loop bounds", r.counted_loops == 0 ? "none: the kernel carries no PWS_LOOP_BOUND"
                                            : fmt::format("{} marked loops counted", r.counted_loops));
}

void summary::say_instructions() const {
  const char* stopped = r.completed ? "" : ", until it stopped";
  if (timed) row("cycles", fmt::format("{} ({}){}", r.cycles, simulated_time_text(r.cycles, m), stopped));
  row("instructions", values("{instructions} by ") + issuer + (timed ? values("s, IPC {ipc:.2f}") : "s") + stopped);
  row("SIMD lanes", values("{simd_lane_utilisation:.1f} % active in {vector_alu_instructions} vector ALU instructions; "
                           "{branches} branches, {branches_taken} taken"));
  for (const kernel_branches& k : r.branches) {
    row("branches", (several ? k.kernel + ": " : "") + platform::text(k.totals()));
    print_branches(out, k);
  }
}

void summary::say_divergence() const {
  if (scheme.forms_warps()) {
    row("divergence",
        fmt::format("{}, warps of {}: ", scheme.name, models::warp_size_of(m)) + values("{splits} cuts at branches"));
    if (timed)
      for (const auto& [label, text] : formation_rows(r.totals, r.counted())) row(label, text);
  } else if (scheme.splits()) {
    const std::string counts = values(": {splits} splits, {merges} merges; {splits_one_sided} splits one-sided");
    if (scheme.has_stack())
      row("splitting", scheme.name + counts + values("; at most {stack_depth} stack entries"));
    else if (scheme.takes_turns())
      row("splitting", scheme.name + counts + values("; at most {open_barriers} convergence barriers of a path"));
    else
      row("splitting", fmt::format("{}, S = {}", scheme.name, m.spsimd_per_simd) + counts +
                           values(", {splits_without_context} without a free context"));
    if (scheme.has_warp_split_table())
      row("warp-splits", values("at most {warp_splits} of a wavefront; {late_reconvergences} late reconvergences"));
    if (scheme.takes_turns())
      row("turns", values("{turns} among at most {paths_in_turn} paths of a wavefront; {yields} yields, "
                          "{late_reconvergences} late reconvergences"));
    std::string text = "{schedulable_paths:.2f} schedulable per instruction";
    if (timed) text += "; {waiting.merge} context cycles waiting at merges";
    if (m.scoreboard == models::path_scoreboard::conservative)
      text += "; {false_dependences} instructions waited for another path's results";
    row("paths", values(text));
    const models::divergence_statistics& counted = r.totals.divergence;
    if (scheme.keeps_own_paths())
      row("storage", storage_text(models::storage_of(m, counted.levels(), counted.paths())));
    if (timed && !r.spsimds.empty()) row("SpSIMD units", spsimd_text(r));
    if (r.cosim.units != 0) row("RTL", cosim::text(r.cosim));
  }
}

void summary::say_waiting() const {
  row("memory", values(memory_text(m)));
  uint64_t total = 0;
  for (const uint64_t s : r.totals.cu.stalls) total += s;
  std::string text;
  for (size_t k = 0; k < r.totals.cu.stalls.size(); ++k)
    text += fmt::format("{}{} {:.1f} %", k == 0 ? "" : ", ", models::name_of(static_cast<models::stall>(k)),
                        percent(r.totals.cu.stalls[k], total));
  row("waiting", text);
}

void summary::say_outcome() const {
  const auto instructions = static_cast<double>(r.totals.cu.total_instructions());
  const double rate = r.host_seconds > 0 ? instructions / r.host_seconds : 0;
  row("host", fmt::format("{:.3f} s, {:.3g} {} instructions per second", r.host_seconds, rate, issuer));
  if (r.found.any_on()) {
    row("check", platform::text(r.found, r.completed ? 0 : 1));
    print_findings(out, r.found);
  }
  for (const std::string& w : r.warnings) row("warning", w);
  if (!r.saved.empty()) row("checkpoint", r.saved);
  const std::vector<check_outcome> checks = r.all_checks();
  for (const check_outcome& c : checks)
    row("expect", fmt::format("{}: {}: {}", c.buffer, c.pass ? "PASS" : "FAIL", c.text));
  if (!r.completed) fmt::print(out, "error: {}\n", r.error);
  if (r.completed && checks.empty()) row("expect", "nothing stated: the output is not checked");
  fmt::print(out, "{}\n", r.pass() ? "PASS" : "FAIL");
}

}  // namespace

void print(std::ostream& out, const run_report& r) {
  const summary s{out, r};
  s.say_what_ran();
  s.say_instructions();
  s.say_divergence();
  if (s.timed) s.say_waiting();
  s.say_outcome();
}

namespace {

// Where there is one launch, it.
const launch_report* single(const run_report& r) {
  return r.launches.size() == 1 ? &r.launches.front() : nullptr;
}

report_part<run_report> what_ran() {
  using r = run_report;
  const auto of_launch = [](auto get) {
    return [get](const r& of) {
      return single(of) == nullptr ? std::nullopt : std::optional(std::invoke(get, *single(of)));
    };
  };
  return report_part<r>()
      .value("file", "the run file", &r::file)
      .value("source", "the program", &r::source)
      .value("fidelity", "machine.fidelity", [](auto& of) { return of.machine.fidelity; })
      .value("restored", "the checkpoint that it began from, and where that was", &r::restored)
      .where([](const r& of) { return !of.restored.empty(); })
      .value("kernel", "its name; it, grid, workgroup and occupancy where there is one launch",
             of_launch(&launch_report::kernel))
      .value("grid", "work-items", "x, y, z", of_launch(&launch_report::grid))
      .value("workgroup", "work-items", "x, y, z", of_launch(&launch_report::workgroup));
}

report_part<run_report> split_points() {
  using r = run_report;
  const auto placed = [](auto member) { return [member](const r& of) { return of.split.*member; }; };
  const auto chosen = [](const r& of) { return !of.split.choice.empty(); };
  return report_part<r>()
      .text("choice", "program.split", placed(&placed_splits::choice))
      .value("divergent_branches", "branches", "of the kernel", placed(&placed_splits::branches))
      .where(chosen)
      .value("split", "branches", "that pwscc made split", placed(&placed_splits::splits))
      .where(chosen)
      .value("carried_masks", "lane masks", "kept over merges", placed(&placed_splits::carried_masks))
      .where(chosen)
      .part("by_launch", launch_choice_part(), placed(&placed_splits::by_launch));
}

report_part<run_report> result() {
  using r = run_report;
  return report_part<r>()
      .value("completed", "the kernel came to its end", &r::completed)
      .value("pass", "it did, and all that is expected holds", &r::pass)
      .value("stopped", "it did not: everything counted is until there", [](auto& of) { return !of.completed; })
      .value("signal", "that stopped it", [](auto& of) { return signal_name(of.signal); })
      .where([](const r& of) { return of.signal != 0; })
      .text("error", "why it stopped", &r::error)
      .list("expect", check_part(), &r::checks)
      .where([](const r& of) { return !of.checks.empty(); });
}

// What is counted, and of each SpSIMD unit.
report_part<run_report> totals() {
  using r = run_report;
  constexpr auto detail = models::counter_detail::totals;
  report_part<r> all;
  all.also(counter_fields(machine_counters::rows().all(), detail),
           [](json_text& t, const r& of) { put(t, of.totals, of.counted(), detail); });
  std::vector<report_field> each = counter_fields(spsimd_use::rows().all(), detail);
  each.insert(each.begin(), {"number", value_kind::number, "", "SpSIMDID, from 2"});
  for (report_field& f : each) f.path = "spsimd.*." + f.path;
  return all.also(each, [](json_text& t, const r& of) {
    if (!of.counted().timed || of.spsimds.empty()) return;
    const auto list = t.list("spsimd");
    for (size_t k = 0; k < of.spsimds.size(); ++k) {
      const auto one = t.element();
      t.add("number", models::swf_number::spsimd_unit(static_cast<uint32_t>(k)).value());
      put(t, of.spsimds[k], of.counted(), detail);
    }
  });
}

}  // namespace

const report_part<run_report>& run_part() {
  using r = run_report;
  const auto one_kernel = [](const r& of) {
    return single(of) == nullptr || of.branches.empty() ? nullptr : &of.branches.front();
  };
  const auto kernels = [](const r& of) {
    return single(of) != nullptr || of.branches.empty() ? nullptr : &of.branches;
  };
  const auto entries = [](const r& of) {
    std::vector<launch_entry> all;
    for (const launch_report& l : of.launches) all.push_back({l, of.machine});
    return all;
  };
  static const report_part<r> all =
      report_part<r>()
          .group("run", what_ran())
          .group("split_points", split_points())
          .where([](const r& of) { return !of.split.choice.empty() || of.split.by_launch; })
          .part("occupancy", occupancy_part(),
                [](auto& of) { return single(of) == nullptr ? nullptr : &single(of)->occupancy; })
          .value("counted_loops", "loops", "machine.check.loop_bounds: that have a bound", &r::counted_loops)
          .where([](const r& of) { return of.machine.check.loop_bounds; })
          .part("machine", machine_part(), &r::machine)
          .part("", inputs_part(), &r::inputs)
          .group("result", result())
          .part("check", findings_part(), &r::found)
          .where([](const r& of) { return of.found.any_on(); })
          .value("warnings", "what of the configuration does nothing, and which key to set", &r::warnings)
          .value("cycles", "cycles", "launch to the last work-item's end", &r::cycles)
          .value("simulated_time", time_unit, "the same by machine.clock_mhz",
                 [](auto& of) { return simulated_time(of.cycles, of.machine); })
          .group("totals", totals())
          .part("branch_uniformity", branches_part(), one_kernel)
          .part("branch_uniformity", kernels_part(), kernels)
          .part("cosim", cosim::summary_part(), &r::cosim)
          .where([](const r& of) { return of.cosim.units != 0; })
          .list("per_launch",
                report_part<launch_entry>()
                    .group("", launch_part())
                    .list("expect", check_part(), [](auto& of) { return of.launch.checks; })
                    .where([](const launch_entry& of) { return !of.launch.checks.empty(); }),
                entries)
          .group("host", report_part<r>()
                             .value("wall_clock", "s", "of the host, for the launch", &r::host_seconds)
                             .value("cpu_time", "s", "of this process, for the launch", &r::host_cpu_seconds));
  return all;
}

void print_problems(std::ostream& out, const run_report& r) {
  if (!r.completed) out << "error: " << r.error << '\n';
  print_findings(out, r.found);
  for (const check_outcome& c : r.all_checks())
    if (!c.pass) out << "error: " << c.buffer << ": FAIL: " << c.text << '\n';
}

void write_json(const std::string& path, const run_report& r) {
  write_json_file("--report", path, run_part().json(r));
}

}  // namespace pws::platform
