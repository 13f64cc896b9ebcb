// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/debug/firmware_run.h"

#include <fmt/format.h>

#include "base/error.h"
#include "platform/soc/debug/firmware_code.h"

namespace pws::platform {

namespace {

class watched_firmware : public soc_control {
 public:
  watched_firmware(soc_system& system, const std::vector<std::string>& kernels, debug::debugger& core)
      : known_(system.firmware, kernels), code_(system, 0, known_), core_(core) {
    debug::debugged_run run;
    run.launches = 0;
    run.program = "firmware";
    run.found_launch = [this](const models::dispatch& d) { return code_.note_launch(d); };
    run.end = [this] {
      killed_ = true;
      sc_core::sc_pause();
    };
    core_.expect(std::move(run));
    core_.attach(*system.gpus[0], code_);
  }
  ~watched_firmware() override { core_.detach(); }

  void look() override { core_.stop_if_interrupted(); }
  bool is_killed() const override { return killed_; }
  void ended(std::optional<uint32_t>, const std::string&) override {}

 private:
  const kernel_objects known_;
  firmware_code code_;
  debug::debugger& core_;
  bool killed_ = false;
};

}  // namespace

soc_result run_watched_firmware(const soc_config& config, const std::string& firmware,
                                const std::vector<std::string>& kernels, debug::debugger& core,
                                const std::function<void(char)>& send) {
  if (config.gpus.size() != 1)
    throw input_error(
        fmt::format("gpus: this debugger is for a system with one GPU, and there are {}; `pwsvp debug` is "
                    "for several",
                    config.gpus.size()));
  return run_soc(config, firmware, {}, {send, [] {}, false, false}, [&](soc_system& system, const interruption&) {
    return std::make_unique<watched_firmware>(system, kernels, core);
  });
}

}  // namespace pws::platform
