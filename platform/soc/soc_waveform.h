// SPDX-License-Identifier: Apache-2.0
// The waveform of a system: the processor, its accesses over the bus, interrupt lines, and the GPUs' contexts, on one
// time base. Scopes: cpu.{pc,waiting,external,timer,software}, bus.{address,value,bytes,write,error},
// gpu0.{interrupt,busy,launch,workgroups_done}, gpu0.cu0.... as in the waveform of a run (docs/vcd.md).
#pragma once

#include <memory>
#include <string>
#include <systemc>
#include <vector>

#include "models/soc/rv64_observer.h"
#include "platform/instruments/trace/cu_trace.h"
#include "platform/instruments/trace/wave_writer.h"
#include "platform/soc/soc_system.h"

namespace pws::platform {

class soc_waveform : public sc_core::sc_module, public models::rv64_observer {
 public:
  // Before the simulation starts. `path` ends in .vcd or .fst. Throws input_error if the file cannot be written.
  soc_waveform(const sc_core::sc_module_name& name, soc_system& system, const std::string& path);
  // Ends the file. Throws input_error if something could not be written.
  void close();

  void synchronised(uint64_t pc) override;
  void accessed(const models::rv64_bus_access& a, const sc_core::sc_time& at) override;
  void waits(bool begins, const sc_core::sc_time& at) override;

 private:
  struct gpu_view {
    models::gpu& gpu;
    bool interrupt = false, busy = false;
    uint64_t launch = 0, workgroups_done = 0;
    std::vector<std::unique_ptr<cu_trace>> cus;
  };
  void sample();
  void copy();
  void wait_for_change();
  void note_change();

  soc_system& system_;
  wave_signals signals_;
  std::unique_ptr<wave_writer> writer_;
  bool settled_ = false;
  uint64_t pc_ = 0;
  bool waiting_ = false, external_ = false, timer_ = false, software_ = false;
  models::rv64_bus_access access_;
  uint64_t address_ = 0, value_ = 0;
  unsigned bytes_ = 0;
  bool write_ = false, error_ = false;
  std::vector<std::unique_ptr<gpu_view>> gpus_;
  sc_core::sc_event changed_;
};

}  // namespace pws::platform
