// SPDX-License-Identifier: Apache-2.0
// What a path knows of the others: up to which of its own times each of them is over.
#pragma once

#include <cstdint>
#include <memory>

#include "models/check/races/clock_tree.h"

namespace pws::check {

// Who is known: a path, or all paths of a workgroup up to a barrier of theirs. By number, of paths and of workgroups.
struct known_of {
  static known_of path(uint32_t id) { return {id, false}; }
  static known_of workgroup(uint32_t id) { return {id, true}; }
  uint32_t id;
  bool is_workgroup;
};

struct known_time {
  known_of who;
  uint32_t clock;  // accesses at this time or before are over
};

// Copies share what they have in common (clock_tree.h).
class vector_clock {
 public:
  // 0: nothing is known.
  uint32_t of(known_of who) const { return (who.is_workgroup ? workgroups_ : paths_).of(who.id); }
  bool covers(const known_time& t) const { return of(t.who) >= t.clock; }
  bool covers(const vector_clock& o) const { return paths_.covers(o.paths_) && workgroups_.covers(o.workgroups_); }
  // ... but for what is known of this path and this workgroup.
  bool covers_but(const vector_clock& o, uint32_t path, uint32_t workgroup) const {
    return paths_.covers(o.paths_, path) && workgroups_.covers(o.workgroups_, workgroup);
  }
  void learn(const known_time& t) { (t.who.is_workgroup ? workgroups_ : paths_).raise(t.who.id, t.clock); }
  void learn(const vector_clock& o) {
    paths_.raise(o.paths_);
    workgroups_.raise(o.workgroups_);
  }

 private:
  clock_tree paths_, workgroups_;
};

// Shared by the paths that know the same; nobody changes it. nullptr: nothing.
using knowledge = std::shared_ptr<const vector_clock>;

// Both together.
knowledge united(const knowledge& a, const knowledge& b);

}  // namespace pws::check
