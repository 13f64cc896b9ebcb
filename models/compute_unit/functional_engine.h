// SPDX-License-Identifier: Apache-2.0
// Executes the wavefronts of a compute unit without timing, as fast as possible: the `functional` fidelity. Wavefronts
// run in turn, each until a barrier, its end, or a slice of cycles (so that programs that wait for one another go on);
// with `wave_order: random`, any of them runs for a slice of any length.
//
// Each has a clock of its own, s_memtime: a cycle per instruction, those of s_sleep and s_nop, and those that it spends
// on waiting for the clock (clock_poll.h). Barriers set the clocks of a workgroup to the latest.
#pragma once

#include <optional>
#include <random>
#include <unordered_map>
#include <vector>

#include "base/state_archive.h"
#include "models/compute_unit/clock_poll.h"
#include "models/compute_unit/instruction_step.h"
#include "models/flow/mask_instructions.h"

namespace pws::models {

class functional_engine : private swf_scheduler {
 public:
  functional_engine(cu_parts& cu, engine_host& host);

  // A wavefront begins.
  void start(wf_context& root);
  // Runs every wavefront of the CU for at most one slice. True if any is left that can go on.
  bool run();
  // The latest s_memtime of a wavefront that has ended. Later dispatches go on from there.
  uint64_t latest_time() const { return latest_time_; }
  // Where wavefronts are, and where run() is if it is under way. Contexts have been kept before.
  void keep(state_archive& a);

 private:
  enum class outcome : uint8_t { slice_over, stopped, grid_barrier, ended };
  bool run_in_turn();
  bool run_at_random();
  bool run_group(resident_workgroup& g);
  void run_each(resident_workgroup& g);
  bool pauses() const { return cu_.pause != nullptr && cu_.pause->is_ahead(); }
  void keep_polls(state_archive& a);
  void leave_barrier(resident_workgroup& g);
  bool run_turn(wf_context& w);
  outcome run_wave(wf_context& c);
  outcome run_in_parts(wf_context& c);
  // Until state.time is `end`, which reading the clock may change, or where somebody listens, `until`.
  template <audience to, bool splits>
  outcome run_slice(wf_context& c, uint64_t& end_of_slice, uint64_t until);
  // Has counted what has begun. To be called before others hear of paths.
  void settle();
  void read_clock(wf_context& c, uint64_t pc, clock_poll& poll, uint64_t& end);
  uint64_t time_of_others(const wf_context& c) const;
  void go_on(wf_context& c);
  void begin(wf_context& swf, const wf_context& from) override;
  void resume(wf_context& c, uint64_t join) override;
  void replace(wf_context& c) override;
  void suspend(wf_context& c) override;
  void release(wf_context& c) override;
  void take_turn(wf_context& c, cycle_t after) override;
  void leave(wf_context& swf) override;
  void finish(wf_context& root) override;

  cu_parts& cu_;
  engine_host& host_;
  divergence_scheme& scheme_;
  instruction_step step_;
  model_execution model_;
  uint64_t limit_;
  uint64_t slice_;                         // cycles
  std::optional<std::mt19937_64> random_;  // wave_order: random
  // How far run() is: one that a machine was saved in goes on there.
  struct progress {
    uint64_t group = 0;                                  // in turn
    uint64_t wave = 0;                                   // of its wavefronts, then SWFs
    bool ran = false, slice_over = false, more = false;  // a wavefront of the group has; of any group
    uint64_t turns = 0;                                  // at random: left, with the present one
    wf_context* in = nullptr;                            // whose slice is under way
    uint64_t end = 0;                                    // of that slice, by the context's time
  };
  progress at_;
  bool resumes_ = false;
  std::vector<wf_context*> ready_;  // contexts that could run in this turn, kept for its memory
  uint64_t latest_time_ = 0;
  wf_context* counted_ = nullptr;  // the instructions of this one are counted,
  uint64_t uncounted_ = 0;         // and so many of them have not been so far
  const bool folds_;               // divergence: stack with fold_mask_instructions
  cfg::mask_instructions masks_;
  std::unordered_map<const wf_context*, clock_poll> polls_;  // of those that have read the clock
};

}  // namespace pws::models
