// SPDX-License-Identifier: Apache-2.0
// Sets of accesses that a byte keeps beside its last write: who has read it since, and who has written the same value
// to it. Bytes that were accessed by the same paths in the same order share their set. Sets are never changed.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "models/check/races/paths.h"
#include "models/check/races/renumbering.h"

namespace pws::check {

using set_id = uint32_t;             // in order of their making; 0: the empty set
constexpr unsigned place_bits = 9;   // of a place, below the instruction's number
constexpr uint32_t place_tells = 1;  // of a place: all that the path had done before was done

struct set_member {
  set_id next = 0;
  path_id path = 0;
  uint32_t clock = 0;
  uint32_t place = 0;       // as the check numbers instructions, above place_bits that say more of the access
  uint64_t lanes = 0;       // of the instruction
  bool same_write = false;  // a write of the value that is there; else a read
  uint8_t thin_at = 0;      // 2 to this: the length at which what a later access of the same path replaces is taken out
  path_id highest = 0;      // path in the set
  uint32_t length = 0;      // of the list that begins here
  uint32_t kinds = 0;       // in it, as access_sets numbers sets of kinds
  set_id same_kind = 0;     // the member before of this one's kind
  uint32_t heads = 0;       // where the latest of each kind are, if there are several
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

  // `s` with that access of `m.path`; path, clock, place, lanes and same_write of `m` matter. An earlier one of the
  // path is replaced, at once or later, if it is a read or write as this one, and tells or does not as this one.
  set_id with(set_id s, const set_member& m);

  // Calls f(member) for all.
  template <class F>
  void each(set_id s, F&& f) const {
    for (; s >= first_; s = member(s).next) f(member(s));
  }

  // For each kind of access (what instruction, and whether it reads or writes) calls f(member) with the latest for
  // which over(member) is false; the latest of all first. Returns whether there is one. A set of a million accesses by
  // one instruction ends at the first that is not over.
  template <class Over, class F>
  bool each_kind(set_id s, Over&& over, F&& f) {
    hits_.clear();
    const size_t kinds = s < first_ ? 0 : kinds_[member(s).kinds].size();
    for (size_t k = 0; k < kinds; ++k) {
      set_id at = kinds == 1 ? s : heads_[member(s).heads + k];
      for (; at >= first_; at = member(at).same_kind) {
        ++visited_;
        if (over(member(at))) continue;
        hits_.push_back(at);
        break;
      }
    }
    std::sort(hits_.begin(), hits_.end(), std::greater<>());
    for (const set_id at : hits_) f(member(at));
    return !hits_.empty();
  }
  // How many members that has looked at so far.
  uint64_t visited() const { return visited_; }

  // Takes out the sets that nobody uses any more, in three steps: keep() for each that is in use; compact(); and
  // from then on instead of each number that was got before moved() of it.
  void keep(set_id s);
  void compact();
  set_id moved(set_id s) const;
  void forget_moves();

 private:
  using access_kind = uint64_t;
  static access_kind kind_of(const set_member& m) {
    return uint64_t{m.place >> place_bits} << 1 | (m.same_write ? 1 : 0);
  }
  // Whose latest replaces the others.
  static uint64_t owner_of(const set_member& m) {
    return uint64_t{m.path} << 2 | (m.same_write ? 2 : 0) | (m.place & place_tells);
  }
  set_id latest(set_id s, access_kind k) const;
  uint32_t kinds_with(uint32_t kinds, access_kind k);
  set_id append(set_id to, set_member m);
  set_id without_superseded(set_id s);
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
  // Sets of kinds, each once, by number; number 0 is empty. There are as many as the code has instructions that meet.
  std::vector<std::vector<access_kind>> kinds_{1};
  struct grown {
    uint32_t kinds;
    access_kind by;
    bool operator==(const grown& o) const { return kinds == o.kinds && by == o.by; }
  };
  struct grown_hash {
    size_t operator()(const grown& g) const { return (g.by * 0x9e3779b97f4a7c15u) ^ g.kinds; }
  };
  std::unordered_map<grown, uint32_t, grown_hash> with_kind_;
  std::vector<set_id> heads_;  // the latest member of each kind, in the order of kinds_, for sets of several kinds
  std::vector<set_id> hits_;
  uint64_t visited_ = 0;
};

}  // namespace pws::check
