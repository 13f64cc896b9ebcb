// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "platform/config/values/expression_code.h"
#include "platform/config/values/expression_lexer.h"
#include "platform/config/values/text.h"

namespace pws::platform {

value_type promoted(element_type type) {
  switch (type) {
    case element_type::u32:
      return value_type::u32;
    case element_type::i64:
      return value_type::i64;
    case element_type::u64:
      return value_type::u64;
    case element_type::f16:
    case element_type::f32:
      return value_type::f32;
    case element_type::f64:
      return value_type::f64;
    default:
      return value_type::i32;
  }
}

element_type as_element(value_type type) {
  constexpr element_type types[] = {element_type::i32, element_type::u32, element_type::i64,
                                    element_type::u64, element_type::f32, element_type::f64};
  return types[static_cast<size_t>(type)];
}

namespace {

// A parsed operand: the code that pushes it, and its type. A real constant's type is not settled until it meets another
// operand. A plain integer has no stated type: it is computed in i64 (the 0 or 1 of a comparison in i32, until it is
// widened), and takes the other operand's type where that has one, or `beside` if that is higher.
struct piece {
  std::vector<instruction> code;
  value_type type = value_type::i32;
  size_t stack = 1;             // that `code` needs
  std::optional<double> exact;  // of an unsettled real constant
  bool plain = false;
  value_type beside = value_type::i32;
};

struct binary_operator {
  std::string_view text;
  int level;  // higher binds tighter
  op what;
  bool swap;      // operands change places: a > b is b < a
  bool integers;  // only for integers
};

constexpr binary_operator binaries[] = {
    {"|", 3, op::bit_or, false, true},       {"^", 4, op::bit_xor, false, true},
    {"&", 5, op::bit_and, false, true},      {"==", 6, op::equal, false, false},
    {"!=", 6, op::not_equal, false, false},  {"<", 7, op::less, false, false},
    {"<=", 7, op::less_equal, false, false}, {">", 7, op::less, true, false},
    {">=", 7, op::less_equal, true, false},  {"<<", 8, op::shift_left, false, true},
    {">>", 8, op::shift_right, false, true}, {"+", 9, op::add, false, false},
    {"-", 9, op::sub, false, false},         {"*", 10, op::mul, false, false},
    {"/", 10, op::div, false, false},        {"%", 10, op::rem, false, false},
};
constexpr int or_level = 1, and_level = 2;

struct function {
  std::string_view name;
  size_t operands;
  op what;
  bool real;  // integers are converted to a real type first
  const char* meaning;
};

constexpr function functions[] = {
    {"min", 2, op::min, false, "the smaller; of a NaN and a number the number"},
    {"max", 2, op::max, false, "the larger; of a NaN and a number the number"},
    {"abs", 1, op::abs, false, "magnitude"},
    {"sqrt", 1, op::sqrt, true, "square root, correctly rounded"},
    {"floor", 1, op::floor, true, "largest whole number that is not above"},
    {"ceil", 1, op::ceil, true, "smallest whole number that is not below"},
    {"trunc", 1, op::trunc, true, "whole number, towards zero"},
    {"exp", 1, op::exp, true, "e to this power"},
    {"log", 1, op::log, true, "natural logarithm"},
    {"sin", 1, op::sin, true, "sine, of radians"},
    {"cos", 1, op::cos, true, "cosine, of radians"},
    {"pow", 2, op::pow, true, "the first to the power of the second"},
    {"fma", 3, op::fma, true, "x * y + z, rounded once"},
};

class parser {
 public:
  parser(std::string_view text, expression_code& out, uint64_t index_limit)
      : tokens_(text),
        out_(out),
        default_real_(out.result == element_type::f64 ? value_type::f64 : value_type::f32),
        index_is_i32_(index_limit <= uint64_t{1} << 31) {}

  void run() {
    piece all = conditional();
    if (tokens_.peek().what != token::kind::end) fail("expected an operator or the end");
    settle(all, default_real_);
    out_.own_length = all.code.size();
    out_.own_type = all.type;
    out_.own_plain = all.plain && out_.result != element_type::i64 && !fits_unseen(all, out_.result);
    convert(all, out_.result);
    out_.stack = all.stack;
    out_.code = std::move(all.code);
  }

 private:
  [[noreturn]] void fail(const std::string& problem) const {
    const token& t = tokens_.peek();
    throw expression_error(t.position,
                           problem + (t.what == token::kind::end ? ", got the end" : ", got " + in_quotes(t.text)));
  }

  // Counts nesting, so that hostile text cannot exhaust the stack.
  class nesting {
   public:
    explicit nesting(parser& p) : p_(p) {
      if (++p_.depth_ > deepest) p_.fail("nested too deeply");
    }
    ~nesting() { --p_.depth_; }

