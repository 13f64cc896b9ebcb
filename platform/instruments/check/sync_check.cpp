// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/check/sync_check.h"

#include "models/divergence/split_isolation.h"
#include "models/isa/vector/lane_reach.h"

namespace pws::platform {

namespace {

// Parts of a wavefront have contexts of their own, and merge.
bool splits_at_merges(const models::scheme_traits& t) {
  return t.acts_at == models::divergence_points::split_and_merge &&
         (t.contexts == models::swf_contexts::spsimd_units || t.contexts == models::swf_contexts::wavefront_contexts);
}

}  // namespace

sync_check::sync_check(const models::gpu& gpu, const device_runtime& runtime, check::finding_sink& sink)
    : gpu_(gpu),
      runtime_(runtime),
      splits_(models::traits_of(gpu.config.divergence).splits()),
      in_spsimds_(models::has_spsimds(gpu.config)),
      joins_(splits_at_merges(models::traits_of(gpu.config.divergence))),
      cuts_for_good_(models::traits_of(gpu.config.divergence).forms_warps()),
      barriers_(sink, [this](uint64_t pc, uint64_t other_pc) { return same_line(pc, other_pc); }),
      paths_(sink) {}

void sync_check::workgroup_started(uint32_t, const models::resident_workgroup& g, models::cycle_t) {
  barriers_.workgroup_begins(&g, g.waves.size() + g.swfs.capacity());
}

void sync_check::wave_started(uint32_t, const models::wf_context& c, models::cycle_t) {
  if (joins_) paths_.begins(&c);
}

void sync_check::issuing(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t) {
  if (i.unit == isa::unit::barrier) {
    const uint64_t work_items = c.tree.root->tree.launched & c.state.split_mask;
    barriers_.arrives(c.group, site_of(cu, c, i.pc, c.state.active() & work_items), work_items & ~c.state.active());
  } else if (i.unit == isa::unit::end) {
    const check::site here = site_of(cu, c, i.pc, c.tree.root->tree.launched & c.state.split_mask);
    if (joins_) path_ends(cu, c, here);
    barriers_.ends(c.group, here);
  } else if (splits_) {
    if (joins_ && i.unit == isa::unit::split) paths_.splits(&c, open_splits(cu, c));
    check_reach(cu, c, i);
  }
}

void sync_check::barrier_passed(uint32_t, const models::resident_workgroup& g, models::cycle_t) {
  barriers_.passes(&g);
}

void sync_check::workgroup_ended(uint32_t, const models::resident_workgroup& g, models::cycle_t) {
  barriers_.workgroup_ends(&g);
}

// A barrier that the compiler has copied is one barrier; without line tables each address is one.
bool sync_check::same_line(uint64_t pc, uint64_t other_pc) {
  const auto [at, is_new] = same_line_.try_emplace(std::minmax(pc, other_pc));
  if (is_new) {
    const std::vector<loader::source_line> lines = runtime_.source_at(pc);
    at->second = !lines.empty() && lines == runtime_.source_at(other_pc);
  }
  return at->second;
}

unsigned sync_check::open_splits(uint32_t cu, const models::wf_context& c) const {
  return gpu_.cus[cu]->contexts().of(c).child_stacks.depth(c.slot);
}

void sync_check::path_ends(uint32_t cu, const models::wf_context& c, const check::site& here) {
  paths_.ends(here, &c, open_splits(cu, c));
  const models::wf_context* parent = gpu_.cus[cu]->scheme().parent_of(c);
  if (parent == nullptr) return;
  const models::context_map& contexts = gpu_.cus[cu]->contexts();
  const models::swf_number mine = in_spsimds_ ? contexts.of(c).number : models::swf_number::context(c.slot);
  const models::child_stack_block& splits = contexts.of(*parent).child_stacks;
  for (unsigned k = 0; k < splits.depth(parent->slot); ++k)
    if (splits.at(parent->slot, k) == mine)
      paths_.child_ends(here, parent, k, parent->status == models::wf_status::ended);
}

void sync_check::check_reach(uint32_t cu, const models::wf_context& c, const isa::inst& i) {
  if (!cuts_for_good_ && !c.is_split()) return;
  const uint64_t outside = isa::reached_lanes(i, c.state) & ~c.state.split_mask;
  if (outside == 0) return;
  std::optional<check::site> owner;
  if (const models::wf_context* path = models::path_of_lane(static_cast<unsigned>(__builtin_ctzll(outside)), c))
    owner =
        site_of(cu, *path, path->front.next == nullptr ? path->state.pc : path->front.next->pc, path->state.active());
  paths_.reaches(site_of(cu, c, i.pc, c.state.active()), outside, owner);
}

}  // namespace pws::platform
