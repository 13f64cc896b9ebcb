#include "base/version.h"

#include <pws_commit.h>  // made when something is built; nothing else includes it, so that a commit compiles this file only

#include <utility>

namespace pws {

program_version version_of(const std::string& program) {
  std::string text = program + " " + PWS_VERSION + " (commit " + PWS_COMMIT + ")\n";
  for (const auto& [what, which] :
       {std::pair{"compiler", PWS_COMPILER}, std::pair{"build", PWS_BUILD_TYPE}, std::pair{"LLVM", PWS_LLVM_VERSION},
        std::pair{"SystemC", PWS_SYSTEMC_VERSION}, std::pair{"Verilator", PWS_VERILATOR_VERSION}}) {
    std::string label = what;
    label.resize(11, ' ');
    text += "  " + label + which + "\n";
  }
  return {PWS_VERSION, PWS_VERSION_DATE, text};
}

}  // namespace pws
