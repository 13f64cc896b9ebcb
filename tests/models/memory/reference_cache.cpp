// SPDX-License-Identifier: Apache-2.0
#include "tests/models/memory/reference_cache.h"

#include <fmt/format.h>

#include <algorithm>

namespace pws::test {

std::list<reference_cache::line_state>& reference_cache::set_of(uint64_t line) {
  const auto& c = parameters_.tags;
  const uint64_t sets = uint64_t{c.size_kib} * 1024 / c.line_bytes / c.ways;
  return sets_[line / parameters_.interleave % sets];
}

reference_cache::line_state* reference_cache::find(uint64_t line) {
  auto& set = set_of(line);
  for (auto s = set.begin(); s != set.end(); ++s)
    if (s->line == line) {
      set.splice(set.begin(), set, s);
      return &set.front();
    }
  return nullptr;
}

reference_cache::line_on_its_way* reference_cache::find_on_its_way(uint64_t line) {
  for (auto& l : on_their_way_)
    if (l.line == line) return &l;
  return nullptr;
}

void reference_cache::insert(uint64_t line, bool dirty) {
  auto& set = set_of(line);
  if (set.size() == parameters_.tags.ways) {
    if (set.back().dirty) {
      writebacks.push_back(fmt::format("writeback {}", set.back().line));
      ++statistics.writebacks;
    }
    set.pop_back();
  }
  set.push_front({line, dirty});
}

void reference_cache::arrive_until(cycle_t cycle) {
  std::sort(on_their_way_.begin(), on_their_way_.end(), [](const line_on_its_way& x, const line_on_its_way& y) {
    return std::make_pair(x.arrives, x.line) < std::make_pair(y.arrives, y.line);
  });
  while (!on_their_way_.empty() && on_their_way_.front().arrives <= cycle) {
    insert(on_their_way_.front().line, on_their_way_.front().dirty);
    on_their_way_.erase(on_their_way_.begin());
  }
}

cycle_t reference_cache::ask_below(const request& r, cycle_t at) {
  below.push_back(fmt::format("{} {} at {}", name_of(r.kind), r.line, at));
  return at + latency_(r.line);
}

cycle_t reference_cache::serve(const request& r) {
  const bool stores = r.kind == access_kind::store || r.kind == access_kind::writeback;
  cycle_t t = std::max(r.at, port_free_);
  arrive_until(t);
  if (parameters_.policy == models::write_policy::write_through &&
      (stores || r.kind == access_kind::atomic || r.bypass_l1))
    return pass_on(r, t);
  line_state* present = find(r.line);
  line_on_its_way* coming = find_on_its_way(r.line);
  if (stores) {
    ++statistics.writes;
    const uint32_t width = parameters_.bytes_per_cycle;
    port_free_ = t + std::max(1u, (r.bytes + width - 1) / width);
    if (present != nullptr) present->dirty = true;
    if (present == nullptr && coming != nullptr) coming->dirty = true;
    if (present == nullptr && coming == nullptr) insert(r.line, true);
    return t + parameters_.tags.hit_latency;
  }
  const bool dirties = r.kind == access_kind::atomic;
  ++(dirties ? statistics.atomics : statistics.reads);
  if (present != nullptr) {
    port_free_ = t + 1;
    if (!dirties) ++statistics.read_hits;
    present->dirty |= dirties;
    return t + parameters_.tags.hit_latency;
  }
  if (coming != nullptr) {
    port_free_ = t + 1;
    ++statistics.merged;
    coming->dirty |= dirties;
    return coming->arrives + parameters_.tags.hit_latency;
  }
  return fetch(r, t);
}

cycle_t reference_cache::pass_on(const request& r, cycle_t start) {
  const uint32_t width = parameters_.bytes_per_cycle;
  const bool stores = r.kind == access_kind::store;
  port_free_ = start + (stores ? std::max(1u, (r.bytes + width - 1) / width) : 1);
  ++(stores ? statistics.writes : r.kind == access_kind::atomic ? statistics.atomics : statistics.reads);
  if (r.kind == access_kind::atomic) {
    const uint64_t line = r.line;
    set_of(line).remove_if([line](const line_state& s) { return s.line == line; });
  }
  return ask_below(r, start + 1);
}

cycle_t reference_cache::fetch(const request& r, cycle_t start) {
  if (on_their_way_.size() == parameters_.tags.mshrs) ++statistics.blocked;
  while (on_their_way_.size() == parameters_.tags.mshrs) arrive_until(++start);
  port_free_ = start + 1;
  const cycle_t arrives = ask_below(r, start + 1);
  on_their_way_.push_back({{r.line, r.kind == access_kind::atomic}, arrives});
  return arrives + parameters_.tags.hit_latency;
}

}  // namespace pws::test
