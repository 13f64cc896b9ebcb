// SPDX-License-Identifier: Apache-2.0
// --rtl-vcd, --rtl-coverage, and what mismatches between RTL and model say.
#include "base/error.h"
#include "base/output/output_files.h"
#include "platform/run/session/instrument.h"

namespace pws::platform {

namespace {

class rtl_outputs : public instrument {
 public:
  rtl_outputs(virtual_platform& board, const session_options& o) : board_(board) {
    const std::string& vcd = o.files.of("vcd");
    const std::string stem = vcd.empty() ? "cosim" : vcd.substr(0, vcd.rfind('.'));
    board.cosim.describe_mismatches(o.command, stem + "-mismatch.vcd");
    if (const std::string& file = o.files.of("rtl_vcd"); !file.empty())
      board.cosim.open_waveforms(file, board.gpu.config.trace.depth);
    if (const std::string& file = o.files.of("rtl_coverage"); !file.empty()) board.cosim.cover(file);
  }
  void close() override {
    output_problems problems;
    problems.noting([&] { board_.cosim.close_waveforms(); });
    problems.noting([&] { board_.cosim.write_coverage(); });
    if (!problems.text().empty()) throw input_error(problems.text());
  }

 private:
  virtual_platform& board_;
};

}  // namespace

std::unique_ptr<instrument> make_rtl_outputs(virtual_platform& board, const session_options& o) {
  return board.cosim.active() ? std::make_unique<rtl_outputs>(board, o) : nullptr;
}

}  // namespace pws::platform
