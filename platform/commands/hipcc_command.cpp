// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "base/error.h"
#include "base/installation.h"
#include "platform/commands/command_table.h"
#include "platform/commands/hipcc_arguments.h"
#include "sw/loader/hip_compiler.h"
#include "sw/loader/llvm_version.h"
#include "sw/loader/program_image.h"
#include "sw/loader/subprocess.h"

namespace pws::platform {

namespace {

[[noreturn]] void become(std::vector<std::string>& command) {
  std::vector<char*> argv;
  argv.reserve(command.size() + 1);
  for (std::string& a : command) argv.push_back(a.data());
  argv.push_back(nullptr);
  std::signal(SIGPIPE, SIG_DFL);
  execv(argv[0], argv.data());
  throw input_error(command[0] + ": cannot be started: " + std::strerror(errno));
}

// The command as a child with this process's files; its exit code, or of a signal what a shell makes of it. `hints`:
// its standard error is passed on as it comes, and behind it what may help, such as where a program without main was to
// be linked.
int run_beside(std::vector<std::string>& command, bool hints) {
  int ends[2] = {-1, -1};
  if (hints && pipe(ends) != 0) throw input_error(std::string("a pipe cannot be made: ") + std::strerror(errno));
  const pid_t child = fork();
  if (child < 0) throw input_error(command[0] + ": cannot be started: " + std::strerror(errno));
  if (child == 0) {
    if (hints) {
      dup2(ends[1], STDERR_FILENO);
      close(ends[0]);
      close(ends[1]);
    }
    try {
      become(command);
    } catch (const input_error& e) {
      fmt::print(stderr, "{}\n", e.what());
      std::fflush(stderr);
      _exit(2);
    }
  }
  // An interrupt from the terminal is the child's to answer.
  const auto interrupt = std::signal(SIGINT, SIG_IGN);
  std::string said;
  if (hints) {
    close(ends[1]);
    std::array<char, 4096> part;
    for (ssize_t n; (n = read(ends[0], part.data(), part.size())) > 0 || (n < 0 && errno == EINTR);) {
      if (n < 0) continue;
      said.append(part.data(), static_cast<size_t>(n));
      std::fwrite(part.data(), 1, static_cast<size_t>(n), stderr);
    }
    close(ends[0]);
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  std::signal(SIGINT, interrupt);
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  if (const std::string hint = code == 0 ? "" : loader::compiler_hint(said); !hint.empty())
    std::fprintf(stderr, "%s\n", hint.c_str() + 1);  // behind a line's end
  return code;
}

// That the file has no kernel; empty: it has.
std::string without_kernels(const std::string& file) {
  if (!std::filesystem::is_regular_file(file)) return "";  // /dev/null
  try {
    const loader::program_image program = loader::load_program(file);
    const auto& objects = program.code_objects();
    const bool none = std::all_of(objects.begin(), objects.end(), [](const auto& o) { return o.kernels().empty(); });
    return none ? file + ": no kernels in it" : "";
  } catch (const input_error& e) {  // also where there is no device code at all
    return fmt::format("{}: {}", file, e.what());
  }
}

}  // namespace

command add_hipcc(CLI::App& app) {
  CLI::App* c = app.add_subcommand("hipcc", "Compile and link HIP programs for the machine, called as hipcc is");
  c->add_option("ARGS")
      ->description("Sources, objects and options of AMD's hipcc and of the compiler (" +
                    loader::of_llvm_version("clang++") +
                    ", or PWS_CLANG), @FILE with more of them; -### prints its commands")
      ->type_name("ARGS");
  c->footer(
      "As one word: the program hipcc beside pwsvp. In a Makefile: HIPCC=\"pwsvp hipcc\". Sources (.hip, .cpp, .cc, "
      ".cxx, .C, .cu) are compiled as HIP for gfx803, those that end in .c as C, with -O3 unless an -O is given; "
      "programs "
      "are linked with libamdhip64.");
  return {c, [] { return hipcc_command({}); }};
}

std::optional<std::vector<std::string>> hipcc_words(int argc, char** argv) {
  if (argc > 0 && std::filesystem::path(argv[0]).filename() == "hipcc")
    return std::vector<std::string>(argv + 1, argv + argc);
  if (argc < 2 || std::string_view(argv[1]) != "hipcc") return std::nullopt;
  if (argc == 3 && (std::string_view(argv[2]) == "--help" || std::string_view(argv[2]) == "-h")) return std::nullopt;
  return std::vector<std::string>(argv + 2, argv + argc);
}

int hipcc_command(const std::vector<std::string>& words) {
  const loader::hip_compiler compiler;
  loader::require_device_libraries();
  hipcc_machine machine;
  for (const std::string& flag : loader::hip_flags())
    if (flag.rfind("--offload-arch", 0) == 0)
      machine.architecture.push_back(flag);
    else if (flag.rfind("--", 0) == 0)  // not the language, which each source is given itself
      machine.places.push_back(flag);
  for (const std::string& flag : loader::device_code_flags()) machine.architecture.push_back(flag);
  // pws.h, and for inline assembly pws.inc, which clang looks for in no folder of -idirafter.
  machine.places.insert(machine.places.end(), {"-isystem", include_folder().string()});
  hipcc_call call = hipcc_arguments(loader::with_response_files(words), machine, hipcc_environment::of_process());
  call.clang.insert(call.clang.begin(), compiler.path().string());
  if ((std::strtoul(loader::environment("HIPCC_VERBOSE").c_str(), nullptr, 0) & 1) != 0)
    call.printed += fmt::format("hipcc-cmd: {}\n", fmt::join(call.clang, " "));
  std::fputs(call.printed.c_str(), stdout);
  std::fflush(stdout);
  if (!call.runs_clang) return 0;
  const bool openmp = std::any_of(call.clang.begin(), call.clang.end(),
                                  [](const std::string& word) { return word.rfind("-fopenmp", 0) == 0; });
  const bool hints = call.links || openmp;
  if (!hints && call.for_kernels.empty()) become(call.clang);
  if (hints && isatty(STDERR_FILENO) != 0) call.clang.insert(call.clang.begin() + 1, "-fcolor-diagnostics");
  const int code = run_beside(call.clang, hints);
  if (code == 0)
    for (const std::string& file : call.for_kernels)
      if (const std::string note = without_kernels(file); !note.empty()) fmt::print(stderr, "note: {}\n", note);
  return code;
}

}  // namespace pws::platform
