// SPDX-License-Identifier: Apache-2.0
#include "models/formation/formation_statistics.h"

#include <string>

#include "base/ratio.h"
#include "models/formation/formation_storage.h"

namespace pws::models {

namespace {

using counts = formation_statistics;

constexpr const char* of_simd_units = "cycles, summed over SIMD units";
constexpr const char* of_groups = "groups of work-items";
constexpr const char* of_groups_by_cycle = "groups of work-items, summed over cycles";

// Shares of issue slots by how many of a warp's work-items were active.
void add_shares(counter_list<counts>& all) {
  const auto share = [&all](const char* name, auto slots, const char* meaning) {
    all.value(
        std::string("share_of_issue_slots.") + name,
        [slots](const counts& n, const counted_on& on) { return ratio(slots(n, on), n.cycles()); }, "ratio", meaning);
  };
  share(
      "none_active", [](const counts& n, const counted_on&) { return n.slots[0]; }, "a warp without active work-items");
  const char* const quarters[] = {"first_quarter", "second_quarter", "third_quarter", "fourth_quarter"};
  for (uint32_t q = 0; q < 4; ++q)
    share(
        quarters[q],
        [q](const counts& n, const counted_on& on) {
          const work_item_range r = quarter_of_warp(warp_size_of(on.machine), q);
          return n.slots_with(r.first, r.last);
        },
        "active work-items, of a warp's");
  share(
      "units_busy", [](const counts& n, const counted_on&) { return n.stalled; }, "a warp was ready and its unit busy");
  share(
      "nobody_ready", [](const counts& n, const counted_on&) { return n.empty; }, "no work-item was ready");
}

counter_list<counts> in_use(const std::string& structure, counts::level counts::*level, const char* unit) {
  return counter_list<counts>()
      .count(
          structure + ".in_use.most", [level](const counts& n) -> const uint64_t& { return (n.*level).most; }, unit,
          "at a time", combined::most)
      .uncalled([level](const counts& n) -> const uint64_t& { return (n.*level).sum; })
      .value(
          structure + ".in_use.mean", [level](const counts& n) { return ratio((n.*level).sum, n.issued); }, unit,
          "when a warp issues");
}

// Rows of one SIMD unit.
counter_list<counts> storage_rows(const std::string& whose, formation_sizes (*sizes)(const machine_config&)) {
  counter_list<counts> all;
  const auto add = [&](const char* name, auto part, const char* meaning) {
    all.value(
        whose + "." + name,
        [part, sizes](const counts&, const counted_on& on) { return std::invoke(part, storage_of(sizes(on.machine))); },
        "bits", meaning);
  };
  add("update_registers", &formation_storage::update_registers, "groups of work-items on their way to the pool");
  add("pc_warp_lut", &formation_storage::lut, "PC-warp LUT");
  add("warp_pool", &formation_storage::pool, "warp pool");
  add("warp_allocator", &formation_storage::allocator, "warp allocator");
  add("issue_logic", &formation_storage::issue_logic, "issue heuristic");
  add("total", &formation_storage::total, "of a SIMD unit");
  return all;
}

}  // namespace

const counter_list<counts>& counts::rows() {
  static const counter_list<counts> rows_of_all = [] {
    counter_list<counts> all;
    all.value(
           "warp_size", [](const counts&, const counted_on& on) { return uint64_t{warp_size_of(on.machine)}; },
           "work-items", "of a warp")
        .count("work_item_instructions", &counts::work_items, "instructions", "summed over work-items")
        .value(
            "ipc", [](const counts& n, const counted_on& on) { return ratio(n.work_items, on.cycles); },
            "work-item instructions per cycle", "of the machine")
        .value(
            "of_peak",
            [](const counts& n, const counted_on& on) {
              const machine_config& m = on.machine;
              return ratio(n.work_items, on.cycles * m.n_cu * m.n_simd * warp_size_of(m));
            },
            "ratio", "ipc, of what full warps in all SIMD units and cycles would reach")
        .count("warps_issued", &counts::issued, "warps", "each time one issues")
        .uncalled(&counts::paths)
        .value(
            "paths_per_warp", [](const counts& n) { return ratio(n.paths, n.issued); }, "paths",
            "that the work-items of a warp come from, on average");
    for (uint32_t k = 0; k <= isa::wave_size; ++k)
      all.count(
             "issue_slots.W" + std::to_string(k), [k](const counts& n) -> const uint64_t& { return n.slots[k]; },
             of_simd_units, "with so many active work-items")
          .where([k](const counted_on& on) { return k <= warp_size_of(on.machine); })
          .listed_as("issue_slots.W*");
    all.count("issue_slots.units_busy", &counts::stalled, of_simd_units, "in which a warp was ready and its unit busy")
        .count("issue_slots.nobody_ready", &counts::empty, of_simd_units, "in which no work-item was ready");
    add_shares(all);
    all.also(
           counter_list<counts>()
               .count("warps_formed", &counts::formed, "warps", "from work-items")
               .count("joined", &counts::joined, "work-items", "that came to a warp that was there")
               .count("conflicts", &counts::conflicts, "work-items", "that found their lane taken")
               .count("paths_cut", &counts::cuts, "paths", "of which only some work-items found room in a warp")
               .count("away_from_home_lane", &counts::away, "work-item instructions", "in another lane than their own")
               .count("bank_conflicts", &counts::bank_conflicts, of_simd_units,
                      "that registers of one home lane took more")
               .count("waited_for_update_register", &counts::updates_waited, of_groups_by_cycle,
                      "on their way to the pool")
               .count("pc_warp_lut.hits", &counts::lut_hits, of_groups, "that found the warp of their PC")
               .count("pc_warp_lut.misses", &counts::lut_misses, of_groups, "that did not")
               .count("pc_warp_lut.displaced", &counts::lut_displaced, "entries", "for want of room")
               .also(in_use("pc_warp_lut", &counts::lut, "entries"))
               .count("warp_pool.full", &counts::pool_full, of_groups_by_cycle, "that waited for room in the pool")
               .also(in_use("warp_pool", &counts::pool, "warps"))
               .also(storage_rows("storage", formation_sizes_of))
               .also(storage_rows("storage_of_paper", [](const machine_config&) { return paper_sizes; })))
        .where([](const counted_on& on) { return joins_paths(on.machine); })
        .also(counter_list<counts>()
                  .count("majority_table.not_counted", &counts::not_counted, of_groups, "for want of an entry")
                  .also(in_use("majority_table", &counts::majority, "PCs")))
        .where([](const counted_on& on) { return counts_pcs(on.machine); });
    return all;
  }();
  return rows_of_all;
}

}  // namespace pws::models
