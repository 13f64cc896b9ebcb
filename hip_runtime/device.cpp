// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/device.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cstddef>

#include "base/error.h"
#include "hip_runtime/debugging.h"
#include "hip_runtime/launch_bounds.h"
#include "models/machine/occupancy.h"
#include "platform/config/files/environment_text.h"
#include "platform/instruments/all_instruments.h"

namespace pws::hip {

namespace {
using models::most_work_items;

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

session_options options_of(const exec_config& config, const device_site& site) {
  session_options o;
  o.files = config.to_write;
  o.command = environment_text(command_variable).value_or("");
  o.chosen_launches = true;
  o.terminal = isatty(STDERR_FILENO) != 0;
  o.callable_host = true;
  o.unused = &site.unused;
  o.reconvergence = config.reconvergence;
  add_debugger(o);
  return o;
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
    : watched(with_memory_at(config.machine, site.place), options_of(config, site), all_instruments(),
              site.while_building),
      memory(std::make_unique<hip::memory>(gpu, *runtime, site.memories, site.number)),
      config_(config),
      log_(site.log),
      machine_(site.place.machine),
      cycles_(past.cycles),
      past_peak_(past.peak_bytes) {
  if (config.bounds) watched.add(std::make_unique<launch_bounds>(watched, config.wcet, log_));
  if (gpu.config.hardware_queues > 1) beside_ = std::make_unique<running_launches>(watched, log_);
}

uint32_t device::workgroups_per_cu(const loader::kernel& k, uint64_t work_items, uint64_t dynamic_lds) const {
  if (work_items > most_work_items) return 0;
  return static_cast<uint32_t>(models::workgroups_per_cu(gpu.config, resources_of(k, work_items, dynamic_lds)));
}

void device::check(const kernel_launch& l) const {
  const loader::kernel& k = *l.kernel.kernel;
  if (l.cus.count(gpu.config.n_cu) == 0)
    throw failure(
        hipErrorLaunchOutOfResources,
        fmt::format("{}: none of the {} compute units is in the mask of its stream", k.demangled, gpu.config.n_cu));
  for (size_t d = 0; d < 3; ++d) {
    if (l.grid[d] == 0 || l.workgroup[d] == 0)
      throw failure(hipErrorInvalidConfiguration, fmt::format("{}: a grid or block without threads", k.demangled));
    if (l.workgroup[d] > most_work_items)
      throw failure(hipErrorInvalidConfiguration, fmt::format("{}: blocks of {} threads in {}, at most {} are possible",
                                                              k.demangled, l.workgroup[d], "xyz"[d], most_work_items));
  }
  const uint64_t work_items = l.work_items();
  if (const auto others = wants_other_workgroups(l))
    throw failure(hipErrorInvalidConfiguration,
                  fmt::format("{}: blocks of {} = {} threads; the kernel was compiled for {}", k.demangled,
                              fmt::join(l.workgroup, " x "), work_items, *others));
  if (workgroups_per_cu(k, work_items, l.dynamic_lds) == 0)
    throw failure(hipErrorLaunchOutOfResources,
                  fmt::format("{}: a block of {} threads with {} vector and {} scalar registers and {} + {} bytes of "
                              "LDS does not fit a compute unit",
                              k.demangled, work_items, k.descriptor.n_vgprs, k.descriptor.n_sgprs,
                              k.metadata.group_segment_fixed_size, l.dynamic_lds));
  if (l.together != launch_together::no) check_that_all_fit(l);
}

// A cooperative launch needs contexts, registers and LDS for all its workgroups at the same time.
void device::check_that_all_fit(const kernel_launch& l) const {
  const std::string& name = l.kernel.kernel->demangled;
  if (const std::string why = no_grid_barriers(gpu.config); !why.empty())
    throw failure(hipErrorNotSupported, name + ": " + why);
  uint64_t blocks = 1;
  for (size_t d = 0; d < 3; ++d) blocks *= (l.grid[d] - 1) / l.workgroup[d] + 1;
  const uint32_t n_cu = l.cus.count(gpu.config.n_cu);
  const uint64_t fit = uint64_t{workgroups_per_cu(*l.kernel.kernel, l.work_items(), l.dynamic_lds)} * n_cu;
  if (blocks > fit)
    throw failure(hipErrorCooperativeLaunchTooLarge,
                  fmt::format("{}: {} blocks of {} threads; {} are in the machine at the same time, {} in each of {} "
                              "compute units",
                              name, blocks, l.work_items(), fit, fit / n_cu, n_cu));
}

// The address; there is one device, and one such launch at a time.
uint64_t device::describe_grids(const kernel_launch& l) {
  if (grids_ == 0)
    grids_ = runtime->allocate(sizeof(grids_description), "description of grids", device_heap::alignment,
                               isa::memory_use::service);
  grids_description d;
  d.barrier = grids_ + offsetof(grids_description, count);
  d.work_items = uint64_t{l.grid[0]} * l.grid[1] * l.grid[2];
  runtime->write(grids_, &d, sizeof d);
  return grids_;
}

launch_record device::announce(kernel_launch& l, const kernel_function& f, const models::cu_mask& cus) {
  const loader::kernel& k = *f.loaded.kernel;
  l.kernel = f.loaded;
  l.cus = cus;
  l.source = program_name();
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
  log_.note_code(f.code());
  const uint64_t number = ++log_.announced;
  const models::fidelity fidelity = config_.fidelity_of(number, k.metadata.name, k.demangled);
  launch_record record;
  static_cast<launch_report&>(record) = watched.announce(l, number, fidelity);
  record.machine = machine_;
  const bool shown = !config_.to_write.of("vcd").empty() || !config_.to_write.of("rtl_vcd").empty() ||
                     !config_.to_write.of("timeline").empty();
  record.traced = l.traced =
      fidelity == models::fidelity::timing && shown && config_.traces(number, k.metadata.name, k.demangled);
  if (!l.cus.is_all_of(gpu.config.n_cu))
    for (uint32_t cu = 0; cu < gpu.config.n_cu; ++cu)
      if (l.cus.has(cu)) record.compute_units.push_back(cu);
  return record;
}

void device::fail(hipError_t code, const std::string& why) {
  failure_code_ = code;
  throw failure(code, why);
}

namespace {
constexpr const char* stopped_by_check = "a check has found something (machine.check.stop: first)";
}  // namespace

void device::run_alone(kernel_launch& l, launch_record record) {
  watched.board.make_current();
  record.began = runtime->now();
  const models::cycle_t functional_before = gpu.dispatcher.functional_time();
  bool goes_on = true;
  try {
    gpu.set_fidelity(record.fidelity);
    if (l.together == launch_together::grids) l.grids = describe_grids(l);
    runtime->set_compute_units(l.cus);
    watched.prepare(l);
    if (beside_) l.packet.launch_number = record.number;  // as those that begin() has given to the machine
    memory->copy_registered_in();
    memory->note_visible_writes();
    goes_on = watched.run(l, record);
    memory->copy_registered_out();
  } catch (const input_error& e) {
    if (log_.announced == record.number) --log_.announced;
    ++log_.refused;
    throw failure(hipErrorInvalidConfiguration, e.what());
  }
  if (!goes_on && record.completed) {
    record.completed = false;
    record.error = stopped_by_check;
  }
  record.ended = record.began + record.cycles;
  cycles_ += record.cycles + gpu.dispatcher.functional_time() - functional_before;
  last_end_ = std::max(last_end_, record.ended + gpu.dispatcher.functional_time());
  const bool completed = record.completed;
  const std::string error = fmt::format("launch {}: {}", record.number, record.error);
  log_.add(std::move(record));
  if (!completed) fail(watched.host_calls().said_error() ? hipErrorAssert : hipErrorLaunchFailure, error);
}

void device::check_that_it_can_be_reset() const {
  require(!failed() || !(beside_ || config_.reconvergence.work_items != 0 ||
                         config_.to_write.any_needs(need::one_machine, gpu.config)),
          hipErrorNotSupported,
          "after a fault the machine is built anew, which waveforms, timelines, profiles, checks, RTL units, counts of "
          "branches, studies of reconvergence and several hardware queues do not live through");
}

void device::begin(kernel_launch l, launch_record record, uint32_t queue) {
  watched.board.make_current();
  try {
    if (!busy()) gpu.set_fidelity(record.fidelity);
    watched.prepare(l, queue);
    memory->note_visible_writes();
    beside_->begin(std::move(l), std::move(record), queue);
  } catch (const input_error& e) {
    ++log_.refused;
    throw failure(hipErrorInvalidConfiguration, e.what());
  }
}

std::vector<uint32_t> device::run_to_next_completion() {
  watched.board.make_current();
  const auto all = beside_->run_to_next_completion();
  last_end_ = std::max(last_end_, beside_->last_end() + gpu.dispatcher.functional_time());
  std::vector<uint32_t> queues;
  bool goes_on = true;
  const running_launches::ended* failed = nullptr;
  for (const running_launches::ended& e : all) {
    goes_on = goes_on && e.goes_on;
    queues.push_back(e.queue);
    if (!e.error.empty() && (failed == nullptr || failed->bystander)) failed = &e;
  }
  if (failed != nullptr)
    fail(watched.host_calls().said_error() ? hipErrorAssert : hipErrorLaunchFailure,
         fmt::format("launch {}: {}", failed->number, failed->error));
  if (!goes_on) fail(hipErrorLaunchFailure, stopped_by_check);
  return queues;
}

void device::note_input(const std::string& file, const std::vector<uint8_t>& contents) {
  if (!config_.to_write.of("report").empty()) log_.add_input(hashed(file, contents));
}

memory_use device::use_of_memory() const {
  return {memory->total(), std::max(past_peak_, memory->peak_bytes()), memory->blocks(), memory->live_bytes()};
}

void device::note_code() {
  if (!finished_) watched.note_code();
}

void device::finish(output_problems& problems) {
  if (finished_) return;
  finished_ = true;
  watched.board.make_current();
  watched.close(problems);
  findings found;
  watched.report(found);
  // Empty with several devices, which have none of this.
  log_.cosim = {gpu.config.cosim.mode, watched.board.cosim.units(), watched.board.cosim.statistics()};
  log_.branches = std::move(found.branches);
  log_.reconvergence = std::move(found.reconvergence);
  log_.found = std::move(found.found);
}

}  // namespace pws::hip
