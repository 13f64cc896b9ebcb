// SPDX-License-Identifier: Apache-2.0
// What no byte has any more is given back.
#include <algorithm>

#include "models/check/races/races.h"

namespace pws::check {

// Memory for what no byte has any more is given back. Numbers keep their order, so that floors stay what they are.
void races::collect() {
  renumbering used;
  const auto each_memory = [&](auto&& f) {
    f(memory_, sets_, floors{paths_.first(), sets_.first(), first_location_});
    for (auto& g : groups_) f(g.second->lds, g.second->sets, g.second->since);
  };
  for (auto& page : lines_)
    for (set_id& others : page.second.others) {
      if (others < sets_.first()) others = 0;
      if (others != 0) sets_.keep(others);
    }
  each_memory([&](byte_shadow<cell>& m, access_sets& sets, const floors& since) {
    m.each([&](cell& c) {
      if (c.others < since.set) c.others = 0;
      if (c.atomics < since.location) c.atomics = 0;
      if (c.path >= paths_.first()) paths_.keep_version(c.path, c.clock);
      if (c.others != 0) sets.keep(c.others);
      if (c.atomics != 0) used.keep(c.atomics - first_location_);
    });
    sets.compact();
  });
  for (const location& l : locations_)
    for (const atomic_access& a : l.by) {
      if (a.path < paths_.first()) continue;
      paths_.keep_version(a.path, a.clock);
      paths_.keep_version(a.path, a.told);
    }
  paths_.forget_other_versions();
  locations_.resize(used.close(static_cast<uint32_t>(locations_.size()), [&](uint32_t from, uint32_t to) {
    if (from != to) locations_[to] = std::move(locations_[from]);
  }));
  const auto moved = [&](uint32_t number) {
    return number < first_location_ ? number : first_location_ + used.moved(number - first_location_);
  };
  for (auto& page : lines_)
    for (set_id& others : page.second.others)
      if (others != 0) others = sets_.moved(others);
  each_memory([&](byte_shadow<cell>& m, access_sets& sets, const floors&) {
    m.each([&](cell& c) {
      if (c.others != 0) c.others = sets.moved(c.others);
      if (c.atomics != 0) c.atomics = moved(c.atomics);
    });
    sets.forget_moves();
  });
  lds_sets_ = 0;
  for (auto& g : groups_) {
    g.second->since.location = moved(g.second->since.location);
    lds_sets_ += g.second->sets.size();
  }
  unused_.clear();  // their numbers are from before
  // Not again before as much has come as this has cost.
  size_t pages = memory_.pages() + lines_.size() / line_dwords;
  for (auto& g : groups_) pages += g.second->lds.pages();
  const size_t stays = kept() + version_weight * paths_.versions();
  collect_at_ = std::max({least_collected_, 2 * stays, stays + pages * (memory_.page_bytes / 4) / 8});
}

}  // namespace pws::check
