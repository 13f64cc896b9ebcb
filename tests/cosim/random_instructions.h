// SPDX-License-Identifier: Apache-2.0
// Random instructions of the SpSIMD unit's ALUs, as lines of assembly that can stand anywhere in a program of
// tests/splitting/split_program.h: every row, encoding and modifier that the unit has, with operands and destinations
// that leave the program's own registers alone. Most come from a shuffled deck of all rows in all encodings, so that
// none is met much later than the others.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "models/isa/inst.h"
#include "tests/cosim/valu/random_source.h"
#include "tests/cosim/valu/stimulus.h"

namespace pws::test {

class random_instructions {
 public:
  explicit random_instructions(uint64_t seed) : random_(seed) { use_vgprs(32); }
  // Programs have so many vector registers, 32 or 256, from now on.
  void use_vgprs(unsigned n);
  // One instruction, with what is needed around it: lanes that it takes from EXEC are put back behind it. M0 is -1
  // behind it, or has what s_set_gpr_idx_* change of that.
  std::string next();
  // How often each mnemonic has been given.
  const std::map<std::string, uint64_t>& given() const { return given_; }

 private:
  // A row in one of its encodings; e32 also with a literal. Of scalar rows only the row.
  struct card {
    const isa::opcode_row* row;
    cosim::encoding_kind kind;
    bool literal;
  };
  struct deck {
    std::vector<card> cards;
    size_t at = 0;
    unsigned tries = 0;
    // The same one until take() or too many tries, then the next one.
    const card& top(cosim::random_source& random);
    void take() { ++at, tries = 0; }
  };
  static deck all_vectors();
  static deck all_scalars();
  void vector(const card* wanted, uint32_t (&words)[2]);
  bool scalar(const card& wanted, uint32_t (&words)[2]);  // false: not one of the unit's
  std::string indexed();
  std::string indexing_mode();
  std::string two_scalars();
  std::string between_rows();
  std::string hardware_register();
  std::string one_sided_splits();
  bool is_free(const isa::inst::run& r) const;
  bool is_there(const isa::inst::run& r) const;
  unsigned free_vgpr() { return free_vgprs_[random_.below(static_cast<uint32_t>(free_vgprs_.size()))]; }
  std::string jump();
  std::string in_few_lanes(std::string text, bool writes_exec);

  cosim::random_source random_;
  unsigned n_vgprs_ = 0;
  std::vector<unsigned> free_vgprs_;
  deck vectors_ = all_vectors(), scalars_ = all_scalars();
  std::map<std::string, uint64_t> given_;
};

}  // namespace pws::test
