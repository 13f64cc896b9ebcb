#include "platform/check/numbers_check.h"

namespace pws::platform {

void numbers_check::wave_started(uint32_t cu, const models::wf_context& c, models::cycle_t) {
  if (!c.is_swf()) of(cu, c).begin(site_of(cu, c, 0, 0), c.state.n_vgprs);
}

void numbers_check::issuing(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t) {
  numbers_.executes(of(cu, c), c.state, i);
}

void numbers_check::accessed(uint32_t cu, const models::wf_context& c, const isa::inst& i, const isa::memory_access& a,
                             models::cycle_t) {
  pieces_.set(c, i, a);
  uint64_t outside = 0;
  for (const access_piece& p : pieces_) outside |= p.scalar ? 0 : p.mask;
  const bool in_device = a.where == isa::memory_access::space::global;
  numbers_.accessed(of(cu, c), i, outside, in_device ? a.mask & ~outside : 0, a.address);
}

void numbers_check::issued(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t) {
  numbers_.executed(of(cu, c), c.state, i);
}

}  // namespace pws::platform
