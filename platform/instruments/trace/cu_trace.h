// SPDX-License-Identifier: Apache-2.0
// What the waveform shows of a compute unit: a copy of it, taken once per cycle, that its signals are of.
#pragma once

#include <string>
#include <vector>

#include "models/compute_unit/compute_unit.h"
#include "platform/instruments/trace/wave_signals.h"

namespace pws::platform {

// Which number the waveform has for the kernel of a launch in service.
struct launch_shown {
  uint64_t launch = 0;
  unsigned kernel = 0;
};

class cu_trace {
 public:
  explicit cu_trace(const models::compute_unit& cu);

  // Declares everything below `scope`, "gpu.cu0".
  void declare(wave_signals& signals, const std::string& scope) const;
  // Takes over what there is in cycle `now`, while these launches are in service.
  void update(models::cycle_t now, const std::vector<launch_shown>& launches);

 private:
  struct unit_view {
    bool valu_busy = false, salu_busy = false;
    unsigned contexts = 0;  // in use
    // Where warps are formed: the warp that issues, 0 work-items if none does, and how many are in the pool.
    uint64_t warp_pc = 0;
    unsigned warp_work_items = 0, pool = 0;
  };
  struct context_view {
    uint64_t pc = 0, em = 0, spm = 0;
    unsigned status = 0;
    unsigned unit = 0;  // isa::unit of the instruction issued last
    unsigned vm_outstanding = 0, lgkm_outstanding = 0;
    unsigned kernel = 0, wavefront = 0;
    uint64_t launch = 0, workgroup = 0;
    std::vector<uint64_t> registers;  // the divergence scheme's
  };
  void declare(wave_signals& signals, const std::string& scope, const context_view& v, bool with_registers) const;
  void update(unit_view& v, models::simd_id simd, models::cycle_t now) const;
  void update(const models::simd_unit& unit, const models::wf_context& c, const std::vector<launch_shown>& launches,
              context_view& v) const;

  const models::compute_unit& cu_;
  const std::vector<models::shown_register> registers_;  // of each context
  std::vector<unit_view> units_;
  std::vector<context_view> contexts_;  // of the first unit, of the second, ...
  unsigned memory_in_flight_ = 0;
};

}  // namespace pws::platform
