#include "platform/hip/device.h"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "models/machine/occupancy.h"
#include "platform/check/finding_report.h"
#include "platform/gpu/attached_observer.h"
#include "platform/gpu/progress.h"
#include "platform/runtime/kernel_arguments.h"
#include "platform/runtime/kernel_resources.h"
#include "platform/wcet/buffer_checker.h"
#include "platform/wcet/launch_analysis.h"
#include "platform/wcet/wcet_report.h"

namespace pws::platform::hip {

namespace {
using models::most_work_items;

launch_request request_of(const kernel_launch& l) {
  launch_request r;
  r.kernel = l.function->loaded;
  for (size_t k = 0; k < 3; ++k) {
    r.grid[k] = static_cast<uint32_t>(l.grid[k]);
    r.workgroup[k] = static_cast<uint32_t>(l.workgroup[k]);
  }
  r.dynamic_lds = static_cast<uint32_t>(l.dynamic_lds);
  r.arguments = l.arguments;
  r.cooperative = l.together != launch_together::no;
  r.grids = r.cooperative ? 1 : 0;
  return r;
}

// What device code finds of the grids of a launch over several devices. (ROCm device libraries, ockl multi_grid, as in
// clang 15)
struct grids_description {
  uint64_t barrier = 0;  // address of a word: grids that have come, and rounds above bit 8
  uint32_t grid = 0, grids = 1;
  uint64_t work_items_before = 0, work_items = 0;  // of the grids in front of this one, and of all
  uint32_t count = 0, unused = 0;
};

models::machine_config with_memory_at(models::machine_config machine, const models::memory_place& place) {
  machine.memory.dram.place = place;
  return machine;
}
}  // namespace

std::string no_grid_barriers(const models::machine_config& m) {
  const models::scheme_traits& scheme = models::traits_of(m.divergence);
  if (scheme.forms_warps())
    return fmt::format("barriers of the grid are for wavefronts, and machine.divergence {} forms warps", scheme.name);
  if (models::finds_hardware_errors(m.check)) return "checks (machine.check) do not know barriers of the grid";
  return "";
}

device::device(const exec_config& config, const device_site& site, device_past past)
    : gpu("gpu", with_memory_at(config.machine, site.place), site.while_building),
      config_(config),
      log_(site.log),
      machine_(site.place.machine),
      cycles_(past.cycles),
      past_peak_(past.peak_bytes) {
  if (needs_waveform(config.machine.trace, config.vcd, config.rtl_vcd)) {
    waveform.emplace("vcd", gpu, config.vcd);
    waveform->stop();
  }
  if (gpu.cosim.active()) {
    const char* command = std::getenv(command_variable);
    gpu.cosim.describe_mismatches(command == nullptr ? "" : command, "cosim-mismatch.vcd");
    if (!config.rtl_vcd.empty()) gpu.cosim.open_waveforms(config.rtl_vcd, config.machine.trace.depth);
    if (!config.rtl_coverage.empty()) gpu.cosim.cover(config.rtl_coverage);
  }
  if (!config.timeline.empty()) timeline_.emplace(config.timeline, gpu.config);
  sc_core::sc_start(sc_core::SC_ZERO_TIME);  // elaborates: sockets are bound from here on
  runtime = std::make_unique<device_runtime>(gpu);
  if (timeline_) timeline_->set_source_lines([this](uint64_t pc) { return loader::text(runtime->source_at(pc)); });
  checks_ = std::make_unique<machine_checks>(gpu, *runtime);
  if (!config.profile.empty() || !config.coverage.empty()) profile_ = std::make_unique<profile_recorder>(gpu, *runtime);
  memory = std::make_unique<hip::memory>(gpu, *runtime, site.memories, site.number);
  hostcalls_ = std::make_unique<hostcall_server>(gpu, *runtime, hostcall_server::host_functions::callable);
  loop_checks_ = std::make_unique<loop_checks>(gpu, *runtime);
  if (gpu.config.hardware_queues > 1) beside_ = std::make_unique<running_launches>(gpu, *runtime, log_);
}

uint32_t device::workgroups_per_cu(const kernel_function& f, uint64_t work_items, uint64_t dynamic_lds) const {
  const loader::kernel& k = *f.loaded.kernel;
  if (work_items > most_work_items) return 0;
  return static_cast<uint32_t>(models::workgroups_per_cu(gpu.config, resources_of(k, work_items, dynamic_lds)));
}

void device::check(const kernel_launch& l) const {
  const loader::kernel& k = *l.function->loaded.kernel;
  if (l.cus.count(gpu.config.n_cu) == 0)
    throw failure(
        hipErrorLaunchOutOfResources,
        fmt::format("{}: none of the {} compute units is in the mask of its stream", k.demangled, gpu.config.n_cu));
  uint64_t work_items = 1;
  for (size_t d = 0; d < 3; ++d) {
    if (l.grid[d] == 0 || l.workgroup[d] == 0)
      throw failure(hipErrorInvalidConfiguration, fmt::format("{}: a grid or block without threads", k.demangled));
    if (l.grid[d] > UINT32_MAX || l.workgroup[d] > most_work_items)
      throw failure(hipErrorInvalidConfiguration,
                    fmt::format("{}: {} threads in {}, in blocks of {}: at most {} and {} are possible", k.demangled,
                                l.grid[d], "xyz"[d], l.workgroup[d], UINT32_MAX, most_work_items));
    work_items *= l.workgroup[d];
  }
  const uint32_t compiled_for = k.metadata.max_flat_workgroup_size;
  const uint32_t limit = compiled_for == 0 ? most_work_items : std::min(most_work_items, compiled_for);
  if (work_items > limit)
    throw failure(hipErrorInvalidConfiguration,
                  fmt::format("{}: blocks of {} x {} x {} = {} threads; the kernel was compiled for at most {}",
                              k.demangled, l.workgroup[0], l.workgroup[1], l.workgroup[2], work_items, limit));
  if (workgroups_per_cu(*l.function, work_items, l.dynamic_lds) == 0)
    throw failure(hipErrorLaunchOutOfResources,
                  fmt::format("{}: a block of {} threads with {} vector and {} scalar registers and {} + {} bytes of "
                              "LDS does not fit a compute unit",
                              k.demangled, work_items, k.descriptor.n_vgprs, k.descriptor.n_sgprs,
                              k.metadata.group_segment_fixed_size, l.dynamic_lds));
  if (l.together != launch_together::no) check_that_all_fit(l, work_items);
}

// Of a cooperative launch: contexts, registers and LDS are there for all workgroups at the same time.
void device::check_that_all_fit(const kernel_launch& l, uint64_t work_items) const {
  const std::string& name = l.function->loaded.kernel->demangled;
  if (const std::string why = no_grid_barriers(gpu.config); !why.empty())
    throw failure(hipErrorNotSupported, name + ": " + why);
  uint64_t blocks = 1;
  for (size_t d = 0; d < 3; ++d) blocks *= (l.grid[d] - 1) / l.workgroup[d] + 1;
  const uint32_t n_cu = l.cus.count(gpu.config.n_cu);
  const uint64_t fit = uint64_t{workgroups_per_cu(*l.function, work_items, l.dynamic_lds)} * n_cu;
  if (blocks > fit)
    throw failure(hipErrorCooperativeLaunchTooLarge,
                  fmt::format("{}: {} blocks of {} threads; {} are in the machine at the same time, {} in each of {} "
                              "compute units",
                              name, blocks, work_items, fit, fit / n_cu, n_cu));
}

// The address; there is one device, and one such launch at a time.
uint64_t device::describe_grids(const kernel_launch& l) {
  if (grids_ == 0)
    grids_ = runtime->allocate(sizeof(grids_description), "description of grids", device_heap::alignment,
                               isa::memory_use::service);
  grids_description d;
  d.barrier = grids_ + offsetof(grids_description, count);
  d.work_items = l.grid[0] * l.grid[1] * l.grid[2];
  runtime->write(grids_, &d, sizeof d);
  return grids_;
}

void device::set_tracing(bool on) {
  if (waveform && on) waveform->resume();
  if (waveform && !on) waveform->stop();
  if (!timeline_) return;
  for (const uint32_t k : gpu.config.trace.cus) {
    models::compute_unit& cu = *gpu.cus[k];
    if (on)
      cu.attach(*timeline_);
    else
      cu.detach(*timeline_);
  }
  if (!on) timeline_->pause();
}

// What runs beside a traced launch is seen too.
void device::trace(bool traced, bool on) {
  if (!traced) return;
  if (on && traced_++ == 0) set_tracing(true);
  if (!on && --traced_ == 0) set_tracing(false);
}

launch_result device::submit(const kernel_launch& l, const prepared_launch& prepared, launch_record& record) {
  if (config_.bounds) return submit_bounded(l, prepared, record);
  loop_bound_checker* const loops =
      config_.machine.check.loop_bounds
          ? loop_checks_->of(l.function->module->image(), l.function->loaded, program_name())
          : nullptr;
  const attached_observer counting(gpu, loops);
  return runtime->submit(prepared);
}

// With the bound of its worst case: the static one before the launch runs, one of measured block times after it. Its
// loops are counted even if it has none.
launch_result device::submit_bounded(const kernel_launch& l, const prepared_launch& prepared, launch_record& record) {
  launch_bound_record& bound = record.bound.emplace();
  std::unique_ptr<launch_analysis> analysis;
  std::unique_ptr<wcet_result> bounded;
  loop_bound_checker* loops = nullptr;
  const bool measured = config_.wcet.block_times == block_time_source::measured;
  const auto noting_errors = [&](auto&& f) {
    try {
      f();
    } catch (const input_error& e) {
      bound.error = e.what();
    } catch (const program_error& e) {
      bound.error = e.what();
    } catch (const std::logic_error& e) {
      bound.error = std::string("internal error: ") + e.what();
    }
  };
  noting_errors([&] { loops = loop_checks_->of(l.function->module->image(), l.function->loaded, program_name()); });
  noting_errors([&] {
    if (!l.cus.is_all_of(gpu.config.n_cu))
      throw input_error("its stream may use some of the compute units alone; bounds are for all of them");
    placed_launch placed;
    placed.program = &l.function->module->image();
    placed.kernel = l.function->loaded;
    placed.prepared = prepared;
    placed.shape.grid = record.grid;
    placed.shape.workgroup = record.workgroup;
    placed.buffers = buffers_of(runtime->layout(), prepared);
    analysis = std::make_unique<launch_analysis>(gpu, *runtime, placed, config_.wcet, program_name());
    log_.note_misplaced(analysis->misplaced_bounds());
    loops = &analysis->loop_bounds();  // with those that the configuration has a bound for
    if (!measured) bounded = analysis->take_result();
  });
  const bool times_blocks = measured && analysis && record.fidelity == models::fidelity::timing;
  if (measured && analysis && !times_blocks) bound.error = "functional fidelity has no block times";
  launch_result result;
  if (times_blocks) {
    result = analysis->run(gpu, *runtime, prepared);
    noting_errors([&] { bounded = analysis->take_result(); });
  } else {
    const attached_observer counting(gpu, loops);
    const attached_observer checking(gpu, analysis ? analysis->buffers() : nullptr);
    result = runtime->submit(prepared);
  }
  if (loops != nullptr) bound.broken = loops->broken();
  if (analysis && analysis->buffers() != nullptr && bound.broken.empty()) bound.broken = analysis->buffers()->broken();
  if (!bounded) return result;
  const scheme_bound* mine = bounded->configured();
  if (mine == nullptr) {
    bound.error = fmt::format("machine.divergence {} has no bound with static block times",
                              models::traits_of(gpu.config.divergence).name);
    return result;
  }
  for (size_t k = 0; k < bound.schemes.size(); ++k) {
    const scheme_bound& s = bounded->schemes[k];
    bound.schemes[k] = {
        s.wavefront.cycles,   s.d, s.g_parallel, s.d_s, s.e_kernel, parts_of(*bounded, s.wavefront).memory,
        s.wavefront.splitting};
  }
  if (const measured_basis* m = bounded->measured()) bound.measured = *m;
  if (result.completed && result.cycles > mine->e_kernel) {
    result.completed = false;
    result.error =
        fmt::format("{} took {} cycles, longer than its bound {}", bounded->kernel, result.cycles, mine->e_kernel);
    bound.broken = result.error;
  }
  return result;
}

launch_result device::run(const kernel_launch& l, launch_record& record) {
  hostcalls_->provide_for(l.function->loaded.kernel->metadata);
  gpu.set_fidelity(record.fidelity);
  launch_request request = request_of(l);
  if (l.together == launch_together::grids) request.grids = describe_grids(l);
  runtime->set_compute_units(l.cus);
  prepared_launch prepared = runtime->prepare(request);
  if (beside_) prepared.packet.launch_number = record.number;  // as those that begin() has given to the machine
  memory->copy_registered_in();
  memory->note_visible_writes();
  std::optional<progress_line> progress;
  if (isatty(STDERR_FILENO) != 0) progress.emplace(gpu);
  trace(record.traced, true);
  const auto began = std::chrono::steady_clock::now();
  if (config_.machine.trace.branch_uniformity) branches_.launching(l.function->loaded);
  const attached_observer measuring(gpu, config_.machine.trace.branch_uniformity ? &branches_ : nullptr);
  const attached_observer profiling(gpu, profile_.get());
  checks_->launch_begins(beside_ ? record.number : 0);
  launch_result result = submit(l, prepared, record);
  if (profile_) profile_->launch_ended();
  if (!checks_->launch_ended(result.completed, beside_ ? record.number : 0) && result.completed) {
    result.completed = false;
    result.error = "a check has found something (machine.check.stop: first)";
  }
  record.host_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  trace(record.traced, false);
  if (progress) progress->clear();
  memory->copy_registered_out();
  return result;
}

launch_record device::announce(const kernel_launch& l) {
  const loader::kernel& k = *l.function->loaded.kernel;
  try {
    if (failed())
      throw failure(failure_code_, fmt::format("{} is not launched: an earlier launch has failed, and the machine "
                                               "stands still until hipDeviceReset",
                                               k.demangled));
    check(l);
  } catch (const failure&) {
    ++log_.refused;
    throw;
  }
  log_.note_code(l.function->code());
  launch_record record;
  record.number = ++log_.announced;
  record.machine = machine_;
  record.kernel = k.demangled;
  record.fidelity = config_.fidelity_of(record.number, k.metadata.name, k.demangled);
  record.traced = record.fidelity == models::fidelity::timing && (waveform || timeline_) &&
                  config_.traces(record.number, k.metadata.name, k.demangled);
  for (size_t d = 0; d < 3; ++d) {
    record.grid[d] = static_cast<uint32_t>(l.grid[d]);
    record.workgroup[d] = static_cast<uint32_t>(l.workgroup[d]);
  }
  record.lds_bytes = l.dynamic_lds;
  if (!l.cus.is_all_of(gpu.config.n_cu))
    for (uint32_t cu = 0; cu < gpu.config.n_cu; ++cu)
      if (l.cus.has(cu)) record.compute_units.push_back(cu);
  record.occupancy = models::occupancy_of(
      gpu.config, resources_of(k, l.workgroup[0] * l.workgroup[1] * l.workgroup[2], l.dynamic_lds));
  return record;
}

void device::run_alone(const kernel_launch& l, launch_record record) {
  gpu.make_current();
  const machine_counters before = read_counters(gpu);
  launch_result result;
  record.began = runtime->now();
  const models::cycle_t functional_before = gpu.dispatcher.functional_time();
  try {
    result = run(l, record);
  } catch (const input_error& e) {
    if (log_.announced == record.number) --log_.announced;
    ++log_.refused;
    throw failure(hipErrorInvalidConfiguration, e.what());
  }
  std::fflush(stdout);  // what the kernel printed, before what the program does next
  record.completed = result.completed;
  record.error = result.error;
  if (record.fidelity == models::fidelity::timing) record.cycles = result.cycles;
  record.ended = record.began + record.cycles;
  record.counters = read_counters(gpu) - before;
  cycles_ += record.cycles + gpu.dispatcher.functional_time() - functional_before;
  last_end_ = std::max(last_end_, record.ended + gpu.dispatcher.functional_time());
  const uint64_t number = record.number;
  log_.add(std::move(record));
  if (result.completed) return;
  failure_code_ = hostcalls_->said_error() ? hipErrorAssert : hipErrorLaunchFailure;
  throw failure(failure_code_, fmt::format("launch {}: {}", number, result.error));
}

void device::check_that_it_can_be_reset() const {
  if (!failed()) return;
  const bool watched = beside_ || waveform || timeline_ || profile_ || gpu.cosim.active() ||
                       models::finds_hardware_errors(gpu.config.check) || gpu.config.trace.branch_uniformity;
  require(!watched, hipErrorNotSupported,
          "after a fault the machine is built anew, which waveforms, timelines, profiles, checks, RTL units, counts of "
          "branches and several hardware queues do not live through");
}

void device::begin(const kernel_launch& l, launch_record record, uint32_t queue) {
  gpu.make_current();
  try {
    hostcalls_->provide_for(l.function->loaded.kernel->metadata);
    if (!busy()) gpu.set_fidelity(record.fidelity);
    const prepared_launch prepared = runtime->prepare(request_of(l), queue);
    trace(record.traced, true);
    memory->note_visible_writes();
    checks_->launch_begins(record.number);
    beside_->begin(std::move(record), prepared, queue);
  } catch (const input_error& e) {
    ++log_.refused;
    throw failure(hipErrorInvalidConfiguration, e.what());
  }
}

std::vector<uint32_t> device::run_to_next_completion() {
  gpu.make_current();
  std::optional<progress_line> progress;
  if (isatty(STDERR_FILENO) != 0) progress.emplace(gpu);
  const auto ended = beside_->run_to_next_completion();
  if (progress) progress->clear();
  std::fflush(stdout);  // what kernels printed, before what the program does next
  last_end_ = std::max(last_end_, beside_->last_end() + gpu.dispatcher.functional_time());
  std::vector<uint32_t> queues;
  bool goes_on = true;
  for (const running_launches::ended& e : ended) {
    goes_on = checks_->launch_ended(e.error.empty(), e.number) && goes_on;
    trace(e.traced, false);
    queues.push_back(e.queue);
  }
  const running_launches::ended* failed = nullptr;
  for (const running_launches::ended& e : ended)
    if (!e.error.empty() && (failed == nullptr || failed->bystander)) failed = &e;
  if (failed == nullptr && goes_on) return queues;
  if (failed == nullptr) {
    failure_code_ = hipErrorLaunchFailure;
    throw failure(failure_code_, "a check has found something (machine.check.stop: first)");
  }
  failure_code_ = hostcalls_->said_error() ? hipErrorAssert : hipErrorLaunchFailure;
  throw failure(failure_code_, fmt::format("launch {}: {}", failed->number, failed->error));
}

void device::note_input(const std::string& file, const std::vector<uint8_t>& contents) {
  if (!config_.report.empty()) log_.add_input(hashed(file, contents));
}

memory_use device::use_of_memory() const {
  return {memory->total(), std::max(past_peak_, memory->peak_bytes()), memory->blocks(), memory->live_bytes()};
}

void device::note_code() {
  if (profile_ && !finished_) profile_->note_objects();
}

void device::finish(output_problems& problems, const unused_code& unused) {
  if (finished_) return;
  finished_ = true;
  gpu.make_current();
  if (waveform && !failed()) sc_core::sc_start(2 * gpu.clock.period());  // the last cycle's state into the waveform
  if (waveform) problems.noting([&] { waveform->close(); });
  waveform.reset();
  problems.noting([&] { gpu.cosim.close_waveforms(); });
  problems.noting([&] { gpu.cosim.write_coverage(); });
  if (timeline_) problems.noting([&] { timeline_->close(); });
  if (profile_) {
    profile p = profile_->result();
    unused.add_to(p);
    write_profiles({config_.profile, config_.coverage}, p, problems);
  }
  // Empty with several devices, which have none of this.
  log_.cosim = {gpu.config.cosim.mode, gpu.cosim.units(), gpu.cosim.statistics()};
  log_.branches = branches_.results();
  log_.found = checks_->results();
}

}  // namespace pws::platform::hip
