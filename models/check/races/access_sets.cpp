#include "models/check/races/access_sets.h"

namespace pws::check {

void access_sets::launch_begins() {
  first_ = next();
  members_.clear();
  recent_ = {};
}

set_id access_sets::with(set_id s, set_id floor, const set_member& m) {
  if (s < floor) s = 0;
  const uint32_t hash = (s * 2654435761u) ^ (m.path * 2246822519u) ^ (m.clock * 3266489917u) ^ m.same_write;
  recent& r = recent_[(hash >> 11) % recent_.size()];
  if (r.to != 0 && r.from == s && r.path == m.path && r.clock == m.clock && r.same_write == m.same_write) return r.to;
  r = {s, made(s, floor, m), m.path, m.clock, m.same_write};
  return r.to;
}

set_id access_sets::made(set_id s, set_id floor, const set_member& m) {
  const auto append = [&](set_id to, set_member n) {
    const bool empty = to < floor || to == 0;
    n.next = empty ? 0 : to;
    n.highest = empty ? n.path : std::max(n.path, member(to).highest);
    members_.push_back(n);
    return next() - 1;
  };
  const bool may_be_in = s >= floor && s != 0 && member(s).highest >= m.path;
  bool is_in = false, is_current = false;
  if (may_be_in)
    each(s, floor, [&](const set_member& x) {
      is_in = x.path == m.path && x.same_write == m.same_write;
      is_current = is_in && x.clock == m.clock;
      return !is_in;
    });
  if (is_current) return s;
  if (!is_in) return append(s, m);
  // Made anew without the earlier access.
  std::vector<set_member> others;
  each(s, floor, [&](const set_member& x) {
    if (x.path != m.path || x.same_write != m.same_write) others.push_back(x);
    return true;
  });
  set_id fresh = 0;
  for (auto x = others.rbegin(); x != others.rend(); ++x) fresh = append(fresh, *x);
  return append(fresh, m);
}

}  // namespace pws::check
