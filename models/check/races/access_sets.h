// Sets of accesses that a byte keeps beside its last write: who has read it since, and who has written the same value
// to it. Bytes that were accessed by the same paths in the same order share their set. Sets are never changed.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "models/check/races/paths.h"

namespace pws::check {

using set_id = uint32_t;  // in order of their making, over all launches; 0: the empty set

struct set_member {
  set_id next = 0;
  path_id path = 0;
  uint32_t clock = 0;
  uint32_t place = 0;       // as the check numbers instructions
  uint64_t lanes = 0;       // of the instruction
  path_id highest = 0;      // path in the set
  bool same_write = false;  // a write of the value that is there; else a read
};

class access_sets {
 public:
  void launch_begins();
  // Lower ones belong to launches that are over: they count as empty.
  set_id first() const { return first_; }
  set_id next() const { return first_ + static_cast<set_id>(members_.size()); }
  const set_member& member(set_id s) const { return members_[s - first_]; }

  // `s` (lower than `floor`: empty) with that access of `m.path`; m.next and m.highest do not matter. An earlier one of
  // the path is replaced, except that a write stays one.
  set_id with(set_id s, set_id floor, const set_member& m);

  // Calls f(member) for all; s is not below `floor`. f returns false to stop.
  template <class F>
  void each(set_id s, set_id floor, F&& f) const {
    for (; s >= floor && s != 0; s = member(s).next)
      if (!f(member(s))) return;
  }

 private:
  set_id made(set_id s, set_id floor, const set_member& m);
  struct recent {
    set_id from = 0, to = 0;
    path_id path = 0;
    uint32_t clock = 0;
    bool same_write = false;
  };
  set_id first_ = 1;
  std::vector<set_member> members_;
  std::array<recent, 8192> recent_{};
};

}  // namespace pws::check
