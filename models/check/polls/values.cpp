// SPDX-License-Identifier: Apache-2.0
#include "models/check/polls/values.h"

#include <algorithm>
#include <utility>

namespace pws::check {

namespace {
constexpr uint32_t by_instruction = 0xffffffff;  // in front of how a value_id is made; else its kind
}

value_id value_table::basic(kind k, uint32_t a, uint32_t b, uint32_t c) {
  const auto [at, is_new] =
      by_making_.try_emplace({static_cast<uint32_t>(k), a, b, c}, static_cast<value_id>(nodes_.size()));
  if (is_new) {
    node n{k, a, b, c};
    const bool of_two = k == kind::both || k == kind::either || k == kind::differ;
    const bool of_others = of_two || k == kind::sum || k == kind::lane || k == kind::with_lane;
    n.depends = (of_others && nodes_[a].depends) || (of_two && nodes_[b].depends) ||
                (k == kind::with_lane && nodes_[c].depends);
    n.of_frame = k == kind::sum && nodes_[a].of_frame;
    nodes_.push_back(n);
  }
  return at->second;
}

value_id value_table::sum(value_id v, uint32_t more) {
  const place p = place_of(v);
  if (const auto k = known(p.base)) return constant(*k + p.offset + more);
  const uint32_t offset = p.offset + more;
  return offset == 0 ? p.base : basic(kind::sum, p.base, offset);
}

value_id value_table::lane(value_id vector, uint32_t lane) {
  while (nodes_[vector].is == kind::with_lane) {
    if (nodes_[vector].b == lane) return nodes_[vector].c;
    vector = nodes_[vector].a;
  }
  return basic(kind::lane, vector, lane);
}

value_id value_table::both(value_id a, value_id b) {
  if (known(a)) std::swap(a, b);
  const auto k = known(b);
  if (k == 0u) return b;
  if (k == all_bits || a == b) return a;
  if (k && known(a)) return constant(*k & *known(a));
  return basic(kind::both, a, b);
}

value_id value_table::either(value_id a, value_id b) {
  if (known(a)) std::swap(a, b);
  const auto k = known(b);
  if (k == all_bits) return b;
  if (k == 0u || a == b) return a;
  if (k && known(a)) return constant(*k | *known(a));
  return basic(kind::either, a, b);
}

value_id value_table::differ(value_id a, value_id b) {
  if (known(a)) std::swap(a, b);
  const auto k = known(b);
  if (k == 0u) return a;
  if (a == b) return constant(0);
  if (k && known(a)) return constant(*k ^ *known(a));
  return basic(kind::differ, a, b);
}

value_id value_table::loaded() {
  node n;
  n.depends = true;
  nodes_.push_back(n);
  return static_cast<value_id>(nodes_.size() - 1);
}

value_id value_table::made(const std::vector<uint32_t>& how, const std::vector<value_id>& of, bool of_frame) {
  std::vector<uint32_t> key{by_instruction};
  key.insert(key.end(), how.begin(), how.end());
  key.insert(key.end(), of.begin(), of.end());
  const auto [at, is_new] = by_making_.try_emplace(std::move(key), static_cast<value_id>(nodes_.size()));
  if (is_new) {
    node n;
    n.depends = std::any_of(of.begin(), of.end(), [&](value_id v) { return nodes_[v].depends; });
    n.of_frame = of_frame;
    nodes_.push_back(n);
  }
  return at->second;
}

}  // namespace pws::check
