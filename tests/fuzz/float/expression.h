// SPDX-License-Identifier: Apache-2.0
// Random expressions over the operations that have one right result, as source text and as values.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/fuzz/float/number.h"
#include "tests/fuzz/float/value_set.h"

namespace pws::test {

enum class operation : uint8_t {
  input,     // slot `index` of the lane
  variable,  // result of statement `index`
  constant,  // `bits`
  add,
  sub,
  mul,
  div,
  fma,
  sqrt,
  negate,
  abs,
  copysign,
  min,
  max,
  trunc,
  floor,
  ceil,
  rint,
  round,
  fmod,
  remainder,
  ldexp,
  mantissa,
  exponent,
  fraction,
  whole,
  ilogb,
  logb,
  convert,  // from the argument's type to the node's; to an integer: to_integer of the device header
  less,
  less_equal,
  greater,
  equal,
  not_equal,
  unordered,  // of two floats
  both,
  either,
  inverse,  // of booleans
  select,   // argument 0 ? 1 : 2
  integer_add,
  integer_or,
};

struct node {
  operation op = operation::constant;
  scalar type = scalar::f32;
  std::array<int, 3> arguments{-1, -1, -1};  // nodes
  uint32_t index = 0;
  uint64_t bits = 0;
};

enum class statement_kind : uint8_t { assign, branch, loop };

// v = first;                         assign
// if (condition) v = first; else v = second;   branch
// v = first; repeat (condition & 7) times: v = second, which reads v;   loop
struct statement {
  statement_kind kind = statement_kind::assign;
  scalar type = scalar::f32;
  int first = -1, second = -1, condition = -1;  // nodes
};

// What the compiler was told, as far as results depend on it.
struct semantics {
  bool contract = false;   // a * b + c may be rounded once
  bool flush_f32 = false;  // single-precision denormals are read and written as zeros
};

struct expression_program {
  std::vector<scalar> inputs;  // types of a lane's slots
  std::vector<node> nodes;
  std::vector<statement> statements;  // each one's result is an output

  std::string text(int n) const;
  std::string source(const std::string& kernel) const;
  // Results of all statements for one lane.
  std::vector<value_set> evaluate(const uint64_t* slots, const semantics& s) const;
};

// Which operations a program may have.
struct generator_options {
  semantics rules;
  unsigned n_inputs = 6, n_statements = 7, depth = 3;
};
expression_program generate_expressions(const generator_options& o, random_source& r);

}  // namespace pws::test
