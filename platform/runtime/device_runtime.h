// What a driver and runtime do for a program: device memory, code objects placed and relocated, kernel arguments laid
// out, AQL packets made. Talks to the machine through its host port only.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "platform/gpu/virtual_platform.h"
#include "platform/runtime/device_heap.h"
#include "sw/loader/program_image.h"

namespace pws::platform {

// A kernel placed in device memory.
struct loaded_kernel {
  const loader::kernel* kernel = nullptr;
  uint64_t descriptor = 0;  // device address
};

// A launch as a program asks for it.
struct launch_request {
  loaded_kernel kernel;
  std::array<uint32_t, 3> grid{1, 1, 1};       // work-items
  std::array<uint32_t, 3> workgroup{1, 1, 1};  // work-items
  uint32_t dynamic_lds = 0;                    // bytes
  // Scratch of a work-item at least, for a kernel whose use of the stack is unknown (recursion, function pointers).
  // Compilers that assume a size themselves, as clang up to 15 does, assume this.
  uint32_t dynamic_stack = 16384;
  // The explicit ones, each exactly its parameter's size. For a pointer to local memory (OpenCL C) the value is the
  // block's size in bytes.
  std::vector<std::vector<uint8_t>> arguments;
};

// What became of it.
struct launch_result {
  bool completed = false;
  std::string error;           // what stopped the machine, if not completed
  models::cycle_t cycles = 0;  // doorbell to completion; 0 in functional fidelity
};

// A launch that is ready to go: arguments are in device memory.
struct prepared_launch {
  isa::kernel_dispatch_packet packet;
  std::vector<uint8_t> arguments;  // the kernarg segment's bytes
};

class device_runtime {
 public:
  explicit device_runtime(virtual_platform& gpu);

  // Address of a new buffer. Throws input_error if device memory is exhausted.
  uint64_t allocate(uint64_t bytes, const std::string& name);
  bool release(uint64_t address);  // false: no buffer begins there
  // Host memory to device memory; takes no time.
  void write(uint64_t address, const void* data, size_t bytes) { gpu_.host.write(address, data, bytes); }
  // Device memory to host memory; takes no time.
  void read(uint64_t address, void* data, size_t bytes) { gpu_.host.read(address, data, bytes); }

  uint64_t free_memory() const { return heap_.free(); }  // bytes, in pieces perhaps
  // The buffer through which kernels call the host (hidden_hostcall_buffer); 0, as at first: nothing serves such calls.
  void set_hostcall_buffer(uint64_t address) { hostcall_buffer_ = address; }

  // What runs the machine from a launch's submission to where nothing is left to do, in place of sc_start().
  void set_simulation(std::function<void()> simulate) { simulate_ = std::move(simulate); }

  // Places all code objects of a program. The program must outlive the runtime, or be unloaded. Throws input_error.
  void load(const loader::program_image& program);
  // Takes a program's code and variables out of device memory.
  void unload(const loader::program_image& program);
  // The images of a loaded program, one per code object; nullptr if it is not loaded. Valid until it is unloaded.
  const std::vector<loader::image>* images(const loader::program_image& program) const;
  // A kernel of a loaded program by name (mangled, demangled). Throws input_error listing what there is.
  loaded_kernel find_kernel(const std::string& name) const;

  // Lays out arguments and packet, and writes them to the device. The next call may use the same memory.
  prepared_launch prepare(const launch_request& request);
  // Runs a prepared launch to its end.
  launch_result submit(const prepared_launch& launch);
  // Runs a kernel to its end. Throws input_error where the request does not fit the kernel (argument count and sizes,
  // workgroup size); what goes wrong on the machine is in the result.
  launch_result launch(const launch_request& request) { return submit(prepare(request)); }

 private:
  struct module {
    const loader::program_image* program = nullptr;
    uint64_t base = 0;
    uint64_t locked_code = 0;  // bytes
    std::vector<loader::image> images;
    std::vector<std::unique_ptr<isa::program>> code;
    std::vector<std::vector<uint32_t>> words;  // what `code` decodes from
  };
  void check(const launch_request& r) const;
  // Bytes of the program that the instruction caches hold for ever.
  uint64_t require_locked_instructions(const loader::program_image& program);
  void provide_scratch(uint32_t bytes_per_lane);
  uint64_t must_allocate(uint64_t bytes, uint64_t align, const std::string& name, bool writable);
  std::string deadlock() const;

  virtual_platform& gpu_;
  device_heap heap_;
  std::vector<module> modules_;
  uint64_t locked_code_ = 0;                                   // bytes
  std::unordered_map<uint64_t, models::kernel_code> kernels_;  // by descriptor address
  uint64_t queue_object_ = 0, ring_ = 0, signal_ = 0;
  uint64_t kernarg_ = 0, kernarg_bytes_ = 0;
  uint64_t scratch_ = 0, scratch_bytes_ = 0;
  uint64_t hostcall_buffer_ = 0;
  std::function<void()> simulate_ = [] { sc_core::sc_start(); };
};

}  // namespace pws::platform
