// Sets of accesses that a byte keeps beside its last write: who has read it since, and who has written the same value
// to it. Bytes that were accessed by the same paths in the same order share their set. Sets are never changed.
#pragma once

#include <cstdint>
#include <vector>

#include "models/check/races/paths.h"
#include "models/check/races/renumbering.h"

namespace pws::check {

using set_id = uint32_t;  // in order of their making; 0: the empty set

struct set_member {
  set_id next = 0;
  path_id path = 0;
  uint32_t clock = 0;
  uint32_t place = 0;       // as the check numbers instructions
  uint64_t lanes = 0;       // of the instruction
  bool same_write = false;  // a write of the value that is there; else a read
  path_id highest = 0;      // path in the set
  uint32_t length = 0;      // of the list that begins here
  uint32_t thin_at = 0;     // the length at which accesses that a later one of the same path replaces are taken out
};

class access_sets {
 public:
  // `recent`: how many of the last sets are remembered with what they were made of, a power of two.
  explicit access_sets(size_t recent = 1024) : recent_(recent) {}

  // All that there are; numbers go on.
  void forget();
  // Lower ones are forgotten: they count as empty.
  set_id first() const { return first_; }
  set_id next() const { return first_ + static_cast<set_id>(members_.size()); }
  size_t size() const { return members_.size(); }
  const set_member& member(set_id s) const { return members_[s - first_]; }

  // `s` with that access of `m.path`; m.next and what follows same_write do not matter. An earlier one of the path is
  // replaced, at once or later, except that a write stays one.
  set_id with(set_id s, const set_member& m);

  // Calls f(member) for all. f returns false to stop.
  template <class F>
  void each(set_id s, F&& f) const {
    for (; s >= first_; s = member(s).next)
      if (!f(member(s))) return;
  }

  // Takes out the sets that nobody uses any more, in three steps: keep() for each that is in use; close_ranks(); and
  // from then on instead of each number that was got before moved() of it.
  void keep(set_id s);
  void close_ranks();
  set_id moved(set_id s) const;
  void forget_moves();

 private:
  set_id append(set_id to, set_member m);
  set_id thinned(set_id s);
  set_id made(set_id s, const set_member& m);
  struct made_before {
    set_id from = 0, to = 0;
    path_id path = 0;
    uint32_t clock = 0;
    uint32_t place = 0;
    bool same_write = false;
  };
  set_id first_ = 1;
  std::vector<set_member> members_;
  std::vector<made_before> recent_;
  renumbering kept_;
};

}  // namespace pws::check
