// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/csmith/coverage.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "models/isa/code/opcode_table.h"

namespace pws::test {

namespace {
constexpr std::array<const char*, coverage::n_variants> variant_names{"plain", "literal", "vop3", "sdwa", "dpp"};
}

coverage::coverage() : counts_(isa::all_rows().size() * n_variants) {
  for (size_t k = 0; k < isa::all_rows().size(); ++k) index_[isa::all_rows()[k]] = k;
}

void coverage::issued(uint32_t, const models::wf_context&, const isa::inst& i, models::cycle_t) {
  ++counts_[index_.at(i.row) * n_variants + static_cast<size_t>(i.variant)];
}

void coverage::add(const std::vector<uint64_t>& counts) {
  for (size_t k = 0; k < counts_.size(); ++k) counts_[k] += counts.at(k);
}

uint64_t coverage::of_row(size_t row) const {
  const auto first = counts_.begin() + static_cast<std::ptrdiff_t>(row * n_variants);
  return std::accumulate(first, first + n_variants, uint64_t{0});
}

uint64_t coverage::instructions() const {
  return std::accumulate(counts_.begin(), counts_.end(), uint64_t{0});
}

size_t coverage::rows_seen() const {
  size_t n = 0;
  for (size_t row = 0; row < isa::all_rows().size(); ++row) n += of_row(row) != 0;
  return n;
}

uint64_t coverage::of_mnemonic(std::string_view mnemonic) const {
  uint64_t n = 0;
  for (size_t row = 0; row < isa::all_rows().size(); ++row)
    if (isa::all_rows()[row]->mnemonic == mnemonic) n += of_row(row);
  return n;
}

std::string coverage::executed_table() const {
  std::vector<size_t> rows(isa::all_rows().size());
  std::iota(rows.begin(), rows.end(), size_t{0});
  std::stable_sort(rows.begin(), rows.end(), [&](size_t a, size_t b) { return of_row(a) > of_row(b); });
  std::string text;
  for (const size_t row : rows) {
    if (of_row(row) == 0) break;
    text += fmt::format("  {:<26}{:>14}", isa::all_rows()[row]->mnemonic, of_row(row));
    for (size_t v = 0; v < n_variants; ++v)
      if (const uint64_t n = counts_[row * n_variants + v]; n != 0) text += fmt::format("  {} {}", variant_names[v], n);
    text += '\n';
  }
  return text;
}

std::vector<std::string> coverage::rows_never_seen() const {
  std::vector<std::string> names;
  for (size_t row = 0; row < isa::all_rows().size(); ++row)
    if (of_row(row) == 0) names.emplace_back(isa::all_rows()[row]->mnemonic);
  return names;
}

}  // namespace pws::test
