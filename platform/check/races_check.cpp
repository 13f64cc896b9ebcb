#include "platform/check/races_check.h"

#include "models/isa/predicates.h"

namespace pws::platform {

races_check::races_check(const virtual_platform& gpu, check::finding_sink& sink) : gpu_(gpu), races_(sink) {}

void races_check::launch_begins(uint32_t) {
  races_.launch_begins();
  contexts_.clear();
  groups_.clear();
  last_ = nullptr;
}

void races_check::workgroup_started(uint32_t, const models::resident_workgroup& g, models::cycle_t) {
  groups_[&g] = races_.workgroup_started(g.launch.of->lds_bytes);
}

void races_check::workgroup_ended(uint32_t, const models::resident_workgroup& g, models::cycle_t) {
  races_.workgroup_ended(groups_[&g]);
}

void races_check::wave_started(uint32_t cu, const models::wf_context& c, models::cycle_t) {
  running r;
  const check::site where = site_of(cu, c, 0, 0);
  if (!c.is_swf()) {
    r.path = races_.who().started(groups_[c.group], where);
  } else if ((r.parent = gpu_.cus[cu]->scheme().parent_of(c)) != nullptr) {
    r.path = races_.who().forked(of(*r.parent).path, where);
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
    r.counts_for_vmcnt = !p.in_lds && !p.scalar;
    r.bytes = p.bytes;
    r.pc = i.pc;
    r.mask = p.mask;
    r.address = p.address;
    r.data = p.data;
    races_.access(of(c).path, r);
  }
}

void races_check::issued(uint32_t, const models::wf_context& c, const isa::inst& i, models::cycle_t) {
  switch (i.unit) {
    case isa::unit::waitcnt:
      races_.who().waited(of(c).path, isa::waitcnt(i).vmcnt);
      break;
    case isa::unit::end:
      of(c).ends = true;
      break;
    case isa::unit::internal:
      if (isa::operation_of(i) == isa::operation::invalidate_vector_cache) races_.who().invalidated(of(c).path);
      break;
    default:
      break;
  }
}

void races_check::wave_ended(uint32_t, const models::wf_context& c, models::cycle_t) {
  const running r = of(c);
  if (r.parent != nullptr && !r.ends) {
    running& parent = of(*r.parent);
    races_.who().joined(parent.path, r.path);
    parent.ends = false;  // if its own work-items have ended, it goes on with these
  } else if (r.parent != nullptr || !c.is_swf()) {
    races_.who().ended(r.path);
  }
}

void races_check::barrier_passed(uint32_t, const models::resident_workgroup& g, models::cycle_t) {
  races_.barrier(groups_[&g]);
}

}  // namespace pws::platform
