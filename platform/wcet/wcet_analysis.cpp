#include "platform/wcet/wcet_analysis.h"

#include <optional>

#include "platform/gpu/interruption.h"
#include "platform/hostcall/hostcall.h"
#include "platform/program/scheme_use.h"
#include "platform/run_file/buffer.h"
#include "platform/wcet/run_launch.h"

namespace pws::platform {

namespace {

// Buffers' contents for run `k`: random ones are others each time.
void fill(const run_config& config, const std::vector<uint64_t>& buffers, uint32_t k, device_runtime& runtime) {
  for (size_t n = 0; n < config.arguments.size(); ++n) {
    argument_config a = config.arguments[n];
    auto* buffer = std::get_if<buffer_argument>(&a.value);
    if (buffer == nullptr) continue;
    if (const auto pattern = repeated_pattern(*buffer)) {
      if (k != 0 || *pattern != 0) runtime.fill(buffers[n], buffer->bytes(), *pattern);  // new memory is zero
      continue;
    }
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
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates: sockets are bound from here on
  device_runtime runtime(gpu);
  runtime.load(program.image);
  const laid_out_run laid_out = lay_out(config, runtime.layout());
  fill(config, laid_out.buffers, 0, runtime);
  std::vector<std::unique_ptr<launch_analysis>> analyses;
  std::vector<std::vector<std::string>> misplaced;
  for (size_t k = 0; k < config.launches.size(); ++k) {
    const placed_launch placed = place(config, k, program.image, laid_out, runtime.layout());
    analyses.push_back(std::make_unique<launch_analysis>(gpu, runtime, placed, config.wcet, config.program.source));
    misplaced.push_back(analyses.back()->misplaced_bounds());
  }
  require_places(misplaced);
  const bool measured = config.wcet.block_times == block_time_source::measured;
  const uint32_t runs = measured ? config.wcet.runs : observe ? 1 : 0;
  bool completed = true;
  // Only what runs has something to save: while bounds are computed a signal ends the process at once.
  std::optional<interruption> signals;
  if (runs != 0) signals.emplace().stop(gpu);
  hostcall_server host(gpu, runtime, hostcall_server::host_functions::none);  // as for pwsvp run
  for (uint32_t n = 0; n < runs && completed; ++n) {
    if (n != 0) fill(config, laid_out.buffers, n, runtime);
    for (size_t k = 0; k < analyses.size() && completed; ++k) {
      host.provide_for(laid_out.requests[k].kernel.kernel->metadata);
      completed = analyses[k]->run(gpu, runtime, runtime.prepare(laid_out.requests[k])).completed;
    }
  }
  wcet_program out;
  if (signals) out.signal = signals->signal();
  signals.reset();
  if (out.signal != 0 && measured) throw interrupted_error(out.signal);
  out.file = config.file;
  out.source = config.program.source;
  out.by_launch = program.placed.by_launch;
  out.warnings = warnings_of(config, program.image);
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
