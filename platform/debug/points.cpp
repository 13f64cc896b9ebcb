// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/points.h"

#include <algorithm>
#include <utility>

namespace pws::platform::debug {

std::vector<std::string> names_of_events() {
  std::vector<std::string> all;
  for (const auto& r : enumerators(point_kind{}))
    if (is_event(r.value)) all.emplace_back(r.name);
  return all;
}

uint32_t point_table::add(point p) {
  p.number = ++latest_;
  points_.push_back(std::make_unique<point>(std::move(p)));
  changed();
  return latest_;
}

void point_table::assign(std::vector<std::unique_ptr<point>> all, uint32_t latest) {
  points_ = std::move(all);
  latest_ = latest;
  changed();
}

bool point_table::remove(uint32_t number) {
  const auto at = std::find_if(points_.begin(), points_.end(), [number](const auto& p) { return p->number == number; });
  if (at == points_.end()) return false;
  points_.erase(at);
  changed();
  return true;
}

void point_table::clear() {
  points_.clear();
  changed();
}

const point* point_table::find(uint32_t number) const {
  for (const auto& p : points_)
    if (p->number == number) return p.get();
  return nullptr;
}

point* point_table::find(uint32_t number) {
  return const_cast<point*>(std::as_const(*this).find(number));
}

void point_table::changed() {
  places_.clear();
  kinds_ = 0;
  for (const auto& p : points_) {
    if (!p->enabled) continue;
    kinds_ |= 1u << static_cast<unsigned>(p->kind);
    places_.insert(places_.end(), p->places.begin(), p->places.end());
  }
  std::sort(places_.begin(), places_.end());
  places_.erase(std::unique(places_.begin(), places_.end()), places_.end());
  heard_();
}

}  // namespace pws::platform::debug
