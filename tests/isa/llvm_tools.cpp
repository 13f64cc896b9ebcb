// SPDX-License-Identifier: Apache-2.0
#include "tests/isa/llvm_tools.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string_view>

namespace pws::isa::test {

namespace fs = std::filesystem;

std::string hex(const words& w) {
  std::string s;
  for (uint32_t x : w) s += fmt::format("{}{:08x}", s.empty() ? "" : " ", x);
  return s;
}

std::string llvm_tool(const std::string& name) {
  return PWS_LLVM_BIN "/" + name;
}

std::string hip_compiler() {
  return llvm_tool("clang++") +
         " -x hip --offload-arch=gfx803 --rocm-path=/usr --hip-device-lib-path=" PWS_DEVICE_LIBRARIES;
}

std::string temporary_directory() {
  struct directory {
    fs::path path;
    directory() {
      std::string pattern = (fs::temp_directory_path() / "pws-isa-XXXXXX").string();
      if (mkdtemp(pattern.data()) == nullptr)
        throw std::runtime_error("cannot create a directory in " + fs::temp_directory_path().string());
      path = pattern;
    }
    ~directory() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
  };
  static const directory d;
  return d.path.string();
}

std::string run(const std::string& command) {
  FILE* pipe = popen(("{ " + command + "; } 2>&1").c_str(), "r");
  if (pipe == nullptr) throw std::runtime_error("cannot run " + command);
  std::string out;
  char buffer[4096];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) out.append(buffer, n);
  const int status = pclose(pipe);
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw std::runtime_error(fmt::format("{} failed (status {}):\n{}", command, status, out.substr(0, 4000)));
  return out;
}

namespace {

// Between two instructions stand two s_nop that nothing tested is: an instruction that llvm-mc refuses, or takes as
// longer or shorter than we do, may swallow the first, but cannot shift the answers that follow the second.
constexpr uint32_t padding = 0xbf80a55b, sentinel = 0xbf80a55a;
constexpr const char *padding_text = "s_nop 0xa55b", *sentinel_text = "s_nop 0xa55a";
constexpr size_t lines_per_case = 3;

std::string trimmed(std::string s) {
  const size_t comment = s.find(" ; encoding:");
  if (comment != std::string::npos) s.resize(comment);
  const size_t first = s.find_first_not_of(" \t");
  const size_t last = s.find_last_not_of(" \t");
  return first == std::string::npos ? "" : s.substr(first, last - first + 1);
}

std::string llvm_mc() {
  return llvm_tool("llvm-mc") + " -triple=amdgcn -mcpu=gfx803 ";
}

std::string byte_list(uint32_t w) {
  return fmt::format("{:#04x},{:#04x},{:#04x},{:#04x}", w & 0xff, w >> 8 & 0xff, w >> 16 & 0xff, w >> 24);
}

// The lines of `file` between sentinels.
std::vector<std::vector<std::string>> read_groups(const std::string& file) {
  std::ifstream in(file);
  std::vector<std::vector<std::string>> groups(1);
  for (std::string line; std::getline(in, line);) {
    const std::string t = trimmed(line);
    if (t.empty() || t[0] == '.' || t == padding_text) continue;
    if (t == sentinel_text)
      groups.emplace_back();
    else
      groups.back().push_back(line);
  }
  return groups;
}

// Numbers (from 0) of the lines of `file` that the messages in `errors` are about.
std::set<size_t> warned_lines(const std::string& errors, const std::string& file) {
  std::ifstream in(errors);
  std::set<size_t> lines;
  for (std::string line; std::getline(in, line);)
    if (line.compare(0, file.size() + 1, file + ":") == 0) lines.insert(std::stoul(line.substr(file.size() + 1)) - 1);
  return lines;
}

words parse_encoding(const std::string& line) {
  words w;
  const size_t at = line.find("encoding: [");
  if (at == std::string::npos) return w;
  std::istringstream in(line.substr(at + 11));
  unsigned n = 0;
  for (std::string byte; std::getline(in, byte, ','); ++n) {
    if (n % 4 == 0) w.push_back(0);
    w.back() |= static_cast<uint32_t>(std::stoul(byte, nullptr, 16)) << (8 * (n % 4));
  }
  return w;
}

}  // namespace

