// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>
#include <utility>

#include "platform/config/values/expression_code.h"

namespace pws::platform {

namespace {

constexpr size_t block_size = 256;  // elements: a few blocks stay in the first-level cache

// One stack entry for a block of elements. Reading another member than was written is what GCC and clang define.
union block {
  int32_t i32[block_size];
  uint32_t u32[block_size];
  int64_t i64[block_size];
  uint64_t u64[block_size];
  float f32[block_size];
  double f64[block_size];
};

template <class T>
T* lanes(block& b) {
  if constexpr (std::is_same_v<T, int32_t>) return b.i32;
  if constexpr (std::is_same_v<T, uint32_t>) return b.u32;
  if constexpr (std::is_same_v<T, int64_t>) return b.i64;
  if constexpr (std::is_same_v<T, uint64_t>) return b.u64;
  if constexpr (std::is_same_v<T, float>) return b.f32;
  if constexpr (std::is_same_v<T, double>) return b.f64;
}

// Calls f with a value of the C++ type.
template <class F>
void with_type(value_type type, F&& f) {
  switch (type) {
    case value_type::i32:
      return f(int32_t{});
    case value_type::u32:
      return f(uint32_t{});
    case value_type::i64:
      return f(int64_t{});
    case value_type::u64:
      return f(uint64_t{});
    case value_type::f32:
      return f(float{});
    case value_type::f64:
      return f(double{});
  }
}

// Real to integer as v_cvt_* does: towards zero, saturating, NaN to 0.
template <class To, class From>
To saturated(From x) {
  if (std::isnan(x)) return 0;
  const From whole = std::trunc(x);
  // The lower limit is a power of two or zero, and one past the upper limit is a power of two: both exact.
  if (whole < static_cast<From>(std::numeric_limits<To>::min())) return std::numeric_limits<To>::min();
  if (whole >= std::ldexp(From{1}, std::numeric_limits<To>::digits)) return std::numeric_limits<To>::max();
  return static_cast<To>(whole);
}

template <class To, class From>
To converted(From x) {
  if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>) {
    return saturated<To>(x);
  } else {
    return static_cast<To>(x);
  }
}

template <class T>
T quotient(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return a / b;
  } else if constexpr (std::is_signed_v<T>) {
    if (b == -1) return static_cast<T>(0 - static_cast<std::make_unsigned_t<T>>(a));
    return b == 0 ? T{-1} : a / b;
  } else {
    return b == 0 ? static_cast<T>(~T{0}) : a / b;
  }
}

template <class T>
T remainder_of(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fmod(a, b);
  } else if constexpr (std::is_signed_v<T>) {
    if (b == -1) return 0;
    return b == 0 ? a : a % b;
  } else {
    return b == 0 ? a : a % b;
  }
}

