// SPDX-License-Identifier: Apache-2.0
// The state of the HIP runtime in this process, and the frame that every call of the API runs in: one call at a time,
// errors turned into codes and messages, nothing thrown at the program.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "hip_runtime/captures.h"
#include "hip_runtime/device.h"
#include "hip_runtime/forked_memory.h"
#include "hip_runtime/images.h"
#include "hip_runtime/interrupt_watch.h"
#include "hip_runtime/memory_pools.h"
#include "hip_runtime/schedule.h"
#include "hip_runtime/texture_references.h"

namespace pws::hip {

// What a hipEvent_t points at.
struct event {
  unsigned flags = 0;
  int device = 0;                   // that was the thread's when it was made: it is recorded in streams of that one
  std::shared_ptr<recording> last;  // nullptr: it has not been recorded
  std::optional<captured_event> captured;  // last recorded in a stream that was being captured

  void record(std::shared_ptr<recording> r) {
    last = std::move(r);
    captured.reset();
  }
};

// A device as the program counts them, whether its machine is there yet or not.
struct device_slot {
  uint32_t machine = 0;  // the number of its machine
  int number = 0;
  stream legacy_stream;
  std::map<std::thread::id, stream> streams_of_threads;
  memory_pools pools;
  graph_memory_account graph_memory;
  unsigned flags = 0;  // of hipSetDeviceFlags
  static constexpr size_t n_limits = 3;
  using limit_values = std::array<size_t, n_limits>;                               // by hipLimit_t
  static constexpr limit_values first_limits{pws::loader::default_dynamic_stack};  // hipLimitStackSize is the first
  limit_values limits = first_limits;                                              // of hipDeviceSetLimit
  std::unique_ptr<device> gpu;                                                     // from its first use on
};

class context {
 public:
  static context& instance();

  // Devices that the program has: those of the configuration that the environment (visible_devices.h) leaves, in its
  // order.
  int device_count() { return static_cast<int>(devices().size()); }
  // The thread's own, that hipSetDevice has chosen; 0 at first.
  static int current_device();
  static void choose_device(int device);
  // Throw failure (hipErrorNoDevice) where there is none.
  device_slot& slot(int device);
  device_slot& slot() { return slot(current_device()); }

  // The machine, built at its first use. A configuration that is no good ends the process with exit code 2: a program
  // would take it for a machine without a GPU.
  // Throws failure (hipErrorNoDevice) where the environment hides all.
  device& gpu(int device);
  device& gpu() { return gpu(current_device()); }
  device* gpu_if_built(int device);
  device* gpu_if_built() { return gpu_if_built(current_device()); }
  // The runtimes of the devices that have been built.
  std::vector<device_runtime*> runtimes();
  const exec_config& config();
  // The device's streams, events and memory and the modules loaded there go, with all graphs, variables of the
  // program's own code are as they were at first, and a machine that has failed is another one. Throws failure
  // (hipErrorNotSupported) where that cannot be.
  void reset(int device);
  // The device that the pool is of. Throws failure (hipErrorInvalidValue).
  device_slot& slot_of(hipMemPool_t pool);
  // A block has been freed, which may be of a pool.
  void note_freed(uint64_t address);

  module_table modules;
  image_table images;
  texture_references references;
  graph_registry known_graphs;  // all that there are
  hip::captures captures{known_graphs};
  std::map<hipGraph_t, std::shared_ptr<graph>> graphs;     // the program's own
  std::map<hipGraphExec_t, std::shared_ptr<graph>> ready;  // instantiated ones
  std::set<const stream*> streams;
  std::set<const event*> events;
  launch_log log;
  schedule pending{*this};    // what is in streams and not done
  stream_order order{*this};  // what comes after what there
  uint64_t streams_made = 0;

  // Throws failure (hipErrorInvalidHandle) for what is no stream of the program; the default ones are.
  void check_stream(hipStream_t s) const;
  // The same, and what it is: hipStreamPerThread has one for each thread.
  stream& stream_of(hipStream_t s);
  event& event_of(hipEvent_t e) const;
  // What is in the device's streams is done. Throws failure.
  void finish_all(int device);
  void finish_all() { finish_all(current_device()); }
  void finish(hipStream_t s);
  // Before something goes that any device may use. A machine that has failed, or is not there, has nothing to finish.
  void finish_what_lives();
  void finish_what_lives(hipStream_t s);
  // After a failed launch nothing that waits for the machine succeeds.
  void check_alive(int device);
  void check_alive() { check_alive(current_device()); }
  // For coverage, before the module goes: which kernels it has, if none of them was launched.
  void note_code(code_module* module);
  // Ends what the machines write, and writes the report. Throws input_error. Only once.
  void finish_files();
  // From now on there is nothing to call any more: the process ends, and all files are written.
  void note_end() { ended_ = true; }
  bool has_ended() const { return ended_; }
  // forked_memory::missing().
  const std::string& memory_missing() const { return storage_file_.missing(); }
  bool has_findings() const { return !log.found.clean(); }
  // Checks name the calls of the API that are wrong.
  bool wants_calls(const char* name);
  // A call has failed: what it has done wrong with memory is a finding, if somebody looks for those.
  void note_failure(const char* name, const failure& e);
  // Ends the process if SIGINT or SIGTERM has come.
  void end_if_interrupted();

  std::recursive_mutex lock;

 private:
  context() = default;
  static context* make();
  std::vector<std::unique_ptr<device_slot>>& devices();
  void build(device_slot& s, device_past past);
  void finish_without_machine(output_problems& problems);
  models::memory_place place_of(uint32_t machine);

  std::unique_ptr<exec_config> config_;
  std::vector<std::unique_ptr<device_slot>> devices_;  // as the program counts
  bool counted_ = false;
  forked_memory storage_file_;
  unsigned char* storage_ = nullptr;  // of the machines' memories
  uint64_t memory_begin_ = 0;         // device address of the first of these
  memory_list memories_;
  bool simulates_ = false;  // a machine has been built
  bool finished_ = false;
  bool ended_ = false;
  unused_code unused_;
  std::unique_ptr<interrupt_watch> watch_;
};

// Runs `body` as the API function `name`. The code is also what hipGetLastError() gives, if it is an error.
hipError_t call(const char* name, const std::function<void(context&)>& body) noexcept;
// The same for functions that return no code.
void call_unanswered(const char* name, const std::function<void(context&)>& body) noexcept;

hipError_t last_error(bool reset);

// Names the function once on standard error.
void note_unsupported(const char* name) noexcept;
// A line on standard error: "NAME: MESSAGE".
void say(const char* name, const std::string& message) noexcept;

// hipErrorNoDevice where the environment hides all, hipErrorInvalidDevice for one that there is not.
void check_device(int device);

// hipErrorInvalidValue for what is no device.
void check_location(const hipMemLocation& l);

// Where a result goes: hipErrorInvalidValue if that is nowhere.
template <class T>
T& result(T* to) {
  require(to != nullptr, hipErrorInvalidValue, "the address for a result is null");
  return *to;
}

}  // namespace pws::hip

// A function of the API by the name that a program calls whose default stream is each thread's own. It names its
// streams as others do. Not for one that the headers overload.
#define PWS_ALSO_SPT(function) decltype(function) function##_spt __attribute__((alias(#function)))
