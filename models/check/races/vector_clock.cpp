#include "models/check/races/vector_clock.h"

#include <iterator>

namespace pws::check {

void vector_clock::learn(const known_time& t) {
  if (times_.empty() || times_.back().who < t.who) {
    times_.push_back(t);
    return;
  }
  const auto at =
      std::lower_bound(times_.begin(), times_.end(), t.who, [](const known_time& x, known_of w) { return x.who < w; });
  if (at != times_.end() && at->who == t.who)
    at->clock = std::max(at->clock, t.clock);
  else
    times_.insert(at, t);
}

void vector_clock::learn(const vector_clock& o) {
  if (o.times_.size() < 8) {
    for (const known_time& t : o.times_) learn(t);
    return;
  }
  std::vector<known_time> both;
  both.reserve(times_.size() + o.times_.size());
  auto a = times_.begin();
  auto b = o.times_.begin();
  while (a != times_.end() || b != o.times_.end()) {
    if (b == o.times_.end() || (a != times_.end() && a->who < b->who)) {
      both.push_back(*a++);
    } else if (a == times_.end() || b->who < a->who) {
      both.push_back(*b++);
    } else {
      both.push_back({a->who, std::max(a->clock, b->clock)});
      ++a;
      ++b;
    }
  }
  times_ = std::move(both);
}

knowledge united(const knowledge& a, const knowledge& b) {
  if (b == nullptr || a == b) return a;
  if (a == nullptr) return b;
  if (a->covers(*b)) return a;
  if (b->covers(*a)) return b;
  auto both = std::make_shared<vector_clock>(*a);
  both->learn(*b);
  return both;
}

}  // namespace pws::check
