// SPDX-License-Identifier: Apache-2.0
#include "tests/splitting/observed_run.h"

#include <gtest/gtest.h>

#include <fstream>
#include <stdexcept>

#include "platform/config/files/run_config.h"
#include "platform/instruments/trace/machine_waveform.h"
#include "platform/machine/device_runtime.h"
#include "tests/integration/child_process.h"
#include "tests/integration/child_run.h"
#include "tests/splitting/batch_run.h"

namespace pws::test {

namespace {

class bus_master : public sc_core::sc_module {
 public:
  bus_master(const sc_core::sc_module_name& name, platform::virtual_platform& board, size_t contexts,
             const message_sink& send)
      : sc_module(name), board_(board), contexts_(contexts), send_(send) {
    SC_HAS_PROCESS(bus_master);
    SC_THREAD(run);
  }

 private:
  void run() {
    using namespace models::debug_register;
    for (;;) {
      for (int k = 0; k < 3; ++k) wait(sc_core::SC_ZERO_TIME);  // the machine's own processes come first
      const uint64_t now = sc_core::sc_time_stamp().value();
      send_(&now, sizeof now);
      for (uint64_t record = 0; record < contexts_; ++record) {
        std::vector<uint8_t> bytes(record_bytes);
        board_.host.read(platform::virtual_platform::window_base + models::device_window::debug_offset + first_record +
                             record * record_bytes,
                         bytes.data(), bytes.size());
        send_(bytes.data(), bytes.size());
      }
      wait(board_.gpu.clock.period());
    }
  }
  platform::virtual_platform& board_;
  size_t contexts_;
  const message_sink& send_;
};

}  // namespace

observed_run observe(const std::string& run_file, const std::string& kernel, size_t contexts,
                     const std::vector<std::string>& set) {
  const platform::run_config config = platform::load_run(run_file, set);
  const temporary_file vcd(".vcd");
  const loader::program_image program = loader::load_program(config.program.source);
  const child_result child = in_child(
      [&](const message_sink& send) {
        platform::virtual_platform board("board", config.machine);
        platform::machine_waveform trace("vcd", board, vcd.path());
        bus_master master("master", board, contexts, send);
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        platform::device_runtime runtime(board);
        runtime.load(program);
        platform::kernel_launch r;
        r.kernel = runtime.find_kernel(kernel);
        r.grid = r.workgroup = {64, 1, 1};
        const uint64_t out = runtime.allocate(256, "out");
        const auto* raw = reinterpret_cast<const uint8_t*>(&out);
        r.arguments = {{raw, raw + sizeof out}};
        return runtime.launch(r).completed ? 0 : 1;
      },
      60);
  if (child.status != 0) throw std::runtime_error(describe_status(child.status) + "\n" + child.log);
  observed_run run;
  run.waveform = parse_vcd(vcd.contents());
  constexpr size_t bytes = models::debug_register::record_bytes;
  const auto* at = reinterpret_cast<const uint8_t*>(child.message.data());
  for (size_t left = child.message.size(); left >= sizeof(uint64_t) + contexts * bytes;
       left -= sizeof(uint64_t) + contexts * bytes) {
    observed_run::reading& r = run.readings.emplace_back();
    std::memcpy(&r.time, at, sizeof r.time);
    at += sizeof r.time;
    for (size_t c = 0; c < contexts; ++c, at += bytes) r.records.emplace_back(at, at + bytes);
  }
  return run;
}

unsigned signals_of(const std::string& gtkwave_file, const vcd_file& waveform) {
  std::ifstream in(gtkwave_file);
  unsigned signals = 0;
  for (std::string line; std::getline(in, line);) {
    if (line.rfind("SystemC.", 0) != 0) continue;
    const size_t range = line.find('[');
    if (range == std::string::npos) throw std::runtime_error(gtkwave_file + ": without a range: " + line);
    const vcd_signal& s = waveform.signal(line.substr(0, range));
    EXPECT_EQ(line.substr(range), "[" + std::to_string(s.width - 1) + ":0]") << line;
    ++signals;
  }
  return signals;
}

}  // namespace pws::test
