// SPDX-License-Identifier: Apache-2.0
#include "platform/run/checkpoint/session_state.h"

#include "platform/run/checkpoint/memory_pages.h"

namespace pws::platform {

namespace {

// Nothing is there that could happen before.
void keep_time(state_archive& a) {
  a.same(sc_core::sc_get_time_resolution().to_string(), "time resolution");
  uint64_t now = sc_core::sc_time_stamp().value();
  const uint64_t before = now;
  a(now);
  if (a.restores() && now > before) sc_core::sc_start(sc_core::sc_time::from_value(now - before));
}

}  // namespace

void keep_session(state_archive& a, session& s) {
  keep_time(a);
  s.gpu.allocations.keep(a);
  s.runtime().keep(a);
  keep_memory(a, s.gpu.memory.dram, s.runtime().layout().touched());
  s.gpu.keep(a);
  s.board.host.keep(a);
  s.host_calls().keep(a);
  if (a.restores()) s.gpu.go_on();
}

}  // namespace pws::platform
