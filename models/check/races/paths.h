// SPDX-License-Identifier: Apache-2.0
// Who executes, and what is ordered before what: wavefronts and parts of split ones ("paths"), each with a time of its
// own that advances when something that others may learn of happens; workgroups, whose barriers order their paths.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "models/check/finding.h"
#include "models/check/races/vector_clock.h"

namespace pws::check {

using path_id = uint32_t;       // in order of their beginnings, over all launches; 0: none
using workgroup_id = uint32_t;  // in order of their beginnings, over all launches; 0: none

struct path {
  path_id id = 0;
  workgroup_id workgroup = 0;
  uint32_t clock = 0;
  // Others may have learnt of this time: what follows belongs to the next one.
  bool published = false;
  bool version_needed = false;  // by those who learnt of a time since the last version
  // What is over for this path: as memory sees it, and as its caches see it (since it invalidated them).
  knowledge in_memory, in_caches;
  // What it knew when, for those who learn from it later.
  struct version {
    uint32_t clock;
    knowledge known;
    bool kept = false;
  };
  std::vector<version> versions;
  // Memory operations under way (s_waitcnt): whether there is a plain one, and how many others came after the last.
  bool plain_under_way = false;
  uint32_t behind_plain = 0;
  bool has_waited = false;      // for memory, at least once
  std::vector<path_id> joined;  // parts of it that have ended, to be used again
  site where;

  bool has_nothing_under_way() const { return !plain_under_way; }
};

class paths {
 public:
  // A launch begins: all that was is over for everybody.
  void launch_begins();

  workgroup_id workgroup_started();
  path_id started(workgroup_id g, const site& where);
  // A part of a split path begins; it knows what its parent knows and has done.
  path_id forked(path_id parent, const site& where);
  // It has merged with its parent, which goes on.
  void joined(path_id parent, path_id child);
  void ended(path_id p);
  // All paths of the workgroup are at its barrier.
  void barrier(workgroup_id g);
  // s_waitcnt with this vmcnt.
  void waited(path_id p, uint32_t vmcnt);
  // A vector memory operation; `plain`: neither atomic nor past the cache.
  void issued_memory(path& p, bool plain);
  // buffer_wbinvl1
  void invalidated(path_id p);

  path& operator[](path_id p) { return *paths_[p - first_]; }
  const path& operator[](path_id p) const { return *paths_[p - first_]; }
  // The launch's first one. Lower ones belong to launches that are over.
  path_id first() const { return first_; }
  path_id next() const { return first_ + static_cast<path_id>(paths_.size()); }

  // Whether what `other` did at its time `clock` is over for `p`, which knows `k` of others. `other` is of this launch.
  bool is_over(const path& p, const knowledge& k, path_id other, uint32_t clock) const {
    if (other == p.id) return true;
    const path& o = (*this)[other];
    if (o.workgroup == p.workgroup && clock < groups_[p.workgroup - first_group_].barrier) return true;
    return is_known(k, other, clock);
  }
  // The same for any path that knows so much of others.
  bool is_known(const knowledge& k, path_id other, uint32_t clock) const {
    if (k == nullptr) return false;
    return k->covers({of_path(other), clock}) || k->covers({of_group((*this)[other].workgroup), clock + 1});
  }
  // `p` learns what `other` had done and known at its time `clock`; `in_caches`: its caches hold nothing older.
  struct lesson {
    path_id from;
    uint32_t clock;
    bool in_caches;
  };
  // All that is in one of `told` is over for it in memory too.
  void learn(path& p, const std::vector<lesson>& lessons, const std::vector<knowledge>& told);
  // What others hear in memory of the path's time `clock` goes into `to`: what it had done and known.
  void tell(vector_clock& to, path_id from, uint32_t clock) const;
  // How many versions of what paths knew there are. Of those that are over, others need the ones of the times that they
  // can still learn of: keep_version() for each such time, then the others are forgotten.
  size_t versions() const { return versions_; }
  void keep_version(path_id p, uint32_t clock);
  void forget_other_versions();
  // All paths that the path's workgroup has had, itself among them, by number.
  const std::vector<path_id>& paths_of_group(const path& p) const { return groups_[p.workgroup - first_group_].all; }
  // The path's workgroup has paths that go on.
  bool has_live_mates(path_id p) const { return !groups_[(*this)[p].workgroup - first_group_].members.empty(); }
  // Others may learn of the path's present time from memory.
  static void publish(path& p) {
    p.published = true;
    p.version_needed = true;
  }
  // The path's next time begins if others may know of this one.
  void move_on(path& p) {
    if (p.published) tick(p);
  }

 private:
  struct group {
    uint32_t barrier = 1;  // the time at which its last barrier was passed
    uint32_t latest = 1;   // of all its paths
    std::vector<uint32_t> barriers;
    std::vector<path_id> members;  // that go on
    std::vector<path_id> all;
  };
  // Numbers begin anew with each launch, as clocks know them.
  known_of of_path(path_id p) const { return known_of::path(p - first_); }
  known_of of_group(workgroup_id g) const { return known_of::workgroup(g - first_group_); }
  // Calls f(known_time) and f(vector_clock) with what it was and knew.
  template <class F>
  void each_told(path_id from, uint32_t clock, bool barriers, F&& f) const;
  void tick(path& p);
  void set_known(path& p, knowledge in_memory, knowledge in_caches);
  static std::vector<path::version>::const_iterator version_at(const path& p, uint32_t clock);
  const knowledge& known_at(const path& p, uint32_t clock) const;
  path& add(workgroup_id g, const site& where);
  group& group_of(const path& p) { return groups_[p.workgroup - first_group_]; }

  path_id first_ = 1;
  workgroup_id first_group_ = 1;
  std::vector<std::unique_ptr<path>> paths_;
  std::vector<group> groups_;
  size_t versions_ = 0;  // of all paths
};

}  // namespace pws::check
