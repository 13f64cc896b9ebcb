// SPDX-License-Identifier: Apache-2.0
// A memory or LDS instruction of several paths: one access of all of them, which all of them count.
#include <algorithm>

#include "models/compute_unit/timing_engine.h"

namespace pws::models {

void shared_access::begin() {
  combined_.clear();
  paths_.clear();
  in_lds_.clear();
}

void shared_access::add(wf_context& c, const isa::memory_access& a, uint32_t lds_first) {
  combined_.add(a, lds_first);
  paths_.push_back(&c);
  in_lds_.push_back(a.where == isa::memory_access::space::lds);
}

void shared_access::in_lds(pending_operation& vm, pending_operation& lgkm) const {
  for (size_t k = 0; k < paths_.size(); ++k) {
    if (!in_lds_[k]) continue;
    paths_[k]->front.add_lgkm(lgkm);
    paths_[k]->front.add_vm(vm);
  }
}

void shared_access::in_memory(pending_operation& vm) const {
  for (size_t k = 0; k < paths_.size(); ++k)
    if (!in_lds_[k]) paths_[k]->front.add_vm(vm);
}

void shared_access::counted(pending_operation& lgkm) const {
  for (wf_context* c : paths_) c->front.add_lgkm(lgkm);
}

bool timing_engine::ask(const shared_access& a, const isa::inst& i, requester who, ticket t, cycle_t now,
                        access_passes passes) {
  switch (i.unit) {
    case isa::unit::scalar_memory:
      return ask_scalar(a, who, t, now);
    case isa::unit::vector_memory:
      return ask_vector(a, i, who, t, now, passes);
    default:
      ask_lds(a, now, passes);
      return false;
  }
}

// Paths have the same scalars mostly, and then it is one line.
bool timing_engine::ask_scalar(const shared_access& a, requester who, ticket t, cycle_t now) {
  const auto asked = cu_.mif.scalar_access(who, t, a.memory(), now + 1);
  shared_busy(issue_port::scalar_memory, std::max(now + 1, asked.free_at - 1));
  a.counted(*asked.operation);
  return asked.operation->done == never;
}

bool timing_engine::ask_vector(const shared_access& a, const isa::inst& i, requester who, ticket t, cycle_t now,
                               access_passes passes) {
  if (a.any_in_lds()) {  // FLAT in the LDS aperture: passed through the address unit, and counted twice
    const cycle_t start = std::max(now, lds_free());
    const cycle_t busy = cu_.lds.cycles(a.lds());
    shared_busy(issue_port::lds, start + busy);
    const cycle_t last = start + busy - 1;
    pending_operation &lgkm = lds_operation(last), &vm = lds_operation(last);
    a.in_lds(vm, lgkm);
    shared_busy(issue_port::vector_memory, now + passes.cycles());
    if (a.all_in_lds()) return false;
  }
  const auto asked = cu_.mif.vector_access(who, t, a.memory(), i.glc && !a.memory().is_store, now + 1, passes.cycles());
  shared_busy(issue_port::vector_memory, asked.free_at);
  a.in_memory(*asked.operation);
  return asked.operation->done == never;
}

void timing_engine::ask_lds(const shared_access& a, cycle_t now, access_passes passes) {
  cycle_t last = now;  // pass
  if (a.lds().mask != 0) {
    const cycle_t start = std::max(now, lds_free());
    const cycle_t busy = cu_.lds.cycles(a.lds()) + (passes.slowdown - 1) * passes.once;
    shared_busy(issue_port::lds, start + busy);
    last = start + busy - 1;
  } else {  // no lane active, or data exchanged between lanes
    shared_busy(issue_port::lds, now + passes.slowdown);
  }
  a.counted(lds_operation(last));
}

}  // namespace pws::models
