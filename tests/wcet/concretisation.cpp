// SPDX-License-Identifier: Apache-2.0
#include "tests/wcet/concretisation.h"

#include <algorithm>
#include <optional>

namespace pws::test {

bool is_covered(std::vector<uint64_t> numbers, uint64_t last, const wcet::cover_size& s) {
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  if (numbers.size() <= s.arcs) return true;
  if (s.arcs == 0) return false;
  // All but the widest gaps, of which one goes around.
  std::vector<uint64_t> gaps;
  for (size_t k = 1; k < numbers.size(); ++k) gaps.push_back(numbers[k] - numbers[k - 1]);
  gaps.push_back((numbers.front() - numbers.back()) & last);
  std::sort(gaps.begin(), gaps.end());
  uint64_t total = 0;
  for (size_t k = 0; k + s.arcs < gaps.size(); ++k) {
    total += gaps[k];
    if (total > s.total || total < gaps[k]) return false;
  }
  return true;
}

bool holds(const lane_cover& c, const std::vector<uint64_t>& numbers, uint64_t last) {
  return std::all_of(c.sizes().begin(), c.sizes().end(),
                     [&](const wcet::cover_size& s) { return is_covered(numbers, last, s); });
}

bool holds(const wcet::lane_value& v, const std::array<uint32_t, wcet::lanes_per_wave>& concrete, uint64_t lanes) {
  std::array<std::optional<uint32_t>, wcet::lanes_per_wave> base_of;
  for (unsigned l = 0; l < wcet::lanes_per_wave; ++l) {
    if ((lanes >> l & 1) == 0) continue;
    const uint32_t b = concrete[l] - v.offset(l);
    std::optional<uint32_t>& known = base_of[v.relation().of[l]];
    if (!v.base().contains(b) || (known && *known != b)) return false;
    known = b;
  }
  unsigned changes = 0;
  std::optional<uint32_t> last;
  for (const std::optional<uint32_t>& b : base_of) {
    if (!b) continue;
    changes += last && *last != *b;
    last = b;
  }
  if (v.relation().ordered() && changes > v.relation().breaks) return false;
  std::vector<uint64_t> at;
  for (unsigned l = 0; l < wcet::lanes_per_wave; ++l)
    if ((lanes >> l & 1) != 0) at.push_back(concrete[l]);
  return holds(v.cover(), at, 0xffffffff);
}

}  // namespace pws::test
