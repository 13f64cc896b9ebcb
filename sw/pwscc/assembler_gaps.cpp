// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/assembler_gaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <regex>

namespace pws::pwscc {

namespace {

// As VOP3 encodes it (GCN3 ISA, 13.3.4); nothing for one that the assembler takes.
std::optional<uint32_t> encoded_sgpr(const std::string& name) {
  if (name == "vcc_lo") return 106;
  if (name == "vcc_hi") return 107;
  if (name == "exec_lo") return 126;
  if (name == "exec_hi") return 127;
  if (name[0] != 's') return std::nullopt;
  const auto number = static_cast<uint32_t>(std::stoul(name.substr(1)));
  return number < 102 ? std::optional(number) : std::nullopt;
}

// The instruction's words as a directive; the line as it is if that is not needed.
std::string line_without_gap(const std::string& line) {
  static const std::regex writelane(
      R"(\s*v_writelane_b32\s+v(\d{1,3}),\s*(s\d{1,3}|vcc_lo|vcc_hi|exec_lo|exec_hi),\s*m0\s*(;.*)?)");
  std::smatch found;
  if (!std::regex_match(line, found, writelane)) return line;
  const std::optional<uint32_t> value = encoded_sgpr(found[2]);
  const unsigned long vgpr = std::stoul(found[1]);
  if (!value || vgpr > 255) return line;
  constexpr uint32_t writelane_of_vop3 = 0xd28a0000, lane_in_m0 = 124u << 9;
  return fmt::format("\t.long 0x{:08x}, 0x{:08x}  ; v_writelane_b32 v{}, {}, m0", writelane_of_vop3 | vgpr,
                     lane_in_m0 | *value, vgpr, found[2].str());
}

}  // namespace

std::string without_assembler_gaps(const std::string& assembly) {
  std::string out;
  size_t copied = 0;
  for (size_t at = assembly.find("v_writelane_b32"); at != std::string::npos;
       at = assembly.find("v_writelane_b32", at)) {
    const size_t before = assembly.rfind('\n', at), end = std::min(assembly.find('\n', at), assembly.size());
    const size_t begin = before == std::string::npos ? 0 : before + 1;
    out += assembly.substr(copied, begin - copied) + line_without_gap(assembly.substr(begin, end - begin));
    at = copied = end;
  }
  return out + assembly.substr(copied);
}

}  // namespace pws::pwscc
