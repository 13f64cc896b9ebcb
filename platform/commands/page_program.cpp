// SPDX-License-Identifier: Apache-2.0
#include "platform/commands/page_program.h"

#include <filesystem>

#include "base/error.h"
#include "base/installation.h"
#include "sw/loader/subprocess.h"

namespace pws::platform {

std::string page_program(const std::string& program, const std::vector<std::string>& arguments) {
  const std::filesystem::path python = loader::find_executable("python3");
  if (python.empty()) throw input_error("pages are made by Python, which is not there (Debian package python3)");
  std::vector<std::string> command = {python.string(), "-B", installed("lib/report_page/" + program).string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  const loader::process_result r = loader::run_process(command);
  if (r.exit_code != 0) throw input_error(r.output.substr(0, r.output.find_last_not_of('\n') + 1));
  return r.output;
}

}  // namespace pws::platform
