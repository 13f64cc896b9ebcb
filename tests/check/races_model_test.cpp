// SPDX-License-Identifier: Apache-2.0
// Random programs against the plain reference (races_reference.h), finding by finding.
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <string>

#include "tests/check/races_fixture.h"
#include "tests/check/races_reference.h"

namespace pws::check::races_model_test {
namespace {

class races_of_random_programs : public races_fixture {
 protected:
  using kind = race_access::kind;
  explicit races_of_random_programs(size_t most_kept = size_t{1} << 20) : races_fixture(most_kept) {}

  static constexpr uint64_t words = 0x10000, lds_words = 0x100;
  static uint64_t pc_of(size_t n) { return 0x1000 + 4 * n; }

  struct shape {
    unsigned groups = 2, waves = 2, steps = 120, words = 6;
    unsigned of_lds = 0;      // of ten accesses
    unsigned of_atomics = 2;  // of ten
    unsigned same = 0;        // of ten stores, those of a value that others store too
    unsigned most_forks = 0;
    bool ends = false;
  };

  void run(unsigned seed, const shape& s) {
    random_.seed(seed);
    races_.launch_begins();
    sink_.all.clear();
    log_.clear();
    updates_.clear();
    expected_ = {};
    by_number_.clear();
    live_.clear();
    groups_.clear();
    for (unsigned g = 0; g < s.groups; ++g) {
      groups_.push_back(group());
      for (unsigned w = 0; w < s.waves; ++w) start(groups_.back());
    }
    size_t n = first_;
    for (unsigned k = 0; k < s.steps && !live_.empty(); ++k) {
      const unsigned which = one_of(static_cast<unsigned>(live_.size()));
      switch (one_of(16)) {
        case 0:
          note("{}: wait", live_[which].id);
          wait(live_[which].id);
          expected_.waited(live_[which].id);
          break;
        case 1:
          note("{}: invalidate", live_[which].id);
          invalidate(live_[which].id);
          expected_.invalidated(live_[which].id);
          break;
        case 2:
        case 3:
          note("{}: fence", live_[which].id);
          fence(live_[which].id);
          expected_.waited(live_[which].id);
          expected_.invalidated(live_[which].id);
          break;
        case 4:
          pass_barrier(groups_[one_of(s.groups)]);
          break;
        case 5:
          if (s.ends && k % 3 == 0) end(which);
          break;
        case 6:
        case 7:
          if (s.most_forks != 0) fork_or_join(which, s.most_forks);
          break;
        default:
          access(s, live_[which], n);
          break;
      }
    }
    ASSERT_LE(n - first_, races_reference::most_accesses);
    std::set<races_reference::verdict> found;
    for (const finding& f : sink_.all) {
      const size_t which = (f.here.pc - pc_of(first_)) / 4;
      const bool one_of_several = f.rule == "race_atomic_plain" && updates_.count(which) == 0;
      found.insert({std::string(f.rule), which, one_of_several ? races_reference::any : by_number_[f.other->wave]});
    }
    EXPECT_EQ(beside(found, expected_.said), "") << "found alone, seed " << seed << "\n" << log_;
    EXPECT_EQ(beside(expected_.said, found), "") << "expected alone, seed " << seed << "\n" << log_;
    verdicts_ += found.size();
    accesses_ += n - first_;
    first_ = n;
  }
  // Both are common: what is ordered and what is not.
  void is_a_mixture() const {
    EXPECT_GT(verdicts_, accesses_ / 50);
    EXPECT_LT(verdicts_, accesses_ * 4);
  }

 private:
  struct running {
    path_id id;
    workgroup_id group;
    path_id parent;  // 0: a wavefront
  };

  // Those of `some` that `others` does not have.
  static std::string beside(const std::set<races_reference::verdict>& some,
                            const std::set<races_reference::verdict>& others) {
    std::string text;
    for (const races_reference::verdict& v : some)
      if (others.count(v) == 0)
        text += fmt::format("{} at access {} with path {}\n", std::get<0>(v), std::get<1>(v), std::get<2>(v));
    return text;
  }

  unsigned one_of(unsigned n) { return static_cast<unsigned>(random_() % n); }

  void start(workgroup_id g) {
    const auto number = static_cast<uint16_t>(by_number_.size());
    const path_id p = wave(g, number);
    by_number_[number] = p;
    expected_.started(p, g);
    note("{}: of workgroup {}", p, g);
    live_.push_back({p, g, 0});
  }

  bool has_children(path_id p) const {
    return std::any_of(live_.begin(), live_.end(), [&](const running& r) { return r.parent == p; });
  }

  // Wavefronts that are split come to no barrier.
  void pass_barrier(workgroup_id g) {
    for (const running& r : live_)
      if (r.group == g && r.parent != 0) return;
    note("barrier of workgroup {}", g);
    barrier(g);
    expected_.barrier(g);
  }

  void end(unsigned which) {
    const running r = live_[which];
    if (r.parent != 0 || has_children(r.id)) return;
    note("{}: ends", r.id);
    races_.who().ended(r.id);
    expected_.ended(r.id);
    live_.erase(live_.begin() + which);
  }

  void fork_or_join(unsigned which, unsigned most) {
    const running r = live_[which];
    if (r.parent != 0 && one_of(2) == 0) {
      if (has_children(r.id)) return;
      note("{}: merges with {}", r.id, r.parent);
      races_.who().joined(r.parent, r.id);
      expected_.joined(r.parent, r.id);
      live_.erase(live_.begin() + which);
    } else if (live_.size() < most) {
      site s;
      s.wave = static_cast<uint16_t>(by_number_.size());
      const path_id child = races_.who().forked(r.id, s);
      note("{}: splits, {} begins", r.id, child);
      by_number_[s.wave] = child;
      expected_.forked(r.id, child);
      live_.push_back({child, r.group, r.id});
    }
  }

