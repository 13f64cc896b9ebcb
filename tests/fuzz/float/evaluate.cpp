// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "tests/fuzz/float/expression.h"
#include "tests/fuzz/float/host_float.h"

namespace pws::test {

namespace {

// NaNs of one kind are one value: payloads and signs are nobody's promise.
uint64_t one_nan(scalar t, uint64_t bits) {
  return !is_nan(t, bits) ? bits : is_signalling(t, bits) ? infinity_of(t) | 1 : quiet_nan_of(t);
}

// A factor pair whose product may stay unrounded in an addition.
struct product {
  value_set a, b;
  bool negative = false;
};

class evaluator {
 public:
  evaluator(const expression_program& p, const uint64_t* slots, const semantics& s) : p_(p), slots_(slots), s_(s) {}

  std::vector<value_set> run() {
    for (const statement& s : p_.statements) {
      variables_.push_back(value_set());
      variables_.back() = result_of(s);
    }
    return std::move(variables_);
  }

 private:
  value_set result_of(const statement& s) {
    if (s.kind == statement_kind::assign) return value(s.first);
    if (s.kind == statement_kind::branch) return chosen(value(s.condition), s.first, s.second);
    const uint64_t times = *value(s.condition).begin() & 7;
    variables_.back() = value(s.first);
    for (uint64_t k = 0; k < times; ++k) {
      value_set next = value(s.second);
      variables_.back() = next;
    }
    return variables_.back();
  }
  value_set chosen(const value_set& condition, int first, int second) {
    value_set r;
    if (condition.contains(1)) r.add(value(first));
    if (condition.contains(0)) r.add(value(second));
    return r;
  }

  template <class F>
  static value_set map(const value_set& a, F f) {
    if (a.any()) return a;
    value_set r;
    for (const uint64_t x : a) f(r, x);
    return r;
  }
  template <class F>
  static value_set map(const value_set& a, const value_set& b, F f) {
    if (a.any() || b.any()) return value_set::anything();
    value_set r;
    for (const uint64_t x : a)
      for (const uint64_t y : b) f(r, x, y);
    return r;
  }

  const node& at(int n) const { return p_.nodes[static_cast<size_t>(n)]; }
  bool flushes(scalar t) const { return s_.flush_f32 && t == scalar::f32; }

  void compute(value_set& r, arithmetic op, scalar t, uint64_t a, uint64_t b, uint64_t c) const {
    if (!flushes(t)) {
      r.add(pws::test::evaluate(op, t, a, b, c));
      return;
    }
    // Whether a result that rounds up to the least normal number was tiny is the machine's choice.
    r.add(pws::test::evaluate(op, t, a, b, c, {rounding::nearest, true, true}));
    r.add(flushed(t, pws::test::evaluate(op, t, a, b, c, {rounding::nearest, true, false})));
  }
  value_set fused(scalar t, const value_set& a, const value_set& b, const value_set& c) const {
    if (c.any()) return c;
    return map(a, b, [&](value_set& r, uint64_t x, uint64_t y) {
      for (const uint64_t z : c) compute(r, arithmetic::fma, t, x, y, z);
    });
  }
  static value_set negated(scalar t, const value_set& a) {
    return map(a, [&](value_set& r, uint64_t x) { r.add(one_nan(t, x ^ sign_of(t))); });
  }

  // Both operands have one value, the same one.
  bool same(const node& n) { return differ_by(n, 0); }
  // They differ in their sign alone.
  bool opposite(const node& n) { return differ_by(n, sign_of(n.type)); }
  bool differ_by(const node& n, uint64_t bits) {
    const value_set a = value(n.arguments[0]), b = value(n.arguments[1]);
    return a.size() == 1 && b.size() == 1 && *a.begin() == (*b.begin() ^ bits);
  }
  void products(int n, bool negative, std::vector<product>& found) {
    const node& m = at(n);
    if (m.op == operation::mul) found.push_back({value(m.arguments[0]), value(m.arguments[1]), negative});
    if ((m.op == operation::add && same(m)) || (m.op == operation::sub && opposite(m)))  // 2 * a
      found.push_back({value(m.arguments[0]), value_set(from_long_double(m.type, 2)), negative});
    if ((m.op == operation::min || m.op == operation::max) && same(m)) {  // of one value: nothing to the compiler
      products(m.arguments[0], negative, found);
      products(m.arguments[1], negative, found);
    }
    if (m.op == operation::negate) products(m.arguments[0], !negative, found);
    if (m.op == operation::select) arms(m.arguments[0], m.arguments[1], m.arguments[2], negative, found);
    if (m.op != operation::variable) return;
    const statement& s = p_.statements[m.index];
    if (s.kind == statement_kind::assign) products(s.first, negative, found);
    if (s.kind == statement_kind::branch) arms(s.condition, s.first, s.second, negative, found);
  }
  void arms(int condition, int first, int second, bool negative, std::vector<product>& found) {
    const value_set c = value(condition);
    if (c.contains(1)) products(first, negative, found);
    if (c.contains(0)) products(second, negative, found);
  }

