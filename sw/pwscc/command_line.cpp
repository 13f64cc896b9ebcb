// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/command_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <optional>
#include <sstream>

#include "base/error.h"
#include "sw/pwscc/option_table.h"

namespace pws::pwscc {

namespace {

namespace fs = std::filesystem;

bool starts_with(const std::string& text, std::string_view prefix) {
  return text.compare(0, prefix.size(), prefix) == 0;
}

template <size_t n>
bool is_one_of(const std::string& text, const std::array<const char*, n>& list) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

// Options of clang whose value is the next argument.
constexpr std::array with_value{"-I",
                                "-D",
                                "-U",
                                "-include",
                                "-imacros",
                                "-isystem",
                                "-iquote",
                                "-idirafter",
                                "-isysroot",
                                "-iprefix",
                                "-iwithprefix",
                                "-L",
                                "-l",
                                "-Xclang",
                                "-mllvm",
                                "-MF",
                                "-MT",
                                "-MQ",
                                "-Xlinker",
                                "-Xassembler",
                                "-Xpreprocessor",
                                "-target",
                                "-T",
                                "-u",
                                "-z",
                                "-e",
                                "-B",
                                "--param",
                                "-gcc-toolchain",
                                "-Xarch_device",
                                "-Xarch_host",
                                "-arch",
                                "-F",
                                "-framework",
                                "-stdlib++-isystem"};
constexpr std::array linking{"-L",
                             "-l",
                             "-Xlinker",
                             "-T",
                             "-u",
                             "-z",
                             "-e",
                             "-s",
                             "-static",
                             "-shared",
                             "-rdynamic",
                             "-pie",
                             "-no-pie",
                             "-nostdlib",
                             "-nodefaultlibs",
                             "-nostartfiles",
                             "-pthread"};
constexpr std::array no_code{"-E",           "-M",         "-MM",       "-fsyntax-only", "-dumpversion",
                             "-dumpmachine", "-emit-llvm", "-emit-ast", "-help"};
// Options of the rule for make that a compilation writes beside the code.
constexpr std::array dependencies{"-MD", "-MMD", "-MP", "-MG", "-MF", "-MT", "-MQ"};
constexpr unsigned most_contexts = 63;
constexpr std::array source_extensions{".hip", ".cpp", ".cc", ".cxx", ".cu", ".C", ".c++", ".c"};

bool has_any(const std::vector<std::string>& words, std::initializer_list<const char*> wanted) {
  return std::any_of(words.begin(), words.end(), [&](const std::string& w) {
    return std::any_of(wanted.begin(), wanted.end(), [&](const char* x) { return w == x; });
  });
}

std::optional<unsigned> whole_number(const std::string& text) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

// configs/gpu/predictable.yaml: the rest is as machine_timing has it.
wcet::machine_timing predictable_machine() {
  wcet::machine_timing m;
  m.lds_frame = 40;
  m.line_bytes = 256;
  return m;
}

class parser {
 public:
  explicit parser(const std::vector<std::string>& arguments) : arguments_(arguments) {}

  command_line run() {
    line_.pass.machine = predictable_machine();
    for (at_ = 0; at_ < arguments_.size(); ++at_)
      if (!ours(arguments_[at_])) clangs(arguments_[at_]);
    if (line_.what == command_line::action::build) check();
    settle_divergence(line_.pass, line_.divergence, split_given_, contexts_given_);
    return std::move(line_);
  }

 private:
  std::string next(const std::string& option) {
    if (at_ + 1 == arguments_.size()) throw input_error(option + ": its value is missing");
    return arguments_[++at_];
  }
  static std::string after(const std::string& argument, std::string_view prefix) {
    return argument.substr(prefix.size());
  }
  static unsigned number(const std::string& option, const std::string& text, unsigned most) {
    const auto n = whole_number(text);
    if (!n || *n > most)
      throw input_error(
          fmt::format("{}: {} is no whole number from 0 to {}", option, text.empty() ? "nothing" : text, most));
    return *n;
  }

  bool ours(const std::string& a) {
    constexpr unsigned most_cycles = 1'000'000;
    if (starts_with(a, "--split=")) {
      line_.pass.choice = choice(after(a, "--split="));
      split_given_ = true;
    } else if (starts_with(a, "--divergence=")) {
      const auto d = value_named<divergence_code>(after(a, "--divergence="));
      if (!d) throw input_error(a + ": not none, s, p, ps or psr");
      line_.divergence = *d;
    } else if (a == "-S" && at_ + 1 < arguments_.size() && whole_number(arguments_[at_ + 1])) {
      line_.pass.swf_contexts = number("-S", arguments_[++at_], most_contexts);
      contexts_given_ = true;
    } else if (starts_with(a, "--spsimd=")) {
      line_.pass.swf_contexts = number("--spsimd", after(a, "--spsimd="), most_contexts);
      contexts_given_ = true;
    } else if (starts_with(a, "--split-cycles=")) {
      line_.pass.split_cycles = number("--split-cycles", after(a, "--split-cycles="), most_cycles);
    } else if (starts_with(a, "--merge-cycles=")) {
      line_.pass.merge_cycles = number("--merge-cycles", after(a, "--merge-cycles="), most_cycles);
    } else if (starts_with(a, "--loop-bound=")) {
      line_.loop_bounds.push_back(loop_bound(after(a, "--loop-bound=")));
    } else if (machine(a)) {
    } else if (a == "--report") {
      line_.report = true;
    } else if (starts_with(a, "--report=")) {
      line_.report_files.push_back(after(a, "--report="));
    } else if (starts_with(a, "--keep=")) {
      line_.keep = after(a, "--keep=");
    } else if (a == "--help") {
      line_.what = command_line::action::help;
    } else if (a == "--version") {
      line_.what = command_line::action::version;
    } else {
      return false;
    }
    return true;
  }