   private:
    static constexpr int deepest = 100;
    parser& p_;
  };

  piece conditional() {
    const nesting guard(*this);
    piece condition = binary(or_level);
    if (!tokens_.take("?")) return condition;
    piece yes = conditional();
    expect(":");
    piece no = conditional();
    make_truth(condition);
    unify(yes, no);
    const value_type type = yes.type, beside = yes.beside;
    const bool plain = yes.plain;
    return as_plain(join({&condition, &yes, &no}, op::select, type, type), plain, beside);
  }

  static piece truth_value(bool value) {
    piece p;
    p.type = value_type::i32;
    p.code.push_back({op::constant, p.type, {}, 0, value ? 1u : 0u});
    return as_plain(std::move(p), true, value_type::i32);
  }

  static piece as_plain(piece p, bool plain, value_type beside) {
    p.plain = plain;
    p.beside = beside;
    return p;
  }

  piece binary(int level) {
    constexpr int unary_level = 11;
    if (level == unary_level) return unary();
    piece left = binary(level + 1);
    while (true) {
      if (level == or_level || level == and_level) {
        if (!tokens_.take(level == or_level ? "||" : "&&")) return left;
        piece right = binary(level + 1);
        make_truth(left);
        make_truth(right);
        // Selects, so that what the left side settles does not depend on the right one.
        piece settled = truth_value(level == or_level);
        left = level == or_level ? join({&left, &settled, &right}, op::select, value_type::i32, value_type::i32)
                                 : join({&left, &right, &settled}, op::select, value_type::i32, value_type::i32);
        left = as_plain(std::move(left), true, value_type::i32);
        continue;
      }
      const binary_operator* found = nullptr;
      for (const binary_operator& b : binaries) {
        if (b.level == level && tokens_.peek().what == token::kind::symbol && tokens_.peek().text == b.text) found = &b;
      }
      if (found == nullptr) return left;
      const size_t position = tokens_.peek().position;
      tokens_.next();
      piece right = binary(level + 1);
      left = apply(*found, position, std::move(left), std::move(right));
    }
  }

  piece apply(const binary_operator& b, size_t position, piece left, piece right) {
    if (b.integers && (is_real_value(left.type) || is_real_value(right.type))) {
      throw expression_error(position, "'" + std::string(b.text) + "' needs integers");
    }
    const bool shift = b.what == op::shift_left || b.what == op::shift_right;
    if (shift) {  // as in C, the type is the left operand's
      widen(left);
      convert(right, element_type::i64);
    } else {
      unify(left, right);
    }
    const bool comparison = b.what >= op::equal && b.what <= op::less_equal;
    const value_type type = left.type, beside = comparison ? value_type::i32 : left.beside;
    const bool plain = left.plain;
    if (b.swap) std::swap(left, right);
    piece all = join({&left, &right}, b.what, type, comparison ? value_type::i32 : type);
    all.code.back().checked = plain && !comparison;
    return as_plain(std::move(all), plain || comparison, beside);
  }

  piece unary() {
    const nesting guard(*this);
    const size_t position = tokens_.peek().position;
    if (tokens_.take("+")) return unary();
    if (tokens_.take("-")) {
      piece operand = unary();
      if (operand.exact) {
        operand.exact = -*operand.exact;
        return operand;
      }
      if (operand.plain && is_constant(operand)) {
        operand.code[0].bits = 0 - operand.code[0].bits;
        return operand;
      }
      return then(std::move(operand), op::negate);
    }
    if (tokens_.take("!")) {
      piece operand = unary();
      settle(operand, default_real_);
      operand = then(std::move(operand), op::not_truth);
      operand.type = value_type::i32;
      return as_plain(std::move(operand), true, value_type::i32);
    }
    if (tokens_.take("~")) {
      piece operand = unary();
      if (is_real_value(operand.type)) throw expression_error(position, "'~' needs an integer");
      return then(std::move(operand), op::complement);
    }
    return primary();
  }

  piece primary() {
    if (tokens_.take("(")) {
      piece inner = conditional();
      expect(")");
      return inner;
    }
    const token t = tokens_.peek();
    if (t.what == token::kind::number) {
      tokens_.next();
      return number(t);
    }
    if (t.what != token::kind::name) fail("expected a number, a name or '('");
    tokens_.next();
    if (tokens_.take("(")) return call(t);
    return name(t);
  }

  piece number(const token& t) {
    piece p;
    if (t.real) {
      p.type = default_real_;
      p.exact = t.real_value;
      if (t.forced_f32) settle(p, value_type::f32);
      return p;
    }
    const uint64_t value = t.integer;
    if (t.forced_unsigned) {
      p.type = value <= 0xffffffff ? value_type::u32 : value_type::u64;
    } else if (value > 0x7fffffffffffffff) {
      p.type = value_type::u64;
    } else {
      p.type = value_type::i64;
      const bool is_u32 = t.hexadecimal && value <= 0xffffffff;
      p = as_plain(std::move(p), true,
                   value <= 0x7fffffff ? value_type::i32
                   : is_u32            ? value_type::u32
                                       : value_type::i64);
    }
    p.code.push_back({op::constant, p.type, {}, 0, value});
    return p;
  }

