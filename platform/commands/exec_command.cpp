// SPDX-License-Identifier: Apache-2.0
#include <sys/wait.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "base/enum_names.h"
#include "base/error.h"
#include "base/installation.h"
#include "base/output/output_files.h"
#include "platform/commands/command_table.h"
#include "platform/commands/options.h"
#include "platform/commands/program_child.h"
#include "platform/config/files/exec_config.h"
#include "platform/config/files/exec_notes.h"
#include "platform/instruments/all_instruments.h"
#include "sw/loader/elf_file.h"
#include "sw/loader/subprocess.h"

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

constexpr const char* library_name = "libamdhip64.so.5";

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

// Where PWSVP_HOME says, or beside the program pwsvp: as built, and as installed.
std::filesystem::path library_folder() {
  if (const char* home = std::getenv("PWSVP_HOME"); home != nullptr && *home != '\0')
    return installed(std::string("lib/") + library_name).parent_path();
  const std::filesystem::path bin = std::filesystem::read_symlink("/proc/self/exe").parent_path();
  for (const std::filesystem::path& folder : {bin.parent_path() / "lib", bin})
    if (std::filesystem::exists(folder / library_name)) return folder;
  throw input_error(std::string(library_name) + " is neither in " + (bin.parent_path() / "lib").string() + " nor in " +
                    bin.string() + ": build the target amdhip64");
}

// Why a program has not loaded the library, as far as its file says.
std::string why_not_loaded(const std::string& program) {
  constexpr uint32_t interpreter = 3;  // PT_INTERP: the dynamic loader
  const std::string file = loader::find_executable(program).string();
  try {
    const std::vector<uint8_t> contents = loader::read_file(file);
    const loader::byte_view bytes(contents.data(), contents.size(), file);
    if (!loader::is_elf(bytes)) return file + " is no ELF file: what it runs has not loaded it";
    const loader::elf_file elf(bytes);
    for (const loader::elf_segment& s : elf.segments())
      if (s.type == interpreter)
        return file +
               " does not use HIP, has an RPATH to another libamdhip64, or changes LD_LIBRARY_PATH or LD_PRELOAD for "
               "what it starts";
    return file + " is linked statically";
  } catch (const input_error& e) {  // as of one that cannot be read
    return e.what();
  }
}

// What of the outputs there is not because the runtime had no part in it, or not to the end. The runtime itself tells
// of the rest.
void warn_of_missing(const exec_notes& notes, int status, const std::string& program,
                     const std::vector<named_output>& outputs) {
  if (notes.path().empty() || notes.has(exec_note::finished)) return;
  const std::string missing = list_of(outputs);
  if (!notes.has(exec_note::loaded))
    std::cerr << "warning: exec: " << library_name
              << " was never loaded in the environment of pwsvp exec, so nothing ran on the machine: "
              << why_not_loaded(program) << '\n';
  else if (!missing.empty())
    std::cerr << "warning: exec: the program ended "
              << (WIFSIGNALED(status) ? std::string("by a signal: ") + strsignal(WTERMSIG(status))
                                      : "without its exit handlers, as by _exit")
              << '\n';
  if (!missing.empty()) std::cerr << "warning: exec: not written, or not to the end: " << missing << '\n';
}

int exec_command(const exec_options& o) {
  std::string set;
  for (const std::string& one : all_overrides(o)) {
    if (one.find('\n') != std::string::npos) throw input_error("--set: a value of several lines");
    set += one + '\n';
  }
  const exec_config config = load_exec(o.config, all_overrides(o));  // says here what is wrong with it
  std::vector<std::string> inputs = config.files;
  inputs.push_back(o.program[0]);
  prepare(config.to_write, {}, inputs);
  const char* others = std::getenv("LD_LIBRARY_PATH");
  std::string path = library_folder().string();
  if (others != nullptr && *others != '\0') path += std::string(":") + others;
  setenv("LD_LIBRARY_PATH", path.c_str(), 1);
  setenv(config_variable, std::filesystem::absolute(o.config).c_str(), 1);
  setenv(overrides_variable, set.c_str(), 1);
  setenv(command_variable, o.command.c_str(), 1);
  const exec_notes notes;
  setenv(notes_variable, notes.path().c_str(), 1);
  const int status = run_program(o.program);
  warn_of_missing(notes, status, o.program[0], wanted_outputs(config.to_write));
  return end_like(status);
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
