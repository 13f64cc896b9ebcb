#include "platform/wcet/wcet_analysis.h"

#include "base/error.h"
#include "platform/gpu/interruption.h"
#include "platform/run_file/buffer.h"

namespace pws::platform {

namespace {

// The run's launch, laid out in device memory; `buffers` has the address of each argument that is one, else 0.
placed_launch lay_out(const run_config& config, const loader::program_image& program, device_runtime& runtime,
                      std::vector<uint64_t>& buffers) {
  placed_launch out;
  launch_request request;
  request.kernel = runtime.find_kernel(config.program.kernel);
  request.grid = config.launch.grid;
  request.workgroup = config.launch.workgroup;
  request.dynamic_lds = config.launch.dynamic_lds;
  request.dynamic_stack = config.launch.dynamic_stack;
  for (const argument_config& a : config.arguments) {
    const std::vector<uint8_t> contents = initial_contents(a);
    buffers.push_back(0);
    if (a.buffer() == nullptr) {
      request.arguments.push_back(contents);
      continue;
    }
    const uint64_t address = runtime.allocate(contents.size(), "argument " + a.name);
    runtime.write(address, contents.data(), contents.size());
    buffers.back() = address;
    const auto* raw = reinterpret_cast<const uint8_t*>(&address);
    request.arguments.emplace_back(raw, raw + sizeof address);
  }
  out.program = &program;
  out.kernel = request.kernel;
  out.prepared = runtime.prepare(request);
  out.shape = config.launch;
  return out;
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

std::unique_ptr<wcet_result> analyse_wcet(const run_config& config, const compiled_program& program, bool observe) {
  models::machine_config machine = config.machine;
  machine.fidelity = models::fidelity::timing;
  virtual_platform gpu("gpu", machine);
  const interruption signals(gpu);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates: sockets are bound from here on
  device_runtime runtime(gpu);
  runtime.load(program.image);
  std::vector<uint64_t> buffers;
  const placed_launch launch = lay_out(config, program.image, runtime, buffers);
  launch_analysis analysis(gpu, runtime, launch, config.wcet, config.program.source);
  for (const std::string& problem : analysis.misplaced_bounds())
    if (!problem.empty()) throw input_error(problem);
  const bool measured = config.wcet.block_times == block_time_source::measured;
  const uint32_t runs = measured ? config.wcet.runs : observe ? 1 : 0;
  for (uint32_t k = 0; k < runs; ++k) {
    if (k != 0) refill(config, buffers, k, runtime);
    if (!analysis.run(gpu, runtime, launch.prepared).completed) break;
  }
  if (signals.signal() != 0) throw interrupted_error(signals.signal());
  auto result = analysis.take_result();
  result->file = config.file;
  result->inputs = {config.effective, input_files(config), {}};
  result->kernel = config.program.kernel;
  return result;
}

}  // namespace pws::platform
