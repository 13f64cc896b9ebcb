// SPDX-License-Identifier: Apache-2.0
// What of checkpoints a run is asked for.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "platform/run/checkpoint/checkpoint_file.h"

namespace pws::platform {

struct checkpoint_wishes {
  std::optional<checkpoint_place> at;  // where it is saved
  std::string to;                      // in this file
  std::string from;                    // the file that it begins from; empty: it begins at its beginning
  // What a run that is saved there is of.
  std::function<run_identity(const checkpoint_place&)> identity;
};

}  // namespace pws::platform
