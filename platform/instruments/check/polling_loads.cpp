// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/check/polling_loads.h"

#include <algorithm>
#include <iterator>

namespace pws::platform {

namespace {

uint32_t content(const models::wf_context& c, check::register_place p) {
  if (!p.of_vector) return c.state.scalar[p.number % isa::scalar_count];
  return p.number < c.state.n_vgprs ? c.state.vgpr[p.number].lane[p.lane % isa::wave_size] : 0;
}

}  // namespace

bool polling_loads::has(const models::wf_context& c, const isa::inst& i, const isa::memory_access& a) {
  if (a.is_store || a.is_atomic || a.where == isa::memory_access::space::none) return false;
  program& p = programs_.of(*c.code);
  uint8_t& known = p.known[(i.pc - p.code.begin()) >> 2];
  if (known == yes || known == no) return known == yes;
  deciding& d = p.deciding_by_pc[i.pc];
  const bool is = look(p, d, c, i);
  if (!d.asked.empty()) {
    known = by_registers;
  } else {
    known = is ? yes : no;
    p.deciding_by_pc.erase(i.pc);
  }
  return is;
}

bool polling_loads::look(program& p, deciding& d, const models::wf_context& c, const isa::inst& i) {
  const auto contents = [&] {
    std::vector<uint32_t> all;
    std::transform(d.asked.begin(), d.asked.end(), std::back_inserter(all),
                   [&](const check::register_place& r) { return content(c, r); });
    return all;
  };
  if (const auto at = d.known.find(contents()); at != d.known.end()) return at->second;
  const size_t before = d.asked.size();
  const bool is = check::is_poll(
      p.code, i, [&](check::register_place r) { return content(c, r); }, d.asked);
  if (d.asked.size() != before) d.known.clear();  // those were for fewer
  d.known[contents()] = is;
  return is;
}

}  // namespace pws::platform
