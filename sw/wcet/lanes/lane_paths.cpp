// SPDX-License-Identifier: Apache-2.0
#include "sw/wcet/lanes/lane_paths.h"

#include <algorithm>
#include <iterator>

namespace pws::wcet {

namespace {

using counts_by_block = std::vector<std::optional<uint64_t>>;  // by block; nothing: not known

// `to` may be empty: of no wavefront yet.
void take_most(counts_by_block& to, const counts_by_block& from) {
  if (to.empty()) to.assign(from.size(), 0);
  for (size_t b = 0; b < from.size(); ++b)
    to[b] = to[b] && from[b] ? std::optional<uint64_t>(std::max(*to[b], *from[b])) : std::nullopt;
}

void take_least(counts_by_block& to, const counts_by_block& from) {
  for (size_t b = 0; b < to.size(); ++b)
    if (from[b] && (!to[b] || *from[b] < *to[b])) to[b] = from[b];
}

template <typename Set>
void keep_common(Set& set, const Set& other) {
  for (auto e = set.begin(); e != set.end();) e = other.count(*e) == 0 ? set.erase(e) : std::next(e);
}

}  // namespace

void lane_paths::take_in(const lane_paths& wave) {
  edges.insert(wave.edges.begin(), wave.edges.end());
  ways.insert(wave.ways.begin(), wave.ways.end());
  ways_told = wave.ways_told;  // the code says where
  take_most(executions, wave.executions);
  take_most(passes, wave.passes);
  work += wave.work;
}

void lane_paths::limit_by(const lane_paths& other) {
  keep_common(edges, other.edges);
  keep_common(ways, other.ways);
  take_least(executions, other.executions);
  take_least(passes, other.passes);
  work += other.work;
}

}  // namespace pws::wcet