// What an operation gives of x and y, or of x alone. Integers wrap, so they are computed as unsigned.
template <op what, class T, class Y>
auto computed(T x, [[maybe_unused]] Y y) {
  if constexpr (what == op::equal) return int32_t{x == y};
  if constexpr (what == op::not_equal) return int32_t{x != y};
  if constexpr (what == op::less) return int32_t{x < y};
  if constexpr (what == op::less_equal) return int32_t{x <= y};
  if constexpr (what == op::truth) return int32_t{x != 0};
  if constexpr (what == op::not_truth) return int32_t{x == 0};
  if constexpr (what == op::div) return quotient(x, y);
  if constexpr (what == op::rem) return remainder_of(x, y);
  if constexpr (std::is_floating_point_v<T>) {
    if constexpr (what == op::add) return x + y;
    if constexpr (what == op::sub) return x - y;
    if constexpr (what == op::mul) return x * y;
    if constexpr (what == op::min) return std::fmin(x, y);
    if constexpr (what == op::max) return std::fmax(x, y);
    if constexpr (what == op::negate) return -x;
    if constexpr (what == op::abs) return std::fabs(x);
    if constexpr (what == op::sqrt) return std::sqrt(x);
    if constexpr (what == op::floor) return std::floor(x);
    if constexpr (what == op::ceil) return std::ceil(x);
    if constexpr (what == op::trunc) return std::trunc(x);
    // In double and then rounded: the correctly rounded float in all but a few cases in a thousand million.
    if constexpr (what == op::pow) return static_cast<T>(std::pow(double{x}, double{y}));
    if constexpr (what == op::exp) return static_cast<T>(std::exp(double{x}));
    if constexpr (what == op::log) return static_cast<T>(std::log(double{x}));
    if constexpr (what == op::sin) return static_cast<T>(std::sin(double{x}));
    if constexpr (what == op::cos) return static_cast<T>(std::cos(double{x}));
  } else {
    using u = std::make_unsigned_t<T>;
    constexpr u width_mask = sizeof(T) * 8 - 1;
    if constexpr (what == op::add) return static_cast<T>(u(x) + u(y));
    if constexpr (what == op::sub) return static_cast<T>(u(x) - u(y));
    if constexpr (what == op::mul) return static_cast<T>(u(x) * u(y));
    if constexpr (what == op::min) return std::min(x, y);
    if constexpr (what == op::max) return std::max(x, y);
    if constexpr (what == op::negate) return static_cast<T>(u{0} - u(x));
    if constexpr (what == op::abs) return static_cast<T>(std::is_signed_v<T> && x < 0 ? u{0} - u(x) : u(x));
    if constexpr (what == op::bit_and) return static_cast<T>(x & y);
    if constexpr (what == op::bit_or) return static_cast<T>(x | y);
    if constexpr (what == op::bit_xor) return static_cast<T>(x ^ y);
    if constexpr (what == op::complement) return static_cast<T>(~x);
    if constexpr (what == op::shift_left) return static_cast<T>(u(x) << (y & width_mask));
    if constexpr (what == op::shift_right) return static_cast<T>(x >> (y & width_mask));
  }
}

// Replaces the elements of `a`. What the parser makes of no such type is not there.
template <op what, class T>
void compute(block& a, [[maybe_unused]] const block& b, [[maybe_unused]] size_t n) {
  constexpr bool shifts = what == op::shift_left || what == op::shift_right;
  using y_type = std::conditional_t<shifts, uint64_t, T>;
  using result = decltype(computed<what>(T{}, y_type{}));
  T* const x = lanes<T>(a);
  const y_type* const y = lanes<y_type>(const_cast<block&>(b));
  if constexpr (std::is_same_v<result, T>) {
    for (size_t k = 0; k < n; ++k) x[k] = computed<what>(x[k], y[k]);
  } else if constexpr (!std::is_void_v<result>) {
    result values[block_size];
    for (size_t k = 0; k < n; ++k) values[k] = computed<what>(x[k], y[k]);
    std::copy_n(values, n, lanes<result>(a));
  }
}

// By operation, from op::add to op::not_truth, and type.
using compute_function = void (*)(block&, const block&, size_t);
constexpr op computed_operation(size_t n) {
  return static_cast<op>(static_cast<size_t>(op::add) + n);
}
template <op what>
constexpr std::array<compute_function, 6> by_type{compute<what, int32_t>, compute<what, uint32_t>,
                                                  compute<what, int64_t>, compute<what, uint64_t>,
                                                  compute<what, float>,   compute<what, double>};
template <size_t... k>
constexpr auto made_computations(std::index_sequence<k...>) {
  return std::array{by_type<computed_operation(k)>...};
}
constexpr auto computations = made_computations(
    std::make_index_sequence<static_cast<size_t>(op::not_truth) - static_cast<size_t>(op::add) + 1>());

