// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/float/expression.h"

#include <fmt/format.h>

namespace pws::test {

namespace {

constexpr std::array<scalar, 8> integers{scalar::i8,  scalar::u8,  scalar::i16, scalar::u16,
                                         scalar::i32, scalar::u32, scalar::i64, scalar::u64};

class generator {
 public:
  generator(const generator_options& o, random_source& r) : o_(o), r_(r) {}

  expression_program run() {
    // Every type of float, one wide integer for loops, then anything.
    p_.inputs = {scalar::f16, scalar::f32, scalar::f64, scalar::u32};
    while (p_.inputs.size() < o_.n_inputs) p_.inputs.push_back(r_.chance(75) ? r_.one_of(floats) : r_.one_of(integers));
    for (unsigned k = 0; k < o_.n_statements; ++k) add_statement();
    return std::move(p_);
  }

 private:
  void add_statement() {
    statement s;
    s.type = r_.chance(92) ? r_.one_of(floats) : r_.chance(50) ? r_.one_of(integers) : scalar::boolean;
    const uint64_t choice = r_.below(10);
    if (choice < 2) {
      s.kind = statement_kind::branch;
      s.condition = make(scalar::boolean, 2);
      s.first = make(s.type, o_.depth);
      s.second = make(s.type, o_.depth);
    } else if (choice == 2 && !o_.rules.contract) {  // contraction could reach into the next iteration
      s.kind = statement_kind::loop;
      s.type = r_.one_of(floats);
      s.condition = leaf_of(operation::input, scalar::u32, 3);
      s.first = make(s.type, 1);
      in_loop_ = true;
      loop_type_ = s.type;
      s.second = make(s.type, 2);
      in_loop_ = false;
    } else {
      s.first = make(s.type, o_.depth);
    }
    p_.statements.push_back(s);
    variables_.push_back(s.type);
  }

  int push(const node& n) {
    p_.nodes.push_back(n);
    return static_cast<int>(p_.nodes.size()) - 1;
  }
  int leaf_of(operation op, scalar t, uint32_t index) {
    node n;
    n.op = op;
    n.type = t;
    n.index = index;
    return push(n);
  }
  int apply(operation op, scalar t, std::array<int, 3> arguments) {
    node n;
    n.op = op;
    n.type = t;
    n.arguments = arguments;
    return push(n);
  }

  int leaf(scalar t) {
    std::vector<std::pair<operation, uint32_t>> candidates;
    for (uint32_t k = 0; k < p_.inputs.size(); ++k)
      if (p_.inputs[k] == t) candidates.emplace_back(operation::input, k);
    for (uint32_t k = 0; k < variables_.size(); ++k)
      if (variables_[k] == t) candidates.emplace_back(operation::variable, k);
    const auto open = static_cast<uint32_t>(variables_.size());
    if (in_loop_ && t == loop_type_ && r_.chance(60)) return leaf_of(operation::variable, t, open);
    if (candidates.empty()) return converted_input(t);
    const auto& c = r_.one_of(candidates);
    return leaf_of(c.first, t, c.second);
  }
  int converted_input(scalar t) {
    if (t == scalar::boolean) return comparison(0);
    const auto k = static_cast<uint32_t>(is_float(t) ? r_.below(p_.inputs.size()) : 3);
    const int from = leaf_of(operation::input, p_.inputs[k], k);
    return p_.inputs[k] == t ? from : apply(operation::convert, t, {from, -1, -1});
  }

  int make(scalar t, unsigned depth) {
    if (t == scalar::boolean) return condition(depth);
    if (depth == 0 || r_.chance(10)) return leaf(t);
    return is_float(t) ? float_operation(t, depth - 1) : integer_operation(t, depth - 1);
  }

  int comparison(unsigned depth) {
    constexpr std::array<operation, 6> ops{operation::less,  operation::less_equal, operation::greater,
                                           operation::equal, operation::not_equal,  operation::unordered};
    const scalar t = r_.one_of(floats);
    const int a = make(t, depth);
    return apply(r_.one_of(ops), scalar::boolean, {a, make(t, depth), -1});
  }
  int condition(unsigned depth) {
    if (depth == 0 || r_.chance(60)) return comparison(depth == 0 ? 0 : depth - 1);
    const int a = condition(depth - 1);
    switch (r_.below(3)) {
      case 0:
        return apply(operation::both, scalar::boolean, {a, condition(depth - 1), -1});
      case 1:
        return apply(operation::either, scalar::boolean, {a, condition(depth - 1), -1});
      default:
        return apply(operation::inverse, scalar::boolean, {a, -1, -1});
    }
  }

