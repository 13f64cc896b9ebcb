// SPDX-License-Identifier: Apache-2.0
// What of a run has to be the same where it is restored: the machine, the program, arguments, and the launches that
// have begun. Launches to come may be others, and so may whatever only watches.
#pragma once

#include "platform/config/files/run_config.h"
#include "platform/run/checkpoint/checkpoint_file.h"
#include "sw/loader/program_image.h"

namespace pws::platform {

// For a run that is saved at that place. Between launches the fidelity may be another one too.
run_identity identity_of(const run_config& config, const loader::program_image& program, const checkpoint_place& at);

}  // namespace pws::platform
