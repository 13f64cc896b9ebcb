// SPDX-License-Identifier: Apache-2.0
#include "platform/wcet/wcet_analysis.h"

#include <optional>

#include "platform/config/files/buffer.h"
#include "platform/config/machine_loader.h"
#include "platform/machine/interruption.h"
#include "platform/program/scheme_use.h"
#include "platform/session/session.h"
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

using analyses = std::vector<std::unique_ptr<launch_analysis>>;

// Holds each launch against what its analysis takes for granted, and measures it.
class observed_bounds : public instrument {
 public:
  observed_bounds(const models::gpu& gpu, analyses& all) : gpu_(gpu), all_(all) {}
  void launch_begins(const kernel_launch&, launch_report& r) override { all_[r.number - 1]->launch_begins(gpu_); }
  bool launch_ended(const kernel_launch&, launch_report& r) override {
    all_[r.number - 1]->launch_ended(r.completed, r.error, r.cycles);
    return true;
  }

 private:
  const models::gpu& gpu_;
  analyses& all_;
};

}  // namespace

wcet_program analyse_wcet(const run_config& config, const compiled_program& program, bool observe) {
  models::machine_config machine = config.machine;
  machine.fidelity = models::fidelity::timing;
  session s(machine, {}, {});
  models::gpu& gpu = s.gpu;
  device_runtime& runtime = s.runtime();
  runtime.load(program.image);
  const laid_out_run laid_out = lay_out(config, runtime.layout());
  fill(config, laid_out.buffers, 0, runtime);
  analyses all;
  std::vector<std::vector<std::string>> misplaced;
  for (size_t k = 0; k < config.launches.size(); ++k) {
    const kernel_launch placed = runtime.layout().prepare(laid_out.launches[k]);
    all.push_back(std::make_unique<launch_analysis>(gpu.config, runtime.layout(), placed, config.wcet));
    misplaced.push_back(all.back()->misplaced_bounds());
  }
  require_places(misplaced);
  const bool measured = config.wcet.block_times == block_time_source::measured;
  const uint32_t runs = measured ? config.wcet.runs : observe ? 1 : 0;
  bool completed = true;
  // Only what runs has something to save: while bounds are computed a signal ends the process at once.
  std::optional<interruption> signals;
  if (runs != 0) signals.emplace().stop(gpu);
  s.add(std::make_unique<observed_bounds>(gpu, all));
  for (uint32_t n = 0; n < runs && completed; ++n) {
    if (n != 0) fill(config, laid_out.buffers, n, runtime);
    for (size_t k = 0; k < all.size() && completed; ++k) {
      kernel_launch l = laid_out.launches[k];
      launch_report r = s.announce(l, k + 1, models::fidelity::timing);
      s.prepare(l);
      s.run(l, r);
      completed = r.completed;
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
  const std::vector<std::string> idle = outputs_without_effect(config.effective, "wcet");
  out.warnings.insert(out.warnings.end(), idle.begin(), idle.end());
  out.inputs = {config.effective, input_files(config), {}};
  for (size_t k = 0; k < all.size(); ++k) {
    out.launches.push_back(all[k]->take_result());
    out.launches.back()->file = config.file;
    out.launches.back()->kernel = config.launches[k].kernel;
    observation& o = out.launches.back()->observed;
    if (out.signal != 0 && o.made && !o.completed) o.error = "interrupted by " + signal_name(out.signal);
  }
  return out;
}

}  // namespace pws::platform
