// SPDX-License-Identifier: Apache-2.0
// A wavefront of functional fidelity that does nothing but wait: for the clock (`while (clock64() < end);`), or for
// memory with a look at the clock now and then. It is found without a guess: two reads of the clock, one after the
// other at the same place, give the same value; if all registers are then as they were, and nothing has been written
// in between, the wavefront goes round until clock or memory change. The clock may then go on in bigger steps.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/state_archive.h"
#include "models/isa/inst.h"
#include "models/isa/wave_state.h"

namespace pws::models {

class clock_poll {
 public:
  // What the wavefront has been doing since its last read of the clock.
  enum class finding : uint8_t { nothing, waits_for_clock, waits_for_memory };

  // Before the wavefront reads the clock at `pc`; not `nothing` if it has been waiting since its last read.
  finding reads(const isa::wave_state& s, uint64_t pc);
  // The clock goes on, before this read.
  void go_on(uint64_t time) { value_ = time; }
  // What this read gives; never less than the last.
  uint64_t value() const { return value_; }
  // Before another memory instruction.
  void accesses(const isa::wave_state& s, const isa::inst& i) {
    if (phase_ == phase::compares) note_access(s, i);
  }
  // Cycles since the first of the reads at this place that came one after the other.
  uint64_t waited(uint64_t time) const { return time - began_; }
  // Waiting for memory: cycles of its last turn that it has left to others.
  uint64_t left_to_others = 0;

  // Its state, saved or restored.
  void keep(state_archive& a) {
    a(left_to_others, pc_, began_, value_, reads_, next_look_, phase_, has_loaded_, has_written_);
    a.bytes(scalar_.data(), scalar_.size());
    a.list(vector_, [](state_archive& b, isa::vgpr_row& r) { b.bytes(r.lane, isa::wave_size); });
    a.list(scratch_);
    a(split_mask_, mode_, scc_);
  }

 private:
  // Reads give the time; the next gives what the last gave; the next is compared with the last.
  enum class phase : uint8_t { measures, holds, compares };
  void note_access(const isa::wave_state& s, const isa::inst& i);
  void remember(const isa::wave_state& s);
  bool is_remembered(const isa::wave_state& s);

  uint64_t pc_ = 0;
  uint64_t began_ = 0;  // cycles
  uint64_t value_ = 0;
  uint64_t reads_ = 0, next_look_ = 0;
  phase phase_ = phase::measures;
  // Since what is remembered:
  bool has_loaded_ = false, has_written_ = false;
  std::array<uint32_t, isa::scalar_count> scalar_{};
  std::vector<isa::vgpr_row> vector_;
  std::vector<uint8_t> scratch_, scratch_now_;
  uint64_t split_mask_ = 0;
  uint32_t mode_ = 0;
  bool scc_ = false;
};

}  // namespace pws::models
