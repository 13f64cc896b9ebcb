// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/cu_messages.h"

#include <fmt/format.h>

#include "models/isa/code/decode.h"
#include "models/machine/context_name.h"

namespace pws::models {

namespace {
// The instruction that `c` is executing: it has moved the PC on. One that could not be decoded has not: nullptr.
const isa::inst* being_executed(const wf_context& c) {
  return c.front.next != nullptr && c.state.pc != c.front.next->pc ? c.front.next : nullptr;
}
}  // namespace

std::string cu_messages::place_of(const wf_context& c) const {
  return context_name(cu_.config, c.unit, c.slot);
}

std::string cu_messages::where(const wf_context& c) const {
  const workgroup& w = c.group->launch;
  return fmt::format("kernel {}, workgroup ({},{},{}), wavefront {} (cu{}.{})", w.of->kernel, w.id[0], w.id[1], w.id[2],
                     c.wave_in_group, cu_.index, place_of(c));
}

std::string cu_messages::instruction_text(const wf_context& c, uint64_t pc, const isa::inst* i) const {
  // A function that the kernel calls may lie in front of it.
  const uint64_t entry = c.group->launch.of->setup.entry;
  std::string text =
      fmt::format("pc {:#x} (kernel entry {} {:#x})", pc, pc < entry ? '-' : '+', pc < entry ? entry - pc : pc - entry);
  if (i != nullptr) text += ": " + isa::disassemble(*i);
  const std::string line = source_lines_ ? source_lines_(pc) : "";
  return line.empty() ? text : text + " (" + line + ")";
}

// The instruction that is being executed, or was to be.
std::string cu_messages::executing_text(const wf_context& c, int lane) const {
  const isa::inst* const i = being_executed(c);
  return where(c) + ", " + instruction_text(c, i != nullptr ? i->pc : c.state.pc, i) +
         (lane == program_error::no_lane ? "" : fmt::format(", lane {}", lane));
}

void cu_messages::access_tolerated(uint64_t address, uint32_t bytes, bool is_write, int lane) {
  const wf_context* const c = cu_.executing;
  if (tolerated_ == nullptr || c == nullptr || !tolerated_->places.insert(c->state.pc).second) return;
  tolerated_->say(fmt::format("{}: {} (forgiven, as hardware maps whole pages: machine.memory.faults)",
                              executing_text(*c, lane), memory_.describe_fault(address, bytes, is_write)));
}

void cu_messages::report(const program_error& e) {
  stop();
  const wf_context* const c = cu_.executing;
  if (c == nullptr) return fault_(e.what(), 0);
  std::string text = e.what();
  if (dynamic_cast<const reported_error*>(&e) == nullptr) {
    text = executing_text(*c, e.lane()) + ": " + text;
    if (cu_.observer != nullptr) cu_.observer->faulted(cu_.index, *c, being_executed(*c), e);
  }
  fault_(text, c->group->launch.of->number());
}

}  // namespace pws::models
