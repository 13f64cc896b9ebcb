#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <type_traits>

#include "platform/run_file/expression/expression_code.h"

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

template <class T, class F>
void each2(block& a, const block& b, size_t n, F&& f) {
  T* x = lanes<T>(a);
  const T* y = lanes<T>(const_cast<block&>(b));
  for (size_t k = 0; k < n; ++k) x[k] = f(x[k], y[k]);
}

template <class T, class F>
void compare2(block& a, const block& b, size_t n, F&& f) {
  int32_t result[block_size];
  const T* x = lanes<T>(a);
  const T* y = lanes<T>(const_cast<block&>(b));
  for (size_t k = 0; k < n; ++k) result[k] = f(x[k], y[k]) ? 1 : 0;
  std::copy_n(result, n, a.i32);
}

// Wrapping arithmetic and bit operations: on the unsigned type of the same width.
template <class T>
bool binary_integer(op what, block& a, const block& b, size_t n) {
  using u = std::make_unsigned_t<T>;
  constexpr u width_mask = sizeof(T) * 8 - 1;
  switch (what) {
    case op::add:
      each2<u>(a, b, n, [](u x, u y) { return x + y; });
      return true;
    case op::sub:
      each2<u>(a, b, n, [](u x, u y) { return x - y; });
      return true;
    case op::mul:
      each2<u>(a, b, n, [](u x, u y) { return x * y; });
      return true;
    case op::bit_and:
      each2<u>(a, b, n, [](u x, u y) { return x & y; });
      return true;
    case op::bit_or:
      each2<u>(a, b, n, [](u x, u y) { return x | y; });
      return true;
    case op::bit_xor:
      each2<u>(a, b, n, [](u x, u y) { return x ^ y; });
      return true;
    case op::shift_left:
      each2<u>(a, b, n, [](u x, u y) { return x << (y & width_mask); });
      return true;
    case op::shift_right:
      each2<T>(a, b, n, [](T x, T y) { return static_cast<T>(x >> (static_cast<u>(y) & width_mask)); });
      return true;
    case op::min:
      each2<T>(a, b, n, [](T x, T y) { return std::min(x, y); });
      return true;
    case op::max:
      each2<T>(a, b, n, [](T x, T y) { return std::max(x, y); });
      return true;
    default:
      return false;
  }
}

template <class T>
bool binary_real(op what, block& a, const block& b, size_t n) {
  switch (what) {
    case op::add:
      each2<T>(a, b, n, [](T x, T y) { return x + y; });
      return true;
    case op::sub:
      each2<T>(a, b, n, [](T x, T y) { return x - y; });
      return true;
    case op::mul:
      each2<T>(a, b, n, [](T x, T y) { return x * y; });
      return true;
    case op::min:
      each2<T>(a, b, n, [](T x, T y) { return std::fmin(x, y); });
      return true;
    case op::max:
      each2<T>(a, b, n, [](T x, T y) { return std::fmax(x, y); });
      return true;
    case op::pow:
      each2<T>(a, b, n, [](T x, T y) { return static_cast<T>(std::pow(double{x}, double{y})); });
      return true;
    default:
      return false;
  }
}

template <class T>
void binary(op what, block& a, const block& b, size_t n) {
  bool done = false;
  if constexpr (std::is_integral_v<T>) {
    done = binary_integer<T>(what, a, b, n);
  } else {
    done = binary_real<T>(what, a, b, n);
  }
  if (done) return;
  switch (what) {
    case op::div:
      return each2<T>(a, b, n, [](T x, T y) { return quotient(x, y); });
    case op::rem:
      return each2<T>(a, b, n, [](T x, T y) { return remainder_of(x, y); });
    case op::equal:
      return compare2<T>(a, b, n, [](T x, T y) { return x == y; });
    case op::not_equal:
      return compare2<T>(a, b, n, [](T x, T y) { return x != y; });
    case op::less:
      return compare2<T>(a, b, n, [](T x, T y) { return x < y; });
    case op::less_equal:
      return compare2<T>(a, b, n, [](T x, T y) { return x <= y; });
    default:
      return;
  }
}

