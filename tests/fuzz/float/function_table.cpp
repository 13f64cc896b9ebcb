// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/float/function_table.h"

#include <fmt/format.h>

#include <cmath>
#include <limits>

namespace pws::test {

namespace {

using wide = long double;
constexpr wide pi = 3.14159265358979323846264338327950288L;

// sin of pi r for an exact r in [-1, 1].
wide sin_half_turns(wide r) {
  const wide folded = r > 0.5L ? 1 - r : r < -0.5L ? -1 - r : r;
  return std::sin(pi * folded);
}
wide sin_pi(wide x) {
  if (!std::isfinite(x)) return std::numeric_limits<wide>::quiet_NaN();
  const wide r = std::remainder(x, 2.0L);
  return r == std::nearbyint(r) ? std::copysign(0.0L, x) : sin_half_turns(r);
}
wide cos_pi(wide x) {
  if (!std::isfinite(x)) return std::numeric_limits<wide>::quiet_NaN();
  const wide r = std::fabs(std::remainder(x, 2.0L));
  return r == 0.5L ? 0.0L : sin_half_turns(0.5L - r);
}

// A function of the standard library as HIP offers it: NAMEf, NAME and __ocml_NAME_f16.
struct entry {
  const char* name;
  unsigned arity;
  wide (*reference)(wide, wide);
  double ulp_half, ulp_single, ulp_double;  // 0: not tested
  argument_kind kind;
  double low, high;
};
constexpr argument_kind ordinary = argument_kind::ordinary, angle = argument_kind::angle,
                        within = argument_kind::within;

// Bounds: OpenCL C 3.0 specification, relative error as ULPs: full profile for single and double precision, and the
// table of cl_khr_fp16, which is what the device library is written to. 0.5: correctly rounded.
const entry entries[] = {
    {"acos", 1, [](wide x, wide) { return std::acos(x); }, 2, 4, 4, ordinary, -1, 1},
    {"acosh", 1, [](wide x, wide) { return std::acosh(x); }, 2, 4, 4, ordinary, 1, 8},
    {"asin", 1, [](wide x, wide) { return std::asin(x); }, 2, 4, 4, ordinary, -1, 1},
    {"asinh", 1, [](wide x, wide) { return std::asinh(x); }, 2, 4, 4, ordinary, -8, 8},
    {"atan", 1, [](wide x, wide) { return std::atan(x); }, 2, 5, 5, ordinary, -4, 4},
    {"atanh", 1, [](wide x, wide) { return std::atanh(x); }, 2, 5, 5, ordinary, -1, 1},
    // OpenCL has 2 for half precision; the device library adds pi/2 rounded to half, which is one more.
    {"atan2", 2, [](wide x, wide y) { return std::atan2(x, y); }, 3, 6, 6, ordinary, -4, 4},
    {"cbrt", 1, [](wide x, wide) { return std::cbrt(x); }, 2, 2, 2, ordinary, -10, 10},
    {"rcbrt", 1, [](wide x, wide) { return 1 / std::cbrt(x); }, 2, 2, 2, ordinary, -10, 10},
    {"cos", 1, [](wide x, wide) { return std::cos(x); }, 2, 4, 4, angle, -10, 10},
    {"cosh", 1, [](wide x, wide) { return std::cosh(x); }, 2, 4, 4, ordinary, -12, 12},
    {"cospi", 1, [](wide x, wide) { return cos_pi(x); }, 2, 4, 4, ordinary, -4, 4},
    {"erf", 1, [](wide x, wide) { return std::erf(x); }, 4, 16, 16, ordinary, -4, 4},
    {"erfc", 1, [](wide x, wide) { return std::erfc(x); }, 4, 16, 16, ordinary, -4, 10},
    {"exp", 1, [](wide x, wide) { return std::exp(x); }, 2, 3, 3, ordinary, -12, 12},
    {"exp2", 1, [](wide x, wide) { return std::exp2(x); }, 2, 3, 3, ordinary, -24, 16},
    {"exp10", 1, [](wide x, wide) { return std::pow(10.0L, x); }, 2, 3, 3, ordinary, -8, 5},
    {"expm1", 1, [](wide x, wide) { return std::expm1(x); }, 2, 3, 3, ordinary, -5, 11},
    {"fdim", 2, [](wide x, wide y) { return std::fdim(x, y); }, 0.5, 0.5, 0.5, ordinary, -4, 4},
    {"hypot", 2, [](wide x, wide y) { return std::hypot(x, y); }, 2, 4, 4, ordinary, -4, 4},
    {"log", 1, [](wide x, wide) { return std::log(x); }, 2, 3, 3, ordinary, 0.25, 4},
    {"log2", 1, [](wide x, wide) { return std::log2(x); }, 2, 3, 3, ordinary, 0.25, 4},
    {"log10", 1, [](wide x, wide) { return std::log10(x); }, 2, 3, 3, ordinary, 0.25, 4},
    {"log1p", 1, [](wide x, wide) { return std::log1p(x); }, 2, 2, 2, ordinary, -1, 2},
    {"pow", 2, [](wide x, wide y) { return std::pow(x, y); }, 4, 16, 16, ordinary, -8, 8},
    {"rsqrt", 1, [](wide x, wide) { return 1 / std::sqrt(x); }, 1, 2, 2, ordinary, 0, 10},
    // Debian's __ocml_sin_f16 chooses NaN for every finite argument (a condition inverted in its bitcode): not tested.
    {"sin", 1, [](wide x, wide) { return std::sin(x); }, 0, 4, 4, angle, -10, 10},
    {"sinh", 1, [](wide x, wide) { return std::sinh(x); }, 2, 4, 4, ordinary, -12, 12},
    {"sinpi", 1, [](wide x, wide) { return sin_pi(x); }, 2, 4, 4, ordinary, -4, 4},
    {"sqrt", 1, [](wide x, wide) { return std::sqrt(x); }, 0.5, 0.5, 0.5, ordinary, 0, 10},
    {"tan", 1, [](wide x, wide) { return std::tan(x); }, 2, 5, 5, angle, -10, 10},
    {"tanh", 1, [](wide x, wide) { return std::tanh(x); }, 2, 5, 5, ordinary, -5, 5},
    {"tgamma", 1, [](wide x, wide) { return std::tgamma(x); }, 4, 0, 16, ordinary, -8, 12},
};

constexpr const char* opencl = "OpenCL C 3.0, relative error as ULPs";
constexpr const char* fp16 = "OpenCL cl_khr_fp16, relative error as ULPs";

tested_function of_entry(const entry& e, scalar t) {
  tested_function f;
  f.type = t;
  f.inputs.assign(e.arity, t);
  const char* arguments = e.arity == 2 ? "(x, y)" : "(x)";
  const std::string name = e.name;
  f.name = t == scalar::f16 ? "__ocml_" + name + "_f16" : t == scalar::f32 ? name + "f" : name;
  f.text = (t == scalar::f16 ? "" : "::") + f.name + arguments;
  f.reference = e.reference;
  f.ulp = t == scalar::f16 ? e.ulp_half : t == scalar::f32 ? e.ulp_single : e.ulp_double;
  f.kind = e.kind;
  f.low = e.low;
  f.high = e.high;
  f.source = t == scalar::f16 ? fp16 : opencl;
  // As a difference of two exponentials, of one and 1, or as a sum of logarithms: +0.
  f.zero_loses_sign = name == "expm1" || (name == "log1p" && t == scalar::f64) ||
                      ((name == "sinh" || name == "tanh") && t == scalar::f16);
  return f;
}

void add_special_forms(std::vector<tested_function>& table) {
  const auto sine = [](wide x, wide) { return std::sin(x); };
  const auto cosine = [](wide x, wide) { return std::cos(x); };
  const auto power = [](wide x, wide n) { return std::pow(x, n); };
  const auto quotient = [](wide x, wide y) { return x / y; };
  const auto gamma = [](wide x, wide) { return std::lgamma(x); };
  using s = scalar;
  table.push_back({"sincosf:sin", s::f32, "sine_of_pair(x)", {s::f32}, sine, 4, 0, 0, angle, -10, 10, opencl});
  table.push_back({"sincos:cos", s::f64, "cosine_of_pair(x)", {s::f64}, cosine, 4, 0, 0, angle, -10, 10, opencl});
  table.push_back({"powif", s::f32, "::powif(x, y)", {s::f32, s::i32}, power, 16, 0, 0, ordinary, -4, 4, opencl});
  table.push_back({"powi", s::f64, "::powi(x, y)", {s::f64, s::i32}, power, 16, 0, 0, ordinary, -4, 4, opencl});
  const char* cr = "OpenCL C 3.0 with -cl-fp32-correctly-rounded-divide-sqrt";
  table.push_back({"divide:f32", s::f32, "x / y", {s::f32, s::f32}, quotient, 0.5, 0, 0, ordinary, -4, 4, cr});
  table.push_back({"divide:f64", s::f64, "x / y", {s::f64, s::f64}, quotient, 0.5, 0, 0, ordinary, -4, 4, opencl});
  table.push_back({"divide:f16", s::f16, "x / y", {s::f16, s::f16}, quotient, 1, 0, 0, ordinary, -4, 4, fp16});
  // The device library's reflection loses OpenCL's accuracy for less than -5, and underflows too early.
  const auto factorial = [](wide x, wide) { return std::tgamma(x); };
  table.push_back({"tgammaf", s::f32, "::tgammaf(x)", {s::f32}, factorial, 16, 0, 0, within, -5, 36, opencl});
  // No bound in OpenCL; CUDA C Programming Guide, mathematical functions: 6 (single) and 4 (double) outside the
  // interval of the negative zeros, where it has none.
  const char* cuda = "CUDA C Programming Guide, accuracy of mathematical functions";
  table.push_back({"lgammaf", s::f32, "::lgammaf(x)", {s::f32}, gamma, 6, 0, 0, within, 0x1p-20, 40, cuda});
  table.push_back({"lgamma", s::f64, "::lgamma(x)", {s::f64}, gamma, 4, 0, 0, within, 0x1p-20, 40, cuda});
}

// Intrinsics for one or few hardware instructions.
void add_intrinsics(std::vector<tested_function>& table) {
  const char* cuda = "CUDA C Programming Guide, accuracy of intrinsic functions";
  const auto add = [&](const char* name, wide (*reference)(wide, wide), double ulp, double ulp_per_x, double absolute,
                       double low, double high) {
    table.push_back({name,
                     scalar::f32,
                     fmt::format("{}(x)", name),
                     {scalar::f32},
                     reference,
                     ulp,
                     ulp_per_x,
                     absolute,
                     within,
                     low,
                     high,
                     cuda});
  };
  add(
      "__sinf", [](wide x, wide) { return std::sin(x); }, 0, 0, 0x1p-21, -3.14159, 3.14159);
  add(
      "__cosf", [](wide x, wide) { return std::cos(x); }, 0, 0, 0x1p-21, -3.14159, 3.14159);
  add(
      "__expf", [](wide x, wide) { return std::exp(x); }, 2, 1.173, 0, -86, 88);
  add(
      "__exp10f", [](wide x, wide) { return std::pow(10.0L, x); }, 2, 2.97, 0, -37, 38);
  add(
      "__logf", [](wide x, wide) { return std::log(x); }, 3, 0, 0x1p-21, 0x1p-20, 1000);
  add(
      "__log2f", [](wide x, wide) { return std::log2(x); }, 2, 0, 0x1p-22, 0x1p-20, 1000);
  add(
      "__log10f", [](wide x, wide) { return std::log10(x); }, 3, 0, 0x1p-23, 0x1p-20, 1000);
  add(
      "__fsqrt_rn", [](wide x, wide) { return std::sqrt(x); }, 1, 0, 0, 0x1p-20, 1000);
  add(
      "__frcp_rn", [](wide x, wide) { return 1 / x; }, 1, 0, 0, -1000, 1000);
}

std::vector<tested_function> make_table() {
  std::vector<tested_function> table;
  for (const entry& e : entries)
    for (const scalar t : {scalar::f16, scalar::f32, scalar::f64})
      if (const tested_function f = of_entry(e, t); f.ulp != 0) table.push_back(f);
  add_special_forms(table);
  add_intrinsics(table);
  return table;
}

}  // namespace

const std::vector<tested_function>& function_table() {
  static const std::vector<tested_function> table = make_table();
  return table;
}

}  // namespace pws::test