  int integer_operation(scalar t, unsigned depth) {
    if (r_.chance(60)) {
      const scalar from = r_.one_of(floats);
      return apply(operation::convert, t, {make(from, depth), -1, -1});
    }
    const int a = make(t, depth);
    // No operation that gives 0 for equal operands: x + 0 is x to the compiler, where it should have been flushed.
    return apply(r_.chance(50) ? operation::integer_add : operation::integer_or, t, {a, make(t, depth), -1});
  }

  int float_operation(scalar t, unsigned depth) {
    const uint64_t choice = r_.below(100);
    if (choice < 45) return core_operation(t, depth);
    if (choice < 55) return conversion(t, depth);
    if (choice < 65) {
      const int c = condition(depth);
      const int a = make(t, depth);
      return apply(operation::select, t, {c, a, make(t, depth)});
    }
    // A transformation of the rest could see through a flushed operand or a product.
    if (o_.rules.contract || o_.rules.flush_f32) return core_operation(t, depth);
    return library_operation(t, depth);
  }

  int core_operation(scalar t, unsigned depth) {
    constexpr std::array<operation, 14> ops{operation::add,    operation::add, operation::sub,      operation::sub,
                                            operation::mul,    operation::mul, operation::mul,      operation::fma,
                                            operation::negate, operation::abs, operation::copysign, operation::min,
                                            operation::max,    operation::fma};
    const operation op = r_.one_of(ops);
    const int a = make(t, depth);
    if (op == operation::negate || op == operation::abs) return apply(op, t, {a, -1, -1});
    const bool number = (op == operation::add || op == operation::sub || op == operation::mul) && r_.chance(15) &&
                        !o_.rules.contract && !o_.rules.flush_f32;
    const int b = number ? constant(t) : make(t, depth);
    return apply(op, t, {a, b, op == operation::fma ? make(t, depth) : -1});
  }
  int constant(scalar t) {
    node n;
    n.type = t;
    do n.bits = random_float(t, r_);
    while (is_nan(t, n.bits));
    return push(n);
  }

  int conversion(scalar t, unsigned depth) {
    if (r_.chance(50)) {
      const scalar from = r_.one_of(floats);
      if (from != t) return apply(operation::convert, t, {make(from, depth), -1, -1});
    }
    return apply(operation::convert, t, {make(r_.one_of(integers), depth), -1, -1});
  }

  int library_operation(scalar t, unsigned depth) {
    constexpr std::array<operation, 17> ops{
        operation::div,   operation::div,      operation::sqrt,     operation::trunc, operation::floor,
        operation::ceil,  operation::rint,     operation::round,    operation::fmod,  operation::remainder,
        operation::ldexp, operation::mantissa, operation::exponent, operation::whole, operation::fraction,
        operation::ilogb, operation::logb};
    const operation op = r_.one_of(ops);
    const int a = make(t, depth);
    switch (op) {
      case operation::div:
      case operation::fmod:
      case operation::remainder:
        return apply(op, t, {a, make(t, depth), -1});
      case operation::ldexp:
        return apply(op, t, {a, make(r_.chance(30) ? scalar::i32 : scalar::i8, depth), -1});
      case operation::exponent:
      case operation::ilogb: {
        const int n = apply(op, scalar::i32, {a, -1, -1});
        return apply(operation::convert, t, {n, -1, -1});
      }
      default:
        return apply(op, t, {a, -1, -1});
    }
  }

