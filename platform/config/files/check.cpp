// SPDX-License-Identifier: Apache-2.0
#include "platform/config/files/check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "platform/config/files/buffer.h"

namespace pws::platform {

namespace {

struct comparison {
  bool equal = false;
  bool finite = false;    // both are
  double difference = 0;  // actual - expected
  double magnitude = 0;   // |expected|
  uint64_t ulp = 0;
};

// Position of a real number among the representable ones of its type, with -0 and 0 in the same place.
int64_t rank(element_type type, uint64_t bits) {
  const uint64_t sign = uint64_t{1} << (8 * size_of(type) - 1);
  const auto magnitude = static_cast<int64_t>(bits & (sign - 1));
  return (bits & sign) != 0 ? -magnitude : magnitude;
}

comparison compare(element_type type, uint64_t actual, uint64_t expected) {
  comparison c;
  if (!is_real(type)) {
    const int128 a = integer_value(type, actual), e = integer_value(type, expected);
    c.equal = a == e;
    c.finite = true;
    c.difference = static_cast<double>(a - e);
    c.magnitude = std::fabs(static_cast<double>(e));
    return c;
  }
  const double a = real_value(type, actual), e = real_value(type, expected);
  c.equal = a == e || (std::isnan(a) && std::isnan(e));
  c.finite = std::isfinite(a) && std::isfinite(e);
  c.difference = c.equal ? 0 : a - e;
  c.magnitude = std::fabs(e);
  if (c.finite) {
    const int64_t ra = rank(type, actual), re = rank(type, expected);
    c.ulp = ra > re ? static_cast<uint64_t>(ra) - static_cast<uint64_t>(re)
                    : static_cast<uint64_t>(re) - static_cast<uint64_t>(ra);
  }
  return c;
}

bool within(const comparison& c, const tolerance_config& t, bool real) {
  if (c.equal) return true;
  if (!c.finite) return false;
  const double error = std::fabs(c.difference);
  return error <= t.absolute || error <= t.relative * c.magnitude || (real && c.ulp <= t.ulp);
}

}  // namespace

check_result check_buffer(const expect_config& expect, element_type type, const uint8_t* actual,
                          const std::vector<uint8_t>& expected) {
  check_result result;
  result.buffer = expect.buffer;
  result.type = type;
  result.first = expect.first;
  result.count = expect.count;
  const size_t size = size_of(type);
  for (uint64_t k = 0; k < expect.count; ++k) {
    const uint64_t index = expect.first + k;
    const uint64_t is = load_element(type, actual + index * size);
    const uint64_t should = load_element(type, expected.data() + k * size);
    if (is == should) continue;
    const comparison c = compare(type, is, should);
    if (c.finite && std::fabs(c.difference) > result.max_error) {
      result.max_error = std::fabs(c.difference);
      result.max_error_index = index;
    }
    result.max_ulp = std::max(result.max_ulp, c.ulp);
    if (within(c, expect.tolerance, is_real(type))) continue;
    if (result.mismatches++ != 0) continue;
    result.mismatch_index = index;
    result.expected = text_of(type, should);
    result.actual = text_of(type, is);
    result.difference = c.difference;
  }
  return result;
}

std::vector<check_result> check_run(const run_config& run, const std::vector<const uint8_t*>& actual) {
  std::vector<check_result> results;
  for (const expect_config& expect : run.expect) {
    const element_type type = run.arguments.at(expect.argument).buffer()->type;
    results.push_back(check_buffer(expect, type, actual.at(expect.argument), expected_contents(expect, run.arguments)));
  }
  return results;
}

std::string check_result::summary() const {
  std::string largest;
  if (max_error != 0 || max_ulp != 0) {
    largest = fmt::format("largest error {:.6g} at [{}]", max_error, max_error_index);
    if (is_real(type)) largest += fmt::format(" ({} ulp)", max_ulp);
  }
  if (passed()) {
    return fmt::format("{}: {} element{} match{}{}", buffer, count, count == 1 ? "" : "s", largest.empty() ? "" : ", ",
                       largest);
  }
  return fmt::format("{0}: {1} of {2} elements differ; first {0}[{3}]: expected {4}, got {5}, difference {6:.6g}{7}{8}",
                     buffer, mismatches, count, mismatch_index, expected, actual, difference,
                     largest.empty() ? "" : "; ", largest);
}

}  // namespace pws::platform
