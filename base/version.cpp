// SPDX-License-Identifier: Apache-2.0
#include "base/version.h"

#include <pws_commit.h>  // made when something is built; nothing else includes it, so that a commit compiles this file only

#include <utility>

namespace pws {

namespace {

// In a section of its own and always as long, so that programs of two commits that differ in nothing else differ here
// only.
[[gnu::section(".pwsvp.commit"), gnu::used]] const char commit[64] = PWS_COMMIT;

}  // namespace

program_version version_of(const std::string& program) {
  std::string text = program + " " + version_number() + " (commit " + commit + ")\n";
  for (const auto& [what, which] :
       {std::pair{"compiler", PWS_COMPILER}, std::pair{"build", PWS_BUILD_TYPE}, std::pair{"LLVM", PWS_LLVM_VERSION},
        std::pair{"SystemC", PWS_SYSTEMC_VERSION}, std::pair{"Verilator", PWS_VERILATOR_VERSION}}) {
    std::string label = what;
    label.resize(11, ' ');
    text += "  " + label + which + "\n";
  }
  return {version_number(), PWS_VERSION_DATE, text};
}

}  // namespace pws
