#include "platform/report/formation_report.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/ratio.h"
#include "models/formation/formation_storage.h"
#include "platform/json/quantity.h"

namespace pws::platform {

namespace {
using models::formation_statistics;
using models::machine_config;
using nlohmann::ordered_json;

// Instructions of work-items that the machine could issue in that time, a full warp in every SIMD unit and cycle.
uint64_t peak(const machine_config& m, models::cycle_t cycles) {
  return cycles * m.n_cu * m.n_simd * models::warp_size_of(m);
}

bool forms(const machine_config& m) {
  return m.divergence == models::divergence_kind::dwf;
}

bool counts(const machine_config& m) {
  return m.dwf.heuristic == models::issue_heuristic::majority || m.dwf.heuristic == models::issue_heuristic::minority;
}

// Issue slots with 1 to warp_size / 4 active work-items, and so on.
uint64_t slots_of_quarter(const machine_config& m, const formation_statistics& f, uint32_t quarter) {
  const uint32_t n = models::warp_size_of(m) / 4;
  uint64_t sum = 0;
  for (uint32_t k = quarter * n + 1; k <= (quarter + 1) * n; ++k) sum += f.slots[k];
  return sum;
}

std::string slots_text(const machine_config& m, const formation_statistics& f) {
  const uint32_t n = models::warp_size_of(m) / 4;
  std::string text;
  for (uint32_t quarter = 0; quarter < 4; ++quarter) {
    const uint32_t first = quarter * n + 1, last = first + n - 1;
    text += fmt::format("W{} {:.1f} %, ", first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last),
                        100 * ratio(slots_of_quarter(m, f, quarter), f.cycles()));
  }
  return text + fmt::format("none active {:.1f} %, units busy {:.1f} %, nobody ready {:.1f} %",
                            100 * ratio(f.slots[0], f.cycles()), 100 * ratio(f.stalled, f.cycles()),
                            100 * ratio(f.empty, f.cycles()));
}

ordered_json level_json(const formation_statistics::level& l, uint64_t samples, const char* unit) {
  return {{"most", quantity(l.most, unit)}, {"mean", quantity(ratio(l.sum, samples), unit)}};
}

ordered_json storage_json(const models::formation_sizes& sizes) {
  const models::formation_storage s = models::storage_of(sizes);
  return {{"update_registers", quantity(s.update_registers, "bits")},
          {"pc_warp_lut", quantity(s.lut, "bits")},
          {"warp_pool", quantity(s.pool, "bits")},
          {"warp_allocator", quantity(s.allocator, "bits")},
          {"issue_logic", quantity(s.issue_logic, "bits")},
          {"total", quantity(s.total(), "bits")}};
}
}  // namespace

std::vector<std::pair<const char*, std::string>> formation_rows(const machine_config& m, const formation_statistics& f,
                                                                models::cycle_t cycles) {
  std::vector<std::pair<const char*, std::string>> rows;
  rows.emplace_back("work-items", fmt::format("{} instructions, {:.2f} per cycle, {:.1f} % of the peak", f.work_items,
                                              ratio(f.work_items, cycles), 100 * ratio(f.work_items, peak(m, cycles))));
  rows.emplace_back("issue slots", slots_text(m, f));
  if (!forms(m)) return rows;
  rows.emplace_back(
      "warps",
      fmt::format("{} formed, heuristic {}; {} work-items joined one, {} found their lane taken ({}); {} paths "
                  "cut",
                  f.formed, name_of(m.dwf.heuristic), f.joined, f.conflicts, name_of(m.dwf.register_file), f.cuts));
  std::string text = fmt::format("LUT {} misses of {}, {} displaced; at most {} warps in the pool", f.lut_misses,
                                 f.lut_hits + f.lut_misses, f.lut_displaced, f.pool.most);
  if (f.pool_full != 0) text += fmt::format(", which was full {} times", f.pool_full);
  if (counts(m))
    text += fmt::format("; {} PCs counted at most{}", f.majority.most,
                        f.not_counted == 0 ? "" : fmt::format(", {} groups not counted", f.not_counted));
  rows.emplace_back("structures", text);
  const models::formation_storage s = models::storage_of(models::formation_sizes_of(m));
  rows.emplace_back(
      "storage", fmt::format("{} bits per SIMD unit: update registers {}, LUT {}, pool {}, allocator {}, issue logic "
                             "{} (paper, 256 work-items: {})",
                             s.total(), s.update_registers, s.lut, s.pool, s.allocator, s.issue_logic,
                             models::storage_of(models::paper_sizes).total()));
  return rows;
}

