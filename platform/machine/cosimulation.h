// SPDX-License-Identifier: Apache-2.0
// Co-simulation of a machine's SpSIMD units with their RTL: which units, as the configuration says (machine.cosim), and
// what they did.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/output/report_part.h"
#include "platform/machine/lockstep_checker.h"
#include "platform/machine/rtl_executor.h"

namespace pws::platform::cosim {

// The sum over all units.
struct summary {
  models::cosim_mode mode = models::cosim_mode::model;
  size_t units = 0;  // given to their RTL
  executor_statistics counts;
  // The share of the instructions for the units' own ALUs that the RTL executed itself.
  double share() const;
};

// "lockstep in 4 units: 1234 instructions by the RTL (99.1 % of ALU instructions), 1250 compared, 0 mismatches"
std::string text(const summary& s);
// The summary as a part of reports.
const report_part<summary>& summary_part();

class cosimulation {
 public:
  // Attaches executors to the selected units of the compute units. The configuration has passed its rules.
  // `while_building`, if there is one, is called before each executor is made: what it throws ends that.
  cosimulation(const std::vector<std::unique_ptr<models::compute_unit>>& cus, const models::machine_config& config,
               const std::function<void()>& while_building);

  bool active() const { return !executors_.empty(); }
  // What a mismatch's report says; before the first launch.
  void describe_mismatches(const std::string& command, const std::string& waveform);
  // Writes a waveform of each unit's RTL, VCD or FST: `file` for a single unit, else with the unit's name before the
  // extension. Cycle n of the machine is at the same time as in the machine's own waveform. `levels`: of the modules, 0
  // is all. Throws input_error.
  void open_waveforms(const std::string& file, unsigned levels);
  // Whether they are being recorded from cycle `now` on; they are from the beginning. Throws program_error at a
  // mismatch in a cycle before.
  void record(bool on, models::cycle_t now);
  // Ends them. Throws input_error for those that could not be written.
  void close_waveforms();
  // Counts from now on in which situations the units' RTL is, for `file`; once, and only with active().
  void cover(const std::string& file);
  const functional_coverage* coverage() const { return coverage_.get(); }  // nullptr: not counted
  // Writes it, of all units together, if it is counted. Throws input_error.
  void write_coverage() const;
  // For waveforms: the RTL's registers at the end of cycle `now`, of which all has happened. Throws program_error at a
  // mismatch.
  void show(models::cycle_t now);
  // Lets what is under way in the RTL come to its end. Throws program_error at a mismatch.
  void drain();

  executor_statistics statistics() const;  // summed
  size_t units() const { return executors_.size(); }
  // For waveforms: the units by compute unit.
  const std::vector<std::unique_ptr<rtl_executor>>& executors() const { return executors_; }

 private:
  std::vector<std::unique_ptr<lockstep_checker>> checkers_;
  std::vector<std::unique_ptr<rtl_executor>> executors_;
  std::unique_ptr<functional_coverage> coverage_;
  std::string coverage_file_;
  uint64_t period_ps_;
  bool recording_ = true;
};

}  // namespace pws::platform::cosim
