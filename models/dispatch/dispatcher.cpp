// SPDX-License-Identifier: Apache-2.0
#include "models/dispatch/dispatcher.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include "models/bus/bus_access.h"
#include "models/compute_unit/cu_messages.h"

namespace pws::models {

namespace {
// Turns of compute units between two looks at the progress: some milliseconds of the host's time. A turn of functional
// fidelity is up to 100,000 cycles of each wavefront, one of timing an instant.
constexpr uint64_t functional_turns = 8, timing_turns = 1024;

// The thread decodes code and formats messages. SystemC's own choice, 64 KiB, is close to what that takes.
constexpr size_t stack_bytes = size_t{256} << 10;

// A transfer that a reset has overtaken.
struct abandoned {};

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
      memory("memory"),
      config_(c),
      clock_(clock),
      cus_(std::move(cus)),
      unit_turns_("turns", clock, event_sequencer::present_cycle::allowed),
      found_([this](uint64_t address) { return word_at(address); }),
      queues_(queues),
      waits_(c.memory.system.exists() || c.memory.local.is_outside()) {
  for (uint32_t k = 0; k < queues_.size(); ++k) queues_[k].number = k;
  in_service_.reserve(config_.hardware_queues);
  candidates_.reserve(config_.hardware_queues);
  for (compute_unit* cu : cus_) {
    cu->bind_listener(*this);
    cu->bind_grid_barriers(grid_barriers_);
    cu->bind_turns(unit_turns_);
  }
  if (config_.threads > 1) {
    beside_ = std::make_unique<parallel_units>(config_.threads, cus_);
    unit_turns_.set_runner(*beside_);
  }
  SC_HAS_PROCESS(dispatcher);
  SC_THREAD(serve);  // b_transport may wait
  set_stack_size(stack_bytes);
  SC_METHOD(limit_reached);
  sensitive << limit_;
  dont_initialize();
}

// ---- what the registers do

void dispatcher::set_queue(uint32_t number, const queue_registers& r) {
  aql_queue& q = queues_[number];
  const bool was_there = q.packets != 0;
  static_cast<queue_registers&>(q) = r;
  if (was_there == (q.packets != 0)) return;
  const auto at =
      std::find_if(known_.begin(), known_.end(), [&](const aql_queue* other) { return other->number >= number; });
  if (was_there)
    known_.erase(at);
  else
    known_.insert(at, &q);
}

bool dispatcher::ring(uint32_t number, uint64_t last) {
  aql_queue& q = queues_[number];
  const uint64_t waiting = last + 1 - q.taken;  // modulo 2^64
  if (q.packets == 0 || waiting > q.packets) return false;
  if (waiting > q.written - q.taken) q.written = last + 1;
  arm(clock_.now());
  return true;
}

void dispatcher::reset() {
  ++resets_;
  for (compute_unit* cu : cus_) cu->reset();
  for (uint32_t k = 0; k < queues; ++k) {
    queues_[k] = {};
    queues_[k].number = k;
  }
  known_.clear();
  serving_ = nullptr;
  busy_cycles_ = busy_cycles();
  in_service_.clear();
  candidates_.clear();
  finished_.clear();
  grid_barriers_ = {};
  found_.forget();
  fault_.reset();
  done_ = total_ = turn_of_queues_ = 0;
  turn_ = 0;
  limit_.cancel();
  // A compute unit may be as far ahead as the way to its caches is long.
  resets_until_ = clock_.now() + std::max(config_.memory.interconnect.latency, 1u);
  arm(*resets_until_);
}

void dispatcher::hold_in_reset(bool held) {
  held_in_reset_ = held;
  if (!held && resets_until_) arm(*resets_until_);
}

bool dispatcher::reset_is_over() {
  if (held_in_reset_) return false;
  const cycle_t now = clock_.now();
  const bool quiet = std::all_of(cus_.begin(), cus_.end(), [](const compute_unit* cu) { return cu->quiet(); });
  if (now < *resets_until_ || !quiet) {
    arm(std::max(*resets_until_, now + 1));
    return false;
  }
  resets_until_.reset();
  if (on_reset_over) on_reset_over();
  interrupt_.notify(sc_core::SC_ZERO_TIME);
  return true;
}

// ---- the process

void dispatcher::arm(cycle_t at) {
  const cycle_t now = clock_.now();
  due_ = std::min(due_, at);
  work_.notify(at <= now ? sc_core::SC_ZERO_TIME : clock_.time_of(at) - sc_core::sc_time_stamp());
}

void dispatcher::serve() {
  for (;;) {
    wait(work_);
    run();
    if (waits_ && due_ != never) arm(due_);  // nobody has heard the event while a transfer waited
  }
}

void dispatcher::run() {
  due_ = never;
  if (resets_until_ && !reset_is_over()) return;
  if (fault_) return;
  try {
    retire_finished();
    complete_kernels();
    if (!take_packets() || in_service_.empty()) return;
  } catch (const program_error& e) {
    in_hand_.reset();
    return packet_fault(*serving_, e.what(), 0);
  } catch (const abandoned&) {
    in_hand_.reset();
    return;
  }
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
    ++workgroups_ended_;
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
    in_hand_ = std::move(in_service_[n]);
    kernel_in_service* const k = in_hand_.get();
    in_service_.erase(in_service_.begin() + static_cast<std::ptrdiff_t>(n));
    serving_ = k->queue;
    ++kernels_completed_;
    if (in_service_.empty()) busy_cycles_ += clock_.now() - busy_since_;
    --k->queue->in_service;
    grid_barriers_.forget(k->launch);
    if (config_.fidelity == fidelity::functional) note_functional_time();
    signal_completion(k->launch.packet.completion_signal, k->began, k->last_finish);
    note_read_index(*k->queue);
    in_hand_.reset();
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
  const cycle_t taken = clock_.now() - in_service_.front()->began;
  const cycle_t left = config_.limits.max_cycles > taken ? config_.limits.max_cycles - taken : 0;
  if (left < clock_.cycles_left()) limit_.notify(clock_.duration(left));
}

void dispatcher::limit_reached() {
  if (in_service_.empty() || fault_) return;
  machine_fault f;
  f.message = fmt::format("kernel {}: limits.max_cycles reached: {} cycles. In execution:\n{}", current()->kernel,
                          config_.limits.max_cycles, describe_standing({cus_.begin(), cus_.end()}));
  f.cause = fault_cause::limit;
  f.launch = current()->number();
  f.kernel_object = current()->packet.kernel_object;
  fault(f);
}

bool dispatcher::interrupt_host(uint32_t event) {
  if (!on_host_interrupt) return false;
  on_host_interrupt(event);
  return true;
}

bool dispatcher::stop_requested() {
  if (on_progress && ++turns_ % (config_.fidelity == fidelity::timing ? timing_turns : functional_turns) == 0)
    on_progress();
  if (!stop_is_wanted()) return false;
  if (!fault_) {
    machine_fault f;
    f.message = "stopped by the host. In execution:\n" + describe_standing({cus_.begin(), cus_.end()});
    f.cause = fault_cause::host;
    fault(f);
  }
  return true;
}

void dispatcher::fault(const machine_fault& f) {
  noted_fault noted{f, {}, 0};
  for (const auto& k : in_service_)
    if (f.launch != 0 && k->launch.number() == f.launch) {
      noted.queue = k->queue->number;
      noted.packet = k->packet;
    }
  note(noted);
}

// The first one counts.
void dispatcher::note(const noted_fault& f) {
  if (!fault_) fault_ = f;
  interrupt_.notify(sc_core::SC_ZERO_TIME);
}

// ---- memory

void dispatcher::transfer(tlm::tlm_command command, uint64_t address, void* data, size_t bytes, const char* what) {
  const uint64_t before = resets_;
  const transfer_result r = try_transfer(memory, payload_, command, address, data, bytes);
  if (waits_ && r.delay != sc_core::SC_ZERO_TIME) wait(r.delay);
  if (resets_ != before) throw abandoned();
  if (r.is_ok()) return;
  throw program_error(fmt::format("{} is at {:#x}, where no memory is", what, address));
}

uint32_t dispatcher::word_at(uint64_t address) {
  uint32_t word = 0;
  if (debug_transfer(memory, tlm::TLM_READ_COMMAND, address, &word, sizeof word)) return word;
  throw program_error(fmt::format("there is no memory at {:#x}", address));
}

}  // namespace pws::models
