// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/driver.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <ostream>

#include "base/file_names.h"
#include "base/installation.h"
#include "base/whole_file.h"
#include "sw/loader/bytes.h"
#include "sw/loader/hip_compiler.h"
#include "sw/loader/llvm_version.h"
#include "sw/loader/offload_bundle.h"
#include "sw/loader/subprocess.h"
#include "sw/pwscc/command_line.h"
#include "sw/pwscc/device_compiler.h"
#include "sw/pwscc/report_text.h"

namespace pws::pwscc {

namespace {

namespace fs = std::filesystem;
using product = command_line::product;

// Makes its folder.
void write_file(const fs::path& path, const void* data, size_t bytes) {
  std::error_code unknown;  // said when the file is written
  if (path.has_parent_path()) fs::create_directories(path.parent_path(), unknown);
  whole_file file(path);
  file.out().write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  if (!file.commit()) throw input_error(fmt::format("{}: cannot be written", path.string()));
}
void write_file(const fs::path& path, const std::string& text) {
  write_file(path, text.data(), text.size());
}

// A tool of the same LLVM as the compiler.
fs::path tool_beside(const fs::path& compiler, const char* name, const std::string& package) {
  const fs::path beside = compiler.parent_path() / name;
  if (const fs::path found = loader::find_executable(beside.string()); !found.empty()) return found;
  throw input_error(fmt::format("{}: not there. apt install {}", beside.string(), package));
}

class build {
 public:
  build(const command_line& line, std::ostream& err) : line_(line), err_(err) {}

  void run() {
    require_apart();
    std::vector<std::string> objects;
    for (const std::string& source : line_.sources) {
      device_options options = device_options_of(line_);
      options.describe = line_.report || !line_.report_files.empty();
      if (line_.verbose) err_ << fmt::format("pwscc: device code of {}\n", source);
      const device_result device = compile_device(source, options);
      err_ << device.diagnostics;
      if (line_.pass.choice != split_choice::none) err_ << mark_warnings(device.report);
      take_report(device.report);
      keep(source, device);
      write_rule(source);
      switch (line_.makes) {
        case product::assembly:
          write_file(output_for(source), device.after);
          break;
        case product::code_object:
          write_file(output_for(source), device.code_object.data(), device.code_object.size());
          break;
        case product::object:
          install(host_object(source, device), output_for(source));
          break;
        case product::executable:
          objects.push_back(host_object(source, device));
          break;
      }
    }
    if (line_.makes == product::executable) link(objects);
    write_reports();
  }

 private:
  // What is written is neither read nor written twice.
  void require_apart() const {
    std::vector<fs::path> outputs;
    const auto add = [&](const fs::path& file) {
      for (const std::string& source : line_.sources)
        if (same_file(file, source)) throw input_error(fmt::format("{}: the source; it would be overwritten", source));
      for (const fs::path& before : outputs)
        if (same_file(file, before)) throw input_error(fmt::format("{}: two outputs in one file", file.string()));
      outputs.push_back(file);
    };
    for (const std::string& file : line_.report_files) add(file);
    if (line_.makes == product::executable) return add(line_.output.empty() ? "a.out" : line_.output);
    for (const std::string& source : line_.sources) add(output_for(source));
  }
  fs::path output_for(const std::string& source) const {
    if (!line_.output.empty()) return line_.output;
    const char* const extension = line_.makes == product::assembly      ? ".s"
                                  : line_.makes == product::code_object ? ".hsaco"
                                                                        : ".o";
    return fs::path(source).stem().string() + extension;
  }
  void run(const std::vector<std::string>& command) {
    if (line_.verbose) err_ << fmt::format("{}\n", fmt::join(command, " "));
    const loader::process_result r = loader::run_process(command, scratch_.path());
    if (r.exit_code != 0) throw compilation_failed(r.output + loader::compiler_hint(r.output));
    err_ << r.output;
  }

  // The host code with the device code in it, as clang does it: a bundle, aligned to a page, in the section
  // .hip_fatbin.
  std::string host_object(const std::string& source, const device_result& device) {
    const std::string number = std::to_string(objects_made_++);
    const std::string code = (scratch_.path() / (number + ".hsaco")).string(),
                      bundle = (scratch_.path() / (number + ".hipfb")).string(),
                      object = (scratch_.path() / (number + ".o")).string();
    write_file(code, device.code_object.data(), device.code_object.size());
    run({tool_beside(compiler_.path(), "clang-offload-bundler", loader::of_llvm_version("clang-tools")).string(),
         "-type=o", "-bundle-align=4096",
         fmt::format("-targets=host-x86_64-unknown-linux,hipv4-amdgcn-amd-amdhsa--{}", loader::machine_processor),
         "-input=/dev/null", "-input=" + code, "-output=" + bundle});
    std::vector<std::string> command{compiler_.path().string()};
    const std::vector<std::string> hip = loader::hip_flags(false);
    command.insert(command.end(), hip.begin(), hip.end());
    command.insert(command.end(), {"-D__PWSCC__=1", "-I" + include_folder().string()});
    command.insert(command.end(), line_.compile_flags.begin(), line_.compile_flags.end());
    command.insert(command.end(), {"--cuda-host-only", "-Xclang", "-fcuda-include-gpubinary", "-Xclang", bundle, "-c",
                                   "-o", object, source});
    run(command);
    return object;
  }

