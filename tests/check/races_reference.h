// SPDX-License-Identifier: Apache-2.0
// What docs/checks.md says of races, written down as plainly as can be: each path has the set of all accesses that are
// over for it, one by one, and each word all that was done to it and is still compared. No clocks, and nothing shared.
// What the document says is not found is left out here too.
#pragma once

#include <bitset>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>

#include "models/check/races/races.h"

namespace pws::check {

class races_reference {
 public:
  static constexpr size_t most_accesses = 1024;
  // What is said of an access: the rule, which one it is, and the path that the other is of.
  using verdict = std::tuple<std::string, size_t, path_id>;
  static constexpr path_id any = 0;  // of several atomics that a load or store meets, one is named
  // In LDS of that workgroup, 0: in memory; and the address.
  using place = std::pair<workgroup_id, uint64_t>;

  void started(path_id p, workgroup_id g);
  void ended(path_id p) { paths_[p].live = false; }
  void forked(path_id parent, path_id child);
  void joined(path_id parent, path_id child);
  void barrier(workgroup_id g);
  void waited(path_id p);
  void invalidated(path_id p) { paths_[p].in_caches = paths_[p].in_memory; }

  void load(path_id p, size_t n, place at);
  void poll(path_id p, place at);
  void store(path_id p, size_t n, place at, uint32_t value);
  // `takes`: an exchange, or a compare and swap.
  void update(path_id p, size_t n, place at, bool returns, bool takes);

  std::set<verdict> said;

 private:
  using accesses = std::bitset<most_accesses>;
  struct path {
    workgroup_id group = 0;
    bool live = true, plain_under_way = false, has_waited = false;
    accesses own, in_memory, in_caches;
    std::map<place, size_t> untold;  // stores to memory that tell nothing, since it has last told something
  };
  struct access {
    path_id by = 0;
    size_t n = 0;
    bool tells = false;
    accesses told;  // what who hears of it knows then
  };
  struct write : access {
    uint32_t value = 0;
  };
  struct atomic : access {
    bool looked = false, may_hold = false;
    std::optional<access> blind;  // the last one that did not look
  };
  struct word {
    std::optional<write> written;
    bool polled = false;
    std::map<path_id, access> read;
    std::map<std::pair<path_id, bool>, access>
        written_the_same;  // the latest of each path that tells, and that does not
    std::map<path_id, atomic> updated;
    accesses told;
  };

  bool over(path_id p, const accesses& known, const access& a) const { return a.by == p || known[a.n]; }
  void say(const char* rule, size_t n, const access& other) { said.insert({rule, n, other.by}); }
  access did(path_id p, size_t n, place at, bool plain);
  void add_to_untold(path_id p);
  void hear(path_id p, const word& w, place at);

  std::map<path_id, path> paths_;
  std::map<place, word> words_;
};

}  // namespace pws::check
