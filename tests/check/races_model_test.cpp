// Random programs against a model that has no clocks: each path has the set of accesses that are over for it, one by
// one, and each flag and counter the set of those that it tells of.
#include <array>
#include <bitset>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <tuple>

#include "tests/check/races_fixture.h"

namespace pws::check::races_model_test {
namespace {

constexpr size_t most_accesses = 1024;
using accesses = std::bitset<most_accesses>;

// What is said of an access: the rule, which one it is, and the path that the other is of.
using verdict = std::tuple<std::string, size_t, path_id>;

class model {
 public:
  enum class place : uint8_t { data, counter, flag };

  void started(path_id p, workgroup_id g) { paths_[p].group = g; }
  void ended(path_id p) { paths_[p].live = false; }
  void waited(path_id p) {
    paths_[p].plain_under_way = false;
    paths_[p].has_waited = true;
  }
  void invalidated(path_id p) { paths_[p].in_caches = paths_[p].in_memory; }

  void barrier(workgroup_id g) {
    accesses memory, caches;
    for (auto& [id, p] : paths_) {
      if (p.group != g) continue;
      memory |= p.own;
      caches |= p.own;
      if (!p.live) continue;
      memory |= p.in_memory;
      caches |= p.in_caches;
    }
    for (auto& [id, p] : paths_) {
      if (p.group != g || !p.live) continue;
      p.in_memory |= memory;
      p.in_caches |= caches;
    }
  }

  void load(path_id id, size_t n, uint64_t at) {
    state& p = paths_[id];
    word& w = words_[at];
    if (w.written && !is_over(id, p.in_caches, *w.written)) said.insert({"race_read_write", n, w.written->by});
    w.read[id] = {id, n};
    did(p, n, true);
  }

  void store(path_id id, size_t n, uint64_t at) {
    state& p = paths_[id];
    word& w = words_[at];
    if (w.written && !is_over(id, p.in_memory, *w.written)) said.insert({"race_write_write", n, w.written->by});
    for (const auto& [by, r] : w.read)
      if (!is_over(id, p.in_memory, r)) said.insert({"race_read_write", n, by});
    w.read.clear();
    w.written = access{id, n};
    did(p, n, true);
  }

  void store_flag(path_id id, size_t n, uint64_t at) {
    state& p = paths_[id];
    const bool releases = !p.plain_under_way && p.has_waited;
    did(p, n, true);
    flags_[at] = {id, releases, p.own | p.in_memory};
  }

  void poll_flag(path_id id, uint64_t at) {
    const auto f = flags_.find(at);
    if (f == flags_.end() || f->second.by == id) return;
    state& p = paths_[id];
    const bool mate = paths_[f->second.by].group == p.group;
    if (mate || f->second.releases) p.in_memory |= f->second.tells;
    if (mate) p.in_caches |= f->second.tells;
  }

  void poll_counter(path_id id, uint64_t at) { listen(id, counters_[at]); }

  void update(path_id id, size_t n, uint64_t at, bool returns) {
    state& p = paths_[id];
    counter& c = counters_[at];
    did(p, n, false);
    const accesses tells = p.own | p.in_memory;
    if (returns) listen(id, c);
    if (!p.plain_under_way) c.told |= tells;
    c.by[id] = tells;
  }

  std::set<verdict> said;

 private:
  struct state {
    workgroup_id group = 0;
    bool live = true, plain_under_way = false, has_waited = false;
    accesses own, in_memory, in_caches;
  };
  struct access {
    path_id by;
    size_t n;
  };
  struct word {
    std::optional<access> written;
    std::map<path_id, access> read;
  };
  struct flag {
    path_id by = 0;
    bool releases = false;
    accesses tells;
  };
  struct counter {
    accesses told;
    std::map<path_id, accesses> by;  // the latest of each path
  };

  static bool is_over(path_id p, const accesses& known, const access& a) { return a.by == p || known[a.n]; }
  static void did(state& p, size_t n, bool plain) {
    p.own.set(n);
    p.plain_under_way |= plain;
  }
  void listen(path_id id, const counter& c) {
    state& p = paths_[id];
    p.in_memory |= c.told;
    for (const auto& [by, tells] : c.by) {
      if (by == id || paths_[by].group != p.group) continue;
      p.in_memory |= tells;
      p.in_caches |= tells;
    }
  }