  // The machine that auto chooses for.
  bool machine(const std::string& a) {
    constexpr unsigned most = 1'000'000'000;
    const auto value = [&](std::string_view option) { return starts_with(a, std::string(option) + "="); };
    const auto read = [&](const std::string& option, unsigned least, unsigned up_to) {
      const unsigned n = number(option, after(a, option + "="), up_to);
      if (n < least) throw input_error(fmt::format("{}: {} is less than {}", option, n, least));
      return n;
    };
    wcet::machine_timing& m = *line_.pass.machine;
    if (value("--issue-slot"))
      m.round = read("--issue-slot", 1, most);
    else if (value("--memory-slot"))
      m.memory_frame = read("--memory-slot", 0, most);
    else if (value("--lds-slot"))
      m.lds_frame = read("--lds-slot", 0, most);
    else
      return false;
    return true;
  }

  static split_choice choice(const std::string& text) {
    if (const auto c = value_named<split_choice>(text)) return *c;
    throw input_error(fmt::format("--split={}: not none, marked, all or auto", text));
  }

  // "LINE=N", or "FILE:LINE=N".
  static stated_loop_bound loop_bound(const std::string& text) {
    constexpr unsigned most = 4'000'000'000;
    const size_t equals = text.rfind('='), colon = text.rfind(':', equals);
    if (equals == std::string::npos) throw input_error(fmt::format("--loop-bound={}: not [FILE:]LINE=N", text));
    stated_loop_bound b;
    const size_t line = colon == std::string::npos ? 0 : colon + 1;
    if (line > 0) b.file = text.substr(0, colon);
    b.line = number("--loop-bound", text.substr(line, equals - line), most);
    b.bound = number("--loop-bound", text.substr(equals + 1), most);
    return b;
  }

  void clangs(const std::string& a) {
    refuse(a);
    const bool takes_value = is_one_of(a, with_value);
    if (a == "-o" || (starts_with(a, "-o") && a.size() > 2 && a[2] != '-')) {
      const bool glued = a != "-o";
      line_.output = glued ? after(a, "-o") : next("-o");
      line_.all.insert(line_.all.end(), {"-o", line_.output});
    } else if (a == "-c") {
      line_.makes = command_line::product::object;
      line_.all.push_back(a);
    } else if (a == "-S") {
      line_.makes = command_line::product::assembly;
      line_.all.push_back(a);
    } else if (a == "-x") {
      if (const std::string language = next("-x"); language != "hip")
        throw input_error(fmt::format("-x {}: only hip is compiled", language));
    } else if (a == "-v" || a == "-###") {
      line_.verbose = true;
      line_.all.push_back(a);
    } else if (is_one_of(a, no_code) || starts_with(a, "-print-") || starts_with(a, "--print-")) {
      line_.what = command_line::action::only_clang;
      if (a == "-M" || a == "-MM") line_.all.emplace_back("--cuda-host-only");  // one rule, not two
      line_.all.push_back(a);
    } else if (a[0] != '-') {
      input(a);
    } else {
      std::vector<std::string> words{a};
      if (takes_value) words.push_back(next(a));
      option(words);
    }
  }

  static void refuse(const std::string& a) {
    for (const char* arch : {"--offload-arch=", "--cuda-gpu-arch="})
      if (starts_with(a, arch) && a != std::string(arch) + "gfx803")
        throw input_error(a + ": only gfx803 is compiled for");
    if (a == "-fgpu-rdc" || a == "-fcuda-rdc")
      throw input_error(a + ": device code over several files is not supported");
    if (a == "--cuda-device-only" || a == "--cuda-host-only" || a == "--offload-device-only" ||
        a == "--offload-host-only")
      throw input_error(a + ": name the output .hsaco for device code alone; host code alone is clang++'s");
    if (a == "-flto" || starts_with(a, "-flto=")) throw input_error(a + ": link-time optimisation is not supported");
  }

