// SPDX-License-Identifier: Apache-2.0
// What a kernel's descriptor and metadata say of its registers.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "base/error.h"
#include "models/isa/allocation.h"
#include "sw/pwscc/split_editor.h"

namespace pws::pwscc {

namespace {

unsigned number_at(const assembly_file& file, size_t line) {
  const std::string_view value = first_word(file.lines()[line].statement).second;
  unsigned n = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), n);
  if (error != std::errc() || end != value.data() + value.size())
    throw input_error(
        fmt::format("{}:{}: {}: not a plain number", file.name(), line + 1, file.lines()[line].statement));
  return n;
}

// The lines of the kernel's entry in the metadata: a list item that has its symbol.
std::pair<size_t, size_t> metadata_entry(const assembly_file& file, const std::string& kernel) {
  const auto& lines = file.lines();
  const auto begins_item = [&](size_t k) { return lines[k].text.compare(0, 4, "  - ") == 0; };
  for (size_t k = 0; k < lines.size(); ++k) {
    const std::string& text = lines[k].text;
    const size_t key = text.find(".symbol:");
    if (key == std::string::npos || text.find_first_not_of(" -") != key) continue;
    const std::string value = text.substr(key + 8);
    const size_t at = value.find(kernel + ".kd");
    if (at == std::string::npos || value.find_first_not_of(" '\"") != at) continue;
    size_t begin = k, end = k + 1;
    while (begin > 0 && !begins_item(begin)) --begin;
    while (end < lines.size() && !begins_item(end) && lines[end].text.compare(0, 4, "    ") == 0) ++end;
    return {begin, end};
  }
  return {0, 0};
}

}  // namespace

register_budget::register_budget(const assembly_file& file, const assembly_file::kernel_lines& kernel)
    : kernel_(kernel) {
  const auto& lines = file.lines();
  for (size_t k = kernel.descriptor + 1; k < lines.size(); ++k) {
    const std::string_view word = first_word(lines[k].statement).first;
    if (word == ".end_amdhsa_kernel") break;
    if (word == ".amdhsa_next_free_vgpr") {
      vgpr_line_ = k;
      vgprs_ = number_at(file, k);
    } else if (word == ".amdhsa_next_free_sgpr") {
      sgpr_line_ = k;
      sgprs_ = number_at(file, k);
    }
  }
  if (vgpr_line_ == 0 || sgpr_line_ == 0)
    throw input_error(
        fmt::format("{}:{}: .amdhsa_kernel {}: .amdhsa_next_free_vgpr or .amdhsa_next_free_sgpr is missing",
                    file.name(), kernel.descriptor + 1, kernel.name));
}

bool register_budget::has_room(unsigned vgprs, bool sgpr_pair) const {
  using isa::granules_of, isa::vgpr_granule, isa::sgpr_granule;
  if (granules_of(vgprs_ + vgprs, vgpr_granule) != granules_of(std::max(vgprs_, 1u), vgpr_granule)) return false;
  const unsigned after = sgpr_pair ? free_sgpr_pair() + 2 : sgprs_;
  // VCC, flat scratch and XNACK masks, which the assembler adds.
  for (const unsigned special : {0u, 2u, 4u, 6u})
    if (granules_of(after + special, sgpr_granule) != granules_of(sgprs_ + special, sgpr_granule)) return false;
  return true;
}

void register_budget::write(assembly_file& file) const {
  const unsigned vgprs = vgprs_ + vgprs_used_;
  const unsigned sgprs = sgpr_pair_used_ ? free_sgpr_pair() + 2 : sgprs_;
  if (vgprs == vgprs_ && sgprs == sgprs_) return;
  file.replace(vgpr_line_, fmt::format("\t\t.amdhsa_next_free_vgpr {}", vgprs));
  file.replace(sgpr_line_, fmt::format("\t\t.amdhsa_next_free_sgpr {}", sgprs));
  const auto [begin, end] = metadata_entry(file, kernel_.name);
  for (size_t k = begin; k < end; ++k) {
    const std::string& text = file.lines()[k].text;
    const auto add = [&](const char* key, unsigned more) {
      const size_t at = text.find(key);
      if (at == std::string::npos || more == 0) return;
      const size_t digits = text.find_first_of("0123456789", at);
      if (digits == std::string::npos) return;
      unsigned n = 0;
      std::from_chars(text.data() + digits, text.data() + text.size(), n);
      file.replace(k, text.substr(0, digits) + std::to_string(n + more));
    };
    add(".vgpr_count:", vgprs - vgprs_);
    add(".sgpr_count:", sgprs - sgprs_);
  }
}

}  // namespace pws::pwscc
