// SPDX-License-Identifier: Apache-2.0
#include "platform/report/formation_report.h"

#include <fmt/format.h>

#include "models/formation/formation_storage.h"

namespace pws::platform {

namespace {

std::string slots_text(uint32_t warp_size) {
  const uint32_t n = warp_size / 4;
  std::string text;
  uint32_t first = 1;
  for (const char* quarter : {"first", "second", "third", "fourth"}) {
    const uint32_t last = first + n - 1;
    text += fmt::format("W{} {{formation.share_of_issue_slots.{}_quarter:.1%}}, ",
                        first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last), quarter);
    first += n;
  }
  return text +
         "none active {formation.share_of_issue_slots.none_active:.1%}, "
         "units busy {formation.share_of_issue_slots.units_busy:.1%}, "
         "nobody ready {formation.share_of_issue_slots.nobody_ready:.1%}";
}

}  // namespace

std::vector<std::pair<const char*, std::string>> formation_rows(const machine_counters& n,
                                                                const models::counted_on& on) {
  const models::machine_config& m = on.machine;
  std::vector<std::pair<const char*, std::string>> rows;
  const auto row = [&](const char* label, const std::string& text) { rows.emplace_back(label, filled(text, n, on)); };
  row("work-items",
      "{formation.work_item_instructions} instructions, {formation.ipc:.2f} per cycle, {formation.of_peak:.1%} of the "
      "peak");
  row("issue slots", slots_text(models::warp_size_of(m)));
  if (!models::joins_paths(m)) return rows;
  row("warps",
      fmt::format("{{formation.warps_formed}} formed, heuristic {}; {{formation.joined}} work-items joined one, "
                  "{{formation.conflicts}} found their lane taken ({}); {{formation.paths_cut}} paths cut",
                  name_of(m.dwf.heuristic), name_of(m.dwf.register_file)));
  const models::formation_statistics& f = n.formation;
  std::string text = fmt::format(
      "LUT {{formation.pc_warp_lut.misses}} misses of {}, {{formation.pc_warp_lut.displaced}} "
      "displaced; at most {{formation.warp_pool.in_use.most}} warps in the pool",
      f.lut_hits + f.lut_misses);
  if (f.pool_full != 0) text += ", which was full {formation.warp_pool.full} times";
  if (models::counts_pcs(m)) {
    text += "; {formation.majority_table.in_use.most} PCs counted at most";
    if (f.not_counted != 0) text += ", {formation.majority_table.not_counted} groups not counted";
  }
  row("structures", text);
  row("storage",
      "{formation.storage.total} bits per SIMD unit: update registers {formation.storage.update_registers}, "
      "LUT {formation.storage.pc_warp_lut}, pool {formation.storage.warp_pool}, allocator "
      "{formation.storage.warp_allocator}, issue logic {formation.storage.issue_logic} (paper, 256 "
      "work-items: {formation.storage_of_paper.total})");
  return rows;
}

}  // namespace pws::platform
