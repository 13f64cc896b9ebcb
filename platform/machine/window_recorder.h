// SPDX-License-Identifier: Apache-2.0
// The last cycles of a unit on both sides, kept while it runs, for the waveform that goes with a mismatch.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "platform/machine/retirement.h"
#include "rtl/wrapper/spsimd_rtl.h"

namespace pws::platform::cosim {

// A cycle of both sides.
struct window_sample {
  models::cycle_t cycle = 0;
  std::array<context_registers, rtl::spsimd_rtl::contexts> model, rtl;
};

class window_recorder {
 public:
  static constexpr size_t cycles = 128;

  window_recorder() : samples_(cycles) {}
  // The place for the state in that cycle; the oldest is given up.
  window_sample& next(models::cycle_t cycle) {
    window_sample& s = samples_[count_++ % cycles];
    s.cycle = cycle;
    return s;
  }
  // The result that the two sides disagree about, shown in the last cycle: bits as in the VCD, empty if there is none.
  struct disagreement {
    std::string signal;      // "v3", "s4", "spm"
    std::string model, rtl;  // binary digits, the same number of them
  };
  // The instruction that they disagree about: its words, and what it has read. Names, and bits as in the VCD; on both
  // sides, from the cycle of its issue on.
  struct instruction {
    models::cycle_t at = 0;
    std::vector<std::pair<std::string, std::string>> signals;  // at most 64
  };
  // Writes a VCD of the context's registers on both sides. False if the file cannot be written.
  bool write(const std::string& file, unsigned context, uint64_t period_ps, const disagreement& d,
             const instruction& i) const;

 private:
  std::vector<window_sample> samples_;
  size_t count_ = 0;
};

}  // namespace pws::platform::cosim
