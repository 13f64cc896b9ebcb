#include "platform/cli/hipcc_command.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "base/error.h"
#include "base/installation.h"
#include "platform/cli/hipcc_arguments.h"
#include "sw/loader/hip_compiler.h"
#include "sw/loader/response_file.h"
#include "sw/loader/subprocess.h"

namespace pws::platform {

CLI::App* add_hipcc_command(CLI::App& app) {
  CLI::App* c = app.add_subcommand("hipcc", "Compile and link HIP programs for the machine, called as hipcc is");
  c->add_option(
       "ARGS",
       "Sources, objects and options of AMD's hipcc and of the compiler (clang++-15, or PWS_CLANG), @FILE with "
       "more of them; -### prints its commands")
      ->type_name("ARGS");
  c->footer(
      "As one word: the program hipcc beside pwsvp. In a Makefile: HIPCC=\"pwsvp hipcc\". Sources (.hip, .cpp, .cc, "
      ".cxx, .C, .cu) are compiled as HIP for gfx803, those that end in .c as C, with -O3 unless an -O is given; "
      "programs "
      "are linked with libamdhip64.");
  return c;
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
  const std::string headers = include_folder().string();  // pws.h and pws.inc
  machine.places.insert(machine.places.end(), {"-idirafter", headers});
  hipcc_call call = hipcc_arguments(loader::with_response_files(words), machine, hipcc_environment::of_process());
  call.clang.insert(call.clang.begin(), compiler.path().string());
  if ((std::strtoul(loader::environment("HIPCC_VERBOSE").c_str(), nullptr, 0) & 1) != 0)
    call.says += fmt::format("hipcc-cmd: {}\n", fmt::join(call.clang, " "));
  std::fputs(call.says.c_str(), stdout);
  std::fflush(stdout);
  if (!call.runs_clang) return 0;
  std::vector<char*> argv;
  for (std::string& a : call.clang) argv.push_back(a.data());
  argv.push_back(nullptr);
  std::signal(SIGPIPE, SIG_DFL);
  execv(argv[0], argv.data());
  throw input_error(call.clang[0] + ": cannot be started: " + std::strerror(errno));
}

}  // namespace pws::platform
