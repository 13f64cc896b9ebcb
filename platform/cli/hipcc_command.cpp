#include "platform/cli/hipcc_command.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <string_view>

#include "base/error.h"
#include "sw/loader/hip_compiler.h"

namespace pws::platform {

namespace {

// Clang 15 takes headers without a version file, as Debian's are, for those of HIP 3.5, and leaves out __managed__ and
// functions that are for the host implicitly.
constexpr const char* headers_version = "--hip-version=5.2.0";

// Options whose value is the next word.
constexpr std::array<std::string_view, 22> with_value{
    "-o",      "-I",      "-D",      "-U",       "-L",      "-T",         "-u",       "-z",
    "-MF",     "-MT",     "-MQ",     "-arch",    "-mllvm",  "-include",   "-isystem", "-idirafter",
    "-iquote", "-Xclang", "-target", "-Xlinker", "--param", "-Xassembler"};
// What ends the compiler's work before the linker's.
constexpr std::array<std::string_view, 8> without_linking{
    "-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--cuda-device-only", "-emit-llvm"};
constexpr std::array<std::string_view, 6> source_endings{".hip", ".cpp", ".cc", ".cxx", ".cu", ".C"};

template <class List>
bool has(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}
bool is_source(const std::string& word) {
  return word[0] != '-' && has(source_endings, std::filesystem::path(word).extension().string());
}

}  // namespace

CLI::App* add_hipcc_command(CLI::App& app) {
  CLI::App* c = app.add_subcommand("hipcc", "Compile and link HIP programs for the machine, called as hipcc is");
  c->add_option("ARGS",
                "Sources, objects and options of the compiler (clang++-15, or PWS_CLANG); -### prints its commands")
      ->type_name("ARGS");
  c->footer(
      "In a Makefile: HIPCC=\"pwsvp hipcc\". Sources (.hip, .cpp, .cc, .cxx, .cu) are compiled as HIP for gfx803, with "
      "-O3 unless an -O is given; programs are linked with libamdhip64.");
  return c;
}

bool asks_for_hipcc(int argc, char** argv) {
  if (argc < 2 || std::string_view(argv[1]) != "hipcc") return false;
  return argc != 3 || (std::string_view(argv[2]) != "--help" && std::string_view(argv[2]) != "-h");
}

std::vector<std::string> clang_arguments(const std::vector<std::string>& words, const std::vector<std::string>& flags) {
  std::vector<std::string> all = flags;
  all.emplace_back(headers_version);
  // Objects are given flags of compiling, and sources those of linking.
  all.emplace_back("-Wno-unused-command-line-argument");
  const bool optimises = std::any_of(words.begin(), words.end(), [](const auto& w) { return w.rfind("-O", 0) == 0; });
  if (!optimises) all.emplace_back("-O3");
  const bool says_language =
      std::any_of(words.begin(), words.end(), [](const auto& w) { return w.rfind("-x", 0) == 0; });
  bool inputs = false;
  for (size_t k = 0; k < words.size(); ++k) {
    const std::string& word = words[k];
    inputs = inputs || word.empty() || word[0] != '-';
    if (has(with_value, word) && k + 1 < words.size()) {
      all.insert(all.end(), {word, words[++k]});
    } else if (!word.empty() && is_source(word) && !says_language) {
      all.insert(all.end(), {"-x", "hip", word, "-x", "none"});  // what follows may be an object
    } else {
      all.push_back(word);
    }
  }
  const bool links =
      inputs && std::none_of(words.begin(), words.end(), [](const auto& w) { return has(without_linking, w); });
  if (!links) return all;
  // Code of several objects is put together by lld. Clang would add a path to ROCm's library, which programs keep.
  if (has(words, "-fgpu-rdc")) all.insert(all.end(), {"--hip-link", "-no-hip-rt"});
  all.emplace_back("-lamdhip64");
  return all;
}

int hipcc_command(const std::vector<std::string>& words) {
  const loader::hip_compiler compiler;
  loader::require_device_libraries();
  std::vector<std::string> flags = loader::hip_flags();
  flags.erase(flags.begin(), flags.begin() + 2);  // the language, which each source is given itself
  std::vector<std::string> all = clang_arguments(words, flags);
  all.insert(all.begin(), compiler.path().string());
  std::vector<char*> argv;
  for (std::string& a : all) argv.push_back(a.data());
  argv.push_back(nullptr);
  std::signal(SIGPIPE, SIG_DFL);
  execv(argv[0], argv.data());
  throw input_error(all[0] + ": cannot be started: " + std::strerror(errno));
}

}  // namespace pws::platform
