// SPDX-License-Identifier: Apache-2.0
// `pwsvp debug` with firmware: the GPUs of a system at a prompt.
#pragma once

#include <iosfwd>

#include "platform/debug/prompt/command_asker.h"
#include "platform/debug/prompt/interrupt_handler.h"
#include "platform/soc/debug/gpu_debugger.h"
#include "platform/soc/soc_control.h"

namespace pws::platform {

// What has come of it.
struct prompt_outcome {
  uint64_t wrong_commands = 0;  // of scripts
  bool given_up = false;        // the user has
};

// The prompt comes at the first launch of each GPU, and then wherever one stops. Ctrl-C stops a GPU that executes
// something, or else the processor wherever it is.
class soc_prompt : public soc_control, private gpu_debugger_face {
 public:
  // `kernels`: as gpu_debugger's. `outcome` is kept as long as this lives. Throws input_error.
  soc_prompt(soc_system& system, const std::vector<std::string>& kernels, debug::command_input& input,
             std::ostream& out, std::ostream& problems, prompt_outcome& outcome);

  void look() override;
  bool is_killed() const override { return outcome_.given_up; }
  void ended(std::optional<uint32_t>, const std::string&) override {}

 private:
  bool wants(debug::stop_reason) override { return !outcome_.given_up; }
  void gpu_stopped(const std::string& text) override;
  void quit() override;
  void ask();
  bool execute(const std::string& line);

  std::ostream& out_;
  debug::command_asker asker_;
  gpu_debugger gpus_;
  const debug::interrupt_handler handler_;
  prompt_outcome& outcome_;
};

}  // namespace pws::platform
