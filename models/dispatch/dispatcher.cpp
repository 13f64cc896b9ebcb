// SPDX-License-Identifier: Apache-2.0
#include "models/dispatch/dispatcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "models/compute_unit/cu_messages.h"

namespace pws::models {

namespace {
// Turns of compute units between two looks at the progress: some milliseconds of the host's time. A turn of functional
// fidelity is up to 100,000 cycles of each wavefront, one of timing an instant.
constexpr uint64_t functional_turns = 8, timing_turns = 1024;

// The unit of a mask that is asked first for a kernel's workgroup: each in turn, whatever is placed in between. (The
// turn of all units may come to the same one of a mask again and again.)
size_t turn_in(const cu_mask& mask, uint64_t workgroup, size_t n_cu) {
  const uint32_t n = mask.count(static_cast<uint32_t>(n_cu));
  if (n == 0) return 0;
  auto before = static_cast<uint32_t>(workgroup % n);
  uint32_t cu = 0;
  while (!mask.has(cu) || before-- != 0) ++cu;
  return cu;
}
}  // namespace

dispatcher::dispatcher(const sc_core::sc_module_name& name, const machine_config& c, const gpu_clock& clock,
                       std::vector<compute_unit*> cus)
    : sc_module(name),
      registers("registers"),
      memory("memory"),
      config_(c),
      clock_(clock),
      cus_(std::move(cus)),
      queues_(dispatcher_register::queues) {
  for (uint32_t k = 0; k < queues_.size(); ++k) queues_[k].number = k;
  in_service_.reserve(config_.hardware_queues);
  candidates_.reserve(config_.hardware_queues);
  registers.register_b_transport(this, &dispatcher::b_transport);
  for (compute_unit* cu : cus_) {
    cu->bind_listener(*this);
    cu->bind_grid_barriers(grid_barriers_);
  }
  SC_HAS_PROCESS(dispatcher);
  SC_METHOD(run);
  sensitive << work_;
  dont_initialize();
  SC_METHOD(limit_reached);
  sensitive << limit_;
  dont_initialize();
}

// ---- registers

void dispatcher::b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time&) {
  if (!t.is_write()) {
    t.set_response_status(tlm::TLM_COMMAND_ERROR_RESPONSE);
    return;
  }
  uint64_t value = 0;
  if (t.get_data_length() != sizeof value || t.get_byte_enable_ptr() != nullptr) {
    t.set_response_status(tlm::TLM_BURST_ERROR_RESPONSE);
    return;
  }
  std::memcpy(&value, t.get_data_ptr(), sizeof value);
  const uint64_t queue = t.get_address() / dispatcher_register::stride;
  const bool good =
      queue < queues_.size() && write_register(queues_[queue], t.get_address() % dispatcher_register::stride, value);
  t.set_response_status(good ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

// False: there is no such register, or no such queue whose doorbell could ring.
bool dispatcher::write_register(aql_queue& q, uint64_t offset, uint64_t value) {
  switch (offset) {
    case dispatcher_register::queue_base:
      q.base = value;
      return true;
    case dispatcher_register::queue_packets:
      if (q.packets == 0 && value != 0)
        known_.insert(std::find_if(known_.begin(), known_.end(),
                                   [&](const aql_queue* other) { return other->number > q.number; }),
                      &q);
      q.packets = value;
      return true;
    case dispatcher_register::queue_object:
      q.object = value;
      return true;
    case dispatcher_register::priority:
      q.priority = value;
      return true;
    case dispatcher_register::doorbell:
      if (q.packets == 0) return false;
      q.written = value + 1;
      work_.notify(sc_core::SC_ZERO_TIME);
      return true;
    default:
      break;
  }
  const uint64_t word = (offset - dispatcher_register::cu_mask) / sizeof value;
  if (offset % sizeof value != 0 || word >= cu_mask::words) return false;  // one below is far above, modulo 2^64
  q.cus.set_word(word, value);
  return true;
}

// ---- the process

void dispatcher::arm(cycle_t at) {
  const cycle_t now = clock_.now();
  work_.notify(at <= now ? sc_core::SC_ZERO_TIME : clock_.time_of(at) - sc_core::sc_time_stamp());
}

void dispatcher::run() {
  if (!fault_.empty()) return;
  retire_finished();
  complete_kernels();
  if (!take_packets() || in_service_.empty()) return;
  if (place_workgroups()) arm(clock_.now() + 1);
  for (const finished& f : finished_) arm(f.at + 1);
}

bool dispatcher::busy() const {
  return !in_service_.empty() ||
         std::any_of(known_.begin(), known_.end(), [](const aql_queue* q) { return q->has_packet(); });
}

kernel_in_service& dispatcher::service_of(const dispatch& d) {
  return **std::find_if(in_service_.begin(), in_service_.end(), [&d](const auto& k) { return &k->launch == &d; });
}

void dispatcher::retire_finished() {
  const cycle_t now = clock_.now();
  // In order of time, then of compute unit: not in the order in which the units happened to run.
  std::sort(finished_.begin(), finished_.end(), [](const finished& a, const finished& b) {
    return a.at != b.at ? a.at < b.at : a.cu->index() < b.cu->index();
  });
  size_t n = 0;
  for (; n < finished_.size() && finished_[n].at < now; ++n) {
    kernel_in_service& k = service_of(*finished_[n].group->launch.of);
    finished_[n].cu->retire(*finished_[n].group);
    ++k.finished;
    ++done_;
    k.last_finish = finished_[n].at;
    if (on_progress) on_progress();
  }
  finished_.erase(finished_.begin(), finished_.begin() + static_cast<std::ptrdiff_t>(n));
}

// The workgroup whose turn it is, of those that fit. False: none does.
bool dispatcher::place_one() {
  candidates_.clear();
  for (const auto& k : in_service_)
    if (k->started != k->workgroups) candidates_.push_back(k.get());
  // Kernels of one queue stand in the order in which they were taken: so they stay, packets being numbered so.
  if (candidates_.size() > 1)
    std::sort(candidates_.begin(), candidates_.end(), [](const kernel_in_service* a, const kernel_in_service* b) {
      const aql_queue &p = *a->queue, &q = *b->queue;
      if (p.priority != q.priority) return p.priority > q.priority;
      if (p.workgroup_turn != q.workgroup_turn) return p.workgroup_turn < q.workgroup_turn;
      return p.number != q.number ? p.number < q.number : a->packet < b->packet;
    });
  for (kernel_in_service* k : candidates_) {
    const workgroup w = k->next();
    const bool anywhere = k->queue->cus == cu_mask();
    size_t at = anywhere ? turn_ : turn_in(k->queue->cus, k->started, cus_.size());
    size_t tried = 0;
    while (tried < cus_.size() && !(k->queue->cus.has(cus_[at]->index()) && cus_[at]->fits(w))) {
      at = (at + 1) % cus_.size();
      ++tried;
    }
    if (tried == cus_.size()) continue;
    ++k->started;
    k->queue->workgroup_turn = ++turn_of_queues_;
    cus_[at]->start(w, clock_.now() + config_.dispatch_latency);
    if (anywhere) turn_ = (at + 1) % cus_.size();
    return true;
  }
  return false;  // again when one has finished
}

// Starts what fits: one workgroup in timing fidelity, all in functional. True if more could start in the next cycle.
bool dispatcher::place_workgroups() {
  while (place_one())
    if (config_.fidelity == fidelity::timing) return true;
  return false;
}

void dispatcher::workgroup_finished(compute_unit& cu, resident_workgroup& group, cycle_t at) {
  // The news takes a cycle: by then every unit has reported what ends in cycle `at`, in whatever order they run.
  finished_.push_back({&cu, &group, at});
  arm(at + 1);
}

void dispatcher::complete_kernels() {
  for (size_t n = 0; n < in_service_.size();) {
    if (in_service_[n]->finished != in_service_[n]->workgroups) {
      ++n;
      continue;
    }
    const std::unique_ptr<kernel_in_service> k = std::move(in_service_[n]);
    in_service_.erase(in_service_.begin() + static_cast<std::ptrdiff_t>(n));
    --k->queue->in_service;
    grid_barriers_.forget(k->launch);
    last_cycles_ = k->last_finish - k->began;
    if (config_.fidelity == fidelity::functional) note_functional_time();
    signal_completion(k->launch.packet.completion_signal, k->began, k->last_finish);
    note_read_index(*k->queue);
    arm_limit();
  }
}

// The clock does not go back: what comes next begins where the last wavefront has ended.
void dispatcher::note_functional_time() {
  const cycle_t now = clock_.now();
  for (const compute_unit* cu : cus_)
    if (cu->latest_time() > now) functional_time_ = std::max(functional_time_, cu->latest_time() - now);
}

// ---- limits, the host, faults

void dispatcher::arm_limit() {
  limit_.cancel();
  if (in_service_.empty() || config_.limits.max_cycles == 0 || config_.fidelity != fidelity::timing) return;
  // The first in service was taken first.
  limit_.notify(clock_.time_of(in_service_.front()->began + config_.limits.max_cycles - clock_.now()));
}

void dispatcher::limit_reached() {
  if (in_service_.empty() || !fault_.empty()) return;
  fault(fmt::format("kernel {}: limits.max_cycles reached: {} cycles. In execution:\n{}", current()->kernel,
                    config_.limits.max_cycles, describe_standing({cus_.begin(), cus_.end()})),
        current()->number());
}

bool dispatcher::interrupt_host(uint32_t event) {
  if (!on_host_interrupt) return false;
  on_host_interrupt(event);
  return true;
}

bool dispatcher::stop_requested() {
  if (on_progress && ++turns_ % (config_.fidelity == fidelity::timing ? timing_turns : functional_turns) == 0)
    on_progress();
  if (stop_ == nullptr || *stop_ == 0) return false;
  if (fault_.empty()) fault("stopped by the host. In execution:\n" + describe_standing({cus_.begin(), cus_.end()}), 0);
  return true;
}

void dispatcher::fault(const std::string& message, uint64_t launch) {
  if (fault_.empty()) {
    fault_ = message;
    faulty_launch_ = launch;
  }
  interrupt_.notify(sc_core::SC_ZERO_TIME);
}

}  // namespace pws::models
