// SPDX-License-Identifier: Apache-2.0
#include "platform/commands/hipcc_arguments.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <sstream>
#include <string_view>

#include "sw/loader/hip_version.h"
#include "sw/loader/subprocess.h"

namespace pws::platform {

namespace {

// Options whose value is the next word.
constexpr std::array<std::string_view, 23> with_value{
    "-o",      "-I",      "-D",      "-U",       "-L",      "-T",          "-u",        "-z",
    "-MF",     "-MT",     "-MQ",     "-arch",    "-mllvm",  "-include",    "-isystem",  "-idirafter",
    "-iquote", "-Xclang", "-target", "-Xlinker", "--param", "-Xassembler", "-framework"};
// What ends the compiler's work before the linker's.
constexpr std::array<std::string_view, 8> without_linking{
    "-c", "-S", "-E", "-M", "-MM", "-fsyntax-only", "--cuda-device-only", "-emit-llvm"};

// What clang hands to the linker as it stands: it links where one of these is, even if no file is named.
constexpr std::array<std::string_view, 8> for_linker{"-l", "-Wl,", "-Xlinker", "--for-linker",
                                                     "-z", "-e",   "-rpath",   "-framework"};

template <class List>
bool has(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}
bool starts_with(const std::string& word, std::string_view prefix) {
  return word.compare(0, prefix.size(), prefix) == 0;
}

bool goes_to_linker(const std::string& word) {
  return std::any_of(for_linker.begin(), for_linker.end(),
                     [&word](std::string_view option) { return starts_with(word, option); });
}

std::vector<std::string> split(const std::string& text, char at) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, at);)
    if (!part.empty()) parts.push_back(std::move(part));
  return parts;
}
std::vector<std::string> environment_words(const char* name) {
  std::istringstream in(loader::environment(name));
  return {std::istream_iterator<std::string>(in), {}};
}

// As a shell, or CMake, takes them apart again.
std::string shell_words(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& w : words) {
    const bool quoted = w.empty() || w.find_first_of(" \t\"'\\$`()&;<>|*?#") != std::string::npos;
    std::string escaped;
    for (const char c : w) {
      if (quoted && std::string_view("\"\\$`").find(c) != std::string_view::npos) escaped += '\\';
      escaped += c;
    }
    text += (text.empty() ? "" : " ") + (quoted ? '"' + escaped + '"' : escaped);
  }
  return text;
}

class translation {
 public:
  translation(const hipcc_machine& machine, const hipcc_environment& settings)
      : machine_(machine), settings_(settings) {}

  hipcc_call run(const std::vector<std::string>& words) {
    for (size_t k = 0; k < words.size(); ++k) {
      inputs_ = inputs_ || words[k] == "-" || goes_to_linker(words[k]);
      if (has(with_value, words[k]) && k + 1 < words.size()) {
        if (words[k] == "-o") output_ = words[k + 1];
        add({words[k], words[k + 1]});
        ++k;
      } else if (words[k] == "-x" && k + 1 < words.size()) {
        set_language(words[++k]);
      } else if (!own(words[k])) {
        take(words[k]);
      }
    }
    return put_together();
  }

 private:
  void add(std::initializer_list<std::string> words) { given_.insert(given_.end(), words); }

  void set_language(const std::string& language) {
    language_ = language;
    add({"-x", language});
  }

  // Options of hipcc alone, and those that are called otherwise by clang.
  bool own(const std::string& word) {
    for (const std::string_view option : {"--amdgpu-target=", "--offload-arch="})
      if (starts_with(word, option)) {
        for (const std::string& target : split(word.substr(option.size()), ','))
          if (target != "gfx000") targets_.push_back("--offload-arch=" + target);
        return true;
      }
    constexpr std::string_view code_object = "--amdhsa-code-object-version=";
    if (word == "--genco") {
      add({"--cuda-device-only"});
      stages_.emplace_back("--cuda-device-only");
      links_ = false;
    } else if (word == "--version") {
      call_.printed = fmt::format("HIP version: {}\n", loader::hip_version());
      add({word});
    } else if (word == "--short-version" || word == "--cxxflags" || word == "--ldflags") {
      asked_.push_back(word);
    } else if (starts_with(word, code_object)) {
      add({"-mcode-object-version=" + word.substr(code_object.size())});
    } else if (word == "-use_fast_math") {
      add({"-DHIP_FAST_MATH"});
    } else if (word == "-use-staticlib" || word == "-use-sharedlib" || starts_with(word, "--hipcc")) {
      return true;  // how AMD's own libraries are linked, and how its compiler treats calls
    } else {
      return false;
    }
    return true;
  }

