// SPDX-License-Identifier: Apache-2.0
// `pwsvp soc`: firmware on a system, from reset to what it ends with.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platform/config/files/soc_config.h"
#include "platform/report/inputs_report.h"

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
  std::vector<soc_gpu_result> gpus;

  bool pass() const { return code == 0u; }
};

// What is to be made of it; empty: nothing.
struct soc_outputs {
  std::string vcd;       // waveform, .vcd or .fst
  std::string timeline;  // Chrome trace
};

// `send` gets each byte that the serial port sends, when it does. Throws input_error for bad input; what goes wrong in
// the system is in the result.
soc_result run_soc(const soc_config& config, const std::string& firmware, const soc_outputs& files,
                   const std::function<void(char)>& send);

}  // namespace pws::platform
