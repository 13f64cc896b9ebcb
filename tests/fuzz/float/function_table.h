// SPDX-License-Identifier: Apache-2.0
// The functions of the HIP headers and device library, their reference in long double and how far from it they may be.
#pragma once

#include <string>
#include <vector>

#include "tests/fuzz/float/number.h"

namespace pws::test {

enum class argument_kind : uint8_t { ordinary, angle, within };

struct tested_function {
  std::string name;
  scalar type = scalar::f32;
  std::string text;            // call with arguments x and y
  std::vector<scalar> inputs;  // one or two
  long double (*reference)(long double, long double) = nullptr;
  // |result - reference| <= ulp units in the last place of the reference, plus ulp_per_x of them per unit of |x|; or
  // <= absolute, where that is not 0.
  double ulp = 0, ulp_per_x = 0, absolute = 0;
  // Half of the arguments are uniform in [low, high] (all of them if `within`); angles also lie next to multiples of
  // pi/2 up to the type's largest numbers.
  argument_kind kind = argument_kind::ordinary;
  double low = -10, high = 10;
  std::string source;            // of the bound
  bool zero_loses_sign = false;  // the library gives +0 for -0
};

const std::vector<tested_function>& function_table();

}  // namespace pws::test
