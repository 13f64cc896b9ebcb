// The state of the HIP runtime in this process, and the frame that every call of the API runs in: one call at a time,
// errors turned into codes and messages, nothing thrown at the program.
#pragma once

#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "platform/hip/captures.h"
#include "platform/hip/device.h"
#include "platform/hip/images.h"
#include "platform/hip/interrupt_watch.h"
#include "platform/hip/memory_pools.h"
#include "platform/hip/schedule.h"
#include "platform/hip/texture_references.h"

namespace pws::platform::hip {

constexpr const char* device_uuid = "GPU-gfx803-model";  // 16 bytes

// What a hipEvent_t points at.
struct event {
  unsigned flags = 0;
  std::shared_ptr<recording> last;         // nullptr: it has not been recorded
  std::optional<captured_event> captured;  // last recorded in a stream that was being captured

  void record(std::shared_ptr<recording> r) {
    last = std::move(r);
    captured.reset();
  }
};

class context {
 public:
  static context& instance();

  // The machine, built at its first use. A configuration that is no good ends the process with exit code 2: a program
  // would take it for a machine without a GPU.
  // Throws failure (hipErrorNoDevice) where the environment hides it.
  device& gpu();
  device* gpu_if_built() { return device_.get(); }
  const exec_config& config();
  // Streams, events, graphs, memory and modules of the program go, variables of its own code are as they were at first,
  // and a machine that has failed is another one. Throws failure (hipErrorNotSupported) where that cannot be.
  void reset();
  // Neither ROCR_VISIBLE_DEVICES nor HIP_VISIBLE_DEVICES or CUDA_VISIBLE_DEVICES leaves device 0 out.
  bool device_is_visible() const { return visible_; }

  module_table modules;
  memory_pools pools;
  image_table images;
  texture_references references;
  graph_registry known_graphs;  // all that there are
  hip::captures captures{known_graphs};
  std::map<hipGraph_t, std::shared_ptr<graph>> graphs;     // the program's own
  std::map<hipGraphExec_t, std::shared_ptr<graph>> ready;  // instantiated ones
  std::set<const stream*> streams;
  std::set<const event*> events;
  stream legacy_stream;
  schedule pending{*this};  // what is in streams and not done

  // Throws failure (hipErrorInvalidHandle) for what is no stream of the program; the default ones are.
  void check_stream(hipStream_t s) const;
  // The same, and what it is: hipStreamPerThread has one for each thread.
  stream& stream_of(hipStream_t s);
  event& event_of(hipEvent_t e) const;
  // What is in streams is done. Throws failure.
  void finish_all();
  void finish(hipStream_t s);
  // Before something goes that it may use. A machine that has failed, or is not there, has nothing to finish.
  void finish_what_lives();
  void finish_what_lives(hipStream_t s);
  // After a failed launch nothing that waits for the machine succeeds.
  void check_alive();
  // Ends the process if SIGINT or SIGTERM has come.
  void end_if_interrupted();

  std::recursive_mutex lock;

 private:
  context();
  void build(device_past past);
  const bool visible_;
  std::unique_ptr<exec_config> config_;
  std::unique_ptr<device> device_;
  std::unique_ptr<interrupt_watch> watch_;
  std::map<std::thread::id, stream> streams_of_threads_;
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

}  // namespace pws::platform::hip
