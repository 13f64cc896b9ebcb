// SPDX-License-Identifier: Apache-2.0
#include "platform/instruments/check/races_check.h"

#include "models/isa/predicates.h"

namespace pws::platform {

races_check::races_check(const models::gpu& gpu, check::finding_sink& sink) : gpu_(gpu), sink_(sink) {}

void races_check::launch_begins(uint64_t, bool alone) {
  if (!alone) return;
  contexts_.clear();
  groups_.clear();
  last_ = nullptr;
}

void races_check::launch_ended(uint64_t launch, bool, bool) {
  const auto over = launches_.find(launch);
  if (over == launches_.end()) return;
  spare_.push_back(std::move(over->second));
  launches_.erase(over);
}

check::races& races_check::of_launch(uint64_t number) {
  std::unique_ptr<check::races>& r = launches_[number];
  if (r != nullptr) return *r;
  if (spare_.empty()) spare_.push_back(std::make_unique<check::races>(sink_));
  r = std::move(spare_.back());
  spare_.pop_back();
  r->launch_begins();
  return *r;
}

void races_check::workgroup_started(uint32_t, const models::resident_workgroup& g, models::cycle_t) {
  check::races& r = of_launch(g.launch.of->number());
  groups_[&g] = {&r, r.workgroup_started(g.launch.of->lds_bytes)};
}

void races_check::workgroup_ended(uint32_t, const models::resident_workgroup& g, models::cycle_t) {
  const group& x = groups_[&g];
  x.in->workgroup_ended(x.id);
}

void races_check::wave_started(uint32_t cu, const models::wf_context& c, models::cycle_t) {
  running r;
  const check::site where = site_of(cu, c, 0, 0);
  const group& x = groups_[c.group];
  r.in = x.in;
  if (!c.is_swf()) {
    r.path = r.in->who().started(x.id, where);
  } else if ((r.parent = gpu_.cus[cu]->scheme().parent_of(c)) != nullptr) {
    r.path = r.in->who().forked(of(*r.parent).path, where);
  } else {  // all parts of a wavefront are one path
    r.path = of(*c.tree.root).path;
  }
  last_ = nullptr;
  contexts_[&c] = r;
}

void races_check::accessed(uint32_t, const models::wf_context& c, const isa::inst& i, const isa::memory_access& a,
                           models::cycle_t) {
  using kind = check::race_access::kind;
  if (guesses_.has(c, i, a)) return;
  pieces_.set(c, i, a);
  for (const access_piece& p : pieces_) {
    check::race_access r;
    switch (p.does) {
      case access_piece::kind::load:
        r.does = p.past_cache || (p.in_lds && polls_.has(c, i, a)) ? kind::past_cache : kind::load;
        break;
      case access_piece::kind::store:
        r.does = kind::store;
        break;
      case access_piece::kind::atomic:
        r.does = p.returns_data ? kind::returning_atomic : kind::atomic;
        break;
    }
    r.in_lds = p.in_lds;
    r.may_take_a_lock = r.does == kind::returning_atomic && isa::is_exchange(i);
    r.counts_for_vmcnt = !p.in_lds && !p.scalar;
    r.bytes = p.bytes;
    r.pc = i.pc;
    r.mask = p.mask;
    r.address = p.address;
    r.data = p.data;
    const running& me = of(c);
    me.in->access(me.path, r);
  }
}

void races_check::issued(uint32_t, const models::wf_context& c, const isa::inst& i, models::cycle_t) {
  switch (i.unit) {
    case isa::unit::waitcnt:
      of(c).in->who().waited(of(c).path, isa::waitcnt(i).vmcnt);
      break;
    case isa::unit::end:
      of(c).ends = true;
      break;
    case isa::unit::internal:
      if (isa::operation_of(i) == isa::operation::invalidate_vector_cache) of(c).in->who().invalidated(of(c).path);
      break;
    default:
      break;
  }
}

void races_check::wave_ended(uint32_t, const models::wf_context& c, models::cycle_t) {
  const running r = of(c);
  if (r.parent != nullptr && !r.ends) {
    running& parent = of(*r.parent);
    r.in->who().joined(parent.path, r.path);
    parent.ends = false;  // if its own work-items have ended, it goes on with these
  } else if (r.parent != nullptr || !c.is_swf()) {
    r.in->who().ended(r.path);
  }
}

void races_check::barrier_passed(uint32_t, const models::resident_workgroup& g, models::cycle_t) {
  const group& x = groups_[&g];
  x.in->barrier(x.id);
}

}  // namespace pws::platform
