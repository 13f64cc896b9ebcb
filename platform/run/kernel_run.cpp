#include "platform/run/kernel_run.h"

#include <chrono>
#include <ctime>
#include <optional>

#include "base/error.h"
#include "platform/gpu/attached_observer.h"
#include "platform/gpu/interruption.h"
#include "platform/gpu/progress.h"
#include "platform/runtime/device_runtime.h"
#include "platform/runtime/kernel_resources.h"
#include "platform/trace/timeline.h"
#include "platform/trace/vcd_trace.h"
#include "platform/uniformity/branch_counter.h"
#include "platform/wcet/loop_checks.h"

namespace pws::platform {

namespace {

void refuse_untimed_traces(const models::machine_config& machine, const run_outputs& outputs) {
  if (machine.fidelity == models::fidelity::timing) return;
  if (!outputs.vcd.empty())
    throw input_error("--vcd: a functional run has no time to show; set machine.fidelity: timing");
  if (!outputs.timeline.empty())
    throw input_error("--timeline: a functional run has no time to show; set machine.fidelity: timing");
}

// Moves buffers to the device; gives each argument as the kernel receives it, a buffer as its address.
std::vector<std::vector<uint8_t>> place(std::vector<kernel_argument>& arguments, device_runtime& runtime,
                                        std::vector<uint64_t>& addresses) {
  std::vector<std::vector<uint8_t>> values;
  for (kernel_argument& a : arguments) {
    addresses.push_back(0);
    if (!a.is_buffer) {
      values.push_back(a.bytes);
      continue;
    }
    const uint64_t size = a.bytes.empty() ? a.zeros : a.bytes.size();
    addresses.back() = runtime.allocate(size, "argument " + a.name);
    runtime.write(addresses.back(), a.bytes.data(), a.bytes.size());  // memory of a new machine is zero
    a.bytes = {};                                                     // the device has them now
    a.zeros = size;
    const auto* raw = reinterpret_cast<const uint8_t*>(&addresses.back());
    values.emplace_back(raw, raw + sizeof(uint64_t));
  }
  return values;
}

void prepare_cosimulation(virtual_platform& gpu, const run_outputs& outputs) {
  if (!outputs.rtl_vcd.empty() && !gpu.cosim.active())
    throw input_error("--rtl-vcd: no RTL runs; set machine.cosim.mode: rtl or lockstep");
  if (!gpu.cosim.active()) return;
  const std::string stem = outputs.vcd.empty() ? "cosim" : outputs.vcd.substr(0, outputs.vcd.rfind(".vcd"));
  gpu.cosim.describe_mismatches(outputs.command, stem + "-mismatch.vcd");
  if (!outputs.rtl_vcd.empty()) gpu.cosim.open_waveforms(outputs.rtl_vcd);
}

}  // namespace

run_report execute(kernel_run& run, const run_outputs& outputs) {
  refuse_untimed_traces(run.machine, outputs);
  virtual_platform gpu("gpu", run.machine);
  prepare_cosimulation(gpu, outputs);
  std::optional<vcd_trace> vcd;
  if (!outputs.vcd.empty()) vcd.emplace("vcd", gpu, outputs.vcd);
  std::optional<timeline> slices;
  if (!outputs.timeline.empty()) {
    slices.emplace(outputs.timeline, gpu.config);
    for (const uint32_t cu : run.machine.trace.cus) gpu.cus[cu]->attach(*slices);
  }
  const interruption signals(gpu);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates: sockets are bound from here on

  device_runtime runtime(gpu);
  runtime.load(*run.program);
  launch_request request;
  std::vector<uint64_t> addresses;
  request.kernel = runtime.find_kernel(run.kernel);
  request.grid = run.launch.grid;
  request.workgroup = run.launch.workgroup;
  request.dynamic_lds = run.launch.dynamic_lds;
  request.dynamic_stack = run.launch.dynamic_stack;
  request.arguments = place(run.arguments, runtime, addresses);
  loop_checks checks(gpu, runtime);
  loop_bound_checker* loops =
      run.machine.check.loop_bounds ? checks.of(*run.program, request.kernel, run.program->name()) : nullptr;
  branch_counter branches;
  branches.launching(request.kernel);
  const attached_observer counting(gpu, loops), listening(gpu, run.observer),
      measuring(gpu, run.machine.trace.branch_uniformity ? &branches : nullptr);

  std::optional<progress_line> progress;
  if (outputs.progress)
    progress.emplace(gpu);
  else if (outputs.progress_every != 0)
    progress.emplace(gpu, std::chrono::seconds(outputs.progress_every));
  const auto began = std::chrono::steady_clock::now();
  const std::clock_t cpu_began = std::clock();
  const launch_result result = runtime.launch(request);
  const double cpu_seconds = static_cast<double>(std::clock() - cpu_began) / CLOCKS_PER_SEC;
  const double host_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  if (progress) progress->clear();

  for (size_t k = 0; k < run.arguments.size(); ++k) {
    kernel_argument& a = run.arguments[k];
    if (!a.is_buffer || !a.read_back) continue;
    a.bytes.resize(a.zeros);
    runtime.read(addresses[k], a.bytes.data(), a.bytes.size());
  }
  if (slices) slices->close();

  run_report report;
  report.kernel = run.kernel;
  report.machine = run.machine;
  report.launch = run.launch;
  report.counted_loops = loops == nullptr ? 0 : loops->loops().size();
  const uint64_t work_items = uint64_t{run.launch.workgroup[0]} * run.launch.workgroup[1] * run.launch.workgroup[2];
  report.occupancy =
      models::occupancy_of(gpu.config, resources_of(*request.kernel.kernel, work_items, run.launch.dynamic_lds));
  for (const kernel_branches& k : branches.results()) report.branches = k;  // none, or this kernel
  report.host_seconds = host_seconds;
  report.host_cpu_seconds = cpu_seconds;
  report.completed = result.completed;
  report.error = result.error;
  report.signal = signals.signal();
  if (report.signal != 0 && !report.completed) report.error = "interrupted by " + signal_name(report.signal);
  if (run.machine.fidelity == models::fidelity::timing) {
    report.cycles = result.cycles;
    report.simulated_seconds = gpu.clock.time_of(result.cycles).to_seconds();
  }
  gather(report, gpu);
  if (vcd) {
    sc_core::sc_start(2 * gpu.clock.period());  // the last cycle's state into the waveform
    vcd->close();
  }
  return report;
}

}  // namespace pws::platform
