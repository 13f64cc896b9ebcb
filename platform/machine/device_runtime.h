// SPDX-License-Identifier: Apache-2.0
// What a driver and runtime do for a program: device memory laid out (device_layout.h) and filled, and AQL packets run.
// Talks to the machine through its host port, as a driver does. What a model has beyond hardware, it asks the model
// for: a kernel's name and its decoded code (set_kernels), what wavefronts stand at (deadlock()), the end of a message
// that is longer than its register (fault_text()).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/state_archive.h"
#include "platform/machine/device_layout.h"
#include "platform/machine/loaded_code.h"
#include "platform/machine/virtual_platform.h"
#include "sw/loader/function_frames.h"
#include "sw/loader/line_table.h"

namespace pws::platform {

// Who hears what happens to device memory from outside: allocations, and the host's accesses. Checks need it.
class memory_listener {
 public:
  virtual ~memory_listener() = default;
  // Kernels may access [address, address + bytes) from now on; nothing is known of what it holds.
  virtual void allocated(uint64_t address, uint64_t bytes, const std::string& name) = 0;
  // ... that begins there, no longer.
  virtual void released(uint64_t address) = 0;
  // The host has written those bytes, or declares that they hold what they should.
  virtual void host_wrote(uint64_t address, uint64_t bytes) = 0;
  // The host is about to read them.
  virtual void host_reads(uint64_t address, uint64_t bytes) = 0;
  // Bytes have been copied within device memory; the ranges may overlap, as memmove's.
  virtual void copied(uint64_t to, uint64_t from, uint64_t bytes) = 0;
};

// What became of a launch.
struct launch_result {
  bool completed = false;
  std::string error;                     // what stopped the machine, if not completed
  bool bystander = false;                // another launch stopped the machine
  models::cycle_t cycles = 0;            // doorbell to completion; 0 in functional fidelity
  models::cycle_t began = 0, ended = 0;  // in the machine's time; of completed launches
};

class device_runtime : public loaded_code {
 public:
  explicit device_runtime(virtual_platform& board);

  // As device_layout has them. Address of a new buffer; throws input_error if device memory is exhausted.
  // It holds what machine.memory.fill says; anything but zeros is written at once, and so takes host memory.
  // `align`: a power of two, a page at least.
  uint64_t allocate(uint64_t bytes, const std::string& name, uint64_t align = device_heap::alignment,
                    isa::memory_use use = isa::memory_use::buffer);
  // False: no buffer begins there.
  bool release(uint64_t address) { return layout_.release(address); }
  uint64_t free_memory() const { return layout_.free_memory(); }
  // What kernels are told from now on; nothing at first.
  void set_served(const served_arguments& served) { layout_.set_served(served); }
  // The images of a loaded program, one per code object; nullptr if it is not loaded. Valid until it is unloaded.
  const std::vector<loader::image>* images(const loader::program_image& program) const {
    return layout_.images(program);
  }
  // A kernel of a loaded program by name. Throws input_error listing what there is.
  loaded_kernel find_kernel(const std::string& name) const { return layout_.find_kernel(name); }
  // Lays out arguments and packet, and writes them to the device. The next call for the same queue may use the same
  // memory.
  kernel_launch prepare(kernel_launch launch, uint32_t queue = 0) { return layout_.prepare(std::move(launch), queue); }
  // Programs are loaded and unloaded below, where the machine hears of them.
  device_layout& layout() { return layout_; }
  const device_layout& layout() const { return layout_; }

  // Host memory to device memory; takes no time.
  void write(uint64_t address, const void* data, size_t bytes) { memory_.write(address, data, bytes); }
  // Four bytes over and over, in a buffer from its beginning on; takes no time, and of the host's memory only what is
  // written there later. Nobody has written them, as listeners hear it: who has says so with note_host_write().
  void fill(uint64_t address, uint64_t bytes, uint32_t pattern) {
    board_.gpu.memory.dram.fill(address, bytes, pattern);
  }
  // Zeros; in a block that has not been touched they cost no memory of the host where machine.memory.fill is zero.
  void clear(uint64_t address, uint64_t bytes);
  // Device memory to host memory; takes no time.
  void read(uint64_t address, void* data, size_t bytes) {
    memory_.tell([=](memory_listener& l) { l.host_reads(address, bytes); });
    peek(address, data, bytes);
  }
  // The same, without listeners hearing of it.
  void peek(uint64_t address, void* data, size_t bytes) const override { board_.host.read(address, data, bytes); }
  // For those who reach device memory on a way of their own: what they have written, or are about to read.
  void note_host_write(uint64_t address, uint64_t bytes) {
    memory_.tell([=](memory_listener& l) { l.host_wrote(address, bytes); });
  }
  // They are about to read them.
  void note_host_read(uint64_t address, uint64_t bytes) {
    memory_.tell([=](memory_listener& l) { l.host_reads(address, bytes); });
  }
  // They have copied them from one place of device memory to another.
  void note_copy(uint64_t to, uint64_t from, uint64_t bytes) {
    memory_.tell([=](memory_listener& l) { l.copied(to, from, bytes); });
  }
  // Several may listen. Hears of what is allocated already, as written by the host.
  void listen(memory_listener& l);
  // Hears nothing any more.
  void stop_listening(memory_listener& l);

