// SPDX-License-Identifier: Apache-2.0
#include "models/divergence/divergence_statistics.h"

#include <string>

#include "models/divergence/path_storage.h"

namespace pws::models {

namespace {

bool has_stack(const counted_on& on) {
  return traits_of(on.machine.divergence).has_stack();
}
bool has_table(const counted_on& on) {
  return traits_of(on.machine.divergence).has_warp_split_table();
}
bool keeps_own_paths(const counted_on& on) {
  return traits_of(on.machine.divergence).keeps_own_paths();
}
bool takes_turns(const counted_on& on) {
  return traits_of(on.machine.divergence).takes_turns();
}
bool has_swf_contexts(const counted_on& on) {
  const scheme_traits& scheme = traits_of(on.machine.divergence);
  return scheme.splits() && !scheme.keeps_own_paths() && !scheme.forms_warps();
}

// What a scheme that keeps its own paths needs of storage for what a wavefront had at most.
counter_list<divergence_statistics> storage_rows() {
  counter_list<divergence_statistics> all;
  const auto add = [&all](const char* name, auto part, const char* unit, const char* meaning) {
    all.value(
        std::string("storage.") + name,
        [part](const divergence_statistics& n, const counted_on& on) {
          return std::invoke(part, storage_of(on.machine, n.levels(), n.paths()));
        },
        unit, meaning);
  };
  using s = path_storage;
  constexpr const char* bits = "bits of a wavefront";
  const auto add_for_stacks = [&](auto... row) {
    add(row...);
    all.where(has_stack);
  };
  add_for_stacks("stack_entries", &s::entries, "stack entries", "that the run needed at most");
  add_for_stacks("stack_entry", &s::entry_bits, "bits", "one of this machine");
  add_for_stacks("stack_entry_of_paper", &s::paper_entry_bits, "bits", "one as the paper has it");
  add_for_stacks("stack", &s::stack_bits, bits, "all entries");
  add_for_stacks("stack_with_entries_of_paper", &s::paper_stack_bits, bits, "all entries, each as the paper has it");
  add("warp_split_table", &s::table_bits, bits, "scheme dws-table");
  all.where(has_table);
  add("paths_in_turn", &s::turn_bits, bits, "PC, mask and place of each path");
  all.where(takes_turns);
  add("convergence_barriers", &s::barrier_bits, bits, "one for each split that is open");
  all.where(takes_turns);
  add("scoreboards", &s::scoreboard_bits, bits, "of all paths");
  add(
      "shadow_bits", [](const s& of) { return 100 * of.shadow_share(); }, "% of the scoreboards",
      "that hold other paths' dependences");
  add("scalar_registers", &s::scalar_bits, bits, "of paths that wait");
  return all;
}

}  // namespace

const counter_list<divergence_statistics>& divergence_statistics::rows() {
  using s = divergence_statistics;
  static const counter_list<s> all =
      counter_list<s>()
          .also(counter_list<s>()
                    .count("splits", &s::splits, "splits",
                           "SWFs created; on a stack entries with two sides; where warps are formed branches that cut "
                           "a path")
                    .count("merges", &s::merges, "merges", "of the two sides of a split")
                    .count("splits_one_sided", &s::one_sided, "splits", "besides, at which all work-items went one way")
                    .count("late_reconvergences", &s::late, "merges",
                           "passed by one side after the other: schemes dws-table and convergence"))
          .in(counter_detail::launch)
          .count("splits_without_context", &s::no_context, "splits", "besides, for which no SWF context was free")
          .where(has_swf_contexts)
          .count("stack_depth", &s::deepest, "stack entries, at most", "of a wavefront", combined::most)
          .where(has_stack)
          .also(storage_rows())
          .where(keeps_own_paths)
          .count("open_barriers", &s::open_barriers, "convergence barriers, at most", "that a path had open",
                 combined::most)
          .where(takes_turns)
          .count("paths_in_turn", &s::paths_in_turn, "paths of a wavefront, at most", "at a time", combined::most)
          .where(takes_turns)
          .count("turns", &s::turns, "turns", "that a path had after another one of its wavefront")
          .where(takes_turns)
          .count("yields", &s::yields, "yields", "at which another path had its turn: scheme convergence")
          .where(takes_turns)
          .count("warp_splits", &s::most_splits, "warp-splits of a wavefront, at most", "scheme dws-table",
                 combined::most)
          .where(has_table);
  return all;
}

}  // namespace pws::models
