// SPDX-License-Identifier: Apache-2.0
#include "hip_runtime/rtc_program.h"

#include <fmt/format.h>
#include <hip/hiprtc.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/error.h"
#include "sw/loader/bytes.h"
#include "sw/loader/hip_compiler.h"
#include "sw/loader/hip_version.h"
#include "sw/loader/subprocess.h"

namespace pws::hip {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view processor = "gfx803";
constexpr const char* marker = "__pws_rtc_name_";
// As programs for hiprtc expect it: device functions are there, and the macro, without an include.
constexpr const char* prelude = "#include <hip/hip_runtime.h>\n#define __HIPCC_RTC__ 1\n";

// What would have the compiler make something else, or write files: these, and what begins so.
constexpr std::array<std::string_view, 6> not_of_device_code{"-c", "-S", "-E", "-fsyntax-only", "-emit-llvm", "-###"};
constexpr std::array<std::string_view, 6> beginnings_not_of_device_code{
    "-o", "-x", "-M", "-save-temps", "--save-temps", "--cuda-host-only"};
constexpr std::array<std::string_view, 4> architecture_options{"--gpu-architecture", "--offload-arch", "-arch",
                                                               "--cuda-gpu-arch"};

void write_file(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream out(file, std::ios::binary);
  out << text;
  out.close();
  if (!out) throw rtc_failure{HIPRTC_ERROR_INTERNAL_ERROR};
}

// True for the name of a file below a folder: it is not absolute and has no "..".
bool stays_below(const fs::path& name) {
  return !name.empty() && name.is_relative() && name.has_filename() &&
         std::none_of(name.begin(), name.end(), [](const fs::path& part) { return part == ".."; });
}

// As it may stand in a #line.
std::string shown(std::string name) {
  for (char& c : name)
    if (c == '"' || c == '\\' || static_cast<unsigned char>(c) < ' ') c = '_';
  return name.empty() ? "default_program" : name;
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
}

}  // namespace

rtc_program::rtc_program(std::string source, std::string name, std::vector<header> headers)
    : source_(std::move(source)), name_(shown(std::move(name))), headers_(std::move(headers)) {
  for (const header& h : headers_)
    if (!stays_below(h.name)) throw rtc_failure{HIPRTC_ERROR_INVALID_INPUT};
}

void rtc_program::add_name(const std::string& expression) {
  const std::lock_guard guard(lock_);
  if (compiled_) throw rtc_failure{HIPRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION};
  expressions_.push_back(expression);
}

// Those for the compiler; the architecture can only be the machine's.
std::vector<std::string> rtc_program::accepted(const std::vector<std::string>& options) {
  std::vector<std::string> all;
  const auto refuse = [&](const std::string& why) {
    log_ = why + "\n";
    throw rtc_failure{HIPRTC_ERROR_INVALID_OPTION};
  };
  for (size_t k = 0; k < options.size(); ++k) {
    const std::string& o = options[k];
    const bool begins_so = std::any_of(beginnings_not_of_device_code.begin(), beginnings_not_of_device_code.end(),
                                       [&](std::string_view b) { return o.compare(0, b.size(), b) == 0; });
    if (begins_so || std::find(not_of_device_code.begin(), not_of_device_code.end(), o) != not_of_device_code.end())
      refuse(fmt::format("option {}: a program in memory becomes a code object in memory, nothing else", o));
    if (o == "-fgpu-rdc" || o == "-fno-gpu-rdc") {
      for_linking_ = o == "-fgpu-rdc";
      continue;
    }
    const size_t equals = o.find('=');
    const std::string key = o.substr(0, equals);
    if (std::find(architecture_options.begin(), architecture_options.end(), key) == architecture_options.end()) {
      all.push_back(o);
      continue;
    }
    std::string wanted = equals == std::string::npos ? "" : o.substr(equals + 1);
    if (equals == std::string::npos && k + 1 < options.size()) wanted = options[++k];
    if (wanted.substr(0, wanted.find(':')) != processor)
      refuse(fmt::format("option {}: architecture '{}' is not this device's, {}", o, wanted, processor));
  }
  return all;
}