  void access(const shape& s, const running& r, size_t& n) {
    const bool lds = one_of(10) < s.of_lds;
    const unsigned word = one_of(s.words);
    const uint64_t address = (lds ? lds_words : words) + 4 * word;
    const races_reference::place at{lds ? r.group : 0, address};
    const uint64_t pc = pc_of(n);
    if (one_of(10) < s.of_atomics) {
      const bool returns = one_of(3) != 0;
      takes_ = returns && one_of(3) == 0;
      note("{}: access {}, {} of {:x}", r.id, n - first_, takes_ ? "exchange" : returns ? "fetch" : "atomic", address);
      go(r.id, pc, returns ? kind::returning_atomic : kind::atomic, address, 4, 0, lds);
      updates_.insert(n - first_);
      expected_.update(r.id, n++ - first_, at, returns, takes_);
      takes_ = false;
      return;
    }
    const unsigned what = one_of(8);
    if (what < 3) {
      note("{}: access {}, load of {:x}", r.id, n - first_, address);
      go(r.id, pc, kind::load, address, 4, 0, lds);
      expected_.load(r.id, n++ - first_, at);
    } else if (what < 5) {
      note("{}: poll of {:x}", r.id, address);
      go(r.id, pc, kind::past_cache, address, 4, 0, lds);
      expected_.poll(r.id, at);
    } else {
      const uint32_t value = one_of(10) < s.same ? 1 : static_cast<uint32_t>(n) + 2;
      note("{}: access {}, store of {} to {:x}", r.id, n - first_, value - n < 5 ? 0 : value, address);
      go(r.id, pc, kind::store, address, 4, value, lds);
      expected_.store(r.id, n++ - first_, at, value);
    }
  }

  // What happened, for who looks into a difference.
  template <class... T>
  void note(const char* text, const T&... values) {
    log_ += fmt::format(fmt::runtime(text), values...) + "\n";
  }

  std::mt19937 random_;
  std::string log_;
  std::set<size_t> updates_;  // accesses that are atomics
  races_reference expected_;
  std::map<uint16_t, path_id> by_number_;
  std::vector<running> live_;
  std::vector<workgroup_id> groups_;
  size_t first_ = 0;  // access of the program: no two programs have the same
  size_t verdicts_ = 0, accesses_ = 0;
};

// PWS_RACES_PROGRAMS says how many there are of each shape.
unsigned programs(unsigned usual) {
  const char* given = std::getenv("PWS_RACES_PROGRAMS");
  return given == nullptr ? usual : static_cast<unsigned>(std::stoul(given));
}

TEST_F(races_of_random_programs, few_workgroups) {
  for (unsigned seed = 0; seed < programs(400); ++seed) {
    shape s;
    s.groups = 2 + seed % 4;
    s.waves = 1 + seed % 3;
    s.of_atomics = seed % 7;
    run(seed, s);
  }
  is_a_mixture();
}

TEST_F(races_of_random_programs, many_workgroups_that_end) {
  for (unsigned seed = 0; seed < programs(40); ++seed) {
    shape s;
    s.groups = 40;
    s.waves = 1 + seed % 2;
    s.steps = 900;
    s.of_atomics = 4 + seed % 5;
    s.ends = true;
    run(100'000 + seed, s);
  }
  is_a_mixture();
}

TEST_F(races_of_random_programs, many_wavefronts_of_two_workgroups) {
  for (unsigned seed = 0; seed < programs(40); ++seed) {
    shape s;
    s.waves = 16;
    s.steps = 600;
    s.of_atomics = seed % 6;
    s.of_lds = seed % 3 * 3;
    run(200'000 + seed, s);
  }
  is_a_mixture();
}

TEST_F(races_of_random_programs, flags_and_locks_in_lds) {
  for (unsigned seed = 0; seed < programs(400); ++seed) {
    shape s;
    s.groups = 1 + seed % 3;
    s.waves = 3;
    s.words = 4;
    s.of_lds = 8;
    s.of_atomics = 1 + seed % 6;
    run(300'000 + seed, s);
  }
  is_a_mixture();
}

TEST_F(races_of_random_programs, stores_of_the_same_value) {
  for (unsigned seed = 0; seed < programs(400); ++seed) {
    shape s;
    s.groups = 3;
    s.words = 3;
    s.of_lds = seed % 4 * 2;
    s.of_atomics = seed % 4;
    s.same = 8;
    run(400'000 + seed, s);
  }
  is_a_mixture();
}

TEST_F(races_of_random_programs, split_wavefronts) {
  for (unsigned seed = 0; seed < programs(400); ++seed) {
    shape s;
    s.of_lds = 5;
    s.steps = 200;
    s.of_atomics = seed % 5;
    s.same = seed % 3 * 3;
    s.most_forks = 12;
    run(500'000 + seed, s);
  }
  is_a_mixture();
}

// What is not needed any more is taken out all the time.
class races_of_random_programs_in_little_memory : public races_of_random_programs {
 protected:
  races_of_random_programs_in_little_memory() : races_of_random_programs(1) {}
};

TEST_F(races_of_random_programs_in_little_memory, all_shapes) {
  for (unsigned seed = 0; seed < programs(60); ++seed) {
    shape s;
    s.groups = 1 + seed % 5;
    s.waves = 1 + seed % 4;
    s.steps = 500;
    s.of_lds = seed % 4 * 3;
    s.of_atomics = 1 + seed % 5;
    s.same = seed % 3 * 3;
    s.most_forks = seed % 2 * 16;
    s.ends = seed % 3 == 0;
    run(600'000 + seed, s);
  }
  is_a_mixture();
}

}  // namespace
}  // namespace pws::check::races_model_test
