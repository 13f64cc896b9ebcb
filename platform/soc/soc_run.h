// SPDX-License-Identifier: Apache-2.0
// `pwsvp soc`: firmware on a system, from reset to what it ends with.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platform/config/files/soc_config.h"
#include "platform/report/inputs_report.h"
#include "platform/soc/soc_control.h"
#include "platform/soc/task_log.h"

namespace pws::platform {

// What a GPU has done since the beginning.
struct soc_gpu_result {
  uint64_t kernels = 0, workgroups = 0, busy_cycles = 0;
  std::string fault;  // the message; empty: there is none, or a reset has cleared it
};

struct soc_result {
  std::string file, firmware;  // the system's and the firmware's
  report_inputs inputs;
  std::optional<uint32_t> code;       // that the firmware has ended with; nullopt: it has not
  std::string error;                  // why it ended otherwise; empty: it did not
  std::vector<std::string> warnings;  // what of the configuration does nothing
  int signal = 0;                     // that stopped it
  // The processor's.
  uint64_t instructions = 0, traps = 0, interrupts = 0;
  uint64_t time_ps = 0, waited_ps = 0;  // simulated, and of that in wfi
  uint64_t cycles = 0;
  uint64_t sent = 0, received = 0;  // bytes of the serial port
  std::string input = "nothing";    // what the serial port received from
  std::vector<soc_gpu_result> gpus;
  std::vector<task_result> tasks;

  bool pass() const { return code == 0u; }
};

// What is to be made of it; empty: nothing.
struct soc_outputs {
  std::string vcd;       // waveform, .vcd or .fst
  std::string timeline;  // Chrome trace
};

// Where the serial port's bytes go to, and come from beside the file uart.input.
struct soc_serial {
  std::function<void(char)> send;    // each byte, when it is sent
  std::function<void()> flush;       // somebody may wait for what was sent
  bool from_standard_input = false;  // else: if it is a terminal, and there is no uart.input
  bool may_be_typed = true;          // false: also a terminal is for something else
};

// Why this program can run no system: it was built without the processor, or a library is missing. Empty: it can.
std::string why_there_is_no_soc();

// `control` may be empty. Throws input_error for bad input; what goes wrong in the system is in the result.
soc_result run_soc(const soc_config& config, const std::string& firmware, const soc_outputs& files,
                   const soc_serial& serial, const soc_control_maker& control = {});

}  // namespace pws::platform
