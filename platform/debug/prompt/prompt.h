// SPDX-License-Identifier: Apache-2.0
// A debugger's prompt: asks for commands where the machine stops.
#pragma once

#include <iosfwd>
#include <optional>

#include "platform/debug/prompt/input.h"
#include "platform/debug/words/console.h"

namespace pws::platform::debug {

class prompt : public stop_listener {
 public:
  prompt(std::ostream& out, std::ostream& problems, command_input& input);

  // Whom it is the prompt of; before the first stop.
  void attach(debugger& d);
  resumption stopped(const stop& s) override;
  nlohmann::json state() override;
  void take_state(const nlohmann::json& j) override;
  // Commands of scripts that were wrong.
  uint64_t wrong_commands() const { return wrong_; }

 private:
  std::ostream& out_;
  std::ostream& problems_;
  command_input& input_;
  debugger* debugger_ = nullptr;
  std::optional<console> console_;
  uint64_t wrong_ = 0;
};

}  // namespace pws::platform::debug
