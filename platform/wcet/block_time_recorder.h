// SPDX-License-Identifier: Apache-2.0
// Measured basic-block times: instrumentation points at every block's first instruction (thesis 5.2.3, PWS paper 7).
// The time of a block is from its first issue to the first issue of what follows in the same context; the longest over
// all contexts and executions counts. Waiting for others is not part of it: at a barrier time goes on with the last
// wavefront to arrive, at a merge with the later side. Barriers and merges divide blocks into pieces: who is last at a
// barrier need not be who is slow behind it, so a block's time is the sum of the longest of each piece. An SWF begins
// in the block of the split that makes it: that block's time is the longer of its parent's and its own.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "models/compute_unit/compute_unit.h"
#include "sw/wcet/kernel/wavefront_bound.h"

namespace pws::platform {

class block_time_recorder : public models::execution_observer {
 public:
  explicit block_time_recorder(const wcet::analysed_kernel& code);

  void wave_started(uint32_t cu, const models::wf_context& c, models::cycle_t at) override;
  void issued(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;
  void wave_ended(uint32_t cu, const models::wf_context& c, models::cycle_t at) override;

  // By block, in cycles; 0: never executed.
  std::vector<uint64_t> block_cycles() const;
  // The longest from a wavefront's start to its first issue.
  uint64_t first_issue() const { return first_issue_; }

  // First issues of the first batch of workgroups: those that began before any had ended.
  struct beginning {
    const models::wf_context* root = nullptr;
    uint32_t part = 0;       // 0: the launch wavefront; else its SpSIMD unit's number less one
    models::cycle_t at = 0;  // since the first wavefront's start
    uint64_t split_pc = 0;   // of an SWF: the split that made it
  };
  const std::vector<beginning>& beginnings() const { return beginnings_; }
  // Before each run.
  void begin_run();

 private:
  struct position {
    bool begun = false;
    models::cycle_t started = 0;
    size_t block = none, piece = 0;
    models::cycle_t entered = 0;  // the piece, without what was spent waiting for others
    enum class waiting : uint8_t { no, barrier, merge } waits = waiting::no;
    models::cycle_t arrived = 0;  // there
    size_t barriers = 0;          // that it has come to
  };
  static constexpr size_t none = static_cast<size_t>(-1);
  void end_piece(const position& p, models::cycle_t at);
  void enter(position& p, size_t block, models::cycle_t at);
  void stop_waiting(position& p, models::cycle_t others_arrived);

  const wcet::analysed_kernel& code_;
  std::vector<std::vector<uint64_t>> longest_;  // by block and piece
  uint64_t first_issue_ = 0;
  std::vector<beginning> beginnings_;
  bool first_batch_ = true, any_started_ = false;
  models::cycle_t first_start_ = 0;
  std::vector<size_t> block_that_begins_;  // per dword of the code: none, or the block
  std::unordered_map<const models::wf_context*, position> positions_;
  const models::wf_context* just_split_off_ = nullptr;  // by the instruction that issued() is told of next
  // The last arrival at the workgroup's first barrier, at its second, and so on. A wavefront may be at the next barrier
  // before another one has gone on from this one.
  std::unordered_map<const models::resident_workgroup*, std::vector<models::cycle_t>> last_at_barrier_;
};

}  // namespace pws::platform
