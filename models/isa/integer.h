// SPDX-License-Identifier: Apache-2.0
// What the operations on integers make of their sources, over any type of value: numbers, for the machine's rows; what
// a check or an analysis knows of numbers, for those. Each of them runs these same functions.
//
// logic() takes a type of value with & | ^ and ~, holds() one with == < and <=. arithmetic() takes one that has beside
// these + - * and the functions under "Numbers". A type knows its width, and whether it is signed.
#pragma once

#include <cstdint>
#include <type_traits>

#include "models/isa/operation.h"

namespace pws::isa {

// --- Numbers: as the machine has them, of 16, 32 or 64 bits, without branches so that lane loops vectorise

template <class T>
constexpr unsigned width_of = 8 * sizeof(T);
// Wide enough not to become `int`, which must not overflow.
template <class T>
using modular = std::conditional_t<sizeof(T) <= 4, uint32_t, uint64_t>;

// A number of that type; 24 bits are in 32.
template <data_type D>
constexpr auto zero_of() {
  static_assert(is_integer(D));
  constexpr bool sign = is_signed(D);
  if constexpr (bytes_of(D) == 2) return std::conditional_t<sign, int16_t, uint16_t>{};
  if constexpr (bytes_of(D) == 4) return std::conditional_t<sign, int32_t, uint32_t>{};
  if constexpr (bytes_of(D) == 8) return std::conditional_t<sign, int64_t, uint64_t>{};
}
template <data_type D>
using number = decltype(zero_of<D>());

// A shift's count, a bit's number: the low bits.
template <class T>
constexpr unsigned bit_number(uint64_t n) {
  return static_cast<unsigned>(n) & (width_of<T> - 1);
}
// The lowest `n` bits; all of them if there are not so many.
template <class T>
constexpr T low_mask(unsigned n) {
  return static_cast<T>(n >= width_of<T> ? ~modular<T>{0} : (modular<T>{1} << n) - 1);
}

template <class V>
constexpr V plus(const V& a, const V& b) {
  if constexpr (std::is_integral_v<V>)
    return static_cast<V>(static_cast<modular<V>>(a) + static_cast<modular<V>>(b));
  else
    return a + b;
}
template <class V>
constexpr V minus(const V& a, const V& b) {
  if constexpr (std::is_integral_v<V>)
    return static_cast<V>(static_cast<modular<V>>(a) - static_cast<modular<V>>(b));
  else
    return a - b;
}
template <class V>
constexpr V times(const V& a, const V& b) {
  if constexpr (std::is_integral_v<V>)
    return static_cast<V>(static_cast<modular<V>>(a) * static_cast<modular<V>>(b));
  else
    return a * b;
}
template <class T>
using if_number = std::enable_if_t<std::is_integral_v<T>, T>;

// The upper half of the product.
template <class T>
constexpr if_number<T> product_high(T a, T b) {
  __extension__ using most = std::conditional_t<std::is_signed_v<T>, __int128, unsigned __int128>;
  using product = std::conditional_t<sizeof(T) <= 4, std::conditional_t<std::is_signed_v<T>, int64_t, uint64_t>, most>;
  return static_cast<T>(product{a} * b >> width_of<T>);
}

template <class T>
constexpr if_number<T> shifted_left(T x, T n) {
  return static_cast<T>(static_cast<modular<T>>(x) << bit_number<T>(static_cast<modular<T>>(n)));
}
// Signed numbers keep their sign.
template <class T>
constexpr if_number<T> shifted_right(T x, T n) {
  return static_cast<T>(x >> bit_number<T>(static_cast<modular<T>>(n)));
}
// `bits` bits from bit `first` (modulo the width) on. Those of signed numbers are extended by the highest of them.
template <class T>
constexpr if_number<T> extracted(T x, T first, T bits) {
  using u = modular<T>;
  const u mask = low_mask<u>(static_cast<unsigned>(bits)), v = static_cast<u>(shifted_right(x, first)) & mask;
  if constexpr (!std::is_signed_v<T>) return static_cast<T>(v);
  const u sign = mask & ~(mask >> 1);
  return static_cast<T>((v ^ sign) - sign);
}
template <class T>
constexpr if_number<T> smaller(T a, T b) {
  return a < b ? a : b;
}
template <class T>
constexpr if_number<T> larger(T a, T b) {
  return a > b ? a : b;
}
template <class V>
constexpr V median(const V& a, const V& b, const V& c) {
  return larger(smaller(a, b), smaller(larger(a, b), c));
}
template <class T>
constexpr if_number<T> chosen(T flag, T if_set, T if_clear) {
  return flag != 0 ? if_set : if_clear;
}
// Whether a + b, or a - b, is not what the type can hold: a carry; of signed numbers an overflow.
template <class T>
constexpr std::enable_if_t<std::is_integral_v<T>, bool> carry_of(T a, T b) {
  const T r = plus(a, b);
  if constexpr (std::is_signed_v<T>) return ((a ^ r) & (b ^ r)) < 0;
  return r < a;
}
template <class T>
constexpr std::enable_if_t<std::is_integral_v<T>, bool> borrow_of(T a, T b) {
  if constexpr (std::is_signed_v<T>) return ((a ^ b) & (a ^ minus(a, b))) < 0;
  return a < b;
}

// --- Operations

// One of is_logic(), or a move. The second source of a move and of bit_not does not count.
template <class V>
constexpr V logic(operation does, const V& a, const V& b) {
  switch (does) {
    case operation::bit_and:
      return a & b;
    case operation::bit_or:
      return a | b;
    case operation::bit_xor:
      return a ^ b;
    case operation::bit_andn2:
      return a & ~b;
    case operation::bit_orn2:
      return a | ~b;
    case operation::bit_nand:
      return ~(a & b);
    case operation::bit_nor:
      return ~(a | b);
    case operation::bit_xnor:
      return ~(a ^ b);
    case operation::bit_not:
      return ~a;
    default:
      return a;
  }
}

// One of is_arithmetic(), on the sources in their order (meaning::reversed). Of three, or of two and a flag, the flag
// is the third: it chooses, or is carried in.
template <class V>
constexpr V arithmetic(operation does, const V& a, const V& b, const V& c) {
  switch (does) {
    case operation::select:
    case operation::conditional_move:
      return chosen(c, a, b);
    case operation::add:
      return plus(a, b);
    case operation::add_carry:
      return plus(plus(a, b), c);
    case operation::subtract:
      return minus(a, b);
    case operation::subtract_borrow:
      return minus(minus(a, b), c);
    case operation::multiply:
      return times(a, b);
    case operation::multiply_high:
      return product_high(a, b);
    case operation::multiply_add:
      return plus(times(a, b), c);
    case operation::minimum:
      return smaller(a, b);
    case operation::maximum:
      return larger(a, b);
    case operation::minimum3:
      return smaller(smaller(a, b), c);
    case operation::maximum3:
      return larger(larger(a, b), c);
    case operation::median3:
      return median(a, b, c);
    case operation::bit_field_insert:
      return static_cast<V>((a & b) | (~a & c));
    case operation::bit_field_extract:
    case operation::sign_extend:
      return extracted(a, b, c);
    case operation::shift_left:
      return shifted_left(a, b);
    case operation::shift_right:
      return shifted_right(a, b);
    default:
      return static_cast<V>(logic(does, a, b));
  }
}

// What such an operation carries out: one of carries().
template <class V>
constexpr auto carry_out(operation does, const V& a, const V& b, const V& c) {
  using flag = decltype(carry_of(a, b));
  switch (does) {
    case operation::add:
      return carry_of(a, b);
    case operation::add_carry:
      return static_cast<flag>(carry_of(a, b) | carry_of(plus(a, b), c));
    case operation::subtract:
      return borrow_of(a, b);
    default:
      return static_cast<flag>(borrow_of(a, b) | borrow_of(minus(a, b), c));
  }
}

// What the two functions above take for an instruction whose row is_integer_function(): from its sources (as
// operands_of() lists the values) and its flag. `constant` makes a value of a number.
template <class V>
struct integer_sources {
  template <class F>
  integer_sources(const meaning& m, bool is_scalar, const V (&source)[3], const V& flag, F constant)
      : a(source[m.reversed ? 1 : 0]),
        b(source[m.reversed ? 0 : 1]),
        c(is_conditional(m.does) || carries_in(m.does) ? flag : source[2]) {
    if (m.of == data_type::u24 || m.of == data_type::i24) {
      a = extracted(a, constant(0), constant(24));
      b = extracted(b, constant(0), constant(24));
    } else if (m.does == operation::sign_extend) {
      b = constant(0);
      c = constant(8 * bytes_of(m.of));
    } else if (m.does == operation::bit_field_extract) {  // of scalars: both in one source
      c = is_scalar ? shifted_right(b, constant(16)) & constant(127) : c & constant(31);
    }
  }
  V result(operation does) const { return arithmetic(does, a, b, c); }
  auto carry(operation does) const { return carry_out(does, a, b, c); }

  V a, b, c;
};

// Whether a compare is true. The relations that only floating-point numbers have are for these alone.
template <class V>
constexpr auto holds(relation r, const V& a, const V& b) {
  using truth = decltype(a < b);
  if constexpr (std::is_floating_point_v<V>) {
    const bool ordered = (a == a) & (b == b), differ = (a < b) | (b < a);
    if (r == relation::ordered || r == relation::unordered) return ordered == (r == relation::ordered);
    if (r == relation::less_or_greater || r == relation::not_less_or_greater)
      return differ == (r == relation::less_or_greater);
  }
  switch (r) {
    case relation::less:
      return a < b;
    case relation::less_or_equal:
      return a <= b;
    case relation::greater:
      return b < a;
    case relation::greater_or_equal:
      return b <= a;
    case relation::equal:
      return a == b;
    case relation::not_equal:
      return !(a == b);
    case relation::not_less:
      return !(a < b);
    case relation::not_less_or_equal:
      return !(a <= b);
    case relation::not_greater:
      return !(b < a);
    case relation::not_greater_or_equal:
      return !(b <= a);
    default:
      return truth(r == relation::always);
  }
}

}  // namespace pws::isa
