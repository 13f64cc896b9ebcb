// SPDX-License-Identifier: Apache-2.0
#include "models/check/waits/outstanding.h"

#include <algorithm>

#include "models/isa/predicates.h"

namespace pws::check {

bool outstanding_operations::unordered() const {
  if (message_open_) return true;
  for (unsigned k = 0; k < n_; ++k)
    if (operations_[k].lgkm_open && operations_[k].lgkm_number == 0 && !operations_[k].joined) return true;
  return false;
}

void outstanding_operations::issue(const instruction_facts& f, uint64_t pc, uint64_t lanes, bool touches_lds) {
  const uint32_t flags = f.of->row->flags;
  const bool stores = (flags & (isa::is_store | isa::is_atomic)) != 0;
  operation_under_way o;
  o.facts = &f;
  o.pc = pc;
  o.lanes = lanes;
  o.fills_registers = !f.writes.empty();
  switch (f.counts) {
    case counted_by::vm:
      o.vm_open = true;
      o.vm_number = ++vm_issued_;
      break;
    case counted_by::flat:
      o.vm_open = true;
      o.in_lds = o.lgkm_open = touches_lds;
      if (!touches_lds) o.vm_number = ++vm_issued_;
      break;
    case counted_by::lds:
      o.lgkm_open = true;
      o.lgkm_number = ++lgkm_issued_;
      o.in_lds = lanes != 0 && !isa::exchanges_lanes(*f.of);
      break;
    case counted_by::scalar:
      o.lgkm_open = true;
      o.reads_scalars = (flags & isa::is_store) != 0;
      break;
    default:
      return;
  }
  o.writes_lds = o.in_lds && stores;
  add(o);
  retire_saturated();
}

void outstanding_operations::last_fills_lds(uint32_t first, uint32_t end) {
  if (n_ == 0) return;
  operation_under_way& o = operations_[n_ - 1];
  o.in_lds = o.writes_lds = true;
  o.lds_first = first;
  o.lds_end = end;
  fills_lds_ = true;
}

void outstanding_operations::add(const operation_under_way& o) {
  // No program of any sense comes here: more than 48 scalar loads without a wait. The oldest is let go.
  if (n_ == most) {
    std::copy(operations_.begin() + 1, operations_.end(), operations_.begin());
    --n_;
  }
  operations_[n_++] = o;
  if (o.fills_registers) registers_.add(o.facts->writes);
  if (o.reads_scalars) registers_.add(o.facts->store_data);
}

// The counters are full: what is beyond them is done.
void outstanding_operations::retire_saturated() {
  if (n_ > limit) wait({wait_counts::any, wait_counts::any});
}

void outstanding_operations::wait(const wait_counts& w) {
  if (n_ == 0 && w.lgkm != 0) return;
  const bool lgkm_says_something = w.lgkm == 0 || !unordered();
  const uint64_t vm_done = vm_issued_ > w.vm ? vm_issued_ - w.vm : 0;
  const uint64_t lgkm_done = lgkm_issued_ > w.lgkm ? lgkm_issued_ - w.lgkm : 0;
  bool changed = false;
  for (unsigned k = 0; k < n_; ++k) {
    operation_under_way& o = operations_[k];
    if (o.vm_open && (o.vm_number == 0 ? w.vm == 0 : o.vm_number <= vm_done)) o.vm_open = false;
    if (o.lgkm_open && lgkm_says_something && (o.lgkm_number == 0 ? w.lgkm == 0 : o.lgkm_number <= lgkm_done))
      o.lgkm_open = false;
    changed |= !o.vm_open && !o.lgkm_open;
  }
  if (w.lgkm == 0) message_open_ = false;
  if (changed) refresh();
}

// Those that are done go.
void outstanding_operations::refresh() {
  const auto done = [](const operation_under_way& o) { return !o.vm_open && !o.lgkm_open; };
  n_ = static_cast<unsigned>(std::remove_if(operations_.begin(), operations_.begin() + n_, done) - operations_.begin());
  registers_ = {};
  fills_lds_ = false;
  for (unsigned k = 0; k < n_; ++k) {
    const operation_under_way& o = operations_[k];
    if (o.fills_registers) registers_.add(o.facts->writes);
    if (o.reads_scalars) registers_.add(o.facts->store_data);
    fills_lds_ |= o.lds_end != 0;
  }
}

void outstanding_operations::clear() {
  n_ = 0;
  registers_ = {};
  vm_issued_ = lgkm_issued_ = 0;
  message_open_ = fills_lds_ = false;
}

void outstanding_operations::join(const outstanding_operations& o) {
  for (unsigned k = 0; k < o.n_; ++k) {
    operation_under_way other = o.operations_[k];
    if (other.facts->counts == counted_by::scalar) continue;
    other.vm_number = other.lgkm_number = 0;
    other.joined = true;
    add(other);
  }
  refresh();
}

wait_counts outstanding_operations::wait_for(const operation_under_way& o) const {
  wait_counts w;
  if (o.vm_open) w.vm = o.vm_number == 0 ? 0 : static_cast<unsigned>(vm_issued_ - o.vm_number);
  if (o.lgkm_open) w.lgkm = o.lgkm_number == 0 || unordered() ? 0 : static_cast<unsigned>(lgkm_issued_ - o.lgkm_number);
  return w;
}

}  // namespace pws::check
