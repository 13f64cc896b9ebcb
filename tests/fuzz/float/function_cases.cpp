// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/fuzz/float/float_program.h"
#include "tests/fuzz/float/function_table.h"

namespace pws::test {

namespace {

constexpr unsigned lanes_per_function = 480, functions_per_program = 16;
constexpr long double infinite = std::numeric_limits<long double>::infinity();

uint64_t neighbour(scalar t, uint64_t bits, random_source& r) {
  return is_finite(t, bits) && !is_zero(t, bits) ? bits + r.below(5) - 2 : bits;
}

uint64_t argument(const tested_function& f, scalar t, random_source& r) {
  if (!is_float(t))
    return r.chance(70) ? integer_bits(t, static_cast<wide_int>(r.below(65)) - 32) : random_integer(t, r);
  const auto uniform = static_cast<long double>(f.low + (f.high - f.low) * r.unit());
  if (f.kind == argument_kind::within) return from_long_double(t, uniform);
  if (f.kind == argument_kind::angle && r.chance(40)) {
    const auto quarter_turns = static_cast<long double>(r.next() >> r.below(64));
    const long double x = quarter_turns * 1.57079632679489661923132169163975144L;
    return neighbour(t, from_long_double(t, r.chance(50) ? x : -x), r);
  }
  return r.chance(50) ? from_long_double(t, uniform) : random_float(t, r);
}

// Distance in units of the reference's last place. An infinite result is as far away as the power of two after the
// largest number, which also stands for every reference beyond it.
long double ulp_error(scalar t, uint64_t result, long double reference) {
  const format f = format_of(t);
  if (std::isnan(reference)) return is_nan(t, result) ? 0 : infinite;
  if (is_nan(t, result)) return infinite;
  const long double beyond = std::ldexp(1.0L, f.max_exponent + 1);
  const auto limited = [&](long double x) { return std::fabs(x) > beyond ? std::copysign(beyond, x) : x; };
  if (std::isinf(reference) && is_finite(t, result)) return infinite;
  const long double x = limited(to_long_double(t, result)), y = limited(reference);
  if (x == y) return 0;
  const int least = 1 - f.max_exponent;
  const int exponent = y == 0 ? least : std::clamp(std::ilogb(y), least, f.max_exponent);
  return std::fabs(x - y) / std::ldexp(1.0L, exponent - static_cast<int>(f.fraction));
}

struct judgement {
  long double error = 0;  // in units of the bound
  long double reference = 0;
};

class function_judge {
 public:
  function_judge(const tested_function& f, bool flush, double bound_scale)
      : f_(f), flush_(flush && f.type == scalar::f32), scale_(bound_scale) {}

  std::string operator()(const uint64_t* in, const uint64_t* out, tally& t) const {
    ++t.comparisons;
    const uint64_t a = in[0], b = f_.inputs.size() > 1 ? in[1] : 0;
    judgement best = one(a, b, out[0]);
    if (flush_ && best.error > 1) {
      const judgement other =
          one(flushed(f_.inputs[0], a), f_.inputs.size() > 1 ? flushed(f_.inputs[1], b) : 0, out[0]);
      if (other.error < best.error) best = other;
      const long double least = 0x1p-126L * (1 + static_cast<long double>(f_.ulp) * 0x1p-23L);
      if (is_zero(f_.type, out[0]) && std::fabs(best.reference) <= least) best.error = 0;
    }
    const bool absolute = f_.absolute != 0;
    accuracy& seen = t.functions[f_.name];
    ++seen.comparisons;
    seen.bound = absolute && f_.ulp == 0 ? f_.absolute : f_.ulp;
    seen.source = f_.source;
    const double measured = static_cast<double>(best.error) * seen.bound;
    if (measured > seen.worst) {
      seen.worst = measured;
      seen.at = to_text(f_.inputs[0], a) + (f_.inputs.size() > 1 ? ", " + to_text(f_.inputs[1], b) : "");
    }
    if (best.error <= scale_ && zero_sign_right(a, out[0], best.reference)) return "";
    return fmt::format("{}: result {}, reference {:.21g}, off by {:.4g} of a permitted {:.4g}{}", f_.text,
                       to_text(f_.type, out[0]), best.reference, measured, seen.bound * scale_,
                       seen.bound == f_.ulp ? " ulp" : "");
  }

 private:
  judgement one(uint64_t a, uint64_t b, uint64_t result) const {
    const long double x = to_long_double(f_.inputs[0], a);
    const long double y = f_.inputs.size() > 1 ? to_long_double(f_.inputs[1], b) : 0;
    judgement j;
    j.reference = f_.reference(x, y);
    const long double bound = f_.ulp_per_x == 0 ? f_.ulp : f_.ulp + std::floor(f_.ulp_per_x * std::fabs(x));
    const long double ulps = ulp_error(f_.type, result, j.reference);
    j.error = bound == 0 ? infinite : ulps / bound;
    if (f_.absolute != 0 && is_finite(f_.type, result))
      j.error = std::min(j.error, std::fabs(to_long_double(f_.type, result) - j.reference) / f_.absolute);
    return j;
  }
  // A zero that follows from an argument of zero has the sign the C standard says.
  bool zero_sign_right(uint64_t a, uint64_t result, long double reference) const {
    if (!is_zero(f_.inputs[0], a) || reference != 0 || !is_zero(f_.type, result) || f_.absolute != 0 ||
        f_.zero_loses_sign)
      return true;
    return std::signbit(reference) == ((result & sign_of(f_.type)) != 0);
  }

  const tested_function& f_;
  bool flush_;
  double scale_;
};

kernel_case make_case(const tested_function& f, uint64_t seed, unsigned number, bool flush, double bound_scale,
                      random_source& r) {
  kernel_case c;
  c.name = fmt::format("function_{}_{}", seed, number);
  c.inputs = f.inputs;
  c.outputs = {f.type};
  const size_t n = f.inputs.size();
  c.source = fmt::format("// {}\nextern \"C\" __global__ void {}(const u64* in, u64* out, u32 n) {{\n", f.name, c.name);
  c.source += "  const u32 i = blockIdx.x * blockDim.x + threadIdx.x;\n  if (i >= n) return;\n";
  for (size_t k = 0; k < n; ++k)
    c.source += fmt::format("  const {0} {1} = from_slot<{0}>(in[{2} * i + {3}]);\n", name_of(f.inputs[k]),
                            k == 0 ? "x" : "y", n, k);
  c.source += fmt::format("  out[i] = to_slot<{}>({});\n}}\n", name_of(f.type), f.text);
  for (size_t k = 0; k < lanes_per_function * n; ++k) c.slots.push_back(argument(f, f.inputs[k % n], r));
  c.judge = function_judge(f, flush, bound_scale);
  return c;
}

}  // namespace

void add_function_cases(float_program& p, const program_options& o, random_source& r) {
  const std::vector<tested_function>& table = function_table();
  const bool flush = p.flags.at(1).find("-fno-") != 0;
  const auto named =
      std::find_if(table.begin(), table.end(), [&](const tested_function& f) { return f.name == o.only; });
  if (named != table.end()) {
    p.cases.push_back(make_case(*named, p.seed, 0, flush, o.bound_scale, r));
    return;
  }
  // Programs of this kind are every fourth: consecutive ones take consecutive functions, so that all come up early.
  const uint64_t first = p.seed / 4 * functions_per_program;
  for (unsigned k = 0; k < functions_per_program; ++k)
    p.cases.push_back(make_case(table[(first + k) % table.size()], p.seed, k, flush, o.bound_scale, r));
}

}  // namespace pws::test