  value_set sum(const node& n) {
    const bool minus = n.op == operation::sub;
    const value_set a = value(n.arguments[0]), b = value(n.arguments[1]);
    value_set r = map(a, b, [&](value_set& s, uint64_t x, uint64_t y) {
      compute(s, minus ? arithmetic::sub : arithmetic::add, n.type, x, y, 0);
    });
    if (!s_.contract) return r;
    std::vector<product> left, right;
    products(n.arguments[0], false, left);
    products(n.arguments[1], minus, right);
    const value_set addend = minus ? negated(n.type, b) : b;
    for (const product& p : left) r.add(fused(n.type, p.negative ? negated(n.type, p.a) : p.a, p.b, addend));
    for (const product& p : right) r.add(fused(n.type, p.negative ? negated(n.type, p.a) : p.a, p.b, a));
    return r;
  }

  void smaller_or_larger(value_set& r, scalar t, bool larger, uint64_t a, uint64_t b) const {
    const bool a_nan = is_nan(t, a), b_nan = is_nan(t, b);
    // A signalling NaN is made quiet first and is then a number's match or not, depending on how the compiler joins
    // several of these operations.
    if (is_signalling(t, a) || is_signalling(t, b)) return r.add(value_set::anything());
    if (a_nan && b_nan) return r.add(quiet_nan_of(t));
    const int order = compare(t, a, b);
    const bool equal_zeros = order == 0 && (a & sign_of(t)) != 0;  // -0 is below +0
    const bool a_is_less = order < 0 || equal_zeros;
    const uint64_t chosen_bits = a_nan ? b : b_nan ? a : a_is_less != larger ? a : b;
    r.add(chosen_bits);
    if (flushes(t)) r.add(flushed(t, chosen_bits));
  }

  value_set comparison(const node& n) {
    const scalar t = at(n.arguments[0]).type;
    return map(value(n.arguments[0]), value(n.arguments[1]), [&](value_set& r, uint64_t a, uint64_t b) {
      const bool flush = flushes(t);
      const int c = compare(t, flush ? flushed(t, a) : a, flush ? flushed(t, b) : b);
      bool holds = false;
      switch (n.op) {
        case operation::less:
          holds = c == -1;
          break;
        case operation::less_equal:
          holds = c == -1 || c == 0;
          break;
        case operation::greater:
          holds = c == 1;
          break;
        case operation::equal:
          holds = c == 0;
          break;
        case operation::not_equal:
          holds = c != 0;
          break;
        default:
          holds = c == 2;
          break;
      }
      r.add(holds ? 1 : 0);
    });
  }

  void converted(value_set& r, scalar to, scalar from, uint64_t x) const {
    if (!is_float(from) && !is_float(to)) return r.add(integer_bits(to, to_integer(from, x)));
    if (!is_float(to)) {
      if (flushes(from)) r.add(to_integer_or_77(to, from, flushed(from, x)));
      return r.add(to_integer_or_77(to, from, x));
    }
    if (!is_float(from)) {
      r.add(from_integer(to, from, x));
      // The compiler's own expansion for 64-bit integers goes through single precision.
      if (to == scalar::f16 && width_of(from) == 64)
        r.add(convert_float(to, scalar::f32, from_integer(scalar::f32, from, x)));
      return;
    }
    const uint64_t y = convert_float(to, from, x);
    r.add(y);
    if (flushes(to)) r.add(flushed(to, y));
    if (flushes(from)) r.add(convert_float(to, from, flushed(from, x)));
  }

  void quotient(value_set& r, scalar t, uint64_t a, uint64_t b) const {
    const uint64_t q = divide(t, a, b);
    r.add(q);
    if (t != scalar::f16 || is_nan(t, q)) return;
    // The compiler multiplies by a single-precision reciprocal: where ties are near, either neighbour.
    const long double exact = to_long_double(t, a) / to_long_double(t, b);
    r.add(from_long_double(t, exact * (1 + 0x1p-21L)));
    r.add(from_long_double(t, exact * (1 - 0x1p-21L)));
  }

  static exact_function function_of(operation op) {
    switch (op) {
      case operation::trunc:
        return exact_function::trunc;
      case operation::floor:
        return exact_function::floor;
      case operation::ceil:
        return exact_function::ceil;
      case operation::rint:
        return exact_function::rint;
      case operation::round:
        return exact_function::round;
      case operation::logb:
        return exact_function::logb;
      case operation::mantissa:
        return exact_function::mantissa;
      case operation::fraction:
        return exact_function::fraction;
      case operation::whole:
        return exact_function::whole;
      case operation::fmod:
        return exact_function::fmod;
      default:
        return exact_function::remainder;
    }
  }

