// What one run did, gathered from the machine after it: printed on one screen and written as JSON.
#pragma once

#include <iosfwd>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "models/compute_unit/statistics.h"
#include "models/divergence/divergence_scheme.h"
#include "models/formation/formation_statistics.h"
#include "models/machine/occupancy.h"
#include "models/memory/cache.h"
#include "models/memory/dram.h"
#include "platform/check/described_finding.h"
#include "platform/cosim/cosim_report.h"
#include "platform/gpu/virtual_platform.h"
#include "platform/program/compiled_program.h"
#include "platform/report/inputs_report.h"
#include "platform/report/launch_report.h"
#include "platform/run_file/run_config.h"
#include "platform/uniformity/branch_counter.h"

namespace pws::platform {

struct run_report {
  // What ran
  std::string file, source;
  placed_splits split;
  models::machine_config machine;
  report_inputs inputs;
  std::vector<std::string> warnings;      // what of the configuration does nothing
  size_t counted_loops = 0;               // check.loop_bounds: loops with a mark
  std::vector<launch_report> launches;    // in order, as far as they began
  std::vector<kernel_branches> branches;  // trace.branch_uniformity
  // What happened
  bool built = true;  // there was a machine; else a signal has ended the building of it
  bool completed = false;
  std::string error;           // why not
  int signal = 0;              // SIGINT or SIGTERM came
  std::string unwritten;       // outputs that could not be written, a line for each
  models::cycle_t cycles = 0;  // of all launches; not completed: until it stopped, like everything that is counted
  models::cu_statistics cu;    // summed over the CUs
  models::memory_statistics requests;
  models::divergence_statistics divergence;
  models::formation_statistics formation;
  struct spsimd_use {
    uint64_t valu_busy = 0;      // cycles, summed over the machine's SpSIMD units of this number
    uint64_t swf_occupancy = 0;  // context cycles, likewise
  };
  std::vector<spsimd_use> spsimds;            // by number, from SpSIMDID 2
  uint64_t simd_units = 0, simd_issuing = 0;  // SIMD units, and cycles in which one of them issued, summed over them
  uint64_t lds_conflict_cycles = 0;
  models::cache_statistics vector_l1, scalar_cache, instruction_cache, l2;
  models::tdm_statistics tdm;  // memory.arbitration: tdm
  models::dram_statistics dram;
  cosim::summary cosim;
  std::vector<check_outcome> checks;  // after the last launch
  check_results found;                // machine.check
  double host_seconds = 0;            // wall clock
  double host_cpu_seconds = 0;        // of this process

  bool pass() const;
  // All that were made, each with the launch that it is about before its name; its buffer alone after the last one.
  std::vector<check_outcome> all_checks() const;
  double ipc() const {
    return cycles == 0 ? 0 : static_cast<double>(cu.total_instructions()) / static_cast<double>(cycles);
  }
  double simd_lane_utilisation() const;  // %, as machine_counters has it
  // Cycles without an issue, summed over the SIMD units.
  uint64_t simd_idle() const {
    const uint64_t all = cycles * simd_units;  // a unit that ran ahead of the stop has issued later
    return simd_issuing < all ? all - simd_issuing : 0;
  }
  // Paths of the issuing wavefront that could have issued, averaged over instructions (DPE paper, Eq. 1).
  double schedulable_paths() const;
};

// Fills in what the machine counted.
void gather(run_report& r, const virtual_platform& gpu);

void print(std::ostream& out, const run_report& r);
// Every quantity is an object of value and unit; what depends on the host is all under "host".
nlohmann::ordered_json to_json(const run_report& r);
// Throws input_error if the file cannot be written.
void write_json(const std::string& path, const run_report& r);

}  // namespace pws::platform
