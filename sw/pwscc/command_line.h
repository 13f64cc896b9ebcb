// SPDX-License-Identifier: Apache-2.0
// pwscc's command line: clang's, and a few options more.
#pragma once

#include <string>
#include <vector>

#include "sw/pwscc/device_compiler.h"
#include "sw/pwscc/split_pass.h"

namespace pws::pwscc {

struct command_line {
  enum class action : uint8_t {
    build,       // what `makes` says
    only_clang,  // no code comes out (-E, -fsyntax-only, -M, --version of clang, ...): clang alone does it
    help,
    version  // of pwscc
  };
  enum class product : uint8_t { executable, object, code_object, assembly };

  action what = action::build;
  product makes = product::executable;
  pass_options pass;  // with divergence s: all splits; p, ps, psr: none
  divergence_code divergence = divergence_code::none;
  std::vector<stated_loop_bound> loop_bounds;
  bool report = false;                      // on stderr, as text
  std::vector<std::string> report_files;    // .json: JSON, else text
  std::string keep;                         // folder for the assembly before and after the pass; empty: not kept
  bool verbose = false;                     // commands on stderr
  std::string output;                       // "" if not given
  std::vector<std::string> sources;         // HIP, or gfx803 assembly (.s)
  std::vector<std::string> compile_flags;   // for every compilation
  std::vector<std::string> dependencies;    // -MD or -MMD, and what is said of the rule (-MF, -MT, ...); empty: no rule
  std::vector<std::string> link_arguments;  // in order; a source stands there as "\0" and its number
  std::vector<std::string> all;             // everything that is clang's, in order: for only_clang
};

// Throws input_error for what pwscc does not do, by name: other architectures, -fgpu-rdc, other languages, several
// outputs in one file, values out of range.
command_line parse_command_line(const std::vector<std::string>& arguments);

// What device code is compiled with; its report's kernels are not filled.
device_options device_options_of(const command_line& line);

// What --divergence asks of the pass. Throws input_error for splits that are given and do not go with it; `pass` is
// what is given or the default.
void settle_divergence(pass_options& pass, divergence_code divergence, bool split_given, bool contexts_given);

std::string help_text();

}  // namespace pws::pwscc
