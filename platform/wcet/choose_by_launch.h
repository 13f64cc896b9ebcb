// SPDX-License-Identifier: Apache-2.0
// program.split: auto for the launches of a run file. Auto weighs splits without knowing arguments; here they are
// known. So both codes are bounded, with auto's splits and without any, and the one whose launches have the shorter
// bound is taken: no bound with auto is above the one without splits, whatever the launches are.
#pragma once

#include "platform/run/program/compiled_program.h"

namespace pws::platform {

// compile_program; with split: auto and split_by_launch the code that is chosen, and in `placed` why. Bounds are static
// ones, of launches that lie in memory as `pwsvp wcet` lays them out: they are what it finds for either code. Needs no
// machine in SystemC.
compiled_program compile_for_launches(const run_config& config, assembly_text assembly);

}  // namespace pws::platform
