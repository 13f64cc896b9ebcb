// The waveform of a run: contexts, units and memory queues of chosen CUs, cycle by cycle, through SystemC's own VCD
// writer. Scopes: gpu.cu0.simd1.wf3.{pc,em,status,unit,vmcnt,lgkmcnt,kernel,launch,workgroup,wavefront},
// gpu.cu0.simd1.{valu_busy,salu_busy,contexts},
// with splitting ....{spm,parent}, ....children.{depth,entry0..} and the same below gpu.cu0.simd1.spsimd2.swf3,
// for units whose RTL runs gpu.cu0.simd1.spsimd2.rtl.swf3.{pc,em,spm,status,parent,depth},
// gpu.cu0.{memory_in_flight,l1_misses}, gpu.l2.bank0.misses, gpu.dram.queued,
// gpu.dispatcher.{kernel,launch,workgroups_done}. Which kernel a number stands for, a comment says where each launch
// begins: VCD has no values that are text, and a program's kernels are not known before they are launched.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <systemc>
#include <utility>
#include <vector>

#include "platform/gpu/virtual_platform.h"
#include "platform/trace/cu_trace.h"

namespace pws::platform {

class vcd_trace : public sc_core::sc_module {
 public:
  // Before the simulation starts. `path` ends in ".vcd". Throws input_error if the file cannot be written.
  vcd_trace(const sc_core::sc_module_name& name, virtual_platform& gpu, const std::string& path);
  ~vcd_trace() override;
  // Ends the file. Throws input_error if something could not be written. Also done by the destructor, in silence.
  void close();
  // A stopped waveform stays as it is until it goes on: only chosen launches of many are shown. Recording at first.
  void stop() { recording_ = false; }
  void resume();  // goes on recording
  vcd_trace(const vcd_trace&) = delete;
  vcd_trace& operator=(const vcd_trace&) = delete;

 private:
  void trace_rtl(const cosim::rtl_executor& unit);
  void sample();
  void sample_launch();

  virtual_platform& gpu_;
  const std::string path_;
  sc_core::sc_trace_file* file_;
  bool recording_ = true, settled_ = false;
  sc_core::sc_event resumed_;
  unsigned dram_queued_ = 0;
  uint64_t workgroups_done_ = 0;
  std::map<std::pair<uint64_t, std::string>, unsigned> kernels_;  // numbers, from 1, by entry and name
  unsigned kernel_ = 0;                                           // that runs; 0: none does
  uint64_t launch_ = 0;                                           // likewise
  std::vector<std::unique_ptr<cu_trace>> cus_;                    // those that are shown
  std::vector<unsigned> l1_misses_;                               // per CU
  std::vector<unsigned> l2_misses_;                               // per bank
};

}  // namespace pws::platform
