// SPDX-License-Identifier: Apache-2.0
// What a HIP program ran on the platform: a record per launch, printed and written as JSON when the program ends.
#pragma once

#include <array>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/output/output_files.h"
#include "platform/config/files/exec_config.h"
#include "platform/instruments/check/described_finding.h"
#include "platform/instruments/observers/branch_counter.h"
#include "platform/instruments/observers/reconvergence.h"
#include "platform/machine/cosimulation.h"
#include "platform/report/inputs_report.h"
#include "platform/report/launch_report.h"
#include "platform/run/program/scheme_use.h"
#include "platform/wcet/launch_bound.h"

namespace pws::platform {

// What of a launch's worst-case execution time is kept: of no splitting, PWS and DWS, in this order.
struct launch_bound_record {
  struct scheme {
    uint64_t e_wf = 0, d = 0, g_parallel = 0, d_s = 0, e_kernel = 0;  // as in platform/wcet/launch_bound.h
    uint64_t memory = 0;     // of E_WF: memory and LDS slots, where block times are static
    uint64_t splitting = 0;  // of E_WF: what split and merge take, where block times are static
  };
  std::array<scheme, 3> schemes{};
  std::optional<measured_basis> measured;  // nothing: block times are static
  std::string error;                       // why there is none
  std::string broken;                      // how the run broke it, or a bound of a loop
};

struct launch_record : launch_report {
  bool traced = false;
  uint32_t machine = 0;                 // the number of its device's
  std::vector<uint32_t> compute_units;  // that its stream may use; empty: all
  // With several hardware queues: when it was on the machine, in cycles since that began, and the numbers of the
  // launches that were there at the same time.
  models::cycle_t began = 0, ended = 0;
  std::vector<uint64_t> beside;
  // The machine had others too without being idle in between: counters are only what the launch itself has executed.
  bool together = false;
  std::optional<launch_bound_record> bound;
};

struct memory_use {
  uint64_t total = 0, peak = 0;              // bytes
  uint64_t blocks_left = 0, bytes_left = 0;  // never freed

  memory_use& operator+=(const memory_use& other);
};
// By the machine's number, of those that have been used.
using device_memory_use = std::map<uint32_t, memory_use>;
memory_use sum_of(const device_memory_use& devices);

class launch_log {
 public:
  // Launches beyond this many are counted in the totals only.
  static constexpr size_t most_records = 100'000;

  uint64_t announced = 0;  // launches that have a number, of all devices
  uint64_t refused = 0;    // launches that the machine did not begin, as with more LDS than it has

  // In any order.
  void add(launch_record record);
  // What the machine has counted for launches that were together on it, all in all, and how long they took.
  void add_together(const machine_counters& counters, models::cycle_t cycles, double host_seconds);
  // The bounds that fit no loop of a launch (launch_analysis::misplaced_bounds). Each of the configuration's bounds has
  // to fit at least one launch.
  void note_misplaced(const std::vector<std::string>& bounds);

  // What schemes act on in the code that a launch is from.
  void note_code(const code_points& points) { code_ |= points; }

  // A file that decides what runs, besides those of the configuration; once is enough.
  void add_input(hashed_file file);

  cosim::summary cosim;                             // of the SpSIMD units whose RTL runs, when the program has ended
  std::vector<kernel_branches> branches;            // machine.trace.branch_uniformity, when the program has ended
  std::vector<reconvergence_totals> reconvergence;  // exec.reconvergence, when the program has ended
  check_results found;                              // machine.check, when the program has ended

  void print_warnings(std::ostream& out, const exec_config& config) const;  // as messages, without the summary

  // Launches that have no bound although bounds are wanted, those that broke theirs, and bounds of loops that no launch
  // has, in words; empty: none.
  std::string without_guarantee() const;

  void print(std::ostream& out, const exec_config& config, const device_memory_use& memory) const;
  // The report. Each launch is a line of it. Throws input_error.
  void write(const named_output& output, const exec_config& config, const device_memory_use& memory) const;
  // What the report can have, launches included.
  static std::vector<report_field> fields();

 private:
  struct report;  // what it is made of
  struct report_parts;
  struct kernel_total {
    std::string kernel;
    uint64_t launches = 0, failed = 0, timed = 0;
    models::cycle_t cycles = 0;
    machine_counters counters;
    double least_waves = 0, most_waves = 0;  // per SIMD unit, by the launches' workgroups
    double shares = 0;                       // of the wavefront contexts, summed over the launches
    double host_seconds = 0;

    uint64_t instructions() const { return counters.cu.total_instructions(); }
  };
  static models::counted_on counted(const kernel_total& all, const models::machine_config& m);
  kernel_total sum() const;
  kernel_total all_;  // of it, counters, cycles and host_seconds: launches that were together once
  void add_bound(const launch_record& r);

  // What of the configuration does nothing with the code that was launched. Known when the program has ended.
  std::vector<std::string> warnings(const exec_config& config) const;
  code_points code_;
  uint64_t launches_ = 0;
  std::vector<hashed_file> inputs_;
  std::vector<launch_record> records_;  // by number
  std::vector<kernel_total> kernels_;   // in order of their first launch
  struct device_total {
    uint64_t launches = 0;
    models::cycle_t cycles = 0;
  };
  std::map<uint32_t, device_total> devices_;  // by the machine's number
  // Sums over the launches that have a bound, and what they took: a program's WCET is its kernels' one after the other.
  struct bound_total {
    uint64_t launches = 0, observed = 0;
    std::optional<measured_basis> measured;  // of launches whose block times were measured
    std::array<uint64_t, 3> e_kernel{}, memory{};
    std::string first_error, first_broken;  // of launches that have no bound, and that broke theirs
    uint64_t without = 0, broken = 0;       // such launches
  } bounds_;
  std::string first_misplaced() const;
  std::optional<std::vector<std::string>> misplaced_;  // by bound of the configuration; empty: it has fitted a launch
};

std::string program_name();  // of this process

}  // namespace pws::platform
