// SPDX-License-Identifier: Apache-2.0
// Which rows of the opcode table were executed, and in which encodings.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "models/compute_unit/compute_unit.h"
#include "models/isa/opcode_row.h"

namespace pws::test {

class coverage : public models::execution_observer {
 public:
  static constexpr size_t n_variants = 5;  // enumerators of isa::encoding_variant

  coverage();

  void wave_started(uint32_t, const models::wf_context&, models::cycle_t) override {}
  void issued(uint32_t cu, const models::wf_context& c, const isa::inst& i, models::cycle_t at) override;
  void wave_ended(uint32_t, const models::wf_context&, models::cycle_t) override {}

  // Executions per row of isa::all_rows() and encoding; [row * n_variants + variant].
  const std::vector<uint64_t>& counts() const { return counts_; }
  void add(const std::vector<uint64_t>& counts);
  uint64_t instructions() const;
  size_t rows_seen() const;
  uint64_t of_mnemonic(std::string_view mnemonic) const;

  // "v_add_u32" with "sdwa" and so on: executions by row, most first, and the rows with none, in the table's order.
  std::string executed_table() const;
  std::vector<std::string> rows_never_seen() const;

 private:
  uint64_t of_row(size_t row) const;

  std::unordered_map<const isa::opcode_row*, size_t> index_;
  std::vector<uint64_t> counts_;
};

}  // namespace pws::test