std::vector<std::string> llvm_disassemble(const std::vector<words>& code) {
  const std::string in = temporary_directory() + "/bytes.txt", out = temporary_directory() + "/text.s";
  {
    std::ofstream f(in);
    for (const words& w : code) {
      for (size_t n = 0; n < w.size(); ++n) f << (n == 0 ? "" : ",") << byte_list(w[n]);
      f << "\n" << byte_list(padding) << "\n" << byte_list(sentinel) << "\n";
    }
  }
  run(llvm_mc() + "--disassemble " + in + " -o " + out + " 2>" + out + ".err");
  const auto groups = read_groups(out);
  if (groups.size() != code.size() + 1)
    throw std::runtime_error(
        fmt::format("llvm-mc printed {} instructions instead of {}", groups.size() - 1, code.size()));
  const std::set<size_t> refused = warned_lines(out + ".err", in);
  std::vector<std::string> text;
  for (size_t n = 0; n < code.size(); ++n) {
    const bool valid = groups[n].size() == 1 && refused.count(n * lines_per_case) == 0;
    text.push_back(valid ? trimmed(groups[n][0]) : "invalid");
  }
  return text;
}

bool text_is_of_llvm_15_alone(const std::string& text) {
  if (PWS_LLVM == 15) return false;
  const auto has = [&](std::string_view part) { return text.find(part) != std::string::npos; };
  const auto ends = [&](std::string_view part) {
    return text.size() >= part.size() && text.compare(text.size() - part.size(), part.size(), part) == 0;
  };
  const bool takes_mask =
      has("v_cndmask_b32_e64") || has("v_addc_u32_e64") || has("v_subb_u32_e64") || has("v_subbrev_u32_e64");
  return ends(" tfe") || (has("v_cndmask_b32_sdwa") && has("sext(")) || (takes_mask && ends(", exec"));
}

std::vector<words> llvm_assemble(const std::vector<std::string>& text) {
  const std::string in = temporary_directory() + "/in.s", out = temporary_directory() + "/encoded.s";
  {
    std::ofstream f(in);
    for (const std::string& t : text) f << t << "\n" << sentinel_text << "\n";
  }
  // llvm-mc fails as a whole if one line is wrong, and then keeps no file; what it printed is still right for the
  // others.
  run(llvm_mc() + "-show-encoding " + in + " >" + out + " 2>" + out + ".err || test -s " + out);
  const auto groups = read_groups(out);
  if (groups.size() != text.size() + 1)
    throw std::runtime_error(fmt::format("llvm-mc assembled {} lines of {}", groups.size() - 1, text.size()));
  std::vector<words> code;
  for (size_t n = 0; n < text.size(); ++n)
    code.push_back(groups[n].size() == 1 ? parse_encoding(groups[n][0]) : words{});
  return code;
}

words assembled_text(const std::string& source, const std::string& include_dir) {
  const std::string base = temporary_directory() + "/text";
  std::ofstream(base + ".s") << source;
  run(llvm_tool("clang") + " -x assembler --target=amdgcn-amd-amdhsa -mcpu=gfx803 -nogpulib -c -I'" + include_dir +
      "' '" + base + ".s' -o '" + base + ".o'");
  run(llvm_tool("llvm-objcopy") + " -O binary -j .text '" + base + ".o' '" + base + ".bin'");
  words code(fs::file_size(base + ".bin") / sizeof(uint32_t));
  std::ifstream(base + ".bin", std::ios::binary)
      .read(reinterpret_cast<char*>(code.data()), static_cast<std::streamsize>(code.size() * sizeof(uint32_t)));
  return code;
}

}  // namespace pws::isa::test