  value_set value(int k) {
    const node& n = at(k);
    const scalar t = n.type;
    const auto argument = [&](size_t a) { return value(n.arguments[a]); };
    switch (n.op) {
      case operation::input:
        return value_set(is_float(t) ? one_nan(t, slots_[n.index]) : slots_[n.index]);
      case operation::variable:
        return variables_[n.index];
      case operation::constant:
        return value_set(n.bits);
      case operation::add:
      case operation::sub:
        return sum(n);
      case operation::mul:
        return map(argument(0), argument(1),
                   [&](value_set& r, uint64_t a, uint64_t b) { compute(r, arithmetic::mul, t, a, b, 0); });
      case operation::fma:
        return fused(t, argument(0), argument(1), argument(2));
      case operation::div:
        return map(argument(0), argument(1), [&](value_set& r, uint64_t a, uint64_t b) { quotient(r, t, a, b); });
      case operation::sqrt:
        return map(argument(0), [&](value_set& r, uint64_t a) { r.add(square_root(t, a)); });
      case operation::negate:
        return negated(t, argument(0));
      case operation::abs:
        return map(argument(0), [&](value_set& r, uint64_t a) { r.add(one_nan(t, a & ~sign_of(t))); });
      case operation::copysign:
        return map(argument(0), argument(1), [&](value_set& r, uint64_t a, uint64_t b) {
          const uint64_t m = a & ~sign_of(t);
          if (is_nan(t, a)) return r.add(one_nan(t, a));
          if (is_nan(t, b) || (b & sign_of(t)) != 0) r.add(m | sign_of(t));
          if (is_nan(t, b) || (b & sign_of(t)) == 0) r.add(m);
        });
      case operation::min:
      case operation::max:
        return map(argument(0), argument(1), [&](value_set& r, uint64_t a, uint64_t b) {
          smaller_or_larger(r, t, n.op == operation::max, a, b);
        });
      case operation::ldexp:
        return map(argument(0), argument(1), [&](value_set& r, uint64_t a, uint64_t b) {
          r.add(scale(t, a, static_cast<int32_t>(to_integer(at(n.arguments[1]).type, b))));
        });
      case operation::exponent:
        return map(argument(0), [&](value_set& r, uint64_t a) { r.add(exponent_of(t_of(n), a)); });
      case operation::ilogb:
        return map(argument(0), [&](value_set& r, uint64_t a) { r.add(ilogb_of(t_of(n), a)); });
      case operation::convert:
        return map(argument(0), [&](value_set& r, uint64_t a) { converted(r, t, t_of(n), a); });
      case operation::both:
        return map(argument(0), argument(1), [](value_set& r, uint64_t a, uint64_t b) { r.add(a & b); });
      case operation::either:
        return map(argument(0), argument(1), [](value_set& r, uint64_t a, uint64_t b) { r.add(a | b); });
      case operation::inverse:
        return map(argument(0), [](value_set& r, uint64_t a) { r.add(a ^ 1); });
      case operation::select:
        return chosen(argument(0), n.arguments[1], n.arguments[2]);
      case operation::integer_add:
        return map(argument(0), argument(1), [&](value_set& r, uint64_t a, uint64_t b) {
          r.add(integer_bits(t, to_integer(t, a) + to_integer(t, b)));
        });
      case operation::integer_or:
        return map(argument(0), argument(1), [](value_set& r, uint64_t a, uint64_t b) { r.add(a | b); });
      case operation::fmod:
      case operation::remainder:
        return map(argument(0), argument(1), [&](value_set& r, uint64_t a, uint64_t b) {
          r.add(pws::test::evaluate(function_of(n.op), t, a, b));
        });
      case operation::less:
      case operation::less_equal:
      case operation::greater:
      case operation::equal:
      case operation::not_equal:
      case operation::unordered:
        return comparison(n);
      default:
        return map(argument(0), [&](value_set& r, uint64_t a) {
          const uint64_t x = pws::test::evaluate(function_of(n.op), t, a);
          r.add(x);
          if (n.op == operation::round && is_zero(t, x)) r.add(x ^ sign_of(t));  // the compiler adds +0 to -0
        });
    }
  }
  scalar t_of(const node& n) const { return at(n.arguments[0]).type; }

  const expression_program& p_;
  const uint64_t* slots_;
  const semantics& s_;
  std::vector<value_set> variables_;
};

}  // namespace

std::vector<value_set> expression_program::evaluate(const uint64_t* slots, const semantics& s) const {
  return evaluator(*this, slots, s).run();
}

}  // namespace pws::test
