// Takes AQL packets from the queue in device memory and spreads their workgroups over the compute units.
//
// As a TLM target it has four registers (64 bits each, write): queue base and size, the address of the amd_queue_t, and
// the doorbell; as an initiator it reads packets and kernel descriptors and updates completion signals. Packets are
// served one after the other. A workgroup goes, whole, to the next compute unit in turn on which it fits; one workgroup
// starts per cycle.
#pragma once

#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>

#include <atomic>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <systemc>
#include <tlm>
#include <vector>

#include "models/bus/gpu_clock.h"
#include "models/compute_unit/compute_unit.h"

namespace pws::models {

// Byte offsets of the registers.
namespace dispatcher_register {
constexpr uint64_t queue_base = 0x00;     // device address of the packet ring
constexpr uint64_t queue_packets = 0x08;  // packets in the ring
constexpr uint64_t queue_object = 0x10;   // device address of the amd_queue_t that kernels may read
constexpr uint64_t doorbell = 0x18;       // index of the last packet written
constexpr uint64_t size = 0x20;
}  // namespace dispatcher_register

// What the machine needs to know of a kernel besides its descriptor in memory: the decoded program for speed, the name
// for messages.
struct kernel_code {
  std::string name;
  isa::program* code = nullptr;
};
// Kernels by the device address of their descriptor; nullptr where there is none.
using kernel_directory = std::function<const kernel_code*(uint64_t kernel_object)>;

class dispatcher : public sc_core::sc_module, public workgroup_listener {
 public:
  tlm_utils::simple_target_socket<dispatcher> registers;
  tlm_utils::simple_initiator_socket<dispatcher> memory;

  dispatcher(const sc_core::sc_module_name& name, const machine_config& c, const gpu_clock& clock,
             std::vector<compute_unit*> cus);

  // How a packet's kernel is found; before the first packet.
  void set_kernels(kernel_directory k) { kernels_ = std::move(k); }

  // Raised when a packet's completion signal has been written, or when the machine has stopped on a fault.
  const sc_core::sc_event& interrupt() const { return interrupt_; }
  bool busy() const { return current_ != nullptr || next_packet_ != written_packets_; }
  // What is being served; nullptr between launches.
  const dispatch* current() const { return current_.get(); }
  // The first fault's message; empty while all is well. The machine does nothing more after it.
  const std::string& fault_message() const { return fault_; }
  // Cycles from the doorbell to the completion of the last packet, or to now where it is not complete (timing
  // fidelity).
  cycle_t last_dispatch_cycles() const { return current_ == nullptr ? last_cycles_ : clock_.now() - began_; }
  // Stops the machine, as a fault does, once `flag` is not 0; anybody may set it at any time, a signal handler too.
  void stop_when(const std::atomic<int>& flag) { stop_ = &flag; }
  // Host software that serves interrupts of wavefronts (s_sendmsg MSG_INTERRUPT, M0) before they go on. May be empty:
  // then such an interrupt stops the machine.
  std::function<void(uint32_t event)> on_host_interrupt;
  // Called after each workgroup, and now and then while one runs; for a progress display. May be empty.
  std::function<void()> on_progress;
  uint64_t workgroups_done() const { return finished_workgroups_; }
  uint64_t workgroups_total() const { return total_workgroups_; }

  void workgroup_finished(compute_unit& cu, resident_workgroup& group, cycle_t at) override;
  bool interrupt_host(uint32_t event) override;
  void fault(const std::string& message) override;
  bool stop_requested() override;

 private:
  struct finished {
    compute_unit* cu;
    resident_workgroup* group;
    cycle_t at;
  };
  void b_transport(tlm::tlm_generic_payload& t, sc_core::sc_time& delay);
  void run();
  void limit_reached();
  bool begin_packet();
  void set_up(const isa::kernel_dispatch_packet& p);
  void retire_finished();
  bool place_workgroups();
  workgroup next_workgroup() const;
  void complete();
  void arm(cycle_t at);

  const machine_config& config_;
  const gpu_clock& clock_;
  std::vector<compute_unit*> cus_;
  kernel_directory kernels_;
  uint64_t queue_base_ = 0, queue_packets_ = 0, queue_object_ = 0;
  uint64_t written_packets_ = 0, next_packet_ = 0;
  std::unique_ptr<dispatch> current_;
  uint64_t completion_signal_ = 0;
  uint64_t total_workgroups_ = 0, started_workgroups_ = 0, finished_workgroups_ = 0;
  size_t turn_ = 0;  // compute unit that is asked first
  std::vector<finished> finished_;
  cycle_t began_ = 0, last_cycles_ = 0, last_finish_ = 0;
  std::string fault_;
  const std::atomic<int>* stop_ = nullptr;
  uint64_t turns_ = 0;  // of compute units
  sc_core::sc_event work_, interrupt_, limit_;
};

}  // namespace pws::models
