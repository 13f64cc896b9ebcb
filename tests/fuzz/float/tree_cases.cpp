// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "tests/fuzz/float/expression.h"
#include "tests/fuzz/float/float_program.h"

namespace pws::test {

namespace {

constexpr unsigned tree_kernels = 5, fast_kernels = 4;
constexpr unsigned tree_lanes = 160;

bool has_flag(const float_program& p, const std::string& part) {
  return std::any_of(p.flags.begin(), p.flags.end(), [&](const std::string& f) { return f.find(part) == 0; });
}

std::string permitted_text(scalar t, const value_set& s) {
  std::string text;
  for (const uint64_t b : s) text += (text.empty() ? "" : " or ") + to_text(t, b);
  return text;
}

std::string judge_trees(const expression_program& p, const semantics& rules, const uint64_t* in, const uint64_t* out,
                        tally& t) {
  const std::vector<value_set> permitted = p.evaluate(in, rules);
  for (size_t k = 0; k < permitted.size(); ++k) {
    if (permitted[k].any()) {
      ++t.undecided;
      continue;
    }
    ++t.comparisons;
    if (permitted[k].size() > 1) ++t.several;
    const scalar type = p.statements[k].type;
    if (permitted[k].contains(out[k])) continue;
    // Where denormals are zeros, x and x * 1 are the same to the compiler: any value may have gone through arithmetic.
    const auto is_flushed = [&](uint64_t b) { return is_denormal(type, b) && (b & sign_of(type)) == out[k]; };
    if (rules.flush_f32 && type == scalar::f32 && std::any_of(permitted[k].begin(), permitted[k].end(), is_flushed))
      continue;
    const bool nan_permitted =
        std::any_of(permitted[k].begin(), permitted[k].end(), [&](uint64_t b) { return is_nan(type, b); });
    if (is_nan(type, out[k]) && nan_permitted) continue;
    const statement& s = p.statements[k];
    return fmt::format("v{}: result {}, expected {}\n    {}{}", k, to_text(type, out[k]),
                       permitted_text(type, permitted[k]),
                       s.condition < 0 ? "" : p.text(s.condition) + " decides\n    ",
                       p.text(s.first) + (s.second < 0 ? "" : "\n    " + p.text(s.second)));
  }
  return "";
}

uint64_t tree_input(scalar t, random_source& r, const uint64_t* lane, size_t k, const std::vector<scalar>& types) {
  if (!is_float(t)) return random_integer(t, r);
  // The neighbour of another input: cancellation, equal and almost equal numbers.
  for (size_t j = 0; j < k; ++j)
    if (types[j] == t && r.chance(15)) return integer_bits(t, static_cast<wide_int>(lane[j] + r.below(3)) - 1);
  return random_float(t, r);
}

// --- Fast: reassociation and approximations, but no cancellation, so that a relative error bounds all of them ----

struct fast_value {
  std::string text;
  std::function<long double(const long double*)> value;
  unsigned roundings = 0;
};

fast_value fast_expression(unsigned depth, scalar t, random_source& r) {
  if (depth == 0 || r.chance(10)) {
    const auto k = static_cast<unsigned>(r.below(4));
    return {fmt::format("x{}", k), [k](const long double* x) { return x[k]; }, 0};
  }
  const fast_value a = fast_expression(depth - 1, t, r), b = fast_expression(depth - 1, t, r);
  const auto f = a.value, g = b.value;
  const unsigned roundings = a.roundings + b.roundings + 1;
  switch (r.below(5)) {
    case 0:
    case 1:
      return {fmt::format("({} + {})", a.text, b.text), [f, g](const long double* x) { return f(x) + g(x); },
              roundings};
    case 2:
      return {fmt::format("({} * {})", a.text, b.text), [f, g](const long double* x) { return f(x) * g(x); },
              roundings};
    case 3:
      return {fmt::format("({} / {})", a.text, b.text), [f, g](const long double* x) { return f(x) / g(x); },
              roundings + 2};
    default:
      return {fmt::format("f_sqrt({})", a.text), [f](const long double* x) { return std::sqrt(f(x)); }, roundings};
  }
}

kernel_case fast_case(uint64_t seed, unsigned number, random_source& r) {
  const scalar t = r.one_of(floats);
  const unsigned n_results = 6;
  auto results = std::make_shared<std::vector<fast_value>>();
  kernel_case c;
  c.name = fmt::format("fast_{}_{}", seed, number);
  c.inputs.assign(4, t);
  c.outputs.assign(n_results, t);
  c.source = fmt::format("extern \"C\" __global__ void {}(const u64* in, u64* out, u32 n) {{\n", c.name);
  c.source += "  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n";
  for (unsigned k = 0; k < 4; ++k)
    c.source += fmt::format("  const {0} x{1} = from_slot<{0}>(in[i * 4 + {1}]);\n", name_of(t), k);
  for (unsigned k = 0; k < n_results; ++k) {
    results->push_back(fast_expression(3, t, r));
    c.source += fmt::format("  out[i * {} + {}] = to_slot<{}>({});\n", n_results, k, name_of(t), results->back().text);
  }
  c.source += "}\n";
  // Values in [1/2, 2] stay in half precision's range through three levels of operations.
  for (unsigned k = 0; k < 4 * tree_lanes; ++k)
    c.slots.push_back(from_long_double(t, std::exp2(static_cast<long double>(2 * r.unit() - 1))));
  c.judge = [results, t](const uint64_t* in, const uint64_t* out, tally& tl) -> std::string {
    long double x[4];
    for (size_t k = 0; k < 4; ++k) x[k] = to_long_double(t, in[k]);
    for (size_t k = 0; k < results->size(); ++k) {
      ++tl.comparisons;
      const fast_value& v = results->at(k);
      const long double expected = v.value(x), result = to_long_double(t, out[k]);
      // Four units of the last place for each rounding: operations in another order have as many and one more.
      const long double permitted =
          4.0L * (v.roundings + 1) * std::ldexp(1.0L, -static_cast<int>(format_of(t).fraction) - 1);
      if (!(std::fabs(result - expected) <= permitted * expected))
        return fmt::format("{}: result {}, reference {:.21g}, relative error permitted {:.3g}", v.text,
                           to_text(t, out[k]), expected, permitted);
    }
    return "";
  };
  return c;
}

}  // namespace

void add_tree_cases(float_program& p, random_source& r) {
  generator_options o;
  o.rules.contract = has_flag(p, "-ffp-contract=on") || has_flag(p, "-ffp-contract=fast");
  o.rules.flush_f32 = has_flag(p, "-fgpu-flush") || has_flag(p, "-fcuda-flush");
  for (unsigned k = 0; k < tree_kernels; ++k) {
    o.depth = 2 + static_cast<unsigned>(r.below(3));
    o.n_inputs = 5 + static_cast<unsigned>(r.below(5));
    const auto expressions = std::make_shared<expression_program>(generate_expressions(o, r));
    kernel_case c;
    c.name = fmt::format("tree_{}_{}", p.seed, k);
    c.source = expressions->source(c.name);
    c.inputs = expressions->inputs;
    for (const statement& s : expressions->statements) c.outputs.push_back(s.type);
    for (unsigned lane = 0; lane < tree_lanes; ++lane) {
      const size_t first = c.slots.size();
      for (size_t j = 0; j < c.inputs.size(); ++j) {
        const uint64_t bits = tree_input(c.inputs[j], r, c.slots.data() + first, j, c.inputs);
        c.slots.push_back(bits);
      }
    }
    c.judge = [expressions, rules = o.rules](const uint64_t* in, const uint64_t* out, tally& t) {
      return judge_trees(*expressions, rules, in, out, t);
    };
    p.cases.push_back(std::move(c));
  }
}

void add_fast_cases(float_program& p, random_source& r) {
  for (unsigned k = 0; k < fast_kernels; ++k) p.cases.push_back(fast_case(p.seed, k, r));
}

}  // namespace pws::test
