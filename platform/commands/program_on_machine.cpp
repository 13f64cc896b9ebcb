// SPDX-License-Identifier: Apache-2.0
#include "platform/commands/program_on_machine.h"

#include <sys/wait.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "base/error.h"
#include "base/installation.h"
#include "base/output/output_files.h"
#include "platform/commands/program_child.h"
#include "platform/config/files/environment_text.h"
#include "platform/instruments/all_instruments.h"
#include "sw/loader/elf_file.h"
#include "sw/loader/subprocess.h"

namespace pws::platform {

namespace {

constexpr const char* library_name = "libamdhip64.so.5";

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

}  // namespace

int run_on_machine(const program_choice& c, const exec_notes& notes) {
  std::string set;
  for (const std::string& one : c.overrides) {
    if (one.find('\n') != std::string::npos) throw input_error("--set: a value of several lines");
    set += one + '\n';
  }
  const exec_config config = load_exec(c.config, c.overrides);  // says here what is wrong with it
  std::vector<std::string> inputs = config.files;
  inputs.push_back(c.program[0]);
  prepare(config.to_write, {}, inputs);
  const char* others = std::getenv("LD_LIBRARY_PATH");
  std::string path = library_folder().string();
  if (others != nullptr && *others != '\0') path += std::string(":") + others;
  setenv("LD_LIBRARY_PATH", path.c_str(), 1);
  setenv(config_variable, std::filesystem::absolute(c.config).c_str(), 1);
  environment_texts texts;
  texts.set(overrides_variable, set);
  texts.set(command_variable, c.command);
  setenv(notes_variable, notes.path().c_str(), 1);
  for (const auto& [name, value] : c.environment) texts.set(name, value);
  const int status = run_program(c.program);
  warn_of_missing(notes, status, c.program[0], wanted_outputs(config.to_write));
  return status;
}

}  // namespace pws::platform
