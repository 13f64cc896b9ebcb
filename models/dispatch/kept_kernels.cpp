// SPDX-License-Identifier: Apache-2.0
// The dispatcher in the state of a machine.
#include <algorithm>

#include "models/dispatch/dispatcher.h"

namespace pws::models {

// What its launch has from packet and descriptor is made of them anew.
void dispatcher::keep_kernel(state_archive& a, kernel_in_service& k) {
  uint32_t queue = a.restores() ? 0 : k.queue->number;
  a.index(queue, queues_.size());
  k.queue = &queues_[queue];
  isa::kernel_dispatch_packet packet = k.launch.packet;
  a(packet, k.packet, k.started, k.finished, k.began, k.last_finish);
  a(k.launch.launch_number, k.launch.setup.dispatch_packet);
  uint64_t functional_time = k.launch.functional_time, time = k.launch.time;
  a(functional_time, time);
  if (!a.restores()) return;
  try {
    find_code(k, packet);
    set_up(k, packet);
  } catch (const program_error& e) {
    throw bad_state(std::string("a kernel in service: ") + e.what());
  }
  k.launch.functional_time = functional_time;
  k.launch.time = time;
  if (k.finished > k.started || k.started > k.workgroups) throw bad_state("a kernel has too many workgroups");
}

void dispatcher::keep(state_archive& a) {
  a.section("dispatcher");
  for (aql_queue& q : queues_) {
    a(q.written, q.taken, q.in_service, q.packet_turn, q.workgroup_turn);
    bool has_head = q.head.has_value();
    a(has_head);
    if (a.restores()) q.head.reset();
    if (has_head && !q.head) q.head.emplace();
    if (has_head) a(*q.head);
  }
  a.list(in_service_, [this](state_archive& b, std::unique_ptr<kernel_in_service>& k) {
    if (k == nullptr) k = std::make_unique<kernel_in_service>();
    keep_kernel(b, *k);
  });
  std::vector<dispatch*> launches;
  for (const auto& k : in_service_) launches.push_back(&k->launch);
  for (compute_unit* cu : cus_) cu->keep(a, launches);
  unit_turns_.keep(a);
  a.list(finished_, [this](state_archive& b, finished& f) {
    uint32_t cu = b.restores() ? 0 : f.cu->index();
    b.index(cu, cus_.size());
    f.cu = cus_[cu];
    f.cu->keep_workgroup(b, f.group);
    b(f.at);
  });
  a(turn_of_queues_, done_, total_, launches_, functional_time_, completed_, kernels_completed_, workgroups_ended_);
  a(busy_cycles_, busy_since_, due_);
  a.index(turn_, cus_.size());
}

void dispatcher::go_on() {
  if (due_ != never) arm(due_);
  arm_limit();
}

}  // namespace pws::models