// Calls f with a value of the C++ type of elements in memory, but for f16.
template <class F>
void with_element_type(element_type type, F&& f) {
  switch (type) {
    case element_type::i8:
      return f(int8_t{});
    case element_type::u8:
      return f(uint8_t{});
    case element_type::i16:
      return f(int16_t{});
    case element_type::u16:
      return f(uint16_t{});
    default:
      return with_type(promoted(type), f);
  }
}

// `from` to the element type and on to the type that it is computed in.
template <class From>
void convert(block& a, element_type to, size_t n) {
  block out;
  const From* x = lanes<From>(a);
  with_type(promoted(to), [&](auto promoted_zero) {
    using promoted_t = decltype(promoted_zero);
    promoted_t* y = lanes<promoted_t>(out);
    const auto through = [&](auto element_zero) {
      using element_t = decltype(element_zero);
      for (size_t k = 0; k < n; ++k) y[k] = static_cast<promoted_t>(+converted<element_t>(x[k]));
    };
    if (to != element_type::f16) return with_element_type(to, through);
    for (size_t k = 0; k < n; ++k) y[k] = static_cast<promoted_t>(from_f16(to_f16(static_cast<double>(x[k]))));
  });
  a = out;
}

// Elements of memory into a block, each of them at the index that `at` gives.
template <class At>
void fetch(block& out, value_type type, const expression_symbol& buffer, const uint8_t* memory, size_t n, At&& at) {
  const auto copy = [&](auto element_zero) {
    using element_t = decltype(element_zero);
    with_type(type, [&](auto zero) {
      using value_t = decltype(zero);
      value_t values[block_size];
      for (size_t k = 0; k < n; ++k) {
        const uint64_t index = at(k);  // a negative index is beyond every count
        element_t e{};
        if (index < buffer.count) std::memcpy(&e, memory + index * sizeof e, sizeof e);
        values[k] = static_cast<value_t>(+e);
      }
      std::copy_n(values, n, lanes<value_t>(out));
    });
  };
  if (buffer.type != element_type::f16) return with_element_type(buffer.type, copy);
  float values[block_size];
  for (size_t k = 0; k < n; ++k) {
    const uint64_t index = at(k);
    values[k] = index < buffer.count
                    ? static_cast<float>(from_f16(static_cast<uint16_t>(load_element(buffer.type, memory + index * 2))))
                    : 0.0f;
  }
  std::copy_n(values, n, out.f32);
}

void store(block& from, element_type type, size_t n, uint8_t* out) {
  const size_t size = size_of(type);
  if (type == element_type::f16) {
    for (size_t k = 0; k < n; ++k) store_element(type, out + k * size, to_f16(from.f32[k]));
  } else if (size == 4) {
    std::memcpy(out, from.u32, n * 4);
  } else if (size == 8) {
    std::memcpy(out, from.u64, n * 8);
  } else {
    for (size_t k = 0; k < n; ++k) store_element(type, out + k * size, from.u32[k]);
  }
}

bool is_shift(const instruction& in) {
  return in.what == op::shift_left || in.what == op::shift_right;
}
bool divides_integers(const instruction& in) {
  return (in.what == op::div || in.what == op::rem) && !is_real_value(in.type);
}
bool can_be_undefined(const instruction& in) {
  return in.checked || is_shift(in) || divides_integers(in);
}

