// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/check/private_variables_check.h"

#include <fmt/format.h>

#include "base/error.h"
#include "models/check/frames/frame_accesses.h"
#include "models/check/shadow/lanes.h"
#include "models/isa/opcode_row.h"

namespace pws::platform {

namespace {

constexpr unsigned frame_register = 33;   // s33, in bytes of the whole wavefront
constexpr unsigned to_bytes_of_lane = 6;  // shift

std::string place_in(const loader::frame_variable& v, int64_t offset) {
  const auto element = static_cast<int64_t>(v.element);
  if (element == 0 || offset % element != 0)
    return fmt::format("{} {} {:#x}", v.name, offset < 0 ? '-' : '+', offset < 0 ? -offset : offset);
  return fmt::format("{}[{}]", v.name, offset / element);
}

}  // namespace

void private_variables_check::read(accesses& to, isa::program& code) const {
  to.known = true;
  for (const loader::function_frame& f : runtime_.frames_at(code.begin())) {
    if (f.begin < code.begin() || f.end > code.end()) continue;
    std::vector<isa::inst> function;
    try {
      for (uint64_t pc = f.begin; pc < f.end; pc += function.back().bytes()) function.push_back(code.at(pc));
    } catch (const program_error&) {  // what is not known of its code may change what is known of addresses
      continue;
    }
    std::vector<check::frame_object> objects;
    for (const loader::frame_variable& v : f.variables) objects.push_back({v.offset, v.bytes});
    for (const check::frame_access& a : check::frame_accesses(function, objects))
      to.by_pc.emplace(a.pc, f.variables[a.object]);
  }
}

void private_variables_check::issuing(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t) {
  if (i.native != isa::format::flat) return;
  accesses& known = programs_.of(*c.code);
  if (!known.known) read(known, *c.code);
  const auto at = known.by_pc.find(i.pc);
  if (at == known.by_pc.end()) return;
  const loader::frame_variable& v = at->second;
  const isa::wave_state& s = c.state;
  const uint32_t begin = (s.scalar[frame_register] >> to_bytes_of_lane) + static_cast<uint32_t>(v.offset);
  uint64_t lanes = 0;
  int64_t first = 0;
  check::for_each_lane(s.active(), [&](uint32_t l) {
    const auto offset = static_cast<int32_t>(s.vgpr[i.src[0].index].lane[l] - begin);
    if (offset >= 0 && static_cast<uint32_t>(offset) < v.bytes) return;
    if (lanes == 0) first = offset;
    lanes |= uint64_t{1} << l;
  });
  if (lanes == 0 || !sink_.is_new("past_a_private_variable", i.pc, 0)) return;
  check::finding f;
  f.check = check::family::memory;
  f.rule = "past_a_private_variable";
  const uint64_t away = first < 0 ? static_cast<uint64_t>(-first) : static_cast<uint64_t>(first) - v.bytes;
  f.what = fmt::format("{} is {}, {} bytes {} of {}, a private variable of {} bytes", place_in(v, first),
                       (i.row->flags & isa::is_atomic) != 0  ? "changed by an atomic"
                       : (i.row->flags & isa::is_store) != 0 ? "written"
                                                             : "read",
                       away, first < 0 ? "in front" : "behind the end", v.name, v.bytes);
  f.here = site_of(cu, c, i.pc, lanes);
  f.space = check::memory_space::scratch;
  f.address = static_cast<uint32_t>(begin + static_cast<uint32_t>(first));
  f.bytes = bytes_of(i.row->means.of);
  sink_.add(std::move(f));
}

}  // namespace pws::platform
