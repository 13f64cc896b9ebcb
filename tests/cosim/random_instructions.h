// Random instructions of the SpSIMD unit's ALUs, as lines of assembly that can stand anywhere in a program of
// tests/splitting/split_program.h: every row, encoding and modifier that the unit has, with operands and destinations
// that leave the program's own registers alone.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "models/isa/inst.h"
#include "tests/cosim/valu/random_source.h"

namespace pws::test {

class random_instructions {
 public:
  explicit random_instructions(uint64_t seed) : random_(seed) {}
  // One instruction, with what is needed around it: lanes that it takes from EXEC and M0 are put back behind it.
  std::string next();
  // How often each mnemonic has been given.
  const std::map<std::string, uint64_t>& given() const { return given_; }

 private:
  void vector(uint32_t (&words)[2]);
  bool scalar(uint32_t (&words)[2]);  // false: not one of the unit's

  cosim::random_source random_;
  std::map<std::string, uint64_t> given_;
};

}  // namespace pws::test
