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
#include "platform/run/checkpoint/session_state.h"
#include "platform/run/session/session.h"
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

// What is wanted of checkpoints that cannot be. Throws input_error.
void check_wishes(const kernel_run& run) {
  const checkpoint_wishes& w = run.checkpoints;
  if (!w.at && w.from.empty()) return;
  if (run.machine.cosim.mode != models::cosim_mode::model)
    throw input_error("a checkpoint does not have the state of the RTL (machine.cosim.mode)");
  const models::check_config& c = run.machine.check;
  if (!w.from.empty() && (models::finds_hardware_errors(c) || c.loop_bounds))
    throw input_error("--restore: a check (machine.check) has to see the run from its beginning");
  if (!w.at) return;
  if (w.at->launch > run.launches.size() + 1 || (w.at->is_within_launch() && w.at->launch > run.launches.size()))
    throw input_error(fmt::format("--checkpoint-at {}: the run has {} launch{}", w.at->text(), run.launches.size(),
                                  run.launches.size() == 1 ? "" : "es"));
  if (w.at->is_within_launch() && run.machine.fidelity == models::fidelity::timing)
    throw input_error(fmt::format(
        "--checkpoint-at {}: within a launch a machine is saved in functional fidelity alone (machine.fidelity)",
        w.at->text()));
}

// The launches of a run, one after the other, on a session whose machine has its program and its buffers.
class launched_run {
 public:
  launched_run(session& s, kernel_run& run, const interruption& signals) : s_(s), run_(run), signals_(signals) {
    if (run.checkpoints.at && run.checkpoints.at->is_within_launch()) s.gpu.pause_at(&pause_);
    s_.runtime().load(*run.program);
    values_ = place(run.arguments, s_.runtime(), addresses_, run.machine.memory.fill == models::memory_fill::zero);
  }

  void launch_all(run_report& report) {
    const std::clock_t cpu_began = std::clock();
    size_t next = run_.checkpoints.from.empty() ? 0 : restore(report);
    bool goes_on = true;
    for (; goes_on && next < run_.launches.size(); ++next) {
      if (is_saved_at({next + 1, 0})) save(report);
      goes_on = launch(next, report);
    }
    if (run_.launches.size() == next && goes_on && is_saved_at({next + 1, 0})) save(report);
    if (run_.checkpoints.at && report.saved.empty() && report.unwritten.empty())
      report.unwritten = fmt::format("--checkpoint-at {}: the run has not come there, and nothing is saved",
                                     run_.checkpoints.at->text());
    report.host_cpu_seconds = static_cast<double>(std::clock() - cpu_began) / CLOCKS_PER_SEC;
  }
  void read_back() {
    for (size_t k = 0; k < run_.arguments.size(); ++k)
      if (run_.arguments[k].is_buffer && run_.arguments[k].read_back) run_.arguments[k].bytes = contents(k);
  }

 private:
  // False: no further one is wanted.
  bool launch(size_t index, run_report& report) {
    const run_launch& l = run_.launches[index];
    kernel_launch to_run = launch_of(l, s_.runtime().layout(), values_, run_.program->name());
    launch_report& one = report.launches.emplace_back(s_.announce(to_run, index + 1, s_.gpu.config.fidelity));
    one.kernel = l.kernel;
    const bool resumes = restored_ && place_.is_within_launch();
    if (!resumes) s_.prepare(to_run);
    if (!resumes) before_ = read_counters(s_.gpu);
    pause(index + 1, report);
    const bool goes_on = resumes ? s_.resume(to_run, one, before_) : s_.run(to_run, one);
    restored_ = false;
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

  // ---- Checkpoints

  bool is_saved_at(const checkpoint_place& p) const { return run_.checkpoints.at && *run_.checkpoints.at == p; }
  // Has the launch saved where that is wanted.
  void pause(uint64_t number, run_report& report) {
    const auto& at = run_.checkpoints.at;
    if (!at || !at->is_within_launch() || at->launch != number) return;
    const uint64_t behind = restored_ ? place_.instructions : 0;
    pause_.left = at->instructions - behind;
    pause_.reached = [this, &report] { save(report); };
  }
  void keep(state_archive& a, models::cycle_t& cycles) {
    a.section("run");
    a(cycles);
    a.same(static_cast<uint64_t>(addresses_.size()), "number of arguments");
    for (const uint64_t address : addresses_) a.same(address, "place of an argument");
    a(before_);
    keep_session(a, s_);
  }
  // Also from a process of the simulation, where nothing may be thrown.
  void save(run_report& report) {
    const checkpoint_wishes& wishes = run_.checkpoints;
    output_problems problems;
    problems.noting([&] {
      if (const std::string why = s_.gpu.why_not_kept(); !why.empty())
        throw input_error(fmt::format("--checkpoint-at {}: the machine cannot be saved: {}", wishes.at->text(), why));
      state_archive a;
      keep(a, report.cycles);
      write_checkpoint(wishes.to, {*wishes.at, wishes.identity(*wishes.at), a.saved()});
      report.saved = fmt::format("{}: {}", wishes.to, wishes.at->meaning());
    });
    report.unwritten = problems.text();
  }
  // The index of the launch that goes on, or is next.
  size_t restore(run_report& report) {
    const std::string& file = run_.checkpoints.from;
    const checkpoint_contents c = read_checkpoint(file);
    place_ = c.at;
    require_same(file, c.of, run_.checkpoints.identity(place_));
    require_place(c.at);
    state_archive a(c.state.data(), c.state.size());
    try {
      keep(a, report.cycles);
      a.end();
    } catch (const bad_state& e) {
      throw input_error(fmt::format("--restore {}: {}", file, e.what()));
    }
    restored_ = true;
    report.completed = true;
    report.restored = fmt::format("{}: {}", file, place_.meaning());
    return place_.launch - 1;
  }
  void require_place(const checkpoint_place& p) const {
    const auto& at = run_.checkpoints.at;
    if (p.launch > run_.launches.size() + 1)
      throw input_error(fmt::format("--restore {}: it was saved {}, and the run has {} launches", run_.checkpoints.from,
                                    p.meaning(), run_.launches.size()));
    if (at && (at->launch < p.launch || (at->launch == p.launch && at->instructions <= p.instructions)))
      throw input_error(fmt::format("--checkpoint-at {}: the run goes on {}", at->text(), p.meaning()));
  }

  session& s_;
  kernel_run& run_;
  const interruption& signals_;
  models::pause_point pause_;
  checkpoint_place place_;                    // that has been restored
  bool restored_ = false;                     // nothing has run since
  machine_counters before_;                   // when the launch began
  std::vector<uint64_t> addresses_;           // by argument; 0: it is no buffer
  std::vector<std::vector<uint8_t>> values_;  // as a kernel receives them
};

}  // namespace

run_report execute(kernel_run& run, const session_options& options) {
  refuse_unmet(options.files,
               {run.machine, run.machine.fidelity == models::fidelity::timing, "set machine.fidelity: timing"});
  check_wishes(run);
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
  problems.add(report.unwritten);
  s->close(problems);
  report.unwritten = problems.text();
  return report;
}

}  // namespace pws::platform
