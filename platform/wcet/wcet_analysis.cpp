#include "platform/wcet/wcet_analysis.h"

#include <algorithm>

#include "base/error.h"
#include "platform/gpu/interruption.h"
#include "platform/run_file/buffer.h"
#include "platform/wcet/run_launch.h"

namespace pws::platform {

namespace {

// The run's arguments as kernels receive them; `buffers` has the address of each that is one, else 0.
std::vector<std::vector<uint8_t>> place(const run_config& config, device_runtime& runtime,
                                        std::vector<uint64_t>& buffers) {
  std::vector<std::vector<uint8_t>> values;
  for (const argument_config& a : config.arguments) {
    std::vector<uint8_t> contents = initial_contents(a);
    buffers.push_back(0);
    if (a.buffer() == nullptr) {
      values.push_back(std::move(contents));
      continue;
    }
    const uint64_t address = runtime.allocate(contents.size(), "argument " + a.name);
    runtime.write(address, contents.data(), contents.size());
    buffers.back() = address;
    const auto* raw = reinterpret_cast<const uint8_t*>(&address);
    values.emplace_back(raw, raw + sizeof address);
  }
  for (size_t k = 0; k < values.size(); ++k)
    if (const auto* structure = std::get_if<bytes_argument>(&config.arguments[k].value))
      put_addresses(structure->pointers, buffers, values[k]);
  return values;
}

// A bound of the configuration's is to fit a loop of one launch at least.
void require_places(const std::vector<std::unique_ptr<launch_analysis>>& analyses) {
  const std::vector<std::string>& first = analyses.front()->misplaced_bounds();
  for (size_t k = 0; k < first.size(); ++k)
    if (std::all_of(analyses.begin(), analyses.end(), [k](const auto& a) { return !a->misplaced_bounds()[k].empty(); }))
      throw input_error(first[k] + (analyses.size() == 1 ? "" : "; nor has any other launch such a loop"));
}

// Buffers' contents for run `k`: random ones are others each time.
void refill(const run_config& config, const std::vector<uint64_t>& buffers, uint32_t k, device_runtime& runtime) {
  for (size_t n = 0; n < config.arguments.size(); ++n) {
    argument_config a = config.arguments[n];
    auto* buffer = std::get_if<buffer_argument>(&a.value);
    if (buffer == nullptr) continue;
    if (auto* random = std::get_if<random_init>(&buffer->init)) random->seed += k;
    const std::vector<uint8_t> contents = initial_contents(a);
    runtime.write(buffers[n], contents.data(), contents.size());
  }
}

}  // namespace

wcet_program analyse_wcet(const run_config& config, const compiled_program& program, bool observe) {
  models::machine_config machine = config.machine;
  machine.fidelity = models::fidelity::timing;
  virtual_platform gpu("gpu", machine);
  const interruption signals(gpu);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates: sockets are bound from here on
  device_runtime runtime(gpu);
  runtime.load(program.image);
  std::vector<uint64_t> buffers;
  const std::vector<std::vector<uint8_t>> values = place(config, runtime, buffers);
  std::vector<launch_request> requests;
  for (const run_launch& l : config.launches) {
    requests.push_back(request_of(l, runtime, values));
    runtime.prepare(requests.back());  // so that from here on there is room for all, and nothing moves
  }
  std::vector<std::unique_ptr<launch_analysis>> analyses;
  for (size_t k = 0; k < requests.size(); ++k) {
    placed_launch placed{
        &program.image, requests[k].kernel, runtime.prepare(requests[k]), config.launches[k].shape, {}};
    placed.buffers = buffers_of(gpu, placed.prepared);
    analyses.push_back(std::make_unique<launch_analysis>(gpu, runtime, placed, config.wcet, config.program.source));
  }
  require_places(analyses);
  if (signals.signal() != 0) throw interrupted_error(signals.signal());
  const bool measured = config.wcet.block_times == block_time_source::measured;
  const uint32_t runs = measured ? config.wcet.runs : observe ? 1 : 0;
  bool completed = true;
  for (uint32_t n = 0; n < runs && completed; ++n) {
    if (n != 0) refill(config, buffers, n, runtime);
    for (size_t k = 0; k < requests.size() && completed; ++k)
      completed = analyses[k]->run(gpu, runtime, runtime.prepare(requests[k])).completed;
  }
  wcet_program out;
  out.signal = signals.signal();
  if (out.signal != 0 && measured) throw interrupted_error(out.signal);
  out.file = config.file;
  out.source = config.program.source;
  out.inputs = {config.effective, input_files(config), {}};
  for (size_t k = 0; k < analyses.size(); ++k) {
    out.launches.push_back(analyses[k]->take_result());
    out.launches.back()->file = config.file;
    out.launches.back()->kernel = config.launches[k].kernel;
    observation& o = out.launches.back()->observed;
    if (out.signal != 0 && o.made && !o.completed) o.error = "interrupted by " + signal_name(out.signal);
  }
  return out;
}

}  // namespace pws::platform