// What is wrong with a checked operation on x and y, or on y alone.
undefined checked_result(const instruction& in, int64_t x, int64_t y) {
  constexpr int64_t lowest = std::numeric_limits<int64_t>::min();
  int64_t ignored = 0;
  bool beyond = false;
  switch (in.what) {
    case op::add:
      beyond = __builtin_add_overflow(x, y, &ignored);
      break;
    case op::sub:
      beyond = __builtin_sub_overflow(x, y, &ignored);
      break;
    case op::mul:
      beyond = __builtin_mul_overflow(x, y, &ignored);
      break;
    case op::div:
      beyond = x == lowest && y == -1;
      break;
    case op::shift_left:
      beyond = static_cast<int64_t>(static_cast<uint64_t>(x) << y) >> y != x;
      break;
    case op::negate:
    case op::abs:
      beyond = y == lowest;
      break;
    case op::convert:  // a negative number beside a u32 wraps, as in C
      if (y < std::numeric_limits<int32_t>::min()) beyond = true;
      if (in.to == element_type::i32)
        return beyond || y > std::numeric_limits<int32_t>::max() ? undefined::beyond_i32 : undefined::no;
      return beyond || y > int64_t{std::numeric_limits<uint32_t>::max()} ? undefined::beyond_u32 : undefined::no;
    default:
      break;
  }
  return beyond ? undefined::beyond_64_bits : undefined::no;
}

// Why the operation has no result in lane k; x and y are its last two operands.
undefined undefined_in(const instruction& in, const block& x, const block& y, size_t k) {
  const bool wide = in.type == value_type::i64 || in.type == value_type::u64;
  if (divides_integers(in) && (wide ? y.u64[k] == 0 : y.u32[k] == 0)) return undefined::divided_by_zero;
  if (is_shift(in) && y.u64[k] >= (wide ? 64 : 32)) return undefined::shifted_too_far;
  return in.checked ? checked_result(in, x.i64[k], y.i64[k]) : undefined::no;
}

// Which elements of a block depend on an operation without result, and why.
struct undefined_lanes {
  undefined at[block_size];
};

class machine {
 public:
  machine(const expression_code& code, const std::vector<const uint8_t*>& memory)
      : code_(code), memory_(memory), stack_(code.stack) {}

  // Elements [first, first + n), n <= block_size.
  void run(uint64_t first, size_t n, uint8_t* out) {
    block* top = stack_.data() - 1;
    for (const instruction& in : code_.code) top = step(in, top, first, n);
    store(*top, code_.result, n, out);
  }

  // Why elements [first, first + n), n <= block_size, have no value.
  const undefined* undefined_elements(uint64_t first, size_t n) {
    undefined_.resize(code_.stack);
    block* top = stack_.data() - 1;
    block before[3];  // the operands that decide, because step() overwrites them
    for (const instruction& in : code_.code) {
      const auto operands = static_cast<size_t>(top - stack_.data() + 1);
      const size_t looked_at = in.what == op::select ? 3 : can_be_undefined(in) ? std::min<size_t>(operands, 2) : 0;
      std::copy_n(top + 1 - looked_at, looked_at, before + 3 - looked_at);
      top = step(in, top, first, n);
      note_undefined(in, operands, before, n);
    }
    return undefined_[0].at;
  }

 private:
  // After the instruction, before which so many values were on the stack.
  void note_undefined(const instruction& in, size_t operands, const block (&before)[3], size_t n) {
    const auto add = [](undefined& to, undefined from) {
      if (to == undefined::no) to = from;
    };
    switch (in.what) {
      case op::constant:
      case op::index:
      case op::element:
        std::fill_n(undefined_[operands].at, n, undefined::no);
        return;
      case op::select: {
        undefined_lanes &c = undefined_[operands - 3], &x = undefined_[operands - 2], &y = undefined_[operands - 1];
        for (size_t k = 0; k < n; ++k) add(c.at[k], before[0].i32[k] != 0 ? x.at[k] : y.at[k]);
        return;
      }
      case op::fma:
        for (size_t k = 0; k < n; ++k) {
          add(undefined_[operands - 3].at[k], undefined_[operands - 2].at[k]);
          add(undefined_[operands - 3].at[k], undefined_[operands - 1].at[k]);
        }
        return;
      default:
        break;
    }
    const bool of_two = in.what >= op::add && in.what < op::negate;
    undefined_lanes& result = undefined_[operands - (of_two ? 2 : 1)];
    if (of_two)
      for (size_t k = 0; k < n; ++k) add(result.at[k], undefined_[operands - 1].at[k]);
    if (can_be_undefined(in))
      for (size_t k = 0; k < n; ++k) add(result.at[k], undefined_in(in, before[1], before[2], k));
  }

