// SPDX-License-Identifier: Apache-2.0
// A debugger's prompt: asks for commands where the machine stops.
#pragma once

#include <iosfwd>
#include <optional>

#include "platform/debug/prompt/command_asker.h"
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
  uint64_t wrong_commands() const { return asker_.wrong_commands(); }

 private:
  std::ostream& out_;
  command_input& input_;
  command_asker asker_;
  debugger* debugger_ = nullptr;
  std::optional<console> console_;
};

}  // namespace pws::platform::debug
