// SPDX-License-Identifier: Apache-2.0
// The waveform of a run: contexts, units and memory queues of chosen CUs, cycle by cycle. Scopes:
// gpu.cu0.simd1.wf3.{pc,em,status,unit,vmcnt,lgkmcnt,kernel,launch,workgroup,wavefront},
// gpu.cu0.simd1.{valu_busy,salu_busy,contexts},
// with splitting ....{spm,parent}, ....children.{depth,entry0..} and the same below gpu.cu0.simd1.spsimd2.swf3,
// for units whose RTL runs gpu.cu0.simd1.spsimd2.rtl.swf3.{pc,em,spm,status,parent,depth}, gpu.cu0.simd1.rtl.wf3...,
// gpu.cu0.{memory_in_flight,l1_misses}, gpu.l2.bank0.misses, gpu.dram.queued,
// gpu.dispatcher.{kernel,launch,workgroups_done}, with several hardware queues also gpu.dispatcher.in_service. Which
// kernel a number stands for is said where each launch begins: in VCD by a comment, since it has no values that are
// text and a program's kernels are not known before they are launched.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "platform/instruments/trace/cu_trace.h"
#include "platform/instruments/trace/trace_window.h"
#include "platform/instruments/trace/wave_writer.h"
#include "platform/machine/virtual_platform.h"

namespace pws::platform {

class machine_waveform : public sc_core::sc_module {
 public:
  // Before the simulation starts. `path` ends in ".vcd" or ".fst"; empty: there is none, and only the RTL's waveforms
  // are stopped and go on (machine.trace). Throws input_error if the file cannot be written.
  machine_waveform(const sc_core::sc_module_name& name, virtual_platform& board, const std::string& path);
  ~machine_waveform() override;
  // Ends the file. Throws input_error if something could not be written. Also done by the destructor, in silence.
  void close();
  // A stopped waveform stays as it is until it goes on: only chosen launches of many are shown. Recording at first.
  void stop();
  // It goes on with what there is then.
  void resume();
  machine_waveform(const machine_waveform&) = delete;
  machine_waveform& operator=(const machine_waveform&) = delete;

 private:
  void trace_rtl(const cosim::rtl_executor& unit);
  void sample();
  void copy(models::cycle_t now);
  launch_range launches_in_service() const;
  void sample_launches();
  unsigned show(const models::kernel_in_service& k);

  virtual_platform& board_;
  models::gpu& gpu_;
  wave_signals signals_;
  std::unique_ptr<wave_writer> writer_;
  trace_window window_;
  bool recording_ = true, settled_ = false;
  sc_core::sc_event resumed_;
  unsigned dram_queued_ = 0;
  uint64_t workgroups_done_ = 0;
  std::map<std::pair<uint64_t, std::string>, unsigned> kernels_;  // numbers, from 1, by entry and name
  std::vector<launch_shown> launches_, before_;                   // in service, now and a cycle ago
  unsigned kernel_ = 0;                                           // of the first of them; 0: there is none
  uint64_t launch_ = 0;                                           // number of the first of them; 0: there is none
  unsigned in_service_ = 0;                                       // how many there are
  std::vector<std::unique_ptr<cu_trace>> cus_;                    // those that are shown
  std::vector<unsigned> l1_misses_;                               // per CU
  std::vector<unsigned> l2_misses_;                               // per bank
};

// Whether a run with these files (empty: none) has to have one: for its own, or to stop the RTL's and let it go on.
bool needs_waveform(const models::trace_config& c, const std::string& own, const std::string& of_rtl);

}  // namespace pws::platform
