// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/cu_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/error.h"
#include "models/compute_unit/compute_unit.h"
#include "models/isa/code/decode.h"
#include "models/machine/ids.h"

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
  if (tolerated_ == nullptr || c == nullptr) return;
  cu_.alone([&] {
    if (!tolerated_->places.insert(c->state.pc).second) return;
    tolerated_->say(fmt::format("{}: {} (forgiven, as hardware maps whole pages: machine.memory.faults)",
                                executing_text(*c, lane), memory_.describe_fault(address, bytes, is_write)));
  });
}

void cu_messages::mismatch(const wf_context& c, const isa::inst* i, const reported_error& e) const {
  if (cu_.observer != nullptr) cu_.observer->mismatched(cu_.index, c, i, e);
  throw reported_error(e);
}

void cu_messages::report(const program_error& e) {
  stop();
  machine_fault f;
  f.message = e.what();
  f.cause = fault_cause::program;
  f.lane = e.lane();
  if (const auto* access = dynamic_cast<const isa::memory_fault*>(&e)) {
    f.cause = fault_cause::memory;
    f.address = access->address();
  }
  const wf_context* const c = cu_.executing;
  if (c == nullptr) return fault_(f);
  const isa::inst* const i = being_executed(*c);
  if (dynamic_cast<const reported_error*>(&e) == nullptr) {
    f.message = executing_text(*c, e.lane()) + ": " + f.message;
    if (cu_.observer != nullptr) cu_.observer->faulted(cu_.index, *c, i, e);
  }
  const workgroup& w = c->group->launch;
  f.launch = w.of->number();
  f.kernel_object = w.of->packet.kernel_object;
  f.pc = i != nullptr ? i->pc : c->state.pc;
  f.workgroup = w.id;
  fault_(f);
}

namespace {

struct standing {
  uint64_t count = 0;
  const compute_unit* cu = nullptr;  // of the first
  const wf_context* first = nullptr;
};

// The address that it has come to: at a barrier or behind its end its PC is that of what follows.
uint64_t place_of(const wf_context& c) {
  constexpr uint64_t end_bytes = 4;  // of s_endpgm
  if (c.status == wf_status::draining) return c.state.pc - end_bytes;
  const bool at_barrier = c.status == wf_status::barrier || c.status == wf_status::grid_barrier;
  return at_barrier && c.front.next != nullptr ? c.front.next->pc : c.state.pc;
}

const isa::inst* instruction_at(const wf_context& c, uint64_t pc) {
  try {
    return &c.code->at(pc);
  } catch (const program_error&) {
    return nullptr;  // no instruction
  }
}

}  // namespace

std::string describe_standing(const std::vector<const compute_unit*>& cus, size_t places) {
  std::map<std::tuple<uint64_t, wf_status>, standing> by_place;
  for (const compute_unit* cu : cus)
    for (uint32_t u = 0; u < cu->layout().count(); ++u) {
      const simd_unit& unit = cu->unit(unit_id(u));
      for (const uint16_t k : unit.order) {
        const wf_context& c = unit.contexts[k];
        if (c.status == wf_status::ended || c.status == wf_status::idle) continue;
        standing& s = by_place[{place_of(c), c.status}];
        if (s.count++ == 0) {
          s.cu = cu;
          s.first = &c;
        }
      }
    }
  std::vector<std::pair<std::tuple<uint64_t, wf_status>, standing>> all(by_place.begin(), by_place.end());
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.second.count > b.second.count; });
  std::string text;
  for (size_t n = 0; n < std::min(places, all.size()); ++n) {
    const auto& [pc, status] = all[n].first;
    const standing& s = all[n].second;
    const std::string others = s.count == 1 ? "" : fmt::format(" and {} more", s.count - 1);
    text += fmt::format("  {}{}: {} at {}, EXEC {:#x}\n", s.cu->messages().where(*s.first), others, name_of(status),
                        s.cu->messages().instruction_text(*s.first, pc, instruction_at(*s.first, pc)),
                        s.first->state.active());
  }
  uint64_t rest = 0;
  for (size_t n = places; n < all.size(); ++n) rest += all[n].second.count;
  if (rest != 0) text += fmt::format("  {} at {} other places\n", rest, all.size() - places);
  return text;
}

}  // namespace pws::models
