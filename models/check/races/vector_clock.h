// What a path knows of the others: up to which of its own times each of them is over. Only those that it knows of are
// listed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

namespace pws::check {

// Who is known: a path, or all paths of a workgroup up to a barrier of theirs.
class known_of {
 public:
  static known_of path(uint32_t id) { return known_of(id << 1); }
  static known_of workgroup(uint32_t id) { return known_of(id << 1 | 1); }
  friend bool operator<(known_of a, known_of b) { return a.code_ < b.code_; }
  friend bool operator==(known_of a, known_of b) { return a.code_ == b.code_; }

 private:
  explicit known_of(uint32_t code) : code_(code) {}
  uint32_t code_;
};

struct known_time {
  known_of who;
  uint32_t clock;  // accesses at this time or before are over
};

class vector_clock {
 public:
  // 0: nothing is known.
  uint32_t of(known_of who) const {
    const auto at =
        std::lower_bound(times_.begin(), times_.end(), who, [](const known_time& t, known_of w) { return t.who < w; });
    return at != times_.end() && at->who == who ? at->clock : 0;
  }
  bool covers(const known_time& t) const { return of(t.who) >= t.clock; }
  bool covers(const vector_clock& o) const {
    return std::all_of(o.times_.begin(), o.times_.end(), [&](const known_time& t) { return covers(t); });
  }
  void learn(const known_time& t);
  void learn(const vector_clock& o);
  size_t size() const { return times_.size(); }

 private:
  std::vector<known_time> times_;  // by `who`
};

// Shared by the paths that know the same; nobody changes it. nullptr: nothing.
using knowledge = std::shared_ptr<const vector_clock>;

inline bool knows(const knowledge& k, const known_time& t) {
  return k != nullptr && k->covers(t);
}
// Both together.
knowledge united(const knowledge& a, const knowledge& b);

}  // namespace pws::check
