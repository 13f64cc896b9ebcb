// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/check/streams_check.h"

#include "models/check/shadow/lanes.h"

namespace pws::platform {

void streams_check::is_operation(uint64_t launch, check::operation_id o) {
  launches_[launch] = o;
  last_launch_ = 0;
}

void streams_check::launch_ended(uint64_t launch, bool, bool) {
  launches_.erase(launch);
  last_launch_ = 0;
}

void streams_check::accessed(uint32_t, const models::wf_context& c, const isa::inst& i, const isa::memory_access& a,
                             models::cycle_t) {
  const uint64_t launch = c.group->launch.of->number();
  if (launch != last_launch_) {
    const auto known = launches_.find(launch);
    last_launch_ = launch;
    last_ = known == launches_.end() ? 0 : known->second;
  }
  if (last_ == 0) return;
  pieces_.set(c, i, a);
  for (const access_piece& p : pieces_) {
    if (p.in_lds) continue;
    const bool atomic = p.does == access_piece::kind::atomic || p.past_cache;
    const bool hears = p.past_cache || (atomic && p.returns_data);
    const check::touch how = atomic                                ? check::touch::atomic
                             : p.does == access_piece::kind::store ? check::touch::written
                                                                   : check::touch::read;
    uint64_t begin = 0, bytes = 0;  // lanes side by side are one piece
    const auto note = [&] {
      if (bytes == 0) return;
      operations_.touches(last_, how, begin, bytes);
      if (hears) operations_.touches(last_, check::touch::heard, begin, bytes);
    };
    check::for_each_lane(p.mask, [&](uint32_t l) {
      if (bytes != 0 && p.address[l] == begin + bytes) {
        bytes += p.bytes;
        return;
      }
      note();
      begin = p.address[l];
      bytes = p.bytes;
    });
    note();
  }
}

void streams_check::released(uint64_t address) {
  const auto b = blocks_.find(address);
  if (b == blocks_.end()) return;
  operations_.forget(b->first, b->second);
  blocks_.erase(b);
}

}  // namespace pws::platform
