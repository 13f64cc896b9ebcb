// SPDX-License-Identifier: Apache-2.0
#include "models/memory/memory_statistics.h"

#include "base/ratio.h"

namespace pws::models {

const counter_list<cache_statistics>& cache_statistics::rows() {
  using s = cache_statistics;
  static const counter_list<s> all =
      counter_list<s>()
          .also(counter_list<s>()
                    .count("reads", &s::reads, "lines", "asked for")
                    .count("read_hits", &s::read_hits, "lines", "of them there")
                    .value(
                        "read_misses", [](const s& n) { return n.reads - n.read_hits; }, "lines", "of them not there"))
          .in(counter_detail::launch)
          .value(
              "read_hit_rate", [](const s& n) { return percent(n.read_hits, n.reads); }, "%", "hits, of reads")
          .count("merged_misses", &s::merged, "lines", "that another miss had asked for already")
          .count("writes", &s::writes, "lines", "written")
          .count("atomics", &s::atomics, "lines", "of atomic accesses")
          .count("writebacks", &s::writebacks, "lines", "to the memory behind")
          .count("waited_for_miss_register", &s::blocked, "requests", "for want of a free one");
  return all;
}

const counter_list<dram_statistics>& dram_statistics::rows() {
  using s = dram_statistics;
  static const counter_list<s> all =
      counter_list<s>()
          .also(counter_list<s>()
                    .count("reads", &s::reads, "lines", "from DRAM")
                    .count("writes", &s::writes, "lines", "to DRAM"))
          .in(counter_detail::launch)
          .count("row_hits", &s::row_hits, "lines", "in an open row")
          .count("row_conflicts", &s::row_conflicts, "lines", "for which another row was closed")
          .value(
              "row_hit_rate", [](const s& n) { return percent(n.row_hits, n.reads + n.writes); }, "%",
              "row hits, of all lines")
          .count("bus_busy", &s::busy_cycles, "cycles, summed over channels", "moving lines")
          .value(
              "bandwidth",
              [](const s& n, const counted_on& on) {
                return percent(n.busy_cycles, on.cycles * on.machine.memory.dram.channels);
              },
              "% of what the channels can move", "over all cycles")
          .where(is_timed);
  return all;
}

const counter_list<tdm_statistics>& tdm_statistics::rows() {
  using s = tdm_statistics;
  static const counter_list<s> all =
      counter_list<s>()
          .count("lines", &s::lines, "lines", "memory.arbitration: tdm, in place of caches and DRAM")
          .count("frame", &s::frame, "cycles", "between two slots of a context", combined::most)
          .count("waited_for_slot", &s::waited, "cycles, summed over lines", "until the context's slot")
          .value(
              "mean_wait", [](const s& n) { return ratio(n.waited, n.lines); }, "cycles", "of a line, on average")
          .count("longest_wait", &s::longest_wait, "cycles", "of a line", combined::most);
  return all;
}

}  // namespace pws::models
