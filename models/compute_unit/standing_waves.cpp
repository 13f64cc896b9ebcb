// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/standing_waves.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

#include "base/error.h"

namespace pws::models {

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
