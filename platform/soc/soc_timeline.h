// SPDX-License-Identifier: Apache-2.0
// Chrome trace JSON of a system (opens in Perfetto), in microseconds of simulated time. The processor has a row with
// what it does (runs, waits in wfi), one with each interrupt and trap to its mret, and one with the tasks that firmware
// names (models/soc/task_marks.h). Each GPU has a row of its packets, from doorbell
// to completion, for every queue that has any, and a row of its kernels, from the first workgroup's start to the last
// one's end.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "base/output/trace_file.h"
#include "models/compute_unit/execution_observer.h"
#include "models/soc/rv64_observer.h"
#include "platform/soc/soc_system.h"
#include "platform/soc/task_log.h"

namespace pws::platform {

class soc_timeline : public sc_core::sc_module, public models::rv64_observer {
 public:
  // Before the simulation starts. Throws input_error if the file cannot be written.
  soc_timeline(const sc_core::sc_module_name& name, soc_system& system, task_log& tasks, const soc_config& c,
               const std::string& path, const loader::firmware_image& firmware);
  ~soc_timeline() override;
  soc_timeline(const soc_timeline&) = delete;
  soc_timeline& operator=(const soc_timeline&) = delete;
  // Ends the file, behind the tasks (task_log::close). Throws input_error if something could not be written.
  void close();

  void accessed(const models::rv64_bus_access& a, const sc_core::sc_time& at) override;
  void waits(bool begins, const sc_core::sc_time& at) override;
  void trapped(uint64_t cause, uint64_t pc, const sc_core::sc_time& at) override;
  void returned(const sc_core::sc_time& at) override;

 private:
  struct kernel_log;
  struct packet_rows {
    uint64_t complete = 0;                       // packets
    std::map<uint64_t, sc_core::sc_time> begun;  // doorbells, by index
  };
  struct gpu_rows {
    models::gpu& gpu;
    uint64_t base;  // of its registers
    int process;
    std::map<uint32_t, packet_rows> queues;
    std::unique_ptr<kernel_log> kernels;
  };
  struct open_slice {
    std::string name;
    sc_core::sc_time begin;
  };
  void slice(int process, uint32_t row, const std::string& name, const sc_core::sc_time& begin,
             const sc_core::sc_time& end);
  void packets_completed();

  trace_file out_;
  const loader::firmware_image& firmware_;
  sc_core::sc_time run_since_;
  std::vector<open_slice> traps_;  // that have not returned, the outermost first
  std::vector<std::unique_ptr<gpu_rows>> gpus_;
};

}  // namespace pws::platform
