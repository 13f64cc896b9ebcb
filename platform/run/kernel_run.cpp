#include "platform/run/kernel_run.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <ctime>
#include <optional>

#include "base/error.h"
#include "models/compute_unit/standing_waves.h"
#include "platform/check/machine_checks.h"
#include "platform/gpu/attached_observer.h"
#include "platform/gpu/interruption.h"
#include "platform/gpu/progress.h"
#include "platform/hostcall/hostcall.h"
#include "platform/output/output_files.h"
#include "platform/profile/profile_files.h"
#include "platform/profile/profile_recorder.h"
#include "platform/report/statistics_rows.h"
#include "platform/run_file/buffer.h"
#include "platform/runtime/device_runtime.h"
#include "platform/runtime/kernel_resources.h"
#include "platform/trace/machine_waveform.h"
#include "platform/trace/timeline.h"
#include "platform/uniformity/branch_counter.h"
#include "platform/wcet/loop_checks.h"
#include "platform/wcet/run_launch.h"

namespace pws::platform {

namespace {

void refuse_untimed_traces(const models::machine_config& machine, const run_outputs& outputs) {
  if (machine.fidelity == models::fidelity::timing) return;
  if (!outputs.vcd.empty())
    throw input_error("--vcd: a functional run has no time to show; set machine.fidelity: timing");
  if (!outputs.timeline.empty())
    throw input_error("--timeline: a functional run has no time to show; set machine.fidelity: timing");
  if (!outputs.stats.empty())
    throw input_error("--stats: a functional run has no cycles to count by; set machine.fidelity: timing");
}

// Moves buffers to the device, those that nobody has written with their poison or else as memory is filled; gives each
// argument as the kernel receives it, a buffer as its address.
std::vector<std::vector<uint8_t>> place(std::vector<kernel_argument>& arguments, device_runtime& runtime,
                                        std::vector<uint64_t>& addresses, bool keeps_poison) {
  std::vector<std::vector<uint8_t>> values;
  for (kernel_argument& a : arguments) {
    addresses.push_back(0);
    if (!a.is_buffer) {
      values.push_back(a.bytes);
      continue;
    }
    const bool repeats = a.bytes.empty();
    const uint64_t size = repeats ? a.size : a.bytes.size();
    addresses.back() = runtime.allocate(size, "argument " + a.name);
    if (a.unwritten) {
      if (keeps_poison) runtime.fill(addresses.back(), size, a.pattern);
    } else if (!repeats) {
      runtime.write(addresses.back(), a.bytes.data(), size);
    } else if (a.pattern == 0) {
      runtime.clear(addresses.back(), size);
    } else {
      runtime.fill(addresses.back(), size, a.pattern);
      runtime.note_host_write(addresses.back(), size);
    }
    a.bytes = {};  // the device has them now
    a.size = size;
    const auto* raw = reinterpret_cast<const uint8_t*>(&addresses.back());
    values.emplace_back(raw, raw + sizeof(uint64_t));
  }
  for (size_t k = 0; k < values.size(); ++k) put_addresses(arguments[k].pointers, addresses, values[k]);
  return values;
}

launch_report begun(const run_launch& l, const launch_request& request, const virtual_platform& gpu, uint64_t number) {
  launch_report r;
  r.number = number;
  r.kernel = l.kernel;
  r.fidelity = gpu.config.fidelity;
  r.grid = l.shape.grid;
  r.workgroup = l.shape.workgroup;
  r.lds_bytes = l.shape.dynamic_lds;
  const uint64_t work_items = uint64_t{r.workgroup[0]} * r.workgroup[1] * r.workgroup[2];
  r.occupancy = models::occupancy_of(gpu.config, resources_of(*request.kernel.kernel, work_items, r.lds_bytes));
  return r;
}

// Where its wavefronts stand; "": there are none.
std::string in_execution(const virtual_platform& gpu) {
  std::vector<const models::compute_unit*> cus;
  for (const auto& cu : gpu.cus) cus.push_back(cu.get());
  const std::string standing = models::describe_standing(cus);
  return standing.empty() ? "" : ". In execution:\n" + standing;
}

void prepare_cosimulation(virtual_platform& gpu, const run_outputs& outputs) {
  for (const auto& [given, file] :
       {std::pair{"--rtl-vcd", outputs.rtl_vcd}, std::pair{"--rtl-coverage", outputs.rtl_coverage}})
    if (!file.empty() && !gpu.cosim.active())
      throw input_error(std::string(given) + ": no RTL runs; set machine.cosim.mode: rtl or lockstep");
  if (!gpu.cosim.active()) return;
  const std::string stem = outputs.vcd.empty() ? "cosim" : outputs.vcd.substr(0, outputs.vcd.rfind('.'));
  gpu.cosim.describe_mismatches(outputs.command, stem + "-mismatch.vcd");
  if (!outputs.rtl_vcd.empty()) gpu.cosim.open_waveforms(outputs.rtl_vcd, gpu.config.trace.depth);
  if (!outputs.rtl_coverage.empty()) gpu.cosim.cover(outputs.rtl_coverage);
}

run_report execute_on(virtual_platform& gpu, const interruption& signals, kernel_run& run, const run_outputs& outputs) {
  prepare_cosimulation(gpu, outputs);
  std::optional<machine_waveform> vcd;
  if (needs_waveform(run.machine.trace, outputs.vcd, outputs.rtl_vcd)) vcd.emplace("vcd", gpu, outputs.vcd);
  std::optional<timeline> slices;
  if (!outputs.timeline.empty()) {
    slices.emplace(outputs.timeline, gpu.config);
    for (const uint32_t cu : run.machine.trace.cus) gpu.cus[cu]->attach(*slices);
  }
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates: sockets are bound from here on

  device_runtime runtime(gpu);
  if (slices) slices->set_source_lines([&runtime](uint64_t pc) { return loader::text(runtime.source_at(pc)); });
  machine_checks found(gpu, runtime);
  runtime.load(*run.program);
  std::vector<uint64_t> addresses;
  std::optional<statistics_rows> rows;
  if (!outputs.stats.empty()) {
    rows.emplace(gpu, outputs.stats, outputs.stats_every);
    runtime.set_simulation([&rows] { rows->simulate(); });
  }
  const std::vector<std::vector<uint8_t>> values =
      place(run.arguments, runtime, addresses, run.machine.memory.fill == models::memory_fill::zero);
  hostcall_server host(gpu, runtime, hostcall_server::host_functions::none);
  loop_checks checks(gpu, runtime);
  branch_counter branches;
  std::optional<profile_recorder> profiled;
  if (!outputs.profile.empty() || !outputs.coverage.empty()) profiled.emplace(gpu, runtime);
  const attached_observer profiling(gpu, profiled ? &*profiled : nullptr);
  const attached_observer listening(gpu, run.observer),
      measuring(gpu, run.machine.trace.branch_uniformity ? &branches : nullptr);

  std::optional<progress_line> progress;
  if (outputs.progress)
    progress.emplace(gpu);
  else if (outputs.progress_every != 0)
    progress.emplace(gpu, std::chrono::seconds(outputs.progress_every));
  run_report report;
  report.machine = run.machine;
  const auto contents = [&](size_t argument) {
    std::vector<uint8_t> bytes(run.arguments[argument].size);
    runtime.read(addresses[argument], bytes.data(), bytes.size());
    return bytes;
  };
  const std::clock_t cpu_began = std::clock();
  for (const run_launch& l : run.launches) {
    const launch_request request = request_of(l, runtime.layout(), values);
    if (run.host_calls) host.provide_for(request.kernel.kernel->metadata);
    loop_bound_checker* loops =
        run.machine.check.loop_bounds ? checks.of(*run.program, request.kernel, run.program->name()) : nullptr;
    const attached_observer counting(gpu, loops);
    branches.launching(request.kernel);
    launch_report& one = report.launches.emplace_back(begun(l, request, gpu, report.launches.size() + 1));
    report.counted_loops += loops == nullptr ? 0 : loops->loops().size();
    const machine_counters before = read_counters(gpu);
    if (rows) rows->begin(one.number);
    const auto began = std::chrono::steady_clock::now();
    found.launch_begins();
    const launch_result result = runtime.launch(request);
    if (profiled) profiled->launch_ended();
    const bool go_on = found.launch_ended(result.completed);
    std::fflush(stdout);  // what the kernel printed
    one.host_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    one.counters = read_counters(gpu) - before;
    if (rows) rows->end(result.cycles);
    one.completed = result.completed;
    one.error = result.error;
    if (one.fidelity == models::fidelity::timing) one.cycles = result.cycles;
    report.cycles += one.cycles;
    report.host_seconds += one.host_seconds;
    report.completed = result.completed;
    report.error = run.launches.size() == 1 || result.completed
                       ? result.error
                       : fmt::format("launch {} of {}: {}", one.number, run.launches.size(), result.error);
    if (!result.completed || signals.signal() != 0) break;
    if (run.check) one.checks = run.check(l, contents);
    if (!go_on) break;
  }
  report.host_cpu_seconds = static_cast<double>(std::clock() - cpu_began) / CLOCKS_PER_SEC;
  if (progress) progress->clear();

  for (size_t k = 0; k < run.arguments.size(); ++k) {
    kernel_argument& a = run.arguments[k];
    if (!a.is_buffer || !a.read_back) continue;
    a.bytes = contents(k);
  }
  output_problems problems;
  if (slices) problems.noting([&] { slices->close(); });
  if (rows) problems.noting([&] { rows->close(); });
  if (profiled) write_profiles({outputs.profile, outputs.coverage}, profiled->result(), problems);

  report.branches = branches.results();
  report.found = found.results();
  report.signal = signals.signal();
  if (report.signal != 0 && !report.completed)
    report.error = "interrupted by " + signal_name(report.signal) + in_execution(gpu);
  gather(report, gpu);
  if (vcd) {
    sc_core::sc_start(2 * gpu.clock.period());  // the last cycle's state into the waveform
    problems.noting([&] { vcd->close(); });
  }
  problems.noting([&] { gpu.cosim.close_waveforms(); });
  problems.noting([&] { gpu.cosim.write_coverage(); });
  report.unwritten = problems.text();
  return report;
}

}  // namespace

run_report execute(kernel_run& run, const run_outputs& outputs) {
  refuse_untimed_traces(run.machine, outputs);
  interruption signals;
  std::optional<virtual_platform> gpu;
  try {
    gpu.emplace("gpu", run.machine, interruption::while_building(run.machine.n_cu));
  } catch (const interrupted_error& e) {
    run_report report;
    report.machine = run.machine;
    report.built = false;
    report.signal = e.signal();
    report.error = e.what();
    return report;
  }
  signals.stop(*gpu);
  return execute_on(*gpu, signals, run, outputs);
}

}  // namespace pws::platform