ordered_json to_json(const machine_config& m, const formation_statistics& f, models::cycle_t cycles) {
  ordered_json j = {{"warp_size", quantity(models::warp_size_of(m), "work-items")},
                    {"work_item_instructions", quantity(f.work_items, "instructions")},
                    {"ipc", quantity(ratio(f.work_items, cycles), "work-item instructions per cycle")},
                    {"of_peak", quantity(ratio(f.work_items, peak(m, cycles)), "ratio")},
                    {"warps_issued", quantity(f.issued, "warps")},
                    {"paths_per_warp", quantity(ratio(f.paths, f.issued), "paths")}};
  ordered_json& slots = j["issue_slots"];
  for (uint32_t k = 0; k <= models::warp_size_of(m); ++k)
    slots[fmt::format("W{}", k)] = quantity(f.slots[k], "cycles, summed over SIMD units");
  slots["units_busy"] = quantity(f.stalled, "cycles, summed over SIMD units");
  slots["nobody_ready"] = quantity(f.empty, "cycles, summed over SIMD units");
  ordered_json& shares = j["share_of_issue_slots"];
  const auto share = [&](const char* name, uint64_t n) { shares[name] = quantity(ratio(n, f.cycles()), "ratio"); };
  share("none_active", f.slots[0]);
  const char* const quarters[] = {"first_quarter", "second_quarter", "third_quarter", "fourth_quarter"};
  for (uint32_t q = 0; q < 4; ++q) share(quarters[q], slots_of_quarter(m, f, q));
  share("units_busy", f.stalled);
  share("nobody_ready", f.empty);
  if (!forms(m)) return j;
  j["heuristic"] = name_of(m.dwf.heuristic);
  j["register_file"] = name_of(m.dwf.register_file);
  j["warps_formed"] = quantity(f.formed, "warps");
  j["joined"] = quantity(f.joined, "work-items");
  j["conflicts"] = quantity(f.conflicts, "work-items");
  j["paths_cut"] = quantity(f.cuts, "paths");
  j["away_from_home_lane"] = quantity(f.away, "work-item instructions");
  j["bank_conflicts"] = quantity(f.bank_conflicts, "cycles, summed over SIMD units");
  j["waited_for_update_register"] = quantity(f.updates_waited, "groups of work-items, summed over cycles");
  j["pc_warp_lut"] = {{"hits", quantity(f.lut_hits, "groups of work-items")},
                      {"misses", quantity(f.lut_misses, "groups of work-items")},
                      {"displaced", quantity(f.lut_displaced, "entries")},
                      {"in_use", level_json(f.lut, f.issued, "entries")}};
  j["warp_pool"] = {{"full", quantity(f.pool_full, "groups of work-items, summed over cycles")},
                    {"in_use", level_json(f.pool, f.issued, "warps")}};
  if (counts(m))
    j["majority_table"] = {{"not_counted", quantity(f.not_counted, "groups of work-items")},
                           {"in_use", level_json(f.majority, f.issued, "PCs")}};
  j["storage"] = storage_json(models::formation_sizes_of(m));
  j["storage_of_paper"] = storage_json(models::paper_sizes);
  return j;
}

}  // namespace pws::platform
