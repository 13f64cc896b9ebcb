// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/context_texts.h"

#include <fmt/format.h>

#include "models/machine/context_name.h"

namespace pws::models {

std::string context_texts::place_of(const wf_context& c) const {
  return context_name(config_, c.unit, c.slot);
}

std::string context_texts::where(const wf_context& c) const {
  const workgroup& w = c.group->launch;
  return fmt::format("kernel {}, workgroup ({},{},{}), wavefront {} (cu{}.{})", w.of->kernel, w.id[0], w.id[1], w.id[2],
                     c.wave_in_group, cu_, place_of(c));
}

std::string context_texts::instruction_text(const wf_context& c, uint64_t pc, const isa::inst* i) const {
  // A function that the kernel calls may lie in front of it.
  const uint64_t entry = c.group->launch.of->setup.entry;
  std::string text =
      fmt::format("pc {:#x} (kernel entry {} {:#x})", pc, pc < entry ? '-' : '+', pc < entry ? entry - pc : pc - entry);
  if (i != nullptr) text += ": " + isa::disassemble(*i);
  const std::string line = source_lines_ ? source_lines_(pc) : "";
  return line.empty() ? text : text + " (" + line + ")";
}

std::string context_texts::standing_at(const wf_context& c) const {
  const isa::inst* const i = being_executed(c);
  return where(c) + ", " + instruction_text(c, i != nullptr ? i->pc : c.state.pc, i);
}

}  // namespace pws::models
