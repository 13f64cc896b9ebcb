// Expressions over the arguments of a run, elementwise: "a + b * 2", "i > 0 ? a[i - 1] : 0".
//
// Grammar, with C's precedence: ?:  ||  &&  |  ^  &  == !=  < <= > >=  << >>  + -  * / %  unary - + ! ~  and
// parentheses. Operands: numbers (10, 0x1f, 1.5, 1e-3; suffix u, f), names of scalar arguments, names of buffers (their
// element i, or the element in brackets), i (the element's index in the checked buffer), nan, inf, and calls of
// expression_functions().
//
// Types, as in HIP: 8- and 16-bit integers become i32 and f16 becomes f32; of two operands the one of lower rank is
// converted (i32, u32, i64, u64, f32, f64). Comparisons and ! && || give i32 0 or 1; a NaN counts as true. Integer
// constants are i32 if they fit, else u32 (only 0x...), i64, u64. Real constants take the type of the other operand,
// and otherwise f64 if the checked buffer is f64, else f32: arithmetic is in float unless f64() asks for more. i is
// i32, or i64 where indices go beyond it. The result is converted to the checked buffer's type: integers wrap, as in
// C. A real number that is no integer is no expectation for integers (misfit()), nor is one number for all elements
// that conversion changes.
//
// Defined results where C has none:
//   integers wrap; smallest / -1 wraps to smallest, smallest % -1 is 0; an integer x / 0 or x % 0 is an error where an
//   element's value depends on it (misfit()): not on the side of ?: that is not taken, nor behind the && or || that
//   settles it;
//   shift counts are taken modulo the operand's width; real to integer truncates, saturates and gives 0 for NaN
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

  // What is wrong with an expression that is one number for all elements: an integer divided by 0, or what keeps it
  // from being one of the integers that the buffer holds, before the last conversion. Otherwise nothing.
  std::optional<std::string> misfit() const;

  // Whether elements differ and are real numbers where the buffer holds integers, or an integer is divided. If so, the
  // second misfit() finds the first of the elements [first, first + count) that is no such integer, or for which the
  // divisor is 0; `memory` as for evaluate().
  bool may_misfit() const;
  std::optional<std::string> misfit(const std::vector<const uint8_t*>& memory, uint64_t first, uint64_t count) const;

  // Elements [first, first + count) into `out` (count * size_of(result) bytes). memory[k] holds symbols[k].count
  // elements for every k in buffers(); others are not looked at.
  void evaluate(const std::vector<const uint8_t*>& memory, uint64_t first, uint64_t count, uint8_t* out) const;

 private:
  std::unique_ptr<expression_code> code_;
};

}  // namespace pws::platform
