// SPDX-License-Identifier: Apache-2.0
#include "platform/run/kernel_run.h"

#include <fmt/format.h>

#include <ctime>
#include <optional>

#include "models/compute_unit/cu_messages.h"
#include "platform/config/files/buffer.h"
#include "platform/instruments/all_instruments.h"
#include "platform/instruments/findings.h"
#include "platform/machine/interruption.h"
#include "platform/session/session.h"
#include "platform/wcet/run_launch.h"

namespace pws::platform {

namespace {

// Moves buffers to the device, those that nobody has written with their poison or else as memory is filled; gives each
// argument as the kernel receives it, a buffer as its address.
std::vector<std::vector<uint8_t>> place(std::vector<launch_argument>& arguments, device_runtime& runtime,
                                        std::vector<uint64_t>& addresses, bool keeps_poison) {
  std::vector<std::vector<uint8_t>> values;
  for (launch_argument& a : arguments) {
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

// Where its wavefronts stand; "": there are none.
std::string in_execution(const models::gpu& gpu) {
  std::vector<const models::compute_unit*> cus;
  for (const auto& cu : gpu.cus) cus.push_back(cu.get());
  const std::string standing = models::describe_standing(cus);
  return standing.empty() ? "" : ". In execution:\n" + standing;
}

// The launches of a run, one after the other, on a session whose machine has its program and its buffers.
class launched_run {
 public:
  launched_run(session& s, kernel_run& run, const interruption& signals) : s_(s), run_(run), signals_(signals) {
    s_.runtime().load(*run.program);
    values_ = place(run.arguments, s_.runtime(), addresses_, run.machine.memory.fill == models::memory_fill::zero);
  }

  void launch_all(run_report& report) {
    const std::clock_t cpu_began = std::clock();
    for (const run_launch& l : run_.launches)
      if (!launch(l, report)) break;
    report.host_cpu_seconds = static_cast<double>(std::clock() - cpu_began) / CLOCKS_PER_SEC;
  }
  void read_back() {
    for (size_t k = 0; k < run_.arguments.size(); ++k)
      if (run_.arguments[k].is_buffer && run_.arguments[k].read_back) run_.arguments[k].bytes = contents(k);
  }

 private:
  // False: no further one is wanted.
  bool launch(const run_launch& l, run_report& report) {
    kernel_launch to_run = launch_of(l, s_.runtime().layout(), values_, run_.program->name());
    launch_report& one =
        report.launches.emplace_back(s_.announce(to_run, report.launches.size() + 1, s_.gpu.config.fidelity));
    one.kernel = l.kernel;
    s_.prepare(to_run);
    const bool goes_on = s_.run(to_run, one);
    report.cycles += one.cycles;
    report.host_seconds += one.host_seconds;
    report.completed = one.completed;
    report.error = run_.launches.size() == 1 || one.completed
                       ? one.error
                       : fmt::format("launch {} of {}: {}", one.number, run_.launches.size(), one.error);
    if (!one.completed || signals_.signal() != 0) return false;
    if (run_.check) one.checks = run_.check(l, [this](size_t argument) { return contents(argument); });
    return goes_on;
  }
  std::vector<uint8_t> contents(size_t argument) {
    std::vector<uint8_t> bytes(run_.arguments[argument].size);
    s_.runtime().read(addresses_[argument], bytes.data(), bytes.size());
    return bytes;
  }

  session& s_;
  kernel_run& run_;
  const interruption& signals_;
  std::vector<uint64_t> addresses_;           // by argument; 0: it is no buffer
  std::vector<std::vector<uint8_t>> values_;  // as a kernel receives them
};

}  // namespace

run_report execute(kernel_run& run, const session_options& options) {
  refuse_unmet(options.files,
               {run.machine, run.machine.fidelity == models::fidelity::timing, "set machine.fidelity: timing"});
  interruption signals;
  run_report report;
  report.machine = run.machine;
  std::optional<session> s;
  try {
    s.emplace(run.machine, options, all_instruments(), interruption::while_building(run.machine.n_cu));
  } catch (const interrupted_error& e) {
    report.built = false;
    report.signal = e.signal();
    report.error = e.what();
    return report;
  }
  signals.stop(s->gpu);
  launched_run launches(*s, run, signals);
  launches.launch_all(report);
  launches.read_back();

  findings f;
  s->report(f);
  report.counted_loops = f.counted_loops;
  report.branches = std::move(f.branches);
  report.found = std::move(f.found);
  report.signal = signals.signal();
  if (report.signal != 0 && !report.completed)
    report.error = "interrupted by " + signal_name(report.signal) + in_execution(s->gpu);
  gather(report, s->board);
  output_problems problems;
  s->close(problems);
  report.unwritten = problems.text();
  return report;
}

}  // namespace pws::platform
