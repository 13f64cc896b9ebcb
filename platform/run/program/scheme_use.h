// SPDX-License-Identifier: Apache-2.0
// Whether a machine's divergence scheme (models/machine/divergence_schemes.def) finds anything to do: what it acts on
// has to be in the code, and its SWFs need contexts. One that finds nothing is no error, but its cycles are those of
// none.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "models/machine/machine_config.h"
#include "platform/config/files/run_config.h"
#include "sw/loader/program_image.h"

namespace pws::platform {

// What schemes act on, of the code of a program.
struct code_points {
  bool splits = false;         // `split`
  bool exec_branches = false;  // s_cbranch_execz, s_cbranch_execnz
  bool sets_mode_bit = false;  // an s_setreg that can set MODE bit 21

  code_points& operator|=(const code_points& other);
  bool operator==(const code_points& other) const;
};

// Decodes all executable segments.
code_points points_of(const loader::program_image& program);
// The points of a kernel and of what it calls. Where that cannot be told, as with a function pointer, all functions of
// the code object that are no kernels count as called.
code_points points_of(const loader::found_kernel& kernel);
// The points of the kernels that the run launches. Throws input_error for one that the program does not have.
code_points points_of(const loader::program_image& program, const run_config& run);

// By the configuration alone: contexts for SWFs.
std::vector<std::string> scheme_warnings(const models::machine_config& machine);
// With that of the code, which was compiled with `split` (nullopt: how is not known). Each says what is missing and
// which key to set.
std::vector<std::string> scheme_warnings(const models::machine_config& machine, const code_points& code,
                                         std::optional<pwscc::split_choice> split = std::nullopt);

// What to say of a launch whose dynamic_stack changes nothing: the kernel's code has a stack of known size, or a larger
// one.
std::optional<std::string> idle_stack(const launch_config& launch, const loader::found_kernel& kernel);

// Those of a run: its keys, and its scheme with its program and program.split, whose splits the machine's S
// bounds. `code` is called only where the warnings depend on it: who has not compiled the program yet does it then.
std::vector<std::string> warnings_of(const run_config& run, const std::function<code_points()>& code);
// With those of launches whose stack is none that their kernels could use.
std::vector<std::string> warnings_of(const run_config& run, const loader::program_image& program);

}  // namespace pws::platform
