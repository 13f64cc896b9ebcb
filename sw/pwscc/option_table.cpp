// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/option_table.h"

#include "base/enum_names.h"
#include "sw/loader/llvm_version.h"
#include "sw/pwscc/predication.h"
#include "sw/pwscc/split_pass.h"

namespace pws::pwscc {

const char* const summary = "clang++ for HIP on gfx803, with split and merge placed at divergent branches";

const std::vector<option_entry>& option_table() {
  static const std::vector<option_entry> table = {
      {{"--split=MODE"},
       "which branches are split: marked (by PWS_SPLIT, default), all, none, auto (shortest worst case; on the "
       "predictable machine never longer than with --split=none)",
       names<split_choice>()},
      {{"-S N", "--spsimd=N"}, "SWF contexts of a wavefront, 0 to 63 (default 1)", {}},
      {{"--divergence=MODE"},
       "how the code manages divergence: s (a stack: --split=all, with S = 63 if -S does not say otherwise), p (every "
       "branch predicated), ps (uniform branches stay branches), psr (and checks that skip long sides which no "
       "work-item is in), none (clang's own, default)",
       names<divergence_code>()},
      {{"--loop-bound=[FILE:]LINE=N"},
       "the loop that begins there runs at most N times, as if it had a PWS_LOOP_BOUND(N)",
       {}},
      {{"--report"}, "each branch, its source line, what was decided and why: on stderr", {}},
      {{"--report=FILE"}, "the same into a file; .json: JSON, else text", {}},
      {{"--split-cycles=N", "--merge-cycles=N"}, "cycles that auto charges for a split and a merge (default 1)", {}},
      {{"--issue-slot=N", "--memory-slot=N", "--lds-slot=N"},
       "the machine that auto chooses for, as pwsvp wcet prints it: cycles from one of a wavefront's slots to the next "
       "(default: configs/gpu/predictable.yaml's 40, 7360 and 40)",
       {}},
      {{"--keep=FOLDER"}, "keep the assembly before and after the pass there", {}},
      {{"-v"}, "show the commands", {}},
      {{"--help"}, "this text", {}},
      {{"--version"}, "version, commit and what it was built with, and the compiler that it calls", {}}};
  return table;
}

const std::vector<std::pair<std::string, std::string>>& uses() {
  static const std::vector<std::pair<std::string, std::string>> all = {
      {"pwscc [options] k.hip -o app", "executable"},
      {"pwscc [options] -c k.hip -o k.o", "object, device code embedded"},
      {"pwscc [options] k.hip -o k.hsaco", "code object"},
      {"pwscc [options] k.hip -o k.s", "assembly of the device code (also of bare -S)"}};
  return all;
}

const std::vector<std::string>& remarks() {
  static const std::vector<std::string> all = {
      "Everything else goes to clang++. @FILE stands for the options in that file. #include <pws.h> has PWS_SPLIT() "
      "and PWS_LOOP_BOUND(n).",
      "The environment variable PWS_CLANG names another clang++ than " + loader::of_llvm_version("clang++") +
          ", HIP_DEVICE_LIB_PATH another folder of device libraries."};
  return all;
}

}  // namespace pws::pwscc
