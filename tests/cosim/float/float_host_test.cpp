// SPDX-License-Identifier: Apache-2.0
// Arithmetic rounded to nearest with denormals against the host's own, which owes nothing to the reference model.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tests/cosim/float/float_check.h"

namespace pws::rtl_test::float_host_test {

namespace {

struct host_case {
  fpu_op op;
  float (*compute)(float, float, float);
  operand_relation related;
};
// Through volatile objects: the compiler is to leave the arithmetic to the processor.
const host_case host_cases[] = {
    {fpu_op::add,
     [](float a, float b, float) {
       volatile float r = a + b;
       return float{r};
     },
     operand_relation::sum},
    {fpu_op::sub,
     [](float a, float b, float) {
       volatile float r = a - b;
       return float{r};
     },
     operand_relation::sum},
    {fpu_op::sub_rev,
     [](float a, float b, float) {
       volatile float r = b - a;
       return float{r};
     },
     operand_relation::sum},
    {fpu_op::mul,
     [](float a, float b, float) {
       volatile float r = a * b;
       return float{r};
     },
     operand_relation::product},
    {fpu_op::fma, [](float a, float b, float c) { return std::fma(a, b, c); }, operand_relation::fused},
    {fpu_op::trunc, [](float a, float, float) { return std::trunc(a); }, operand_relation::none},
    {fpu_op::ceil, [](float a, float, float) { return std::ceil(a); }, operand_relation::none},
    {fpu_op::floor, [](float a, float, float) { return std::floor(a); }, operand_relation::none},
    {fpu_op::rndne, [](float a, float, float) { return std::nearbyint(a); }, operand_relation::none},
    {fpu_op::frexp_mant,
     [](float a, float, float) {
       int exponent;
       return std::frexp(a, &exponent);
     },
     operand_relation::none},
};

float to_float(uint64_t pattern) {
  const auto bits = static_cast<uint32_t>(pattern);
  float x;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

TEST(rtl_float_host, arithmetic_is_the_hosts) {
  constexpr operand_class numbers[3] = {operand_class::number, operand_class::number, operand_class::number};
  random_bits random(11);
  float_units units;
  unsigned shown = 0;
  for (const host_case& c : host_cases) {
    for (unsigned n = 0; n < 20000 && shown < 8; ++n) {
      const operand_triple t = random_operands(random, precision::single_precision, numbers, c.related);
      float_inputs in;
      in.op = c.op;
      in.a = t.value[0];
      in.b = t.value[1];
      in.c = t.value[2];
      in.mode = 0x3f0;
      const float got = to_float(units.evaluate(in).result);
      const float want = c.compute(to_float(in.a), to_float(in.b), to_float(in.c));
      const bool same = std::isnan(want) ? std::isnan(got) : std::memcmp(&got, &want, sizeof got) == 0;
      if (same) continue;
      ++shown;
      ADD_FAILURE() << "operation " << static_cast<unsigned>(c.op) << std::hexfloat << " operands " << to_float(in.a)
                    << " " << to_float(in.b) << " " << to_float(in.c) << ": unit " << got << ", host " << want;
    }
  }
}

}  // namespace

}  // namespace pws::rtl_test::float_host_test