  piece name(const token& t) {
    piece p;
    const auto found = std::find_if(out_.symbols.begin(), out_.symbols.end(),
                                    [&t](const expression_symbol& s) { return s.name == t.text; });
    if (t.text == "i") {
      if (found != out_.symbols.end())
        throw expression_error(t.position, "'i' is both the element's index and an argument; rename the argument");
      p.type = value_type::i64;
      p.code.push_back({op::index, p.type, {}, 0, 0});
      return as_plain(std::move(p), true, value_type::i32);
    }
    if (found == out_.symbols.end()) return special(t);
    const auto symbol = static_cast<uint32_t>(found - out_.symbols.begin());
    p.type = promoted(found->type);
    if (!found->is_buffer) {
      if (tokens_.peek().text == "[") fail("'" + found->name + "' is a scalar and has no elements");
      const uint64_t bits = is_real(found->type)
                                ? bits_of_real(as_element(p.type), real_value(found->type, found->bits))
                                : bits_of_integer(as_element(p.type), integer_value(found->type, found->bits));
      p.code.push_back({op::constant, p.type, {}, 0, bits});
      return p;
    }
    remember(out_.buffers, symbol);
    if (!tokens_.take("[")) {
      remember(out_.buffers_at_i, symbol);
      p.code.push_back({op::element, p.type, {}, symbol, 0});
      return p;
    }
    const size_t position = tokens_.peek().position;
    piece at = conditional();
    expect("]");
    if (is_real_value(at.type)) throw expression_error(position, "an index must be an integer");
    convert(at, element_type::i64);
    at.code.push_back({op::gather, p.type, {}, symbol, 0});
    at.type = p.type;
    return at;
  }

  piece special(const token& t) {
    piece p;
    p.type = default_real_;
    if (t.text == "nan") {
      p.exact = std::numeric_limits<double>::quiet_NaN();
    } else if (t.text == "inf") {
      p.exact = std::numeric_limits<double>::infinity();
    } else {
      std::vector<std::string> names{"i"};
      for (const expression_symbol& s : out_.symbols) names.push_back(s.name);
      throw expression_error(t.position, "unknown name " + in_quotes(t.text) + did_you_mean(t.text, names));
    }
    return p;
  }

  piece call(const token& t) {
    std::vector<piece> operands;
    do {
      operands.push_back(conditional());
    } while (tokens_.take(","));
    expect(")");
    const auto want = [&](size_t n) {
      if (operands.size() == n) return;
      throw expression_error(t.position, t.text + "() takes " + std::to_string(n) +
                                             (n == 1 ? " operand" : " operands") + ", not " +
                                             std::to_string(operands.size()));
    };
    if (const auto type = value_named<element_type>(t.text)) {
      want(1);
      convert(operands[0], *type);
      return std::move(operands[0]);
    }
    std::vector<std::string> names = pws::names<element_type>();
    for (const function& f : functions) {
      if (f.name != t.text) {
        names.emplace_back(f.name);
        continue;
      }
      want(f.operands);
      return apply(f, operands);
    }
    throw expression_error(t.position, "unknown function " + in_quotes(t.text) + did_you_mean(t.text, names));
  }

  piece apply(const function& f, std::vector<piece>& operands) {
    const bool of_integers =
        !f.real && std::none_of(operands.begin(), operands.end(), [](const piece& p) { return is_real_value(p.type); });
    if (of_integers && operands.size() == 1) return then(std::move(operands[0]), f.what);
    if (of_integers) {
      unify(operands[0], operands[1]);
      const value_type type = operands[0].type, beside = operands[0].beside;
      const bool plain = operands[0].plain;
      return as_plain(join({&operands[0], &operands[1]}, f.what, type, type), plain, beside);
    }
    value_type type = f.real ? default_real_ : value_type::i32;
    bool settled_real = false;  // an f32 operand makes it f32 even where constants and integers would be f64
    for (const piece& p : operands) settled_real = settled_real || (is_real_value(p.type) && !p.exact);
    if (settled_real) type = value_type::i32;
    for (const piece& p : operands) {
      if (!(settled_real && p.exact)) type = std::max(type, p.type);
    }
    for (piece& p : operands) convert(p, as_element(type));
    if (operands.size() == 1) return then(std::move(operands[0]), f.what);
    if (operands.size() == 2) return join({&operands[0], &operands[1]}, f.what, type, type);
    return join({&operands[0], &operands[1], &operands[2]}, f.what, type, type);
  }

