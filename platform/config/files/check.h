// SPDX-License-Identifier: Apache-2.0
// Compares what a buffer holds after a run with what is expected.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "platform/config/files/run_config.h"

namespace pws::platform {

struct check_result {
  std::string buffer;
  element_type type = element_type::i32;
  uint64_t first = 0;  // elements [first, first + count) were compared
  uint64_t count = 0;
  uint64_t mismatches = 0;

  // The first mismatch, if there is any: index in the buffer, the two values, and how far they are apart.
  uint64_t mismatch_index = 0;
  std::string expected;
  std::string actual;
  double difference = 0;  // actual - expected; NaN where one of them is

  // The largest |actual - expected| over all compared elements, within tolerance or not, where both are finite.
  double max_error = 0;
  uint64_t max_error_index = 0;
  // The largest distance in representable numbers, likewise; 0 for integers.
  uint64_t max_ulp = 0;

  bool passed() const { return mismatches == 0; }
  // One line: "c: 1000 elements match, largest error 1.2e-07 at [17] (1 ulp)" or "c: 3 of 1000 elements differ; first
  // c[17]: expected 1.5, got 2, difference 0.5; ...".
  std::string summary() const;
};

// Elements are equal if their values are (so -0 equals 0), or if both are NaN. A real element that is not equal passes
// if it meets a tolerance; infinities and NaN never do unless equal. For integers `absolute` and `relative` apply.
// `actual` is the whole buffer (all of its bytes), `expected` what expected_contents gives.
check_result check_buffer(const expect_config& expect, element_type type, const uint8_t* actual,
                          const std::vector<uint8_t>& expected);

// All of `run.expect`; actual[k] points to the contents of run.arguments[k]'s buffer after the run.
std::vector<check_result> check_run(const run_config& run, const std::vector<const uint8_t*>& actual);

}  // namespace pws::platform
