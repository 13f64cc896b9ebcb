// SPDX-License-Identifier: Apache-2.0
// The worst-case execution time of one launch that lies ready in a machine's memory: what `pwsvp wcet` and `pwsvp exec
// --wcet` have in common.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "models/gpu/gpu.h"
#include "platform/config/files/run_config.h"
#include "platform/machine/device_runtime.h"
#include "platform/wcet/launch_bound.h"

namespace pws::platform {

class block_time_recorder;
class buffer_checker;
class loop_bound_checker;
class loop_pass_recorder;

// A loop without a bound, and what the runs so far have made of it.
struct unbounded_loop {
  std::string kernel;
  cfg::source_place place;  // line 0: unknown
  std::optional<uint64_t>
      offset;           // of its header, from the kernel's entry on; nothing: it is in a function that is called
  uint64_t passes = 0;  // the most, each time it was entered; 0: it was not
};

struct observation {
  bool made = false;
  bool completed = false;
  std::string error;
  std::string broken;   // what the bound takes for granted and the run was stopped for
  uint64_t cycles = 0;  // of the kernel, under the configuration's scheme; the longest of several runs
};

struct wcet_result {
  std::string file, source, kernel;
  models::machine_config machine;  // as provisioned
  launch_config launch;
  std::variant<static_basis, measured_basis> basis;
  uint64_t workgroups = 0;  // G
  uint64_t wavefronts_per_group = 0;
  size_t swf_contexts = 0;  // S
  launch_extent extent;
  cfg::function_code code;
  std::unique_ptr<wcet::analysed_kernel> analysed;
  std::vector<scheme_bound> schemes;  // none, pws, dws
  size_t counted_loops = 0;           // whose iterations every run counts
  observation observed;
  // Whose worst path the report shows by source line; nothing: of none.
  std::optional<wcet::scheme> explained;

  const measured_basis* measured() const { return std::get_if<measured_basis>(&basis); }
  block_time_source block_times() const {
    return measured() != nullptr ? block_time_source::measured : block_time_source::machine;
  }
  const scheme_bound& of(wcet::scheme s) const { return schemes[static_cast<size_t>(s)]; }
  uint64_t offset_of(size_t instruction) const { return code.instructions[instruction].pc - code.begin(); }
  // That the machine's runs must keep (analysed_scheme); nullptr: it has none.
  const scheme_bound* configured() const;
};

// What the analysis is told of a prepared launch: its pointers lead to allocations of the layout.
wcet::launch_facts facts_of(const device_layout& layout, const kernel_launch& launch);
launch_extent extent_of(const kernel_launch& launch);

class launch_analysis {
 public:
  // Reads the code of a prepared launch as it was loaded and analyses all that does not depend on times. `machine`: as
  // provisioned. Throws input_error for what cannot be analysed.
  launch_analysis(const models::machine_config& machine, const device_layout& layout, const kernel_launch& launch,
                  const wcet_config& config);
  ~launch_analysis();
  launch_analysis(const launch_analysis&) = delete;
  launch_analysis& operator=(const launch_analysis&) = delete;

  // By bound of the configuration: why it is no bound of this code, with its place; empty: it is one.
  const std::vector<std::string>& misplaced_bounds() const { return misplaced_bounds_; }
  // What of the code's bounds the runs have broken: of loops, or of accesses that leave their buffers; empty: nothing.
  const std::string& broken() const;
  // Around a launch, each time that it runs: its loops are counted and its accesses checked; where block times are
  // measured, every compute unit is listened to.
  void launch_begins(const models::gpu& gpu);
  void launch_ended(bool completed, const std::string& error, models::cycle_t cycles);

  // Loops without a bound are not an error then: their passes are counted in the runs from here on.
  void count_unbounded();
  std::vector<unbounded_loop> unbounded() const;

  // Under one scheme. Throws input_error naming every loop without a bound.
  scheme_bound bound(wcet::scheme s) const;
  // Under every scheme. Once. Throws as bound(); program_error if block times are to be measured and the last run
  // failed.
  std::unique_ptr<wcet_result> take_result();

 private:
  std::vector<std::string> misplaced_bounds_;
  std::unique_ptr<wcet_result> result_;            // until it is taken
  std::unique_ptr<block_time_recorder> recorder_;  // null: block times are static
  std::unique_ptr<loop_bound_checker> loop_bounds_;
  std::unique_ptr<buffer_checker> buffers_;
  std::unique_ptr<loop_pass_recorder> passes_;                // of loops without a bound, if they are counted
  std::vector<uint64_t> address_;                             // where each instruction of the code really is
  size_t own_ = 0;                                            // instructions of the kernel; those of functions follow
  std::vector<std::unique_ptr<attached_observer>> attached_;  // while the launch runs
};

}  // namespace pws::platform