  void expect(std::string_view text) {
    if (!tokens_.take(text)) fail("expected '" + std::string(text) + "'");
  }

  static void remember(std::vector<size_t>& all, size_t symbol) {
    if (std::find(all.begin(), all.end(), symbol) == all.end()) all.push_back(symbol);
  }

  // Gives an unsettled constant its type; from its exact value, so that it is rounded once.
  static void settle(piece& p, value_type type) {
    if (!p.exact) return;
    if (!is_real_value(type)) type = value_type::f64;
    p.code.push_back({op::constant, type, {}, 0, bits_of_real(as_element(type), *p.exact)});
    p.type = type;
    p.exact.reset();
  }

  void convert(piece& p, element_type to) {
    settle(p, promoted(to));
    p.plain = false;
    if (as_element(p.type) == to) return;
    p.code.push_back({op::convert, p.type, to, 0, 0});
    p.type = promoted(to);
  }

  // A plain integer stays one; of anything else nothing changes.
  void widen(piece& p) {
    if (!p.plain || p.type == value_type::i64) return;
    convert(p, element_type::i64);
    p.plain = true;
  }

  static bool is_constant(const piece& p) { return p.code.size() == 1 && p.code[0].what == op::constant; }

  // Whether no value has to be looked at to see that the plain integer fits.
  bool fits_unseen(const piece& p, element_type to) const {
    if (p.type == value_type::i32) return true;  // 0 or 1
    return p.code.size() == 1 && p.code[0].what == op::index && index_is_i32_ && size_of(to) >= 4;
  }

  // To the type of the operand beside it.
  void adopt(piece& p, value_type type) {
    const element_type to = as_element(type);
    const bool narrower = type == value_type::i32 || type == value_type::u32;
    if (narrower && (is_constant(p) || (p.type == value_type::i64 && fits_unseen(p, to)))) {
      p.code[0].type = type;
      p.type = type;
    }
    const bool checked = narrower && p.type == value_type::i64;
    convert(p, to);
    if (checked) p.code.back().checked = true;
  }

  // Brings both to the higher of their types.
  void unify(piece& a, piece& b) {
    if (!is_real_value(a.type) && !is_real_value(b.type)) {
      if (a.plain && b.plain) {
        widen(a);
        widen(b);
        a.beside = b.beside = std::max(a.beside, b.beside);
        return;
      }
      const value_type type = std::max(a.plain ? a.beside : a.type, b.plain ? b.beside : b.type);
      for (piece* p : {&a, &b}) p->plain ? adopt(*p, type) : convert(*p, as_element(type));
      return;
    }
    value_type type = std::max(a.type, b.type);
    if (a.exact && !b.exact && is_real_value(b.type)) type = b.type;
    if (b.exact && !a.exact && is_real_value(a.type)) type = a.type;
    convert(a, as_element(type));
    convert(b, as_element(type));
  }

  void make_truth(piece& p) {
    settle(p, default_real_);
    p.code.push_back({op::truth, p.type, {}, 0, 0});
    p.type = value_type::i32;
    p = as_plain(std::move(p), true, value_type::i32);
  }

  piece then(piece p, op what) {
    settle(p, default_real_);
    if (what != op::not_truth) widen(p);
    p.code.push_back({what, p.type, {}, 0, 0, p.plain && (what == op::negate || what == op::abs)});
    return p;
  }

  static piece join(std::initializer_list<piece*> parts, op what, value_type type, value_type result) {
    piece all = std::move(**parts.begin());
    size_t below = 1;
    for (const auto* part = parts.begin() + 1; part != parts.end(); ++part, ++below) {
      all.stack = std::max(all.stack, below + (*part)->stack);
      all.code.insert(all.code.end(), (*part)->code.begin(), (*part)->code.end());
    }
    all.code.push_back({what, type, {}, 0, 0});
    all.type = result;
    all.plain = false;
    return all;
  }

  token_stream tokens_;
  expression_code& out_;
  value_type default_real_;
  bool index_is_i32_;
  int depth_ = 0;
};

}  // namespace

expression_code compile_expression(std::string_view text, std::vector<expression_symbol> symbols, element_type result,
                                   uint64_t index_limit) {
  expression_code code;
  code.symbols = std::move(symbols);
  code.result = result;
  parser(text, code, index_limit).run();
  return code;
}

std::vector<expression_function> expression_functions() {
  std::vector<expression_function> all;
  for (const function& f : functions) all.push_back({std::string(f.name), f.operands, f.meaning});
  for (const std::string& type : pws::names<element_type>())
    all.push_back(
        {type, 1, "conversion to " + type + "; a real number to an integer is truncated, saturated, and 0 for NaN"});
  return all;
}

}  // namespace pws::platform
