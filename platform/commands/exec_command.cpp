// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/enum_names.h"
#include "platform/commands/command_table.h"
#include "platform/commands/options.h"
#include "platform/commands/program_child.h"
#include "platform/commands/program_on_machine.h"

namespace pws::platform {

namespace {

struct exec_options : config_options {
  std::vector<std::string> checks;   // families of machine.check
  std::vector<std::string> program;  // and its arguments
  std::string fidelity, times;
  outputs files;
  std::string command;  // as a shell takes it
  std::vector<std::string> timing_kernels, functional_kernels, trace_kernels;
  std::vector<uint64_t> timing_launches, functional_launches, trace_launches;
  bool quiet = false, wcet = false;
};

// The options as overrides of the configuration's keys; JSON is YAML too.
std::vector<std::string> all_overrides(const exec_options& o) {
  std::vector<std::string> all = o.overrides;
  put_checks(o.checks, all);
  const auto set = [&](const char* key, const nlohmann::json& value) {
    if (!value.empty() && value != "") all.push_back(std::string("exec.") + key + "=" + value.dump());
  };
  set("fidelity", o.fidelity);
  for (const output_kind& k : output_kinds()) set(k.name, o.files.of(k.name));
  if (o.files.stats_every != 0) set("stats_every", o.files.stats_every);
  set("timing_kernels", o.timing_kernels);
  set("functional_kernels", o.functional_kernels);
  set("trace_kernels", o.trace_kernels);
  set("timing_launches", o.timing_launches);
  set("functional_launches", o.functional_launches);
  set("trace_launches", o.trace_launches);
  if (o.wcet) all.emplace_back("exec.wcet=true");
  put_times(o.times, all);
  all.emplace_back(o.quiet ? "exec.summary=false" : "exec.summary=true");
  return all;
}

int exec_command(const exec_options& o) {
  const exec_notes notes;
  return end_like(run_on_machine({o.config, all_overrides(o), o.program, o.command, {}}, notes));
}

}  // namespace

command add_exec(CLI::App& app, const std::string& typed) {
  const auto o = std::make_shared<exec_options>();
  o->command = typed;
  CLI::App* c = app.add_subcommand("exec", "Run a HIP program: pwsvp exec CONFIG [options] -- PROGRAM [ARGS]");
  c->add_option("CONFIG", o->config, "Machine file, or a file with the keys machine and exec (YAML)")
      ->type_name("FILE.yaml")
      ->required();
  c->add_option("PROGRAM", o->program, "Executable that is linked with libamdhip64.so.5, and its arguments")
      ->type_name("FILE")
      ->required();
  const auto list = [&](const char* name, auto& to, const char* value, const char* help) {
    c->add_option(name, to, help)->type_name(value)->allow_extra_args(false);
  };
  list("--set", o->overrides, "PATH=VALUE", "Override a key: PATH=VALUE, e.g. machine.n_cu=1");
  add_checks_option(*c, o->checks);
  c->add_option("--fidelity", o->fidelity, "functional or timing, of launches that no option below names")
      ->type_name("FIDELITY")
      ->check(CLI::IsMember(names<models::fidelity>()));
  list("--timing-kernel", o->timing_kernels, "KERNEL",
       "Timing fidelity for this kernel; may be repeated, as all below");
  list("--timing-launch", o->timing_launches, "N", "Timing fidelity for this launch (from 1)");
  list("--functional-kernel", o->functional_kernels, "KERNEL", "Functional fidelity for this kernel");
  list("--functional-launch", o->functional_launches, "N", "Functional fidelity for this launch");
  add_output_options(*c, o->files);
  list("--kernel", o->trace_kernels, "KERNEL", "Only this kernel into waveform and timeline");
  list("--launch", o->trace_launches, "N", "Only this launch into waveform and timeline");
  c->add_flag("--wcet", o->wcet, "Bound each launch's worst-case execution time; a launch that takes longer fails");
  add_times_option(*c, o->times);
  c->add_flag("--quiet", o->quiet, "No summary at the end");
  c->footer(
      "The exit code is the program's. In place of its 0: 1 if with --wcet a launch has no bound or took longer than "
      "its bound, or a loop ran more often than is said, or if a check has found something; 2 if a report or trace "
      "could not be written. Standard error "
      "says so in any case, and where the runtime was never loaded.");
  return {c, [o] { return exec_command(*o); }};
}

}  // namespace pws::platform
