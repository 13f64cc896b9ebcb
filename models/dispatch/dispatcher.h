// SPDX-License-Identifier: Apache-2.0
// Takes AQL packets from queues in memory and spreads their workgroups over the compute units. As a TLM initiator it
// reads packets and kernel descriptors, and updates completion signals and read indices. (HSA Platform System
// Architecture 2.8, 2.9)
//
// What a queue names may be wrong: an address at which nothing answers, a packet of no kind, a kernel that does not
// fit. Each is a fault, which stops the machine until it is reset.
//
// Each of machine.hardware_queues has one kernel in service, so that many kernels share the compute units; with one,
// kernels are served one after the other. The packets of a queue are taken in their order, and one with the barrier bit
// only when those before it are complete. A barrier packet takes no hardware queue; it looks at its signals whenever a
// doorbell rings, a workgroup starts or ends, or a kernel is complete, and no other packet leaves its queue before it.
//
// Where several queues have a packet, or several kernels a workgroup, that of the highest priority goes first, and
// among equal ones that of the queue which has waited longest. A workgroup goes, whole, to the next compute unit in
// turn that its queue may use and on which it fits; where there is none, the next kernel's does. One workgroup starts
// per cycle. Nothing that runs is taken from a compute unit again.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>

#include <atomic>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "base/state_archive.h"
#include "models/bus/bus_width.h"
#include "models/bus/gpu_clock.h"
#include "models/compute_unit/compute_unit.h"
#include "models/compute_unit/parallel_units.h"
#include "models/dispatch/code_in_memory.h"
#include "models/dispatch/kernel_in_service.h"
#include "models/registers/gpu_register_map.h"

namespace pws::models {

// What the machine needs to know of a kernel besides its descriptor in memory: the decoded program for speed, the name
// for messages.
struct dispatched_kernel {
  std::string name;
  isa::program* code = nullptr;
};
// Kernels by the device address of their descriptor; nullptr where there is none. Without a directory the code is read
// from memory.
using kernel_directory = std::function<const dispatched_kernel*(uint64_t kernel_object)>;

// A fault, and the packet that it is of.
struct noted_fault : machine_fault {
  std::optional<uint32_t> queue;
  uint64_t packet = 0;  // its index there
};

class dispatcher : public sc_core::sc_module, public workgroup_listener {
 public:
  tlm_utils::simple_initiator_socket<dispatcher, bus_width> memory;

  dispatcher(const sc_core::sc_module_name& name, const machine_config& c, const gpu_clock& clock,
             std::vector<compute_unit*> cus);

  static constexpr uint32_t queues = gpu_registers.blocks[gpu_register_block::queue].count;

  // How a packet's kernel is found; before the first packet.
  void set_kernels(kernel_directory k) { kernels_ = std::move(k); }

  // ---- What the registers do. Queue numbers are below `queues`.
  // The queue is that from now on; not while it has packets.
  void set_queue(uint32_t number, const queue_registers& q);
  // What is known of it.
  const aql_queue& queue(uint32_t number) const { return queues_[number]; }
  // Packets up to that index (inclusive) have been written. False: there is no such queue, or its ring has no room for
  // so many.
  bool ring(uint32_t number, uint64_t last);
  // Forgets all queues, kernels and wavefronts. What is under way in the memory system goes on, and nobody hears of it;
  // no packet is taken before it is done.
  void reset();
  bool in_reset() const { return resets_until_.has_value(); }
  // While it is held, a reset does not end.
  void hold_in_reset(bool held);

  // Raised when a packet's completion signal has been written, when the machine has stopped on a fault, or when a reset
  // is over.
  const sc_core::sc_event& interrupt() const { return interrupt_; }
  // ---- Since the beginning
  uint64_t packets_completed() const { return completed_; }
  uint64_t kernels_completed() const { return kernels_completed_; }
  uint64_t workgroups_ended() const { return workgroups_ended_; }
  // Cycles in which a kernel was in service (timing fidelity).
  cycle_t busy_cycles() const { return busy_cycles_ + (in_service_.empty() ? 0 : clock_.now() - busy_since_); }