  void take(const std::string& word) {
    if (starts_with(word, "-x")) {
      set_language(word.substr(2));
      return;
    }
    links_ = links_ && !has(without_linking, word);
    optimises_ = optimises_ || starts_with(word, "-O");
    if (word == "-M" || word == "-MM") add({"--cuda-host-only"});  // a rule once, not for each processor
    if (word == "-fgpu-rdc" || word == "-fno-gpu-rdc") several_objects_ = word == "-fgpu-rdc";
    if (word == "--hip-link") hip_link_ = true;
    if (!word.empty() && word[0] == '-') {
      stages_.push_back(word);
      if (starts_with(word, "-o") && word.size() > 2) output_ = word.substr(2);
      add({word});
      return;
    }
    inputs_ = true;
    sources_.push_back(word);
    const std::string language = language_.empty() || language_ == "none" ? language_by_name(word) : "";
    compiles_hip_ = compiles_hip_ || language == "hip" || language_ == "hip";
    if (language.empty())
      add({word});
    else
      add({"-x", language, word, "-x", "none"});  // what follows may be an object
  }

  // "": clang knows it by its name.
  std::string language_by_name(const std::string& file) const {
    const std::string ending = std::filesystem::path(file).extension().string();
    if (ending == ".c") return "c";
    if (ending == ".hip") return "hip";
    constexpr std::array<std::string_view, 6> cxx{".cpp", ".cxx", ".cc", ".C", ".cu", ".cuh"};
    return has(cxx, ending) && settings_.cxx_is_hip ? "hip" : "";
  }

  std::vector<std::string> compile_flags() const {
    std::vector<std::string> all = machine_.places;
    // Else clang takes the headers for those of HIP 3.5, and leaves out __managed__ and functions that are for the host
    // implicitly.
    all.push_back(loader::hip_version_option());
    if (!optimises_) all.emplace_back("-O3");
    return all;
  }
  std::vector<std::string> link_flags() const {
    // Code of several objects is put together by lld. Clang would add a path to ROCm's library, which programs keep.
    std::vector<std::string> all;
    if (several_objects_ && !hip_link_) all.emplace_back("--hip-link");
    if (several_objects_ || hip_link_) all.emplace_back("-no-hip-rt");
    all.emplace_back("-lamdhip64");
    return all;
  }

  // What is no code yet, or is put together by lld, has kernels when it is.
  std::vector<std::string> for_kernels() const {
    for (const std::string_view stage :
         {"-S", "-E", "-M", "-MM", "-fsyntax-only", "-emit-llvm", "--cuda-host-only", "-###"})
      if (has(stages_, stage)) return {};
    if (several_objects_ || links_) return {};
    if (has(stages_, "--cuda-device-only"))
      return output_.empty() ? std::vector<std::string>{} : std::vector<std::string>{output_};
    std::vector<std::string> files;
    for (const std::string& source : sources_) {
      const std::filesystem::path file(source);
      constexpr std::array<std::string_view, 3> called_hip{".hip", ".cu", ".cuh"};
      if (has(stages_, "-c") && has(called_hip, file.extension().string()))
        files.push_back(output_.empty() ? file.stem().string() + ".o" : output_);
    }
    return files;
  }

  hipcc_call put_together() {
    links_ = call_.links = links_ && inputs_;
    std::vector<std::string>& all = call_.clang;
    const auto append = [&](const std::vector<std::string>& more) { all.insert(all.end(), more.begin(), more.end()); };
    // Where nothing is compiled for the machine, its name would make clang look for code to offload by OpenMP.
    if (compiles_hip_ || (links_ && (several_objects_ || hip_link_))) {
      append(machine_.architecture);
      for (const std::string& target : targets_)
        if (!has(all, target)) all.push_back(target);
    }
    append(compile_flags());
    // Objects are given flags of compiling, and sources those of linking.
    all.emplace_back("-Wno-unused-command-line-argument");
    append(settings_.compile_flags);
    append(given_);
    if (links_) append(link_flags());
    if (links_) append(settings_.link_flags);
    for (const std::string& option : asked_) {
      call_.runs_clang = false;
      call_.printed += option == "--short-version" ? loader::hip_version()
                       : option == "--cxxflags"    ? shell_words(compile_flags())
                                                   : shell_words(link_flags());
      call_.printed += "\n";
    }
    call_.for_kernels = for_kernels();
    return std::move(call_);
  }

  const hipcc_machine& machine_;
  const hipcc_environment& settings_;
  hipcc_call call_;
  std::vector<std::string> given_, targets_, asked_;
  std::vector<std::string> stages_, sources_;  // of those given: options, and files
  std::string language_;                       // of -x
  std::string output_;
  bool inputs_ = false;  // without one, clang only answers questions
  bool links_ = true, optimises_ = false, several_objects_ = false, hip_link_ = false;
  bool compiles_hip_ = false;
};

}  // namespace

hipcc_environment hipcc_environment::of_process() {
  return {loader::environment("HIP_COMPILE_CXX_AS_HIP") != "0", environment_words("HIPCC_COMPILE_FLAGS_APPEND"),
          environment_words("HIPCC_LINK_FLAGS_APPEND")};
}

hipcc_call hipcc_arguments(const std::vector<std::string>& words, const hipcc_machine& machine,
                           const hipcc_environment& settings) {
  return translation(machine, settings).run(words);
}

}  // namespace pws::platform
