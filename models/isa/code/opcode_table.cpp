// SPDX-License-Identifier: Apache-2.0
#include "models/isa/code/opcode_table.h"

#include <fmt/format.h>

#include <array>
#include <cstdlib>

namespace pws::isa {

namespace {

constexpr unsigned n_formats = static_cast<unsigned>(format::mimg) + 1;
constexpr unsigned max_opcodes = 1024;  // VOP3's opcode field has 10 bits, every other format's is narrower

class table {
 public:
  table() {
    for (const auto* group : {&scalar_rows(), &vector_rows(), &memory_rows(), &image_rows()})
      for (const opcode_row& row : *group) add(row);
  }
  const std::vector<const opcode_row*>& rows() const { return rows_; }
  const opcode_row* find(format native, unsigned opcode) const {
    return opcode < max_opcodes ? by_opcode_[static_cast<unsigned>(native)][opcode] : nullptr;
  }

 private:
  void add(const opcode_row& row) {
    const opcode_row*& slot = by_opcode_[static_cast<unsigned>(row.native)][row.opcode];
    // Two rows for one opcode is a mistake in our tables: no program can cause it.
    if (slot != nullptr) {
      fmt::print(stderr, "opcode rows {} and {} overlap\n", slot->mnemonic, row.mnemonic);
      std::abort();
    }
    slot = &row;
    rows_.push_back(&row);
  }

  std::vector<const opcode_row*> rows_;
  std::array<std::array<const opcode_row*, max_opcodes>, n_formats> by_opcode_{};
};

const table& the_table() {
  static const table t;
  return t;
}

}  // namespace

const std::vector<const opcode_row*>& all_rows() {
  return the_table().rows();
}

const opcode_row* find_row(format native, unsigned opcode) {
  return the_table().find(native, opcode);
}

}  // namespace pws::isa
