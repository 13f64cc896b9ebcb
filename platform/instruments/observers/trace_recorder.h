// SPDX-License-Identifier: Apache-2.0
// Traces of a launch's first work-items, as each would execute if it were alone.
//
// A work-item goes through a block if its EXEC bit is set before or behind any of the instructions that its wavefront
// executes there; it then executes the whole block, as it would alone: nothing inside of a block leads out of it.
// Blocks that the wavefront passes without it are not its own: alone it would have jumped over them, or executed them
// without effect where the compiler has left out the skip. Scalar instructions count like all others, once for each
// work-item. Work-items are numbered workgroup by workgroup (x first), in each as in its wavefronts.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/compute_unit/execution_observer.h"
#include "models/flow/code_table.h"
#include "sw/reconvergence/trace.h"

namespace pws::platform {

class trace_recorder : public models::execution_observer {
 public:
  // Records the first work-items of each launch, or all if there are fewer.
  explicit trace_recorder(const reconvergence::study_options& options) : options_(options) {}

  // A launch of `grid` work-items begins; what was recorded of the one before is gone.
  void launching(const std::array<uint32_t, 3>& grid, const std::array<uint32_t, 3>& workgroup);

  void wave_started(uint32_t cu, const models::wf_context& c, models::cycle_t at) override;
  // Stops the machine (program_error) once a trace is too long, and at split instructions.
  void issuing(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;
  void issued(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;
  void wave_ended(uint32_t cu, const models::wf_context& c, models::cycle_t at) override;

  // The first whose trace is too long, if there is one.
  std::optional<uint64_t> too_long() const { return too_long_; }
  // The program has split instructions: what it does depends on the machine's scheme.
  bool splits() const { return splits_; }
  const reconvergence::study_options& options() const { return options_; }
  // By wavefront: work-items of one are never in a warp with those of another. None if no work-item has begun.
  std::vector<reconvergence::warp> warps() const;
  const reconvergence::pass_table& passes() const { return passes_; }
  // The code of the program that ran, with what it calls. Valid only after a launch that has begun.
  const cfg::code_table& code() const { return *code_; }
  uint64_t entry() const { return entry_; }
  // The last instruction of a block as text, with the offset that it branches to.
  const std::string& end_of_block(uint32_t block) const { return ends_[block]; }

 private:
  // A wavefront that runs, and the pass that it is in.
  struct position {
    std::vector<reconvergence::trace>* traces = nullptr;
    uint64_t first = 0;     // its first work-item's number
    uint64_t recorded = 0;  // bit per lane
    uint64_t place = 0;
    uint32_t instructions = 0;  // so far
    uint64_t lanes = 0;         // that go through it
    bool begins = true;         // the next instruction begins another
  };
  position* position_of(const models::wf_context& c);
  void end_pass(position& p);
  void look_at(const models::wf_context& c);

  const reconvergence::study_options options_;
  std::vector<uint64_t> first_of_group_;  // of workgroups with recorded work-items: their first's number
  uint64_t end_ = 0;                      // of the recorded ones
  reconvergence::pass_table passes_;
  std::map<uint64_t, std::vector<reconvergence::trace>> waves_;  // by the number of the first work-item
  std::unordered_map<const models::wf_context*, position> positions_;
  std::optional<uint64_t> too_long_;
  bool splits_ = false;
  cfg::code_tables tables_;
  const cfg::code_table* code_ = nullptr;
  uint64_t entry_ = 0;
  std::vector<std::string> ends_;
};

}  // namespace pws::platform
