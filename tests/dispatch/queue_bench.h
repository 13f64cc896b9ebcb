// SPDX-License-Identifier: Apache-2.0
// A machine whose AQL queues a test writes packets to, and what it did with them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "platform/machine/device_runtime.h"

namespace pws::test {

// Kernels of the bench's program: a loop of so many rounds, of some cycles each, by one wavefront per workgroup; and
// one that stops the machine.
struct queued_kernel {
  uint64_t number = 0;      // that it is known by, from 1
  uint32_t workgroups = 1;  // of one wavefront
  uint32_t rounds = 100;
  uint32_t lds = 0;  // bytes, beside the 1024 of the program's kernels
  bool faults = false;
  bool waits = true;              // the packet has the barrier bit
  uint32_t scratch_per_lane = 0;  // bytes that the packet asks for; nothing uses them
};

// A workgroup as it ran.
struct placed_workgroup {
  uint64_t kernel = 0, workgroup = 0;  // their numbers
  uint32_t cu = 0;
  models::cycle_t start = 0, end = 0;
};

struct queue_report {
  std::vector<placed_workgroup> workgroups;  // in the order of their starts
  std::vector<models::cycle_t> times;        // that the test noted
  bool done = false;
  std::string fault;    // of the machine
  std::string waiting;  // dispatcher::describe_queues()

  models::cycle_t start_of(uint64_t kernel) const;  // of its first workgroup
  models::cycle_t end_of(uint64_t kernel) const;    // of its last one
  // Numbers of the kernels, in the order in which their workgroups started: "1 2 1 2".
  std::string order() const;
};

class queue_bench {
 public:
  explicit queue_bench(const models::machine_config& machine, queue_report& report);

  // A queue of so many packets; its number.
  uint32_t add_queue(uint64_t priority = 0, uint64_t packets = 16, const models::cu_mask& cus = {});
  // A signal that begins with `value`; its address.
  uint64_t add_signal(int64_t value = 1);
  int64_t value_of(uint64_t signal);
  void set(uint64_t signal, int64_t value);
  // The cycles at which the packet that completed it began and ended.
  std::pair<models::cycle_t, models::cycle_t> span_of(uint64_t signal);

  // A packet that launches it; its arguments are in memory.
  isa::kernel_dispatch_packet packet_of(const queued_kernel& kernel, uint64_t signal = 0);
  void put(uint32_t queue, const queued_kernel& kernel, uint64_t signal = 0);
  // Waits until all (or one) of the signals are 0.
  void put_barrier(uint32_t queue, isa::packet_type type, const std::vector<uint64_t>& signals, uint64_t completes = 0,
                   bool waits = true);
  // Until all packets are complete, or nothing more happens.
  void run();

  platform::virtual_platform& board() { return board_; }
  models::gpu& gpu() { return board_.gpu; }
  queue_report& report() { return report_; }

 private:
  class start_log : public models::execution_observer {
   public:
    explicit start_log(queue_report& r) : report_(r) {}
    interests wants() const override { return {false, false, false}; }
    void workgroup_started(uint32_t cu, const models::resident_workgroup& g, models::cycle_t at) override;
    void workgroup_ended(uint32_t cu, const models::resident_workgroup& g, models::cycle_t at) override;
    void wave_started(uint32_t, const models::wf_context&, models::cycle_t) override {}
    void issued(uint32_t, const models::wf_context&, const isa::inst&, models::cycle_t) override {}
    void wave_ended(uint32_t, const models::wf_context&, models::cycle_t) override {}

   private:
    queue_report& report_;
  };

  queue_report& report_;
  start_log log_;
  platform::virtual_platform board_;
  std::unique_ptr<platform::device_runtime> runtime_;
  uint32_t queues_ = 0;
};

// One compute unit with one SIMD unit of four contexts, of constant times.
models::machine_config small_machine(uint32_t hardware_queues);

// Runs it in a process of its own, as the kernel of SystemC needs it.
queue_report with_queues(const models::machine_config& machine, const std::function<void(queue_bench&)>& body);

}  // namespace pws::test
