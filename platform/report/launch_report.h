// One launch in a report, and the main counters of the machine.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "models/compute_unit/statistics.h"
#include "models/formation/formation_statistics.h"
#include "models/machine/occupancy.h"
#include "platform/gpu/virtual_platform.h"
#include "platform/json/json_text.h"

namespace pws::platform {

// Active lanes of vector ALU instructions, in per cent of those that a warp has, or where there are none a wavefront.
double lane_utilisation(uint64_t active, uint64_t at_most);

// What the machine counts, as far as a launch is judged by it. Differences of two readings belong to what ran between.
struct machine_counters {
  uint64_t workgroups = 0, wavefronts = 0, instructions = 0, valu_instructions = 0;
  uint64_t valu_lanes = 0, valu_lanes_at_most = 0;  // active ones, and what could be, summed over vector instructions
  uint64_t bytes_loaded = 0, bytes_stored = 0;
  uint64_t l1_reads = 0, l1_hits = 0, l2_reads = 0, l2_hits = 0, dram_reads = 0, dram_writes = 0;
  uint64_t splits = 0, merges = 0, one_sided = 0;
  uint64_t schedulable_paths = 0;  // of the issuing wavefront, summed over instructions (DPE paper, Eq. 1)
  uint64_t late_reconvergences = 0, false_dependences = 0;
  uint64_t simd_issuing = 0;                  // cycles in which a SIMD unit issued, summed over them
  uint64_t stack_depth = 0, warp_splits = 0;  // most that a wavefront had since the machine began
  std::array<uint64_t, static_cast<size_t>(models::stall::count)> stalls{};  // context cycles by reason
  uint64_t dram_busy = 0;                                                    // cycles, summed over channels
  models::formation_statistics formation;

  double simd_lane_utilisation() const { return lane_utilisation(valu_lanes, valu_lanes_at_most); }  // %
};
machine_counters read_counters(const virtual_platform& gpu);
machine_counters operator-(const machine_counters& a, const machine_counters& b);
machine_counters& operator+=(machine_counters& a, const machine_counters& b);

// What of them a report has: with other launches on the machine, only what the launch itself has executed can be told
// apart.
enum class counted { everything, executed };
void put(json_text& t, const machine_counters& n, counted what);
nlohmann::ordered_json to_json(const machine_counters& n);

struct check_outcome {
  std::string buffer;
  bool pass = false;
  std::string text;  // "1000 elements equal", or the first mismatch
};
nlohmann::ordered_json to_json(const std::vector<check_outcome>& checks);

struct launch_report {
  uint64_t number = 0;  // from 1
  std::string kernel;   // demangled
  models::fidelity fidelity = models::fidelity::functional;
  std::array<uint32_t, 3> grid{1, 1, 1}, workgroup{1, 1, 1};  // work-items
  uint64_t lds_bytes = 0;                                     // dynamic
  models::occupancy occupancy;
  bool completed = false;
  std::string error;           // why not
  models::cycle_t cycles = 0;  // timing fidelity
  machine_counters counters;
  std::vector<check_outcome> checks;  // after it
  double host_seconds = 0;
};
// Without the host's time.
void put(json_text& t, const launch_report& r, const models::machine_config& m, counted what);
nlohmann::ordered_json to_json(const launch_report& r, const models::machine_config& m);

}  // namespace pws::platform