  const generator_options& o_;
  random_source& r_;
  expression_program p_;
  std::vector<scalar> variables_;  // types of the finished statements
  bool in_loop_ = false;           // in the body of a loop with a variable of this type
  scalar loop_type_ = scalar::f32;
};

const char* function_name(operation op) {
  switch (op) {
    case operation::fma:
      return "f_fma";
    case operation::sqrt:
      return "f_sqrt";
    case operation::abs:
      return "f_abs";
    case operation::copysign:
      return "f_copysign";
    case operation::min:
      return "f_min";
    case operation::max:
      return "f_max";
    case operation::trunc:
      return "f_trunc";
    case operation::floor:
      return "f_floor";
    case operation::ceil:
      return "f_ceil";
    case operation::rint:
      return "f_rint";
    case operation::round:
      return "f_round";
    case operation::fmod:
      return "f_fmod";
    case operation::remainder:
      return "f_remainder";
    case operation::ldexp:
      return "f_ldexp";
    case operation::mantissa:
      return "f_mantissa";
    case operation::exponent:
      return "f_exponent";
    case operation::fraction:
      return "f_fraction";
    case operation::whole:
      return "f_whole";
    case operation::ilogb:
      return "f_ilogb";
    case operation::logb:
      return "f_logb";
    case operation::unordered:
      return "__builtin_isunordered";
    default:
      return nullptr;
  }
}
const char* infix(operation op) {
  switch (op) {
    case operation::add:
    case operation::integer_add:
      return "+";
    case operation::sub:
      return "-";
    case operation::mul:
      return "*";
    case operation::div:
      return "/";
    case operation::less:
      return "<";
    case operation::less_equal:
      return "<=";
    case operation::greater:
      return ">";
    case operation::equal:
      return "==";
    case operation::not_equal:
      return "!=";
    case operation::both:
      return "&&";
    case operation::either:
      return "||";
    default:
      return "|";
  }
}

}  // namespace

std::string expression_program::text(int k) const {
  const node& n = nodes[static_cast<size_t>(k)];
  const auto argument = [&](size_t a) { return text(n.arguments[a]); };
  switch (n.op) {
    case operation::input:
      return fmt::format("x{}", n.index);
    case operation::variable:
      return fmt::format("v{}", n.index);
    case operation::constant:
      return fmt::format("from_slot<{}>(0x{:x}u)", name_of(n.type), n.bits);
    case operation::negate:
      return "(-" + argument(0) + ")";
    case operation::inverse:
      return "(!" + argument(0) + ")";
    case operation::select:
      return "(" + argument(0) + " ? " + argument(1) + " : " + argument(2) + ")";
    case operation::convert:
      if (!is_float(n.type) && is_float(nodes[static_cast<size_t>(n.arguments[0])].type))
        return fmt::format("to_integer<{}>({})", name_of(n.type), argument(0));
      return fmt::format("static_cast<{}>({})", name_of(n.type), argument(0));
    case operation::integer_add:  // in 64 unsigned bits: no overflow
      return fmt::format("static_cast<{0}>(static_cast<u64>({1}) + static_cast<u64>({2}))", name_of(n.type),
                         argument(0), argument(1));
    case operation::integer_or:
      return fmt::format("static_cast<{0}>({1} | {2})", name_of(n.type), argument(0), argument(1));
    default:
      break;
  }
  if (const char* name = function_name(n.op)) {
    std::string call = std::string(name) + "(" + argument(0);
    for (size_t a = 1; a < 3 && n.arguments[a] >= 0; ++a) call += ", " + argument(a);
    return call + ")";
  }
  return "(" + argument(0) + " " + infix(n.op) + " " + argument(1) + ")";
}

std::string expression_program::source(const std::string& kernel) const {
  std::string s = fmt::format("extern \"C\" __global__ void {}(const u64* in, u64* out, u32 n) {{\n", kernel);
  s += "  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n";
  for (size_t k = 0; k < inputs.size(); ++k)
    s += fmt::format("  const {0} x{1} = from_slot<{0}>(in[i * {2} + {1}]);\n", name_of(inputs[k]), k, inputs.size());
  for (size_t k = 0; k < statements.size(); ++k) {
    const statement& t = statements[k];
    const char* type = name_of(t.type);
    switch (t.kind) {
      case statement_kind::assign:
        s += fmt::format("  const {} v{} = {};\n", type, k, text(t.first));
        break;
      case statement_kind::branch:
        s += fmt::format("  {0} v{1};\n  if ({2})\n    v{1} = {3};\n  else\n    v{1} = {4};\n", type, k,
                         text(t.condition), text(t.first), text(t.second));
        break;
      case statement_kind::loop:
        s += fmt::format("  {0} v{1} = {2};\n  for (u32 k = {3} & 7; k != 0; --k) v{1} = {4};\n", type, k,
                         text(t.first), text(t.condition), text(t.second));
        break;
    }
    s += fmt::format("  out[i * {} + {}] = to_slot(v{});\n", statements.size(), k, k);
  }
  return s + "}\n";
}

expression_program generate_expressions(const generator_options& o, random_source& r) {
  return generator(o, r).run();
}

}  // namespace pws::test
