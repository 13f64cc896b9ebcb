// SPDX-License-Identifier: Apache-2.0
#include "sw/pwscc/assembler_gaps.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <regex>
#include <string_view>

#include "models/isa/code/alu_words.h"
#include "models/isa/code/opcode_table.h"
#include "models/isa/code/operand_text.h"

namespace pws::pwscc {

namespace {

// Nothing for a name that no scalar register has.
std::optional<unsigned> encoded_scalar(const std::string& name) {
  constexpr unsigned n_encoded = 128;
  for (unsigned k = 0; k < n_encoded; ++k)
    if (isa::scalar_text(k, 1) == name) return k;
  return std::nullopt;
}

const isa::opcode_row& writelane_row() {
  const auto& all = isa::all_rows();
  return **std::find_if(all.begin(), all.end(),
                        [](const isa::opcode_row* r) { return std::string_view(r->mnemonic) == "v_writelane_b32"; });
}

// The instruction's words as a directive; the line as it is if that is not needed.
std::string line_without_gap(const std::string& line) {
  static const std::regex writelane(
      R"(\s*v_writelane_b32\s+v(\d{1,3}),\s*(s\d{1,3}|vcc_lo|vcc_hi|exec_lo|exec_hi),\s*m0\s*(;.*)?)");
  std::smatch found;
  if (!std::regex_match(line, found, writelane)) return line;
  const std::optional<unsigned> value = encoded_scalar(found[2]);
  const unsigned long vgpr = std::stoul(found[1]);
  if (!value || vgpr > 255) return line;
  const isa::opcode_row& row = writelane_row();
  isa::vector_fields fields = isa::plain_fields(row);
  fields.dst = static_cast<unsigned>(vgpr);
  fields.src[0] = *value;
  fields.src[1] = encoded_scalar("m0").value();
  fields.src[2] = 0;  // as clang has it
  uint32_t words[2] = {};
  isa::encode_vector(row, isa::vector_encoding::vop3, fields, words);
  return fmt::format("\t.long 0x{:08x}, 0x{:08x}  ; v_writelane_b32 v{}, {}, m0", words[0], words[1], vgpr,
                     found[2].str());
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
