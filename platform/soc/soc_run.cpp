// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/soc_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "platform/machine/interruption.h"
#include "platform/soc/serial_input.h"
#include "platform/soc/soc_system.h"
#include "platform/soc/soc_timeline.h"
#include "platform/soc/soc_waveform.h"
#include "sw/loader/firmware_image.h"

namespace pws::platform {

namespace {

// After so much simulated time it looks whether a signal has come.
sc_core::sc_time slice() {
  return {1, sc_core::SC_MS};
}

// The file uart.input is not the only input.
bool is_about_input(const std::string& warning) {
  return warning.find("uart.input_interval_us has no effect") != std::string::npos;
}

// What somebody has typed goes to the serial port. Where nothing else can happen, it waits for that, and simulated time
// stands still. False: nothing can happen any more.
bool look_at_terminal(soc_system& system, serial_input& input) {
  const bool is_stuck = system.cpu.is_waiting() && !sc_core::sc_pending_activity();
  const bool is_terminal = input.from() == serial_input::kind::terminal;
  if (is_terminal && input.has_typed(is_stuck && system.uart.wakes_on_input())) {
    system.uart.resume_input();
    return true;
  }
  return !is_stuck;
}

// Until the firmware ends, something fails, or nothing more can happen: why, where it is not the firmware's end.
std::string run(soc_system& system, const soc_config& c, const interruption& signals,
                const loader::firmware_image& image, serial_input& input, soc_control* control) {
  const sc_core::sc_time end(static_cast<double>(c.limits.time_us), sc_core::SC_US);
  const auto at = [&] { return image.name_of(system.cpu.pc()); };
  while (!system.finisher.code()) {
    const sc_core::sc_time& now = sc_core::sc_time_stamp();
    if (now >= end)
      return fmt::format("limits.time_us: after {} us the firmware has not ended; it is at {}{}", c.limits.time_us,
                         at(), system.cpu.is_waiting() ? ", waiting for an interrupt" : "");
    sc_core::sc_start(std::min(slice(), end - now));
    if (control != nullptr && control->is_killed()) return "the debugger has ended it at " + at();
    if (!system.cpu.failure().empty()) return system.cpu.failure();
    if (system.finisher.code()) break;
    if (control != nullptr) control->look();
    const bool goes_on = look_at_terminal(system, input);
    if (signals.signal() != 0) return fmt::format("stopped by {} at {}", signal_name(signals.signal()), at());
    if (!goes_on) return fmt::format("the firmware waits at {} for an interrupt, and none can come any more", at());
  }
  return "";
}

}  // namespace

std::string why_there_is_no_soc() {
  return models::rv64_core::why_there_is_none();
}

soc_result run_soc(const soc_config& c, const std::string& firmware, const soc_outputs& files, const soc_serial& serial,
                   const soc_control_maker& make_control) {
  const loader::firmware_image image = loader::load_firmware(firmware);
  const interruption signals;
  serial_input input(c.uart.input, {serial.from_standard_input, serial.may_be_typed}, signals, serial.flush);
  soc_system system("soc", c, image, serial.send, input.source());
  task_log tasks(system);
  std::optional<soc_waveform> waveform;
  if (!files.vcd.empty()) waveform.emplace("vcd", system, files.vcd);
  std::optional<soc_timeline> timeline;
  if (!files.timeline.empty()) timeline.emplace("timeline", system, tasks, c, files.timeline, image);
  soc_result r;
  r.file = c.file;
  r.firmware = firmware;
  r.warnings = c.idle_keys;
  std::vector<std::string> inputs = c.files;
  inputs.push_back(firmware);
  if (!c.uart.input.empty()) inputs.push_back(c.uart.input);
  r.inputs = {c.effective, std::move(inputs), {}};
  const std::unique_ptr<soc_control> control = make_control ? make_control(system, signals) : nullptr;
  r.error = run(system, c, signals, image, input, control.get());
  if (control) control->ended(system.finisher.code(), r.error);
  r.signal = signals.signal();
  // A terminal at which nobody types is none.
  const bool has_input = input.from() != serial_input::kind::terminal || input.typed() != 0;
  r.input = text_of(has_input ? input.from() : serial_input::kind::nothing);
  if (has_input && input.from() != serial_input::kind::nothing)
    r.warnings.erase(std::remove_if(r.warnings.begin(), r.warnings.end(), is_about_input), r.warnings.end());
  if (input.typed() != 0)
    r.warnings.emplace_back("the serial port received from a terminal: another run receives at other times");
  if (waveform) waveform->close();
  tasks.close();
  if (timeline) timeline->close();
  r.code = system.finisher.code();
  const models::rv64_cpu& cpu = system.cpu;
  r.instructions = cpu.retired();
  r.traps = cpu.traps();
  r.interrupts = cpu.interrupts();
  r.time_ps = models::picoseconds(sc_core::sc_time_stamp());
  r.waited_ps = models::picoseconds(cpu.time_waited());
  r.cycles = cpu.cycles();
  r.tasks = tasks.results();
  r.sent = system.uart.sent();
  r.received = system.uart.received();
  for (const auto& g : system.gpus) {
    const models::dispatcher& d = g->dispatcher;
    r.gpus.push_back({d.kernels_completed(), d.workgroups_ended(), d.busy_cycles(), d.fault_message()});
  }
  return r;
}

}  // namespace pws::platform
