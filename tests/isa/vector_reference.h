// SPDX-License-Identifier: Apache-2.0
// What vector instructions compute, written a second time for the tests: one lane, from the ISA's pseudocode, with
// branches, wider integers and the host's own arithmetic in its default state. Never shares code with models/isa.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace pws::isa::test {

struct lane_input {
  uint64_t src[3];
  uint64_t old;  // the destination before
  bool flag;     // the lane's bit of the mask that is read
  unsigned lane;
  bool ieee;
};
struct lane_output {
  uint64_t value = 0;
  bool flag = false;
};
enum class accuracy {
  bits,       // every bit
  any_nan,    // every bit; a NaN stands for the one that the rule of NaN results gives
  own_nan,    // every bit; the reference says which NaN
  one_ulp32,  // single precision: one unit in the last place; infinities, zeros and NaNs as such
  one_ulp64,
  one_ulp16,
};
struct reference {
  std::string mnemonic;
  std::function<lane_output(const lane_input&)> compute;
  accuracy allowed = accuracy::bits;
};

void add_integer_references(std::vector<reference>& to);
void add_single_references(std::vector<reference>& to);
void add_double_references(std::vector<reference>& to);
void add_half_references(std::vector<reference>& to);
void add_conversion_references(std::vector<reference>& to);
void add_compare_references(std::vector<reference>& to);

// Bit patterns as numbers, and back.
float single(uint64_t bits);
double dbl(uint64_t bits);
uint64_t bits_of(float x);
uint64_t bits_of(double x);
double half_value(uint64_t bits);
// Nearest even, from the exact value of a double.
uint64_t half_bits(double x);
// Single-precision denormals to zero, as the default MODE does.
float flushed(float x);

}  // namespace pws::isa::test
