// SPDX-License-Identifier: Apache-2.0
#include "platform/commands/options.h"

#include "models/check/finding.h"
#include "platform/config/files/run_config.h"

namespace pws::platform {

CLI::App* add_with_config(CLI::App& app, const char* name, const char* help, config_options& o) {
  CLI::App* c = app.add_subcommand(name, help);
  c->add_option("CONFIG", o.config, "Run description (YAML)")->type_name("FILE.yaml")->required();
  c->add_option("--set", o.overrides, "Override a key: PATH=VALUE, e.g. machine.n_cu=1 or arguments.n.value=7")
      ->type_name("PATH=VALUE")
      ->allow_extra_args(false);
  return c;
}

void add_checks_option(CLI::App& c, std::vector<std::string>& to) {
  c.add_option("--check", to,
               "Find what real hardware would get wrong, as machine.check: waits, races, init, coherence, sync, "
               "memory, streams; or numbers: NaNs, infinities and divisions by zero; separated by commas; exit code 1 "
               "if something is found")
      ->type_name("CHECKS")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember(names<check::family>()));
}

void put_checks(const std::vector<std::string>& checks, std::vector<std::string>& overrides) {
  for (const std::string& name : checks) overrides.push_back("machine.check." + name + "=true");
}

void add_times_option(CLI::App& c, std::string& to) {
  c.add_option("--times", to, "Basic-block times: static or measured; overrides wcet.block_times")
      ->type_name("SOURCE")
      ->check(CLI::IsMember(names<block_time_source>()));
}

void put_times(const std::string& times, std::vector<std::string>& overrides) {
  if (!times.empty()) overrides.push_back("wcet.block_times=" + times);
}

CLI::Option* add_kernels_option(CLI::App& c, std::vector<std::string>& to) {
  return c
      .add_option("--kernels", to,
                  "Code object with the firmware's kernels and their source lines (-g), for the debugger of the GPUs, "
                  "which finds those in the firmware's file itself; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
}

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

}  // namespace pws::platform
