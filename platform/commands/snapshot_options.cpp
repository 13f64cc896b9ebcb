// SPDX-License-Identifier: Apache-2.0
#include "platform/commands/snapshot_options.h"

#include <fmt/format.h>

#include <vector>

#include "base/error.h"
#include "platform/debug/keeper.h"

namespace pws::platform {

void add_snapshot_options(CLI::App& command, snapshot_choice& to) {
  constexpr uint64_t most_mib = uint64_t{1} << 30;
  command
      .add_option("--snapshot-memory", to.memory_mib,
                  "What snapshots may hold of this computer's memory, so that going back is quick; 0: none are made")
      ->type_name("MIB")
      ->check(CLI::Range(uint64_t{0}, most_mib))
      ->capture_default_str();
  command
      .add_option("--snapshot-every", to.every,
                  "Instructions from one snapshot to the next; 0: as many as run in 0.3 seconds")
      ->type_name("N")
      ->capture_default_str();
}

std::string unused_snapshot_options(const CLI::App& command, const std::string& why) {
  std::vector<std::string> given;
  for (const char* const name : {"--snapshot-memory", "--snapshot-every"})
    if (command.count(name) != 0) given.emplace_back(name);
  return given.empty() ? "" : fmt::format("{}: {}", fmt::join(given, ", "), why);
}

void refuse_snapshot_options(const CLI::App& command, const std::string& why) {
  const std::string problem = unused_snapshot_options(command, why);
  if (!problem.empty()) throw input_error(problem);
}

int with_snapshots(const snapshot_choice& c, const std::function<int()>& work) {
  if (c.memory_mib == 0 && c.every != 0)
    throw input_error("--snapshot-every: there are no snapshots with --snapshot-memory 0");
  return c.memory_mib == 0 ? work() : debug::under_keeper(work);
}

}  // namespace pws::platform
