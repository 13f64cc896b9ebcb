// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/execution_observer.h"

#include <algorithm>
#include <stdexcept>

namespace pws::models {

void execution_observer::workgroup_started(uint32_t, const resident_workgroup&, cycle_t) {}

void execution_observer::issuing(uint32_t, const wf_context&, const isa::inst&, cycle_t) {}

void execution_observer::accessed(uint32_t, const wf_context&, const isa::inst&, const isa::memory_access&, cycle_t) {}

void execution_observer::stalled(uint32_t, const wf_context&, stall, cycle_t) {}
void execution_observer::faulted(uint32_t, const wf_context&, const isa::inst*, const program_error&) {}
void execution_observer::mismatched(uint32_t, const wf_context&, const isa::inst*, const program_error&) {}
void execution_observer::barrier_passed(uint32_t, const resident_workgroup&, cycle_t) {}

void execution_observer::workgroup_ended(uint32_t, const resident_workgroup&, cycle_t) {}

void observer_group::add(execution_observer& o) {
  members_.push_back(&o);
  sort();
}

void observer_group::remove(execution_observer& o) {
  members_.erase(std::remove(members_.begin(), members_.end(), &o), members_.end());
  sort();
}

void observer_group::sort() {
  for (auto* list : {&issuing_, &accessed_, &issued_}) list->clear();
  attention_ = nullptr;
  for (execution_observer* o : members_) {
    const interests w = o->wants();
    if (w.issuing) issuing_.push_back(o);
    if (w.accessed) accessed_.push_back(o);
    if (w.issued) issued_.push_back(o);
    if (w.attention == nullptr) continue;
    if (attention_ != nullptr) throw std::logic_error("two observers count instructions");
    attention_ = w.attention;
  }
}

execution_observer* observer_group::all() {
  if (members_.empty()) return nullptr;
  return members_.size() == 1 ? members_.front() : this;
}

instruction_observers observer_group::of_instructions() {
  const auto one = [this](const std::vector<execution_observer*>& list) -> execution_observer* {
    if (list.empty()) return nullptr;
    return list.size() == 1 ? list.front() : this;
  };
  return {one(issuing_), one(accessed_), one(issued_), attention_};
}

// By number here and below, because the last one may leave and come back meanwhile.
void observer_group::workgroup_started(uint32_t cu, const resident_workgroup& g, cycle_t at) {
  for (size_t k = 0; k < members_.size(); ++k) members_[k]->workgroup_started(cu, g, at);
}

void observer_group::wave_started(uint32_t cu, const wf_context& c, cycle_t at) {
  for (execution_observer* o : members_) o->wave_started(cu, c, at);
}

void observer_group::issuing(uint32_t cu, const wf_context& c, const isa::inst& i, cycle_t at) {
  for (size_t k = 0; k < issuing_.size(); ++k) issuing_[k]->issuing(cu, c, i, at);
}

void observer_group::accessed(uint32_t cu, const wf_context& c, const isa::inst& i, const isa::memory_access& a,
                              cycle_t at) {
  for (size_t k = 0; k < accessed_.size(); ++k) accessed_[k]->accessed(cu, c, i, a, at);
}

void observer_group::issued(uint32_t cu, const wf_context& c, const isa::inst& i, cycle_t at) {
  for (size_t k = 0; k < issued_.size(); ++k) issued_[k]->issued(cu, c, i, at);
}

void observer_group::wave_ended(uint32_t cu, const wf_context& c, cycle_t at) {
  for (execution_observer* o : members_) o->wave_ended(cu, c, at);
}

void observer_group::stalled(uint32_t cu, const wf_context& c, stall reason, cycle_t cycles) {
  for (execution_observer* o : members_) o->stalled(cu, c, reason, cycles);
}

void observer_group::faulted(uint32_t cu, const wf_context& c, const isa::inst* i, const program_error& e) {
  for (size_t k = 0; k < members_.size(); ++k) members_[k]->faulted(cu, c, i, e);
}

void observer_group::mismatched(uint32_t cu, const wf_context& c, const isa::inst* i, const program_error& e) {
  for (size_t k = 0; k < members_.size(); ++k) members_[k]->mismatched(cu, c, i, e);
}

void observer_group::barrier_passed(uint32_t cu, const resident_workgroup& g, cycle_t at) {
  for (execution_observer* o : members_) o->barrier_passed(cu, g, at);
}

void observer_group::workgroup_ended(uint32_t cu, const resident_workgroup& g, cycle_t at) {
  for (size_t k = 0; k < members_.size(); ++k) members_[k]->workgroup_ended(cu, g, at);
}

}  // namespace pws::models
