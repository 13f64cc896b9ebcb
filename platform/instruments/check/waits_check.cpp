// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/check/waits_check.h"

#include <algorithm>

#include "models/isa/memory/image_resource.h"
#include "models/machine/divergence_kind.h"

namespace pws::platform {

using check::instruction_facts;
using models::wf_context;

waits_check::waits_check(const models::gpu& gpu, check::finding_sink& sink)
    : gpu_(gpu),
      sink_(sink),
      splits_(models::traits_of(gpu.config.divergence).splits()),
      drains_(gpu.config.scoreboard == models::path_scoreboard::drain ||
              models::traits_of(gpu.config.divergence).keeps_own_paths()) {}

waits_check::context& waits_check::context_of(uint32_t cu, const wf_context& c) {
  if (&c == issuer_ && cu == issuer_cu_) return *issuer_context_;
  return contexts_.of(cu, c);
}

const instruction_facts& waits_check::facts_of(const wf_context& c, const isa::inst& i) {
  program_facts& known = programs_.of(*c.code);
  instruction_facts& f = known.facts[(i.pc - known.begin) >> 2];
  if (f.of == nullptr) f = check::facts_of(i);
  return f;
}

void waits_check::wave_started(uint32_t cu, const wf_context& c, models::cycle_t) {
  context& x = context_of(cu, c);
  const check::site who = site_of(cu, c, 0, 0);
  const bool split_off =
      c.is_swf() && issuer_ != nullptr && issuer_cu_ == cu && issuer_->tree.root == c.tree.root && issuer_ != &c;
  if (split_off)
    x.waits.begin_path(who, issuer_context_->waits, !drains_);
  else
    x.waits.begin(who, c.group->waves.size() < 2 && c.group->launch.wavefronts() < 2);
  x.lanes = c.state.split_mask;
  x.joins = gpu_.cus[cu]->scheme().parent_of(c);
  if (x.joins == nullptr) x.joins = c.tree.root;
}

// The machine waits for all that is under way where paths part or join; or both sides have it under way.
void waits_check::path_changed(context& x) {
  if (drains_) x.waits.drained();
}

void waits_check::issuing(uint32_t cu, const wf_context& c, const isa::inst& i, models::cycle_t) {
  context& x = context_of(cu, c);
  issuer_ = &c;
  issuer_context_ = &x;
  issuer_cu_ = cu;
  if (c.state.split_mask != x.lanes) path_changed(x);
  const instruction_facts& f = facts_of(c, i);
  const uint64_t lanes = c.state.active();
  if (const isa::index_by_m0 index = isa::indexed_by_m0(i, c.state.mode, c.state.scalar[isa::m0]); index.operands != 0)
    x.waits.issue(f, check::with_m0(f, index), i.pc, lanes, sink_);
  else if (f.of_image)
    x.waits.issue(f, check::with_address(f, isa::image_address_registers_or_fewest(c.state, i)), i.pc, lanes, sink_);
  else
    x.waits.issue(f, f, i.pc, lanes, sink_);
  if (splits_ && (i.unit == isa::unit::split || i.unit == isa::unit::merge)) path_changed(x);
}

void waits_check::accessed(uint32_t cu, const wf_context& c, const isa::inst& i, const isa::memory_access& a,
                           models::cycle_t) {
  context& x = context_of(cu, c);
  const instruction_facts& f = facts_of(c, i);
  if (f.counts == check::counted_by::nothing) return;
  const bool in_lds = a.where == isa::memory_access::space::lds && a.mask != 0;
  x.waits.accessed(f, i.pc, f.counts == check::counted_by::scalar ? 0 : c.state.active(), in_lds || a.in_lds != 0);
  if (i.lds_bit && c.state.active() != 0) {
    const uint32_t first = (c.state.scalar[isa::m0] & 0xffff) + i.offset0;
    x.waits.fills_lds(first, first + 4 * isa::wave_size);
  } else if (x.waits.tracks_lds() && (in_lds || a.in_lds != 0)) {
    const uint64_t lanes = in_lds ? a.mask | a.in_lds : a.in_lds;
    uint64_t first = ~uint64_t{0}, end = 0;
    for (unsigned l = 0; l < isa::wave_size; ++l) {
      if ((lanes >> l & 1) == 0) continue;
      first = std::min(first, a.address[l]);
      end = std::max(end, a.address[l] + a.second_offset + a.bytes_per_lane);
    }
    x.waits.lds_accessed(i.pc, lanes, static_cast<uint32_t>(first), static_cast<uint32_t>(end), sink_);
  }
}

void waits_check::issued(uint32_t cu, const wf_context& c, const isa::inst&, models::cycle_t) {
  context& x = context_of(cu, c);
  if (c.state.split_mask == x.lanes) return;
  path_changed(x);
  x.lanes = c.state.split_mask;
}

void waits_check::wave_ended(uint32_t cu, const wf_context& c, models::cycle_t) {
  if (!c.is_swf() || drains_) return;
  const context& x = context_of(cu, c);
  context_of(cu, *x.joins).waits.join(x.waits);
}

}  // namespace pws::platform
