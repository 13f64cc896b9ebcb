// Executes the wavefronts of a compute unit without timing, as fast as possible: the `functional` fidelity. Wavefronts
// run in turn, each until a barrier, its end, or a slice of instructions (so that programs that wait for one another go
// on).
#pragma once

#include "models/compute_unit/compute_unit.h"
#include "models/divergence/divergence_scheme.h"

namespace pws::models {

class functional_engine : private swf_scheduler {
 public:
  functional_engine(compute_unit& cu, const machine_config& c);

  // Runs every wavefront of the CU for at most one slice. True if any is left that can go on.
  bool run();
  const wf_context* current() const { return current_; }
  execution_observer* observer = nullptr;

 private:
  enum class outcome : uint8_t { slice_over, barrier, ended, stopped };
  bool run_group(resident_workgroup& g);
  bool run_turn(wf_context& w);
  outcome run_wave(wf_context& c);
  template <bool observed>
  outcome run_slice(wf_context& c);
  void begin(wf_context& swf, const wf_context& from) override;
  void resume(wf_context& c, uint64_t join) override;
  void leave(wf_context& swf) override;
  void finish(wf_context& root) override;

  compute_unit& cu_;
  divergence_scheme& scheme_;
  uint64_t limit_;
  const wf_context* current_ = nullptr;
};

}  // namespace pws::models