// With a variable for each name that is wanted: it makes the compiler instantiate templates, and is set to what the
// name is in the code.
std::string rtc_program::text() const {
  std::string all = fmt::format("#line 1 \"{}\"\n{}\n", name_, source_);
  for (size_t k = 0; k < expressions_.size(); ++k)
    all += fmt::format(
        "#line 1 \"name expression {}\"\nextern \"C\" __device__ __attribute__((used)) const void* {}{} = (const "
        "void*)({});\n",
        k + 1, marker, k, expressions_[k]);
  return all;
}

// From "NAME:", and ".quad LOWERED" below it.
void rtc_program::read_names(const std::string& assembly) {
  for (size_t k = 0; k < expressions_.size(); ++k) {
    const size_t label = assembly.find(fmt::format("\n{}{}:", marker, k));
    const size_t value = assembly.find(".quad", label);
    if (label == std::string::npos || value == std::string::npos) continue;
    const size_t begin = assembly.find_first_not_of(" \t", value + 5);
    lowered_[expressions_[k]] = assembly.substr(begin, assembly.find_first_of(" \t\n", begin) - begin);
  }
}

void rtc_program::compile(const std::vector<std::string>& options) {
  const std::lock_guard guard(lock_);
  code_.clear();
  log_.clear();
  lowered_.clear();
  compiled_ = for_linking_ = false;
  const std::vector<std::string> own = accepted(options);
  try {
    const loader::hip_compiler compiler;
    loader::require_device_libraries();
    const loader::temporary_directory folder;
    const fs::path source = folder.path() / "source.hip", include = folder.path() / "include",
                   before = folder.path() / "prelude.h", output = folder.path() / "output";
    write_file(source, text());
    write_file(before, prelude);
    for (const header& h : headers_) write_file(include / h.name, h.text);
    std::vector<std::string> command{compiler.path().string()};
    for (const std::string& f : loader::hip_flags()) command.push_back(f);
    for (const std::string& f : {loader::hip_version_option(), std::string("-O3"), std::string("--cuda-device-only"),
                                 std::string("--no-gpu-bundle-output")})
      command.push_back(f);
    command.insert(command.end(), {"-include", before.string(), "-I" + include.string()});
    command.insert(command.end(), own.begin(), own.end());
    const auto run = [&](const std::vector<std::string>& kind) {
      std::vector<std::string> all = command;
      all.insert(all.end(), kind.begin(), kind.end());
      all.insert(all.end(), {source.string(), "-o", output.string()});
      const loader::process_result r = loader::run_process(all, folder.path());
      log_ = r.output;
      replace_all(log_, include.string() + "/", "");
      replace_all(log_, folder.path().string() + "/", "");
      if (r.exit_code == 0) return loader::read_text(output);
      log_ += loader::compiler_hint(r.output);
      const bool option = log_.find("error: unknown argument") != std::string::npos ||
                          log_.find("error: unsupported option") != std::string::npos;
      throw rtc_failure{option ? HIPRTC_ERROR_INVALID_OPTION : HIPRTC_ERROR_COMPILATION};
    };
    if (!expressions_.empty()) read_names(run({"-S"}));
    const std::string code = for_linking_ ? run({"-c", "-emit-llvm", "-fgpu-rdc"}) : run({"-c"});
    code_.assign(code.begin(), code.end());
    compiled_ = true;
  } catch (const input_error& e) {  // there is no compiler, or it cannot be started
    log_ = std::string(e.what()) + "\n";
    throw rtc_failure{HIPRTC_ERROR_COMPILATION};
  }
}

std::string rtc_program::log() const {
  const std::lock_guard guard(lock_);
  return log_;
}

std::vector<char> rtc_program::code() const {
  const std::lock_guard guard(lock_);
  if (!compiled_ || for_linking_) throw rtc_failure{HIPRTC_ERROR_INVALID_PROGRAM};
  return code_;
}

std::vector<char> rtc_program::bitcode() const {
  const std::lock_guard guard(lock_);
  if (!compiled_ || !for_linking_) throw rtc_failure{HIPRTC_ERROR_INVALID_PROGRAM};
  return code_;
}

const char* rtc_program::lowered_name(const std::string& expression) const {
  const std::lock_guard guard(lock_);
  if (!compiled_) throw rtc_failure{HIPRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION};
  const auto name = lowered_.find(expression);
  if (name == lowered_.end()) throw rtc_failure{HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID};
  return name->second.c_str();
}

}  // namespace pws::hip
