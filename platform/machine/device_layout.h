// SPDX-License-Identifier: Apache-2.0
// Where things lie in device memory, and what kernels and the dispatcher are told of it: buffers, code objects placed
// and relocated, kernel arguments laid out, AQL packets made. Needs no machine but its numbers, so that what a launch
// would find in memory is known before there is one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/state_archive.h"
#include "models/isa/memory_use.h"
#include "models/machine/machine_config.h"
#include "platform/machine/device_heap.h"
#include "platform/machine/kernel_launch.h"

namespace pws::platform {

// Addresses of what serves hidden arguments, in device memory. 0: nothing does.
struct served_arguments {
  uint64_t hostcall_buffer = 0;  // through which kernels call the host
  uint64_t heap = 0;             // what device malloc knows of its memory (code object version 5)
};

// A machine's memory, which what is laid out goes to.
class device_memory {
 public:
  virtual ~device_memory() = default;
  // [address, address + bytes) is in use now, until it is removed.
  virtual void add(uint64_t address, uint64_t bytes, const std::string& name, isa::memory_use use) = 0;
  // What begins there is free again.
  virtual void remove(uint64_t address) = 0;
  // Host memory to device memory.
  virtual void write(uint64_t address, const void* data, size_t bytes) = 0;
};

class device_layout {
 public:
  // `machine`: as provisioned. Both must outlive the layout; without `memory` nothing is written anywhere.
  explicit device_layout(const models::machine_config& machine, device_memory* memory = nullptr);
  explicit device_layout(models::machine_config&& machine, device_memory* memory = nullptr) = delete;
  device_layout(const device_layout&) = delete;
  device_layout& operator=(const device_layout&) = delete;

  // Address of a new buffer. Throws input_error if device memory is exhausted. `align`: a power of two, a page at
  // least.
  uint64_t allocate(uint64_t bytes, const std::string& name, uint64_t align = device_heap::alignment,
                    isa::memory_use use = isa::memory_use::buffer);
  // What a program frees. False if nothing begins there.
  bool release(uint64_t address);
  uint64_t free_memory() const { return heap_.free(); }  // bytes, in pieces perhaps
  // A piece of memory that is in use.
  struct allocation {
    uint64_t begin = 0, end = 0;  // device addresses; one past the last byte
    std::string name;
  };
  // The one that has that address; nullptr: none.
  const allocation* find(uint64_t address) const;

  // What kernels are told from now on; nothing at first.
  void set_served(const served_arguments& served) { served_ = served; }

  // Places all code objects of a program. The program must outlive the layout, or be unloaded. Throws input_error.
  void load(const loader::program_image& program);
  // Takes a program's code and variables out of device memory.
  void unload(const loader::program_image& program);
  // The images of a loaded program, one per code object; nullptr if it is not loaded. Valid until it is unloaded.
  const std::vector<loader::image>* images(const loader::program_image& program) const;
  // A kernel of a loaded program by name (mangled, demangled); `in`: of that one. Throws input_error listing what there
  // is.
  loaded_kernel find_kernel(const std::string& name, const loader::program_image* in = nullptr) const;

  // Lays out arguments and packet, for that queue; gives the launch with them. The next call for the same queue may use
  // the same memory. Throws input_error where the launch does not fit the kernel (argument count and sizes, workgroup
  // size).
  kernel_launch prepare(kernel_launch launch, uint32_t queue = 0);

  static constexpr uint64_t queue_packets = 64;
  // Where an AQL queue lies, and what its launches use.
  struct queue_memory {
    uint64_t ring = 0;    // of packets
    uint64_t object = 0;  // amd_queue
    uint64_t signal = 0;  // amd_signal that its launches complete
    uint64_t kernarg = 0, kernarg_bytes = 0;
    uint64_t scratch = 0, scratch_bytes = 0;
  };
  // By number; there is number 0 from the start.
  const queue_memory& queue_at(uint32_t number) const { return queues_[number]; }
  // The number of a further one. Throws input_error if device memory is exhausted.
  uint32_t add_queue();

  // Bytes from the beginning of device memory on, behind which nothing has been.
  uint64_t touched() const { return heap_.touched(); }
  // What is in use. The same programs are loaded, at the same places. The machine is not told (global_memory::keep).
  void keep(state_archive& a);

 private:
  struct module {
    const loader::program_image* program = nullptr;
    uint64_t base = 0;
    uint64_t locked_code = 0;  // bytes
    std::vector<loader::image> images;
    std::vector<uint64_t> parts;  // where each of them begins, by what it is for
  };
  // Bytes of the program that the instruction caches hold for ever.
  uint64_t require_locked_instructions(const loader::program_image& program);
  void provide_scratch(queue_memory& q, uint32_t bytes_per_lane);
  uint64_t must_allocate(uint64_t bytes, uint64_t align, const std::string& name, isa::memory_use use);
  // What the runtime has for itself, which no program has the address of.
  void give_back(uint64_t address);
  void forget(uint64_t address);
  // As must_allocate, but the machine is not told.
  uint64_t take(uint64_t bytes, uint64_t align, const std::string& name);
  void add_parts(module& m);
  void write(uint64_t address, const void* data, size_t bytes);

  const models::machine_config& machine_;
  device_memory* const memory_;
  device_heap heap_;
  std::map<uint64_t, allocation> allocated_;  // by beginning
  std::vector<module> modules_;
  uint64_t locked_code_ = 0;  // bytes
  std::vector<queue_memory> queues_;
  served_arguments served_;
};

}  // namespace pws::platform