template <class T, class F>
void each1(block& a, size_t n, F&& f) {
  T* x = lanes<T>(a);
  for (size_t k = 0; k < n; ++k) x[k] = f(x[k]);
}

template <class T>
void truth(block& a, size_t n, bool wanted) {
  compare2<T>(a, a, n, [wanted](T x, T) { return (x != 0) == wanted; });
}

template <class T>
void unary_real(op what, block& a, size_t n) {
  switch (what) {
    case op::negate:
      return each1<T>(a, n, [](T x) { return -x; });
    case op::abs:
      return each1<T>(a, n, [](T x) { return std::fabs(x); });
    case op::sqrt:
      return each1<T>(a, n, [](T x) { return std::sqrt(x); });
    case op::floor:
      return each1<T>(a, n, [](T x) { return std::floor(x); });
    case op::ceil:
      return each1<T>(a, n, [](T x) { return std::ceil(x); });
    case op::trunc:
      return each1<T>(a, n, [](T x) { return std::trunc(x); });
    // In double and then rounded: the correctly rounded float in all but a few cases in a thousand million.
    case op::exp:
      return each1<T>(a, n, [](T x) { return static_cast<T>(std::exp(double{x})); });
    case op::log:
      return each1<T>(a, n, [](T x) { return static_cast<T>(std::log(double{x})); });
    case op::sin:
      return each1<T>(a, n, [](T x) { return static_cast<T>(std::sin(double{x})); });
    case op::cos:
      return each1<T>(a, n, [](T x) { return static_cast<T>(std::cos(double{x})); });
    default:
      return;
  }
}

template <class T>
void unary_integer(op what, block& a, size_t n) {
  using u = std::make_unsigned_t<T>;
  switch (what) {
    case op::negate:
      return each1<u>(a, n, [](u x) { return u{0} - x; });
    case op::complement:
      return each1<u>(a, n, [](u x) { return ~x; });
    case op::abs:
      return each1<u>(a, n, [](u x) { return std::is_signed_v<T> && static_cast<T>(x) < 0 ? u{0} - x : x; });
    default:
      return;
  }
}

template <class T>
void unary(op what, block& a, size_t n) {
  if (what == op::truth || what == op::not_truth) return truth<T>(a, n, what == op::truth);
  if constexpr (std::is_integral_v<T>) {
    unary_integer<T>(what, a, n);
  } else {
    unary_real<T>(what, a, n);
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
      for (size_t k = 0; k < n; ++k) y[k] = static_cast<promoted_t>(converted<element_t>(x[k]));
    };
    switch (to) {
      case element_type::i8:
        return through(int8_t{});
      case element_type::u8:
        return through(uint8_t{});
      case element_type::i16:
        return through(int16_t{});
      case element_type::u16:
        return through(uint16_t{});
      case element_type::f16:
        for (size_t k = 0; k < n; ++k) y[k] = static_cast<promoted_t>(from_f16(to_f16(static_cast<double>(x[k]))));
        return;
      default:
        return through(promoted_t{});
    }
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
        values[k] = static_cast<value_t>(e);
      }
      std::copy_n(values, n, lanes<value_t>(out));
    });
  };
  switch (buffer.type) {
    case element_type::i8:
      return copy(int8_t{});
    case element_type::u8:
      return copy(uint8_t{});
    case element_type::i16:
      return copy(int16_t{});
    case element_type::u16:
      return copy(uint16_t{});
    case element_type::f16: {
      float values[block_size];
      for (size_t k = 0; k < n; ++k) {
        const uint64_t index = at(k);
        values[k] =
            index < buffer.count
                ? static_cast<float>(from_f16(static_cast<uint16_t>(load_element(buffer.type, memory + index * 2))))
                : 0.0f;
      }
      std::copy_n(values, n, out.f32);
      return;
    }
    default:
      with_type(promoted(buffer.type), copy);
  }
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

