// SPDX-License-Identifier: Apache-2.0
#include "base/output/trace_time.h"

#include <fmt/format.h>

namespace pws {

namespace {

constexpr uint64_t ps_per_us = 1'000'000;

struct trace_instant {
  uint64_t us, ps;  // ps < ps_per_us
};

trace_instant instant_of(uint64_t cycle, uint32_t mhz) {
  return {cycle / mhz, cycle % mhz * ps_per_us / mhz};
}

std::string text(const trace_instant& t) {
  std::string s = fmt::format("{}.{:06}", t.us, t.ps);
  s.erase(s.find_last_not_of('0') + 1);
  if (s.back() == '.') s.pop_back();
  return s;
}

}  // namespace

std::string trace_time(uint64_t cycle, uint32_t mhz) {
  return text(instant_of(cycle, mhz));
}

std::string trace_duration(uint64_t begin, uint64_t end, uint32_t mhz) {
  const trace_instant a = instant_of(begin, mhz), b = instant_of(end, mhz);
  const bool borrows = b.ps < a.ps;
  return text({b.us - a.us - borrows, b.ps + (borrows ? ps_per_us : 0) - a.ps});
}

}  // namespace pws
