// SPDX-License-Identifier: Apache-2.0
// The stack code that an expression compiles to. Every instruction works on blocks of elements, so that its dispatch
// costs little and its loop vectorises. No jumps: nothing in an expression has side effects, so both sides of ?: are
// computed.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "platform/config/values/expression.h"

namespace pws::platform {

// In order of rank.
enum class value_type : uint8_t { i32, u32, i64, u64, f32, f64 };

// What an instruction of a formula does.
enum class op : uint8_t {
  constant,  // push `bits`, a value of `type`
  index,     // push i as `type` (i32 or i64)
  element,   // push element i of buffer `symbol`, of type element, as `type`
  gather,    // the top (i64) is an index; replace it with that element of buffer `symbol`
  convert,   // the top from `type` to `to` (any element type), and from there to that type's value_type
  // The top two values, both of `type`, are replaced with the result.
  add,
  sub,
  mul,
  div,
  rem,
  bit_and,
  bit_or,
  bit_xor,
  shift_left,
  shift_right,  // the count is an i64
  min,
  max,
  pow,
  equal,
  not_equal,
  less,
  less_equal,  // give i32
  // The top is replaced.
  negate,
  complement,
  abs,
  sqrt,
  floor,
  ceil,
  trunc,
  exp,
  log,
  sin,
  cos,
  truth,  // to i32 0 or 1
  not_truth,
  fma,     // the top three
  select,  // condition (i32), x, y of `type`
};

// An instruction of a formula on a stack.
struct instruction {
  op what = op::constant;
  value_type type = value_type::i32;  // of the operands
  element_type to = element_type::i32;
  uint32_t symbol = 0;
  uint64_t bits = 0;
  bool checked = false;  // a result that is none of `type` (convert: of `to`) is no value; without it, integers wrap
};

struct expression_code {
  std::vector<expression_symbol> symbols;
  element_type result = element_type::i32;
  std::vector<instruction> code;
  size_t own_length = 0;                  // of the code without a last conversion to `result`
  value_type own_type = value_type::i32;  // what that gives
  bool own_plain = false;                 // an integer of no stated type, which may not fit `result`
  size_t stack = 0;                       // deepest
  std::vector<size_t> buffers;
  std::vector<size_t> buffers_at_i;
};

// The type in which arithmetic on elements of `type` is done.
value_type promoted(element_type type);
element_type as_element(value_type type);
inline bool is_real_value(value_type type) {
  return type >= value_type::f32;
}

// expression_parser.cpp; throws expression_error.
expression_code compile_expression(std::string_view text, std::vector<expression_symbol> symbols, element_type result,
                                   uint64_t index_limit);

// expression_eval.cpp
void run_code(const expression_code& code, const std::vector<const uint8_t*>& memory, uint64_t first, uint64_t count,
              uint8_t* out);

// Why an operation has no result.
enum class undefined : uint8_t { no, divided_by_zero, shifted_too_far, beyond_64_bits, beyond_i32, beyond_u32 };

// An element for which the formula has no value.
struct undefined_element {
  uint64_t index = 0;
  undefined why = undefined::no;
};

// The first of the elements [first, first + count) that depends on an operation without result. What ?:, && and ||
// leave out does not count.
std::optional<undefined_element> first_undefined(const expression_code& code, const std::vector<const uint8_t*>& memory,
                                                 uint64_t first, uint64_t count);
bool can_be_undefined(const expression_code& code);

}  // namespace pws::platform