bool divides_integers(const instruction& in) {
  return (in.what == op::div || in.what == op::rem) && !is_real_value(in.type);
}

// Which elements of a block depend on an integer divided by 0.
struct undefined_lanes {
  bool at[block_size];
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

  // The first of these elements that depends on an integer divided by 0; n: none does. What ?:, && and || leave out
  // does not count.
  size_t first_undefined(uint64_t first, size_t n) {
    undefined_.resize(code_.stack);
    block* top = stack_.data() - 1;
    for (const instruction& in : code_.code) {
      const size_t operands = static_cast<size_t>(top - stack_.data() + 1);
      const block condition = in.what == op::select ? top[-2] : block{};
      const block divisor = divides_integers(in) ? *top : block{};
      top = step(in, top, first, n);
      note_undefined(in, operands, condition, divisor, n);
    }
    return static_cast<size_t>(std::find(undefined_[0].at, undefined_[0].at + n, true) - undefined_[0].at);
  }

 private:
  // After the instruction, before which so many values were on the stack.
  void note_undefined(const instruction& in, size_t operands, const block& condition, const block& divisor, size_t n) {
    switch (in.what) {
      case op::constant:
      case op::index:
      case op::element:
        std::fill_n(undefined_[operands].at, n, false);
        return;
      case op::select: {
        undefined_lanes &c = undefined_[operands - 3], &x = undefined_[operands - 2], &y = undefined_[operands - 1];
        for (size_t k = 0; k < n; ++k) c.at[k] |= condition.i32[k] != 0 ? x.at[k] : y.at[k];
        return;
      }
      case op::fma:
        for (size_t k = 0; k < n; ++k)
          undefined_[operands - 3].at[k] |= undefined_[operands - 2].at[k] || undefined_[operands - 1].at[k];
        return;
      case op::gather:
      case op::convert:
        return;
      default:
        break;
    }
    if (in.what >= op::negate) return;
    undefined_lanes &x = undefined_[operands - 2], &y = undefined_[operands - 1];
    const bool wide = in.type == value_type::i64 || in.type == value_type::u64;
    for (size_t k = 0; k < n; ++k)
      x.at[k] |= y.at[k] || (divides_integers(in) && (wide ? divisor.u64[k] == 0 : divisor.u32[k] == 0));
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
    if (in.what >= op::negate) {
      with_type(in.type, [&](auto zero) { unary<decltype(zero)>(in.what, *top, n); });
      return top;
    }
    with_type(in.type, [&](auto zero) { binary<decltype(zero)>(in.what, top[-1], *top, n); });
    return top - 1;
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

expression::expression(std::string_view text, std::vector<expression_symbol> symbols, element_type result,
                       uint64_t index_limit)
    : code_(std::make_unique<expression_code>(compile_expression(text, std::move(symbols), result, index_limit))) {}
expression::~expression() = default;
expression::expression(expression&&) noexcept = default;
expression& expression::operator=(expression&&) noexcept = default;

const std::vector<size_t>& expression::buffers() const {
  return code_->buffers;
}
const std::vector<size_t>& expression::buffers_at_i() const {
  return code_->buffers_at_i;
}

namespace {

bool varies(const expression_code& code) {
  const auto end = code.code.begin() + static_cast<std::ptrdiff_t>(code.own_length);
  return std::any_of(code.code.begin(), end, [](const instruction& i) {
    return i.what == op::index || i.what == op::element || i.what == op::gather;
  });
}

// Without the last conversion.
expression_code unconverted(const expression_code& code) {
  expression_code own = code;
  own.result = as_element(code.own_type);
  own.code.resize(code.own_length);
  return own;
}

// One of the elements [first, first + count) whose value an integer divided by 0 decides; nothing: there is none.
std::optional<uint64_t> undefined_element(const expression_code& code, const std::vector<const uint8_t*>& memory,
                                          uint64_t first, uint64_t count) {
  if (std::none_of(code.code.begin(), code.code.end(), divides_integers)) return std::nullopt;
  machine m(code, memory);
  for (uint64_t done = 0; done < count; done += block_size) {
    const auto n = static_cast<size_t>(std::min<uint64_t>(block_size, count - done));
    const size_t k = m.first_undefined(first + done, n);
    if (k != n) return first + done + k;
  }
  return std::nullopt;
}

constexpr const char* divided_by_zero = "an integer is divided by 0";

// What keeps `bits` of type `own` from being one of the integers `type`.
std::optional<std::string> misfit_of(element_type own, uint64_t bits, element_type type) {
  std::string number = text_of(own, bits);
  if (!is_real(own)) {
    const int128 value = integer_value(own, bits);
    if (value >= smallest(type) && value <= largest(type)) return std::nullopt;
  } else {
    const double value = real_value(own, bits);
    if (std::isnan(value)) number = "nan";  // whatever its sign
    if (value != std::trunc(value)) return number + " is no integer, and the buffer holds " + name_of(type);
    if (value >= static_cast<double>(smallest(type)) && value < static_cast<double>(largest(type) + 1))
      return std::nullopt;
    if (std::fabs(value) < 0x1p65) number = to_text(static_cast<int128>(value));  // all of its digits
  }
  return number + " does not fit " + name_of(type) + " (" + to_text(smallest(type)) + ".." + to_text(largest(type)) +
         ")";
}

}  // namespace

std::optional<std::string> expression::misfit() const {
  if (varies(*code_)) return std::nullopt;
  if (undefined_element(*code_, {}, 0, 1)) return divided_by_zero;
  if (is_real(code_->result)) return std::nullopt;
  const expression_code own = unconverted(*code_);
  uint64_t bits = 0;
  run_code(own, {}, 0, 1, reinterpret_cast<uint8_t*>(&bits));
  return misfit_of(own.result, bits, code_->result);
}

namespace {
bool real_for_integers(const expression_code& code) {
  return !is_real(code.result) && is_real_value(code.own_type);
}
}  // namespace

bool expression::may_misfit() const {
  return varies(*code_) &&
         (real_for_integers(*code_) || std::any_of(code_->code.begin(), code_->code.end(), divides_integers));
}

std::optional<std::string> expression::misfit(const std::vector<const uint8_t*>& memory, uint64_t first,
                                              uint64_t count) const {
  if (!varies(*code_)) return std::nullopt;
  if (const auto i = undefined_element(*code_, memory, first, count))
    return "at i = " + std::to_string(*i) + ": " + divided_by_zero;
  if (!real_for_integers(*code_)) return std::nullopt;
  const expression_code own = unconverted(*code_);
  const size_t size = size_of(own.result);
  std::vector<uint8_t> values(std::min<uint64_t>(count, block_size) * size);
  for (uint64_t done = 0; done < count; done += block_size) {
    const uint64_t n = std::min<uint64_t>(block_size, count - done);
    run_code(own, memory, first + done, n, values.data());
    for (uint64_t k = 0; k < n; ++k) {
      const auto problem = misfit_of(own.result, load_element(own.result, values.data() + k * size), code_->result);
      if (!problem) continue;
      return "at i = " + std::to_string(first + done + k) + ": " + *problem + "; " + name_of(code_->result) +
             "(...) truncates";
    }
  }
  return std::nullopt;
}

void expression::evaluate(const std::vector<const uint8_t*>& memory, uint64_t first, uint64_t count,
                          uint8_t* out) const {
  run_code(*code_, memory, first, count, out);
}

}  // namespace pws::platform
