// SPDX-License-Identifier: Apache-2.0
// What `run` is told about checkpoints.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>

#include "platform/run/checkpoint/checkpoint_wishes.h"

namespace pws::platform {

struct checkpoint_choice {
  std::optional<std::string> at, to, from;
  // Throws input_error.
  checkpoint_wishes wishes() const;
};
void add_checkpoint_options(CLI::App& command, checkpoint_choice& to);

}  // namespace pws::platform