  // What runs the machine from a launch's submission to where nothing is left to do, in place of sc_start().
  void set_simulation(std::function<void()> simulate) { simulate_ = std::move(simulate); }

  // Places all code objects of a program. The program must outlive the runtime, or be unloaded. Throws input_error.
  void load(const loader::program_image& program);
  // Takes a program's code and variables out of device memory.
  void unload(const loader::program_image& program);

  // Decoded when its program was loaded; valid until that is unloaded.
  const isa::inst* instruction_at(uint64_t pc) const override;
  std::vector<loader::source_line> source_at(uint64_t pc) const override;
  // The functions that were compiled without optimisation, of the code object that has this device address: where their
  // variables are in private memory. Their code is given by device addresses. Read each time that somebody asks.
  std::vector<loader::function_frame> frames_at(uint64_t pc) const;
  std::vector<loaded_object> loaded_after(uint64_t number) const override;
  const loader::image* image_at(uint64_t pc) const override;
  std::optional<uint64_t> end_of_memory_at(uint64_t address) const override;
  // The variable, function or kernel descriptor of a program that has the address; nullptr: none.
  const loader::symbol* symbol_at(uint64_t address) const;
  // Which of its program's code objects that is, from 0; 0 if there is none.
  size_t object_index_at(uint64_t pc) const;

  // Runs a prepared launch to its end.
  launch_result submit(const kernel_launch& launch);
  // The same for one that was under way when the machine was saved, once that has been restored.
  launch_result resume();
  // What is in use of device memory. Launches are of queue 0.
  void keep(state_archive& a);
  // Where the workgroups of launches that are submitted go from now on; at first to all compute units.
  void set_compute_units(const models::cu_mask& cus);
  // ---- Launches beside each other (machine.hardware_queues), one at a time in each queue

  // The number of a further AQL queue; larger priorities go first, and its workgroups go to those compute units. Throws
  // input_error if there are too many, or device memory is exhausted.
  uint32_t add_queue(uint64_t priority, const models::cu_mask& cus = {});
  // Hands a launch to the machine, which has been prepared for that queue. `number`: of the launch, from 1.
  void begin(const kernel_launch& launch, uint32_t queue, uint64_t number);
  // Runs the machine until one launch at least of those that have begun is complete. False: it has stopped, or nothing
  // can go on; result() says why.
  bool run_to_next_completion();
  // The result of the launch that has begun in that queue, once it is complete or the machine stands still; else
  // nothing.
  std::optional<launch_result> result(uint32_t queue);
  // The machine's time, in cycles.
  models::cycle_t now() const { return board_.gpu.clock.now(); }

  // Runs a kernel to its end. Throws input_error where the launch does not fit the kernel (argument count and sizes,
  // workgroup size); what goes wrong on the machine is in the result.
  launch_result launch(kernel_launch l) { return submit(prepare(std::move(l))); }

 private:
  class memory_of_machine : public device_memory {
   public:
    explicit memory_of_machine(virtual_platform& board);
    void add(uint64_t address, uint64_t bytes, const std::string& name, isa::memory_use use) override;
    void remove(uint64_t address) override;
    void write(uint64_t address, const void* data, size_t bytes) override;

    template <class F>
    void tell(F f) const {
      for (memory_listener* l : listeners) f(*l);
    }
    std::vector<memory_listener*> listeners;

   private:
    virtual_platform& board_;
  };
  // An executable part of a program.
  struct code {
    std::vector<uint32_t> words;
    std::unique_ptr<isa::program> decoded;  // from them
    const loader::code_object* object = nullptr;
    const loader::image* image = nullptr;
    size_t index = 0;                                   // of the code object in its program
    uint64_t number = 0;                                // of its loading
    mutable std::unique_ptr<loader::line_table> lines;  // read when somebody asks
  };
  // The part that has the address; nullptr: none.
  const code* code_at(uint64_t pc) const;
  void tell_of_queue(uint32_t number, uint64_t priority, const models::cu_mask& cus);
  // Workgroups of what has been handed over since nothing was outstanding.
  struct progress {
    uint64_t done = 0, total = 0;
  };
  progress workgroups() const;
  void note_handed_over(const isa::kernel_dispatch_packet& packet);
  void note_complete();
  launch_result run_to_end(models::cycle_t submitted);
  std::string deadlock() const;
  std::string stopped_from_outside() const;  // sc_stop
  std::string fault_text() const;
  std::string why_stopped() const;

  virtual_platform& board_;
  memory_of_machine memory_;
  device_layout layout_;
  std::unordered_map<const loader::program_image*, std::vector<code>> code_;
  uint64_t loadings_ = 0;
  std::unordered_map<uint64_t, models::dispatched_kernel> kernels_;  // by descriptor address
  struct handed_over {
    uint64_t number = 0;
    models::cycle_t at = 0;
    bool outstanding = false;
  };
  std::vector<handed_over> begun_;  // each queue's launch
  models::cu_mask cus_;             // of queue 0
  uint32_t outstanding_ = 0;        // launches
  uint64_t workgroups_before_ = 0;  // of all launches up to where nothing was outstanding
  uint64_t workgroups_since_ = 0;
  bool stands_still_ = false;  // launches that have begun will not be complete
  std::function<void()> simulate_ = [] { sc_core::sc_start(); };
};

}  // namespace pws::platform
