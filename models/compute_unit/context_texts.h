// SPDX-License-Identifier: Apache-2.0
// What messages say of a compute unit's contexts: whose they are, and which instruction they are at.
#pragma once

#include <functional>
#include <string>

#include "models/context/wf_context.h"

namespace pws::models {

// Where the instruction at a device address comes from, "file:line"; empty: not known.
using source_lines = std::function<std::string(uint64_t pc)>;

// The instruction that `c` is executing: it has moved the PC on. One that could not be decoded has not: nullptr.
inline const isa::inst* being_executed(const wf_context& c) {
  return c.front.next != nullptr && c.state.pc != c.front.next->pc ? c.front.next : nullptr;
}

class context_texts {
 public:
  // `cu`: the compute unit's number.
  context_texts(const machine_config& config, uint32_t cu) : config_(config), cu_(cu) {}

  // What source lines are named with; nothing: texts do without.
  void set_source_lines(source_lines lines) { source_lines_ = std::move(lines); }

  // "simd1.wf3", "simd1.spsimd2.swf3": as the waveform names it.
  std::string place_of(const wf_context& c) const;
  // "kernel k, workgroup (1,0,0), wavefront 2 (cu0.simd1.wf3)"
  std::string where(const wf_context& c) const;
  // "pc 0x1000 (kernel entry + 0x10): v_mov_b32_e32 v0, v1 (k.hip:7)". `i`, the instruction there, may be nullptr. The
  // source line is left out where it is not known.
  std::string instruction_text(const wf_context& c, uint64_t pc, const isa::inst* i) const;
  // Both, of the instruction that is being executed, or was to be.
  std::string standing_at(const wf_context& c) const;

 private:
  const machine_config& config_;
  const uint32_t cu_;
  source_lines source_lines_;
};

}  // namespace pws::models
