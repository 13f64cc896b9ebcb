// SPDX-License-Identifier: Apache-2.0
// What a machine has counted, read from its parts. Rows of it are all counters that reports have, each with one name
// and one unit: `totals` in the reports of runs and programs, `counters` of a launch, --stats.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "base/output/report_part.h"
#include "models/compute_unit/statistics.h"
#include "models/divergence/divergence_statistics.h"
#include "models/formation/formation_statistics.h"
#include "models/gpu/gpu.h"
#include "models/memory/memory_statistics.h"

namespace pws::platform {

// Summed over what the machine has several of. Differences of two readings belong to what ran between.
struct machine_counters {
  models::cu_statistics cu;
  models::memory_statistics requests;
  models::cache_statistics vector_l1, scalar_cache, instruction_cache, l2;
  models::dram_statistics dram;
  models::tdm_statistics tdm;  // memory.arbitration: tdm, in place of caches and DRAM
  models::divergence_statistics divergence;
  models::formation_statistics formation;
  uint64_t simd_issuing = 0;  // cycles in which a SIMD unit issued, summed over them
  uint64_t lds_conflict_cycles = 0;

  static const models::counter_list<machine_counters>& rows();
};
machine_counters read_counters(const models::gpu& gpu);
machine_counters operator-(machine_counters a, const machine_counters& b);
machine_counters& operator+=(machine_counters& a, const machine_counters& b);

// What the machine's SpSIMD units of one number have counted.
struct spsimd_use {
  uint64_t valu_busy = 0;      // cycles, summed over these units
  uint64_t swf_occupancy = 0;  // context cycles, summed over these units

  static const models::counter_list<spsimd_use>& rows();
};
std::vector<spsimd_use> read_spsimds(const models::gpu& gpu);  // by number, from SpSIMDID 2

// Where a launch, or several, were counted that took so many cycles in timing fidelity.
models::counted_on counted_by(const models::machine_config& m, models::fidelity f, models::cycle_t cycles);

// What issues the instructions that reports count: "wavefront" (a part of one that has been split, too), where warps
// are formed "warp", and there in functional fidelity "path", as no warps are formed. The unit is "warp instructions".
constexpr const char* issuers[] = {"wavefront", "warp", "path", "warp and path"};
const char* issuer_of(const models::machine_config& m, models::fidelity f);
std::string unit_of(const models::counter_row& r, const models::counted_on& on);

// A text in which "{dram.reads}" stands for the value of that name, "{ipc:.2f}" for it as fmt writes it with that
// format,
// "{formation.of_peak:.1%}" for a ratio as "12.3 %". Throws std::logic_error if no row has the name.
std::string filled_from(const std::vector<models::counter_row>& rows, std::string_view text, const void* counts,
                        const models::counted_on& on);
template <class S>
std::string filled(std::string_view text, const S& n, const models::counted_on& on) {
  return filled_from(S::rows().all(), text, &n, on);
}

// Calls f(row, value) for each row of a report.
template <class S, class F>
void each_counter(const S& n, const models::counted_on& on, models::counter_detail detail, F f) {
  for (const models::counter_row& r : S::rows().all())
    if (r.is_in(detail, on)) f(r, r.value_in(&n, on));
}

// For the list of what reports have.
std::vector<report_field> counter_fields(const std::vector<models::counter_row>& rows, models::counter_detail detail);

void put_rows(json_text& t, const std::vector<models::counter_row>& rows, const void* counts,
              const models::counted_on& on, models::counter_detail detail);
// Members of the object that is open.
template <class S>
void put(json_text& t, const S& n, const models::counted_on& on, models::counter_detail detail) {
  put_rows(t, S::rows().all(), &n, on, detail);
}
nlohmann::ordered_json to_json(const machine_counters& n, const models::counted_on& on, models::counter_detail detail);

}  // namespace pws::platform
