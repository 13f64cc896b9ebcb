// SPDX-License-Identifier: Apache-2.0
// Expressions over the arguments of a run, elementwise: "a + b * 2", "i > 0 ? a[i - 1] : 0".
//
// Grammar, with C's precedence: ?:  ||  &&  |  ^  &  == !=  < <= > >=  << >>  + -  * / %  unary - + ! ~  and
// parentheses. Operands: numbers (10, 0x1f, 1.5, 1e-3; suffix u, f), names of scalar arguments, names of buffers (their
// element i, or the element in brackets), i (the element's index in the checked buffer), nan, inf, and calls of
// expression_functions().
//
// Types: docs/buffers.md has the rules that a user sees. Elements, scalars, results of conversions and numbers with the
// suffix u have a stated type, and are computed as in HIP: 8- and 16-bit integers become i32 and f16 becomes f32; of
// two operands the one of lower rank is converted (i32, u32, i64, u64, f32, f64). Integer constants up to 2^63 - 1, i,
// the 0 or 1 of comparisons and ! && ||, and what is computed of these alone are plain integers: i64, and nothing
// wraps. One that meets a stated type takes it (at least i64 if there is a constant beyond i32 in it; u32 for
// 0x80000000 to 0xffffffff), and it is an error if it does not fit. A NaN counts as true. Real constants take the type
// of the other operand, and otherwise f64 if the checked buffer is f64, else f32: arithmetic is in float unless f64()
// asks for more. The result is converted to the checked buffer's type: integers of a stated type wrap, as in C. A plain
// integer that does not fit, and a real number that is no integer, are no expectation for integers (misfit()), nor is
// one number for all elements that conversion changes.
//
// Defined results where C has none:
//   integers of a stated type wrap; smallest / -1 wraps to smallest, smallest % -1 is 0;
//   an integer x / 0 or x % 0, a shift by a negative number or by at least the width of what is shifted, and plain
//   integers that leave i64 or the type beside them are errors where an element's value depends on them (misfit()): not
//   on the side of ?: that is not taken, nor behind the && or || that settles it;
//   real to integer truncates, saturates and gives 0 for NaN
//   (v_cvt_*); an element before the start or behind the end of a buffer is 0; real x / 0 and x % 0 are IEEE 754's; min
//   and max of a NaN and a number give the number. Denormals are kept, +, -, *, / and sqrt are correctly rounded.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "platform/config/values/element_type.h"

namespace pws::platform {

// A formula that is wrong, and where.
class expression_error : public std::runtime_error {
 public:
  expression_error(size_t position, const std::string& problem) : std::runtime_error(problem), position_(position) {}
  size_t position() const { return position_; }  // of the character in the text, from 0

 private:
  size_t position_;
};

// What an expression can call, for the reference.
struct expression_function {
  std::string name;
  size_t operands = 1;
  std::string meaning;
};
std::vector<expression_function> expression_functions();

// A name that an expression can use.
struct expression_symbol {
  std::string name;
  element_type type = element_type::i32;
  bool is_buffer = false;
  uint64_t bits = 0;   // of a scalar
  uint64_t count = 0;  // elements of a buffer
};

struct expression_code;

class expression {
 public:
  // Compiles `text` for a buffer of `result` elements, of which those below `index_limit` are asked for.
  // Throws expression_error.
  expression(std::string_view text, std::vector<expression_symbol> symbols, element_type result, uint64_t index_limit);
  ~expression();
  expression(expression&&) noexcept;
  expression& operator=(expression&&) noexcept;

  // Indices into `symbols` of the buffers that are read, and of those among them that are read at i itself.
  const std::vector<size_t>& buffers() const;
  const std::vector<size_t>& buffers_at_i() const;

  // What is wrong with an expression that is one number for all elements: an operation without result, or what keeps it
  // from being one of the integers that the buffer holds, before the last conversion. Otherwise nothing.
  std::optional<std::string> misfit() const;

  // Whether elements differ and one of them can be no integer of the buffer, or can depend on an operation without
  // result. If so, the second misfit() finds the first such element of [first, first + count); `memory` as for
  // evaluate().
  bool may_misfit() const;
  std::optional<std::string> misfit(const std::vector<const uint8_t*>& memory, uint64_t first, uint64_t count) const;

  // Elements [first, first + count) into `out` (count * size_of(result) bytes). memory[k] holds symbols[k].count
  // elements for every k in buffers(); others are not looked at.
  void evaluate(const std::vector<const uint8_t*>& memory, uint64_t first, uint64_t count, uint8_t* out) const;

 private:
  std::unique_ptr<expression_code> code_;
};

}  // namespace pws::platform