  void option(const std::vector<std::string>& words) {
    line_.all.insert(line_.all.end(), words.begin(), words.end());
    const std::string& a = words.front();
    // Also glued: -MFname.
    const bool glued = a.size() > 3 && a != "-MMD" && is_one_of(a.substr(0, 3), dependencies);
    if (glued || is_one_of(a, dependencies)) {
      line_.dependencies.insert(line_.dependencies.end(), words.begin(), words.end());
      return;
    }
    const bool links = is_one_of(a, linking) || starts_with(a, "-l") || starts_with(a, "-L") || starts_with(a, "-Wl,");
    if (links) line_.link_arguments.insert(line_.link_arguments.end(), words.begin(), words.end());
    if (!links || a == "-pthread") line_.compile_flags.insert(line_.compile_flags.end(), words.begin(), words.end());
    // Optimisation, debugging and sanitizers are the linker's business too.
    const bool both = starts_with(a, "-O") || starts_with(a, "-g") || starts_with(a, "-fsanitize") ||
                      starts_with(a, "-m") || starts_with(a, "-f");
    if (!links && both && a != "-mllvm")
      line_.link_arguments.insert(line_.link_arguments.end(), words.begin(), words.end());
  }

  void input(const std::string& file) {
    line_.all.push_back(file);
    const std::string extension = fs::path(file).extension().string();
    if (is_one_of(extension, source_extensions) || extension == ".s") {
      line_.link_arguments.push_back(std::string(1, '\0') + std::to_string(line_.sources.size()));
      line_.sources.push_back(file);
    } else {
      line_.link_arguments.push_back(file);
    }
  }

  void check() {
    using product = command_line::product;
    const std::string extension = fs::path(line_.output).extension().string();
    if (line_.makes == product::executable && extension == ".hsaco") line_.makes = product::code_object;
    if (line_.makes == product::executable && extension == ".s") line_.makes = product::assembly;
    if (line_.sources.empty() && line_.link_arguments.empty()) throw input_error("no input files");
    if (line_.sources.empty() && line_.makes != product::executable) throw input_error("no source to compile");
    if (line_.sources.size() > 1 && !line_.output.empty() && line_.makes != product::executable)
      throw input_error(fmt::format("-o {}: one output for {} sources", line_.output, line_.sources.size()));
    const bool rule = has_any(line_.dependencies, {"-MD", "-MMD"});
    if (!rule) line_.dependencies.clear();  // as clang has it
    if (rule && line_.sources.size() > 1 && has_any(line_.dependencies, {"-MF"}))
      throw input_error(fmt::format("-MF: one file for the rules of {} sources", line_.sources.size()));
    for (const std::string& s : line_.sources)
      if (rule && fs::path(s).extension() == ".s")
        throw input_error(fmt::format("{}: what assembly depends on is not looked for (-MD, -MMD)", s));
    for (const std::string& s : line_.sources)
      if (fs::path(s).extension() == ".s" && line_.makes != product::code_object && line_.makes != product::assembly)
        throw input_error(fmt::format("{}: assembly of the GPU becomes a .hsaco or .s, not a host object", s));
  }

  const std::vector<std::string>& arguments_;
  size_t at_ = 0;
  bool split_given_ = false, contexts_given_ = false;
  command_line line_;
};

}  // namespace

command_line parse_command_line(const std::vector<std::string>& arguments) {
  return parser(arguments).run();
}

device_options device_options_of(const command_line& line) {
  device_options options;
  options.flags = line.compile_flags;
  options.pass = line.pass;
  options.loop_bounds = line.loop_bounds;
  options.divergence = line.divergence;
  return options;
}

void settle_divergence(pass_options& pass, divergence_code divergence, bool split_given, bool contexts_given) {
  if (divergence == divergence_code::none) return;
  const split_choice needed = splits_of(divergence);
  if (split_given && pass.choice != needed)
    throw input_error(fmt::format(
        "--divergence={} together with --split={}: {}", name_of(divergence), name_of(pass.choice),
        divergence == divergence_code::s ? "a divergence stack needs split and merge at all branches: --split=all"
                                         : "predicated sides run one after the other on one path, so that there is "
                                           "nothing to split: --split=none"));
  pass.choice = needed;
  // A stack holds as many paths as there are work-items.
  if (divergence == divergence_code::s && !contexts_given) pass.swf_contexts = most_contexts;
}

std::string help_text() {
  constexpr size_t column = 21, width = 116;
  std::string text = std::string("pwscc: ") + summary + "\n\n";
  for (const auto& [use, makes] : uses()) text += fmt::format("  {:<36}{}\n", use, makes);
  text += "\n";
  for (const option_entry& o : option_table()) {
    std::string line = fmt::format("  {}", fmt::join(o.forms, ", "));
    if (line.size() > column - 2) {
      text += line + "\n";
      line.clear();
    }
    line.resize(column, ' ');
    std::istringstream words(o.help);
    for (std::string word; words >> word;) {
      if (line.size() > column && line.size() + 1 + word.size() > width) {
        text += line + "\n";
        line.assign(column, ' ');
      }
      line += (line.size() > column ? " " : "") + word;
    }
    text += line + "\n";
  }
  text += "\n";
  for (const std::string& remark : remarks()) text += remark + "\n";
  return text;
}

}  // namespace pws::pwscc
