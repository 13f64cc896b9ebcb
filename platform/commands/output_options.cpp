// SPDX-License-Identifier: Apache-2.0
#include "platform/commands/output_options.h"

#include <CLI/CLI.hpp>

#include "platform/observers/profile.h"

namespace pws::platform {

void add_output_options(CLI::App& command, outputs& files) {
  for (const output_kind& k : output_kinds())
    command.add_option(option_of(k.name), files.of(k.name), std::string("Write ") + k.help)->type_name(k.file);
  CLI::Option* every = command.add_option("--stats-every", files.stats_every, "Cycles of a row of --stats")
                           ->type_name("CYCLES")
                           ->check(CLI::Range(uint64_t{1}, outputs::most_cycles_of_row));
  CLI::Option* stats = command.get_option("--stats");
  stats->needs(every);
  every->needs(stats);
}

std::vector<named_output> wanted_outputs(const outputs& files) {
  std::vector<named_output> all;
  for (const output_kind& k : output_kinds())
    if (const std::string& path = files.of(k.name); !path.empty()) all.push_back({option_of(k.name), path});
  return all;
}

void prepare(const outputs& files, const std::vector<named_output>& more, const std::vector<std::string>& inputs) {
  if (const std::string& profile = files.of("profile"); !profile.empty()) profile_format_of(profile);
  std::vector<named_output> all = wanted_outputs(files);
  all.insert(all.end(), more.begin(), more.end());
  prepare_outputs(all, inputs);
}

}  // namespace pws::platform
