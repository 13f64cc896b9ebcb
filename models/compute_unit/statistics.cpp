// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/statistics.h"

#include "base/ratio.h"

namespace pws::models {

const char* name_of(isa::unit u) {
  switch (u) {
    case isa::unit::salu:
      return "salu";
    case isa::unit::valu:
      return "valu";
    case isa::unit::valu_trans:
      return "valu_trans";
    case isa::unit::valu_f64:
      return "valu_f64";
    case isa::unit::branch:
      return "branch";
    case isa::unit::scalar_memory:
      return "scalar_memory";
    case isa::unit::vector_memory:
      return "vector_memory";
    case isa::unit::lds:
      return "lds";
    case isa::unit::waitcnt:
      return "waitcnt";
    case isa::unit::barrier:
      return "barrier";
    case isa::unit::end:
      return "end";
    case isa::unit::message:
      return "message";
    case isa::unit::internal:
      return "internal";
    case isa::unit::split:
      return "split";
    case isa::unit::merge:
      return "merge";
  }
  return "?";
}

namespace {

constexpr const char* issued = "* instructions";
constexpr const char* simd_cycles = "cycles, summed over SIMD units";

// Lanes that a vector instruction can have active: those of a warp, where paths issue as warps, else of a wavefront.
uint64_t lanes_of_instruction(const machine_config& c) {
  return traits_of(c.divergence).forms_warps() ? warp_size_of(c) : isa::wave_size;
}

bool has_warp_split_table(const counted_on& on) {
  return traits_of(on.machine.divergence).has_warp_split_table();
}

}  // namespace

const counter_list<cu_statistics>& cu_statistics::rows() {
  using s = cu_statistics;
  static const counter_list<s> rows_of_all = [] {
    counter_list<s> all;
    all.count("workgroups", &s::workgroups, "workgroups", "that ran")
        .count("wavefronts", &s::wavefronts, "wavefronts", "that ran")
        .value(
            "instructions", [](const s& n) { return n.total_instructions(); }, issued, "of all units")
        .value(
            "vector_alu_instructions", [](const s& n) { return n.valu_instructions(); }, issued, "of vector ALUs")
        .uncalled(&s::valu_lanes)
        .value(
            "simd_lane_utilisation",
            [](const s& n, const counted_on& on) {
              return percent(n.valu_lanes, n.valu_instructions() * lanes_of_instruction(on.machine));
            },
            "%", "active lanes of vector ALU instructions, of a wavefront's or a warp's");
    counter_list<s> executed;
    executed.also(all).in(counter_detail::executed);
    executed
        .value(
            "ipc", [](const s& n, const counted_on& on) { return ratio(n.total_instructions(), on.cycles); },
            std::string(issued) + " per cycle", "of the machine")
        .where(is_timed);
    for (size_t k = 0; k < n_units; ++k)
      executed.count(
          std::string("instructions_by_unit.") + name_of(static_cast<isa::unit>(k)),
          [k](const s& n) -> const uint64_t& { return n.instructions[k]; }, issued, "of this unit");
    executed
        .value(
            "branches", [](const s& n) { return n.branches(); }, issued, "that are branches")
        .count("branches_taken", &s::branches_taken, issued, "of them taken")
        .also(counter_list<s>()
                  .count("valu_busy", &s::valu_busy, simd_cycles, "of vector ALUs")
                  .count("salu_busy", &s::salu_busy, simd_cycles, "of scalar ALUs"))
        .where(is_timed)
        .uncalled(&s::schedulable_paths)
        .value(
            "schedulable_paths", [](const s& n) { return ratio(n.schedulable_paths, n.total_instructions()); },
            "paths per instruction", "that could have issued, on average")
        .in(counter_detail::launch)
        .count("paths_issued_together", &s::issued_together, "paths",
               "that issued with an older one of their wavefront, in its instruction: scheme dws-table")
        .in(counter_detail::launch)
        .where(has_warp_split_table)
        .where(is_timed);
    counter_list<s> waits;
    waits.count("false_dependences", &s::false_dependences, issued, "that waited for another path's results");
    for (size_t k = 0; k < static_cast<size_t>(stall::count); ++k)
      waits.count(
          std::string("waiting.") + name_of(static_cast<stall>(k)),
          [k](const s& n) -> const uint64_t& { return n.stalls[k]; }, "context cycles",
          "in which wavefronts waited for this");
    executed.also(waits).in(counter_detail::launch).where(is_timed);
    return executed;
  }();
  return rows_of_all;
}

const counter_list<memory_statistics>& memory_statistics::rows() {
  using s = memory_statistics;
  static const counter_list<s> all =
      counter_list<s>()
          .count("vector_memory_instructions", &s::vector_instructions, issued, "that access memory")
          .count("vector_requests", &s::vector_lines, "lines", "that they asked for, coalesced")
          .count("scalar_requests", &s::scalar_lines, "lines", "of scalar loads")
          .count("fetches", &s::fetches, "requests", "of instructions")
          .also(counter_list<s>()
                    .count("loaded", &s::bytes_loaded, "bytes", "by vector instructions")
                    .count("stored", &s::bytes_stored, "bytes", "by vector instructions"))
          .in(counter_detail::launch);
  return all;
}

}  // namespace pws::models