  std::map<path_id, state> paths_;
  std::map<uint64_t, word> words_;
  std::map<uint64_t, flag> flags_;
  std::map<uint64_t, counter> counters_;
};

class races_of_random_programs : public races_fixture {
 protected:
  static constexpr uint64_t data = 0x10000, counters = 0x20000, flags = 0x30000;
  static uint64_t pc_of(size_t n) { return 0x1000 + 4 * n; }

  // Returns how many verdicts there were, and of how many accesses.
  void run(unsigned seed, unsigned n_groups, unsigned n_waves, unsigned steps, unsigned chattiness) {
    std::mt19937 random(seed);
    const auto one_of = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
    races_.launch_begins();
    sink_.all.clear();
    model expected;
    std::map<uint16_t, path_id> by_number;
    std::vector<path_id> live;
    std::vector<workgroup_id> groups;
    for (unsigned g = 0; g < n_groups; ++g) {
      groups.push_back(group());
      for (unsigned w = 0; w < n_waves; ++w) {
        const auto number = static_cast<uint16_t>(by_number.size());
        const path_id p = wave(groups.back(), number);
        by_number[number] = p;
        expected.started(p, groups.back());
        live.push_back(p);
      }
    }
    size_t n = first_;
    for (unsigned k = 0; k < steps && !live.empty(); ++k) {
      const unsigned which = one_of(static_cast<unsigned>(live.size()));
      const path_id p = live[which];
      const uint64_t word = data + 4 * one_of(6), counter = counters + 64 * one_of(3), flag = flags + 64 * one_of(2);
      const unsigned what = one_of(20 + chattiness);
      if (what < 4) {
        load(p, pc_of(n), word);
        expected.load(p, n++ - first_, word);
      } else if (what < 7) {
        store_value(p, pc_of(n), word, static_cast<uint32_t>(n));
        expected.store(p, n++ - first_, word);
      } else if (what < 9) {
        wait(p);
        expected.waited(p);
      } else if (what < 10) {
        invalidate(p);
        expected.invalidated(p);
      } else if (what < 13) {
        fence(p);
        expected.waited(p);
        expected.invalidated(p);
      } else if (what < 14) {
        const workgroup_id g = groups[one_of(n_groups)];
        barrier(g);
        expected.barrier(g);
      } else if (what < 16) {
        wait(p);  // each of these stores tells
        expected.waited(p);
        store_value(p, pc_of(n), flag, static_cast<uint32_t>(n));
        expected.store_flag(p, n++ - first_, flag);
      } else if (what < 18) {
        poll(p, pc_of(n), flag);
        expected.poll_flag(p, flag);
      } else if (what < 19) {
        poll(p, pc_of(n), counter);
        expected.poll_counter(p, counter);
      } else if (what < 20 && n_groups > 8) {
        races_.who().ended(p);
        expected.ended(p);
        live.erase(live.begin() + which);
      } else if (const bool returns = one_of(3) != 0; returns) {
        fetch(p, pc_of(n), counter);
        expected.update(p, n++ - first_, counter, true);
      } else {
        atomic(p, pc_of(n), counter);
        expected.update(p, n++ - first_, counter, false);
      }
    }
    ASSERT_LE(n - first_, most_accesses);
    std::set<verdict> found;
    for (const finding& f : sink_.all)
      if (f.address >= data && f.address < counters)
        found.insert({std::string(f.rule), (f.here.pc - pc_of(first_)) / 4, by_number[f.other->wave]});
    EXPECT_EQ(found, expected.said) << "seed " << seed;
    verdicts_ += found.size();
    accesses_ += n - first_;
    first_ = n;
  }

  size_t first_ = 0;  // access of the program: no two programs have the same
  size_t verdicts_ = 0, accesses_ = 0;
};

TEST_F(races_of_random_programs, few_workgroups) {
  for (unsigned seed = 0; seed < 500; ++seed) run(seed, 2 + seed % 4, 1 + seed % 3, 120, seed % 12);
  // Both are common: what is ordered and what is not.
  EXPECT_GT(verdicts_, accesses_ / 50);
  EXPECT_LT(verdicts_, accesses_ * 2);
}

TEST_F(races_of_random_programs, many_workgroups_that_end) {
  for (unsigned seed = 1000; seed < 1100; ++seed) run(seed, 40, 1 + seed % 2, 900, 20 + seed % 40);
}

TEST_F(races_of_random_programs, many_wavefronts_of_two_workgroups) {
  for (unsigned seed = 2000; seed < 2050; ++seed) run(seed, 2, 16, 600, seed % 20);
}

}  // namespace
}  // namespace pws::check::races_model_test