  block* step(const instruction& in, block* top, uint64_t first, size_t n) {
    switch (in.what) {
      case op::constant:
        ++top;
        with_type(in.type, [&](auto zero) {
          using t = decltype(zero);
          t value;
          std::memcpy(&value, &in.bits, sizeof value);
          std::fill_n(lanes<t>(*top), n, value);
        });
        return top;
      case op::index:
        ++top;
        with_type(in.type, [&](auto zero) {
          using t = decltype(zero);
          for (size_t k = 0; k < n; ++k) lanes<t>(*top)[k] = static_cast<t>(first + k);
        });
        return top;
      case op::element:
        fetch(*++top, in.type, code_.symbols[in.symbol], memory_[in.symbol], n,
              [first](size_t k) { return first + k; });
        return top;
      case op::gather: {
        const int64_t* index = top->i64;
        fetch(*top, in.type, code_.symbols[in.symbol], memory_[in.symbol], n,
              [index](size_t k) { return static_cast<uint64_t>(index[k]); });
        return top;
      }
      case op::convert:
        with_type(in.type, [&](auto zero) { convert<decltype(zero)>(*top, in.to, n); });
        return top;
      case op::fma:
        with_type(in.type, [&](auto zero) {
          using t = decltype(zero);
          t *x = lanes<t>(top[-2]), *y = lanes<t>(top[-1]), *z = lanes<t>(*top);
          if constexpr (std::is_floating_point_v<t>) {
            for (size_t k = 0; k < n; ++k) x[k] = std::fma(x[k], y[k], z[k]);
          }
        });
        return top - 2;
      case op::select:
        with_type(in.type, [&](auto zero) {
          using t = decltype(zero);
          t result[block_size];
          t *x = lanes<t>(top[-1]), *y = lanes<t>(*top);
          for (size_t k = 0; k < n; ++k) result[k] = top[-2].i32[k] != 0 ? x[k] : y[k];
          std::copy_n(result, n, lanes<t>(top[-2]));
        });
        return top - 2;
      default:
        break;
    }
    block* const result = in.what >= op::negate ? top : top - 1;
    computations[static_cast<size_t>(in.what) - static_cast<size_t>(op::add)][static_cast<size_t>(in.type)](*result,
                                                                                                            *top, n);
    return result;
  }

  const expression_code& code_;
  const std::vector<const uint8_t*>& memory_;
  std::vector<block> stack_;
  std::vector<undefined_lanes> undefined_;  // of what is on the stack
};

}  // namespace

void run_code(const expression_code& code, const std::vector<const uint8_t*>& memory, uint64_t first, uint64_t count,
              uint8_t* out) {
  machine m(code, memory);
  for (uint64_t done = 0; done < count; done += block_size) {
    m.run(first + done, std::min<uint64_t>(block_size, count - done), out + done * size_of(code.result));
  }
}

std::optional<undefined_element> first_undefined(const expression_code& code, const std::vector<const uint8_t*>& memory,
                                                 uint64_t first, uint64_t count) {
  if (!can_be_undefined(code)) return std::nullopt;
  machine m(code, memory);
  for (uint64_t done = 0; done < count; done += block_size) {
    const auto n = static_cast<size_t>(std::min<uint64_t>(block_size, count - done));
    const undefined* const at = m.undefined_elements(first + done, n);
    for (size_t k = 0; k < n; ++k)
      if (at[k] != undefined::no) return undefined_element{first + done + k, at[k]};
  }
  return std::nullopt;
}

bool can_be_undefined(const expression_code& code) {
  return std::any_of(code.code.begin(), code.code.end(), [](const instruction& in) { return can_be_undefined(in); });
}

}  // namespace pws::platform
