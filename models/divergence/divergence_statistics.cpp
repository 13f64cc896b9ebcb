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
bool has_swf_contexts(const counted_on& on) {
  const scheme_traits& scheme = traits_of(on.machine.divergence);
  return scheme.splits() && !scheme.has_stack() && !scheme.forms_warps();
}

// What a scheme with a stack needs of storage for what a wavefront had at most.
counter_list<divergence_statistics> storage_rows() {
  counter_list<divergence_statistics> all;
  const auto add = [&all](const char* name, auto part, const char* unit, const char* meaning) {
    all.value(
        std::string("storage.") + name,
        [part](const divergence_statistics& n, const counted_on& on) {
          return std::invoke(part, storage_of(on.machine, n.deepest, n.most_splits));
        },
        unit, meaning);
  };
  using s = path_storage;
  constexpr const char* bits = "bits of a wavefront";
  add("stack_entries", &s::entries, "stack entries", "that the run needed at most");
  add("stack_entry", &s::entry_bits, "bits", "one of this machine");
  add("stack_entry_of_paper", &s::paper_entry_bits, "bits", "one as the paper has it");
  add("stack", &s::stack_bits, bits, "all entries");
  add("stack_with_entries_of_paper", &s::paper_stack_bits, bits, "all entries, each as the paper has it");
  add("warp_split_table", &s::table_bits, bits, "scheme dws-table");
  all.where(has_table);
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
                           "passed by one side after the other: scheme dws-table"))
          .in(counter_detail::launch)
          .count("splits_without_context", &s::no_context, "splits", "besides, for which no SWF context was free")
          .where(has_swf_contexts)
          .count("stack_depth", &s::deepest, "stack entries, at most", "of a wavefront", combined::most)
          .where(has_stack)
          .also(storage_rows())
          .where(has_stack)
          .count("warp_splits", &s::most_splits, "warp-splits of a wavefront, at most", "scheme dws-table",
                 combined::most)
          .where(has_table);
  return all;
}

}  // namespace pws::models
