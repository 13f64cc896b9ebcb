// SPDX-License-Identifier: Apache-2.0
// --vcd: the waveform of the machine.
#include "platform/instruments/trace/machine_waveform.h"
#include "platform/run/session/instrument.h"

namespace pws::platform {

namespace {

class waveform : public instrument {
 public:
  waveform(virtual_platform& board, const session_options& o)
      : gpu_(board.gpu), chosen_(o.chosen_launches), wave_("vcd", board, o.files.of("vcd")) {
    if (chosen_) wave_.stop();
  }
  void tracing_begins() override {
    if (chosen_) wave_.resume();
  }
  void tracing_ends() override {
    if (chosen_) wave_.stop();
  }
  void close() override {
    sc_core::sc_start(2 * gpu_.clock.period());  // the last cycle's state
    wave_.close();
  }

 private:
  models::gpu& gpu_;
  const bool chosen_;
  machine_waveform wave_;
};

}  // namespace

std::unique_ptr<instrument> make_waveform(virtual_platform& board, const session_options& o) {
  const bool needed = needs_waveform(board.gpu.config.trace, o.files.of("vcd"), o.files.of("rtl_vcd"));
  return needed ? std::make_unique<waveform>(board, o) : nullptr;
}

}  // namespace pws::platform
