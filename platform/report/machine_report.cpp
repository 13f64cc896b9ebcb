// SPDX-License-Identifier: Apache-2.0
#include "platform/report/machine_report.h"

#include <fmt/format.h>

#include <algorithm>

#include "models/formation/formation_storage.h"

namespace pws::platform {

std::string machine_text(const models::machine_config& m) {
  return fmt::format("{} CU x {} SIMD x {} wavefront contexts, {} VALU lanes, {} MHz", m.n_cu, m.n_simd, m.n_wfc,
                     m.valu_lanes, m.clock_mhz);
}

const report_part<models::machine_config>& machine_part() {
  using m = models::machine_config;
  static const report_part<m> all = report_part<m>()
                                        .value("n_cu", "compute units", &m::n_cu)
                                        .value("n_simd", "SIMD units of a compute unit", &m::n_simd)
                                        .value("n_wfc", "wavefront contexts of a SIMD unit", &m::n_wfc)
                                        .value("valu_lanes", "lanes of a vector ALU", &m::valu_lanes)
                                        .value("clock", "MHz", "of the GPU", &m::clock_mhz);
  return all;
}

double simulated_time(models::cycle_t cycles, const models::machine_config& m) {
  return static_cast<double>(cycles) / m.clock_mhz;
}

std::string simulated_time_text(models::cycle_t cycles, const models::machine_config& m) {
  return fmt::format("{:.3f} {}", simulated_time(cycles, m), time_unit);
}

namespace {

std::string slots_text(uint32_t warp_size) {
  const char* const quarters[] = {"first", "second", "third", "fourth"};
  std::string text;
  for (uint32_t q = 0; q < 4; ++q) {
    const auto [first, last] = models::quarter_of_warp(warp_size, q);
    if (first > last) continue;
    text += fmt::format("W{} {{formation.share_of_issue_slots.{}_quarter:.1%}}, ",
                        first == last ? fmt::format("{}", first) : fmt::format("{}-{}", first, last), quarters[q]);
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

namespace {

const char* words_of(models::cu_resource r) {
  switch (r) {
    case models::cu_resource::contexts:
      return "wavefront contexts";
    case models::cu_resource::vgprs:
      return "vector registers";
    case models::cu_resource::sgprs:
      return "scalar registers";
    case models::cu_resource::lds:
      break;
  }
  return "LDS";
}

}  // namespace

std::string text(const models::occupancy& o) {
  std::string limits;
  for (const auto& r : enumerators(models::cu_resource{}))
    if (o.limited_by(r.value)) limits += fmt::format("{}{}", limits.empty() ? "" : " and ", words_of(r.value));
  return fmt::format("{:.1f} wavefronts per SIMD unit, {:.0f} % of the contexts; limited by {}", o.wavefronts_per_simd,
                     100 * o.share, limits);
}

const report_part<models::occupancy>& occupancy_part() {
  using o = models::occupancy;
  static const report_part<o> all = [] {
    constexpr auto resources = enumerators(models::cu_resource{});
    const auto allowed = [](const o& of, models::cu_resource r) {
      const uint64_t n = of.allowed_by(r);
      return n == o::any_number ? std::nullopt : std::optional(n);
    };
    report_part<o> enough;
    for (const auto& r : resources)
      enough.value(r.name, "workgroups per compute unit", std::string("as far as it depends on ") + r.name,
                   [=](auto& of) { return allowed(of, r.value); });
    const auto any_allowed = [=](const o& of) {
      return std::any_of(resources.begin(), resources.end(), [&](const auto& r) { return allowed(of, r.value); });
    };
    const auto limits = [=](const o& of) {
      std::vector<std::string> names;
      for (const auto& r : resources)
        if (of.limited_by(r.value)) names.emplace_back(r.name);
      return names;
    };
    return report_part<o>()
        .value("workgroups_per_cu", "workgroups", "that a compute unit holds at a time", &o::workgroups)
        .value("wavefronts_per_simd", "wavefronts, on average", "that a SIMD unit holds at a time",
               &o::wavefronts_per_simd)
        .value("share", "of the wavefront contexts", "that are in use then", &o::share)
        .value("limited_by", "resources of which more would let in another workgroup", limits)
        .part("enough_for", enough, [=](auto& of) { return any_allowed(of) ? &of : nullptr; });
  }();
  return all;
}

}  // namespace pws::platform
