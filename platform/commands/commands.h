// SPDX-License-Identifier: Apache-2.0
// The subcommands of pwsvp.
#pragma once

#include "base/exit_code.h"
#include "base/version.h"

namespace pws::platform {

// `version`: of this program.
int command_line(int argc, char** argv, const program_version& version);

}  // namespace pws::platform