  // The index of the queue's first packet that is not complete.
  uint64_t first_incomplete(uint32_t number) const;
  bool busy() const;
  // What is being served, in the order in which it was taken.
  const std::vector<std::unique_ptr<kernel_in_service>>& in_service() const { return in_service_; }
  // The first of it; nullptr between launches.
  const dispatch* current() const { return in_service_.empty() ? nullptr : &in_service_.front()->launch; }
  // The first fault since the last reset. The machine does nothing more after it.
  const std::optional<noted_fault>& noted() const { return fault_; }
  // Its message; empty while all is well.
  const std::string& fault_message() const {
    static const std::string none;
    return fault_ ? fault_->message : none;
  }
  // Cycles that launches of functional fidelity have taken so far, as their wavefronts' s_memtime has it. SystemC's
  // time does not have them; the machine's clock is both together.
  cycle_t functional_time() const { return functional_time_; }
  // Stops the machine, as a fault does, once `flag` is not 0; anybody may set it at any time, a signal handler too.
  void stop_when(const std::atomic<int>& flag) { stop_ = &flag; }
  // Host software that serves interrupts of wavefronts (s_sendmsg MSG_INTERRUPT, M0) before they go on. May be empty:
  // then such an interrupt stops the machine.
  std::function<void(uint32_t event)> on_host_interrupt;
  // Called when a kernel's packet is taken: its acquire fence. May be empty.
  std::function<void()> on_acquire;
  // Called when a reset is over, before anything else happens. May be empty.
  std::function<void()> on_reset_over;
  // Called after each workgroup, and now and then while one runs; for a progress display. May be empty.
  std::function<void()> on_progress;
  // Workgroups of all kernels that have been in service since the dispatcher was last idle.
  uint64_t workgroups_done() const { return done_; }
  uint64_t workgroups_total() const { return total_; }
  // Queues, and the kernels in service; with them all compute units, whose wavefronts are of those. Memory has been
  // kept before: descriptors and packets are read from there again. No transfer or reset is under way, and nobody waits
  // at a barrier of a grid.
  void keep(state_archive& a);
  // Wavefronts wait at a barrier of their grid.
  bool waits_at_grid_barrier() const { return grid_barriers_.in_use(); }
  // What has been restored goes on: kernels that are in service.
  void go_on();
  // A line for each queue whose next packet cannot be taken, and why; for a message.
  std::string describe_queues() const;

  void workgroup_finished(compute_unit& cu, resident_workgroup& group, cycle_t at) override;
  bool interrupt_host(uint32_t event) override;
  void fault(const machine_fault& f) override;
  bool stop_requested() override;
  bool stop_is_wanted() const override { return stop_ != nullptr && *stop_ != 0; }

 private:
  struct finished {
    compute_unit* cu = nullptr;
    resident_workgroup* group = nullptr;
    cycle_t at = 0;
  };
  void serve();
  void run();
  bool reset_is_over();
  void limit_reached();
  void arm(cycle_t at);
  void arm_limit();

  uint32_t word_at(uint64_t address);  // without side effects

  // Packets (packets.cpp)
  bool take_packets();
  bool take_packet(aql_queue& q);
  bool may_be_taken(aql_queue& q);
  bool signals_allow(const isa::kernel_dispatch_packet& barrier);
  bool begin_kernel(aql_queue& q);
  void packet_fault(const aql_queue& q, const std::string& message, uint64_t launch);
  void note(const noted_fault& f);
  // Throws program_error, which says `what` it was, where nothing answers.
  void transfer(tlm::tlm_command command, uint64_t address, void* data, size_t bytes, const char* what);
  template <class T>
  T read(uint64_t address, const char* what) {
    T value;
    transfer(tlm::TLM_READ_COMMAND, address, &value, sizeof value, what);
    return value;
  }
  template <class T>
  void write(uint64_t address, T value, const char* what) {
    transfer(tlm::TLM_WRITE_COMMAND, address, &value, sizeof value, what);
  }
  void set_up(kernel_in_service& k, const isa::kernel_dispatch_packet& p);
  void find_code(kernel_in_service& k, const isa::kernel_dispatch_packet& p);
  void keep_kernel(state_archive& a, kernel_in_service& k);
  void signal_completion(uint64_t signal, cycle_t began, cycle_t ended);
  void note_read_index(const aql_queue& q);

  // Workgroups
  void retire_finished();
  bool place_workgroups();
  bool place_one();
  void complete_kernels();
  void note_functional_time();
  kernel_in_service& service_of(const dispatch& d);

  const machine_config& config_;
  const gpu_clock& clock_;
  std::vector<compute_unit*> cus_;
  event_sequencer unit_turns_;
  std::unique_ptr<parallel_units> beside_;  // machine.threads above 1
  grid_barriers grid_barriers_;
  kernel_directory kernels_;
  code_in_memory found_;           // without a directory
  std::vector<aql_queue> queues_;  // by number
  std::vector<aql_queue*> known_;  // those that there are, by number
  aql_queue* serving_ = nullptr;   // whose packets are looked at, for messages
  uint64_t turn_of_queues_ = 0;
  std::vector<std::unique_ptr<kernel_in_service>> in_service_;
  std::vector<kernel_in_service*> candidates_;  // for the next workgroup
  // What the thread has while a transfer waits. SystemC drops the stacks of its threads at the end of a simulation,
  // with all that is on them.
  std::unique_ptr<kernel_in_service> in_hand_;  // that comes into service or goes out of it
  tlm::tlm_generic_payload payload_;
  uint64_t done_ = 0, total_ = 0;  // workgroups
  uint64_t launches_ = 0;
  size_t turn_ = 0;  // compute unit that is asked first
  std::vector<finished> finished_;
  cycle_t functional_time_ = 0;
  uint64_t completed_ = 0, kernels_completed_ = 0, workgroups_ended_ = 0;
  cycle_t busy_cycles_ = 0, busy_since_ = 0;
  std::optional<noted_fault> fault_;
  std::optional<cycle_t> resets_until_;  // at least; set: a reset is under way
  bool held_in_reset_ = false;
  uint64_t resets_ = 0;
  const bool waits_;     // for as long as a transfer takes: some of memory is outside
  cycle_t due_ = never;  // when it has something to do
  const std::atomic<int>* stop_ = nullptr;
  uint64_t turns_ = 0;  // of compute units
  sc_core::sc_event work_, interrupt_, limit_;
};

}  // namespace pws::models