  // What clang would call the files: the rule's, and what it is a rule for.
  void write_rule(const std::string& source) {
    if (line_.dependencies.empty()) return;
    const auto given = [&](std::string_view option) {
      return std::any_of(line_.dependencies.begin(), line_.dependencies.end(),
                         [&](const std::string& w) { return w.compare(0, option.size(), option) == 0; });
    };
    const bool one = line_.sources.size() == 1 || line_.makes != product::executable;
    fs::path made = one || !line_.output.empty() ? output_for(source) : fs::path();
    if (line_.makes == product::executable && line_.output.empty()) made = fs::path(source).stem().string() + ".o";
    fs::path file = one && !line_.output.empty() ? made : fs::path(source).filename();
    std::vector<std::string> command{compiler_.path().string()};
    const std::vector<std::string> hip = loader::hip_flags(false);
    command.insert(command.end(), hip.begin(), hip.end());
    command.insert(command.end(), {"-D__PWSCC__=1", "-I" + include_folder().string()});
    command.insert(command.end(), line_.compile_flags.begin(), line_.compile_flags.end());
    const bool device_alone = line_.makes == product::code_object || line_.makes == product::assembly;
    command.emplace_back(device_alone ? "--cuda-device-only" : "--cuda-host-only");
    for (const std::string& word : line_.dependencies)
      command.push_back(word == "-MD" ? "-M" : word == "-MMD" ? "-MM" : word);
    if (!given("-MF")) command.insert(command.end(), {"-MF", file.replace_extension(".d").string()});
    if (!given("-MT") && !given("-MQ")) command.insert(command.end(), {"-MQ", made.string()});
    command.push_back(source);
    run(command);
  }

  void link(const std::vector<std::string>& objects) {
    const std::string output = line_.output.empty() ? "a.out" : line_.output;
    const std::string linked = (scratch_.path() / "linked").string();
    std::vector<std::string> command{compiler_.path().string()};
    bool has_runtime = false;
    for (const std::string& a : line_.link_arguments) {
      command.push_back(a[0] == '\0' ? objects.at(std::stoul(a.substr(1))) : a);
      has_runtime = has_runtime || a == "-lamdhip64" || a == "amdhip64";
    }
    if (!has_runtime) command.push_back("-lamdhip64");
    command.insert(command.end(), {"-o", linked});
    run(command);
    install(linked, output);
  }

  // To its place, with its permissions.
  static void install(const std::string& from, const fs::path& to) {
    const std::vector<uint8_t> bytes = loader::read_file(from);
    write_file(to, bytes.data(), bytes.size());
    std::error_code ignored;
    fs::permissions(to, fs::status(from).permissions(), ignored);
  }

  void keep(const std::string& source, const device_result& device) const {
    if (line_.keep.empty()) return;
    std::error_code error;
    fs::create_directories(line_.keep, error);
    const std::string stem = fs::path(source).stem().string();
    write_file(fs::path(line_.keep) / (stem + ".before.s"), device.before);
    write_file(fs::path(line_.keep) / (stem + ".after.s"), device.after);
  }

  void take_report(const pass_report& r) {
    report_.branches.insert(report_.branches.end(), r.branches.begin(), r.branches.end());
    report_.lost_marks.insert(report_.lost_marks.end(), r.lost_marks.begin(), r.lost_marks.end());
    report_.by_hand.insert(report_.by_hand.end(), r.by_hand.begin(), r.by_hand.end());
    report_.checks.insert(report_.checks.end(), r.checks.begin(), r.checks.end());
    report_.kernels.insert(report_.kernels.end(), r.kernels.begin(), r.kernels.end());
  }
  void write_reports() {
    if (line_.report) err_ << report_text(report_, line_.pass, line_.divergence);
    for (const std::string& file : line_.report_files)
      write_file(file, fs::path(file).extension() == ".json" ? report_json({report_, line_.pass, line_.divergence})
                                                             : report_text(report_, line_.pass, line_.divergence));
  }

  const command_line& line_;
  std::ostream& err_;
  loader::hip_compiler compiler_;
  loader::temporary_directory scratch_;
  pass_report report_;
  unsigned objects_made_ = 0;
};

int run_clang(const command_line& line, std::ostream& out) {
  const loader::hip_compiler compiler;
  const loader::temporary_directory scratch;
  std::vector<std::string> command{compiler.path().string()};
  const std::vector<std::string> hip = loader::hip_flags();
  command.insert(command.end(), hip.begin(), hip.end());
  command.insert(command.end(), {"-D__PWSCC__=1", "-I" + include_folder().string()});
  command.insert(command.end(), line.all.begin(), line.all.end());
  const loader::process_result r = loader::run_process(command, scratch.path());
  out << r.output;
  return r.exit_code == 0 ? 0 : 1;
}

}  // namespace

int run_pwscc(const std::vector<std::string>& arguments, const std::string& version, std::ostream& out,
              std::ostream& err) {
  try {
    const command_line line = parse_command_line(loader::with_response_files(arguments));
    switch (line.what) {
      case command_line::action::help:
        out << help_text();
        return 0;
      case command_line::action::version:
        out << version << "  calls      " << loader::hip_compiler().version() << "\n";
        return 0;
      case command_line::action::only_clang:
        return run_clang(line, out);
      case command_line::action::build:
        build(line, err).run();
        return 0;
    }
  } catch (const compilation_failed& e) {
    err << visible(e.what());
    return 1;
  } catch (const input_error& e) {
    err << "pwscc: " << visible(e.what()) << "\n";
    return 2;
  }
  return 0;
}

}  // namespace pws::pwscc
