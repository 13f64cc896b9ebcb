// SPDX-License-Identifier: Apache-2.0
// Races: two accesses of the same byte by different paths, at least one of them a write and at least one not atomic,
// that nothing orders. What orders is in docs/checks.md. The method is FastTrack's (Flanagan and Freund, "FastTrack:
// Efficient and Precise Dynamic Race Detection", PLDI 2009): the last write of a byte is kept as a path and its time,
// the reads since as a set.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "models/check/finding.h"
#include "models/check/races/access_sets.h"
#include "models/check/races/paths.h"
#include "models/check/shadow/byte_shadow.h"

namespace pws::check {

// What an instruction does to memory. Lanes in `mask` have an address, of device memory or in the workgroup's LDS.
struct race_access {
  enum class kind : uint8_t {
    load,
    past_cache,  // a load with glc: how atomic and volatile loads look; in LDS, one that waits for its value
    store,
    atomic,            // read-modify-write whose result nobody gets
    returning_atomic,  // ... is returned
  };
  kind does = kind::load;
  bool in_lds = false;
  bool counts_for_vmcnt = false;
  bool may_take_a_lock = false;  // a returning atomic that puts a given value there
  uint32_t bytes = 0;            // per lane, at most 64
  uint64_t pc = 0;
  uint64_t mask = 0;
  const uint64_t* address = nullptr;  // of 64
  // What a store writes, a row for each dword; nullptr: not known. A lane's value is in [row][lane].
  const uint32_t (*data)[64] = nullptr;
};

class races {
 public:
  // `most_kept`: sets of readers, locations of atomics and versions of what paths know (each of which counts for
  // several), from which on those that no byte has any more are taken out.
  explicit races(finding_sink& sink, size_t most_kept = size_t{1} << 17);
  races(const races&) = delete;
  races& operator=(const races&) = delete;

  void launch_begins();
  workgroup_id workgroup_started(uint32_t lds_bytes);
  void workgroup_ended(workgroup_id g);
  // All paths of the workgroup are at its barrier.
  void barrier(workgroup_id g);
  paths& who() { return paths_; }

  void access(path_id p, const race_access& a);
  // Sets and locations that are kept.
  size_t kept() const { return sets_.size() + lds_sets_ + locations_.size(); }
  // What paths knew when, as far as others may still learn of it.
  size_t kept_versions() const { return paths_.versions(); }
  // How many accesses of others stores and atomics of memory have been compared with so far, beside last writes, and
  // what was looked at to hear of them.
  uint64_t visited() const { return sets_.visited() + visited_; }

 private:
  // The last write of a byte or dword, and where its other accesses are.
  struct cell {
    path_id path = 0;
    uint32_t clock = 0;
    uint32_t place = 0;
    uint32_t value = 0;
    set_id others = 0;     // reads, and writes of the same value
    uint32_t atomics = 0;  // in locations_
    uint32_t parts = 0;

    cell part(unsigned byte) const {
      cell c = *this;
      c.value = value >> (8 * byte) & 0xff;
      c.parts = 0;
      return c;
    }
  };
  // cell::place: the instruction's number, its lane, and
  static constexpr uint32_t released =
      place_tells;                            // all that the path had done before was done: others may learn of it
  static constexpr uint32_t value_known = 2;  // cell::value is what it wrote
  static constexpr uint32_t polled = 4;       // loads past the cache have looked at it
  static constexpr uint32_t looked = 2;       // atomic_access::place: its value was returned
  static constexpr uint32_t untold = 4;       // atomic_access::place, in memory: location::untold has it
  static constexpr uint32_t may_hold = 4;     // atomic_access::place, in LDS: the path may have taken a lock there
  static uint32_t lane_of(uint32_t place) { return place >> 3 & 63; }
  static uint32_t instruction_of(uint32_t place) { return place >> place_bits; }

  struct atomic_access {
    path_id path;
    uint32_t clock;
    uint32_t place;     // with `released`
    uint32_t told = 0;  // the last time at which it released; 0: none
    // The last one whose value was not returned.
    uint32_t no_return_clock = 0;  // 0: none
    uint32_t no_return_place = 0;
  };
  // Who hears of those that have released need not go through them: `told` is all that they have told together. Who is
  // in `untold` comes into it when somebody listens, so that counters which nobody looks at cost no more.
  struct location {
    std::vector<atomic_access> by;  // by path, the latest of each
    size_t prune_at = 16;
    std::vector<path_id> untold;
    knowledge told;
    knowledge over_for;  // for who knows this all of `by` are over; nullptr: not known

    std::vector<atomic_access>::iterator at(path_id p) {
      return std::lower_bound(by.begin(), by.end(), p, [](const atomic_access& a, path_id x) { return a.path < x; });
    }
  };
  // Which cells' contents belong to things that are over.
  struct floors {
    path_id path = 1;
    set_id set = 1;
    uint32_t location = 1;
  };
  static constexpr size_t lds_recent = 64;
  static constexpr size_t version_weight = 4;  // in sets: its clock tree is larger
  struct group_memory {
    byte_shadow<cell> lds;
    access_sets sets{lds_recent};  // of its cells; all are forgotten at each barrier
    floors since;
  };
  // One instruction in progress.
  struct step {
    path* p;
    const race_access* a;
    access_sets* sets;   // of the memory that it accesses; nullptr: it has none
    size_t sets_before;  // of LDS
    floors since;
    uint32_t place;  // without lane
    bool releases;
    uint32_t lane;
    set_id memo_from = 0, memo_to = 0;
    path_id ordered_path = 0;  // its write at ordered_clock is over for this instruction
    uint32_t ordered_clock = 0;
    set_id past_set = 0;      // all its accesses are over for this instruction
    bool lanes_meet = false;  // perhaps
  };
  static constexpr std::string_view write_write = "race_write_write", read_write = "race_read_write",
                                    atomic_plain = "race_atomic_plain",
                                    in_one_instruction = "same_instruction_write_write";
  struct found {
    std::string_view rule;
    const char* here_is;
    const char* other_is;
    path_id other;
    uint32_t other_place;
    uint64_t other_lanes;
    uint64_t lanes;
    uint64_t address;
    uint32_t bytes;
  };

  // Members are defined where they belong: races_lanes.cpp has loads and stores of a wavefront, races_rules.cpp what is
  // a race, races_messages.cpp who hears of whom, races_collection.cpp what is given back, races_findings.cpp the
  // words.
  byte_shadow<cell>* memory_of(step& s);
  template <class F>
  void for_cells(step& s, F&& f);
  struct page_lines;
  page_lines* lines_of(uint64_t page_number);
  uint64_t load_lines(step& s);
  set_id set_with_load(step& s, set_id others);
  void load_lanes(step& s);
  void store_lanes(step& s);
  // Without looking for what the path knows: a write of its own, one that nothing can race with any more, or the one
  // that was found to be over before.
  static bool seems_over(const step& s, const cell& c) {
    return c.path == s.p->id || c.path < s.since.path || (c.path == s.ordered_path && c.clock == s.ordered_clock);
  }
  // `polled`, if loads past the cache have looked at the cell since its memory began.
  static uint32_t polled_before(const step& s, const cell& c) {
    if ((c.place & polled) == 0) return 0;  // mostly
    return c.path >= s.since.path || (c.path == 0 && c.clock == s.since.path) ? polled : 0;
  }
  bool write_is_over(step& s, const knowledge& known, const cell& c);
  void load(step& s, cell& c, uint64_t address, uint32_t bytes);
  void load_past_cache(step& s, cell& c);
  void store(step& s, cell& c, uint64_t address, uint32_t bytes);
  bool unlocks(const step& s, const cell& c);
  void update(step& s, cell& c, uint64_t address, uint32_t bytes);
  void acquire_from(step& s, const cell& c);
  void acquire_from_group(step& s, location& l);
  void gather_told(location& l);
  location& location_of(step& s, cell& c);
  template <class F>
  bool each_not_over(step& s, const knowledge& k, location& l, F&& f);
  void prune(step& s, location& l);
  void check_lanes(step& s);
  uint32_t value_of(const step& s, uint64_t address, uint32_t bytes) const;

  bool over(const step& s, const knowledge& k, path_id p, uint32_t clock) const {
    return p < s.since.path || paths_.is_over(*s.p, k, p, clock);
  }
  bool has_atomics(const step& s, const cell& c) const { return c.atomics >= s.since.location; }
  bool has_others(const step& s, const cell& c) const { return c.others >= s.since.set && c.others != 0; }
  location& atomics_of(const cell& c) { return locations_[c.atomics - first_location_]; }

  void forget_sets(group_memory& g);
  void collect();
  void note(step& s, std::string_view rule, const char* here_is, const char* other_is, path_id other,
            uint32_t other_place, uint64_t other_lanes, uint64_t address, uint32_t bytes);
  void report(const step& s);
  uint32_t number_of(uint64_t pc);

  finding_sink& sink_;
  const size_t least_collected_;
  size_t collect_at_;
  paths paths_;
  access_sets sets_;  // of memory's cells
  byte_shadow<cell> memory_;
  size_t lds_sets_ = 0;  // in all groups_
  // For pages of memory without cells: all accesses were loads of whole lines, side by side.
  static constexpr uint64_t line_bytes = 64, line_dwords = line_bytes / 4;
  struct page_lines {
    std::array<set_id, byte_shadow<cell>::page_bytes / line_bytes> others{};
  };
  std::unordered_map<uint64_t, page_lines> lines_;
  struct recent_page {
    bool known = false;
    uint64_t number = 0;
    page_lines* lines = nullptr;  // nullptr: it has cells
  };
  std::array<recent_page, 64> recent_lines_{};
  std::deque<location> locations_;
  uint32_t first_location_ = 1;
  std::unordered_map<workgroup_id, std::unique_ptr<group_memory>> groups_;
  std::vector<std::unique_ptr<group_memory>> unused_;
  workgroup_id last_group_ = 0;
  group_memory* last_memory_ = nullptr;
  std::unordered_map<uint64_t, uint32_t> numbers_;  // of instructions, by pc
  std::vector<uint64_t> pcs_;
  uint64_t last_pc_ = ~uint64_t{0};
  uint32_t last_number_ = 0;
  std::vector<paths::lesson> acquired_;
  std::vector<knowledge> told_;
  uint64_t visited_ = 0;
  std::vector<found> found_;
};

}  // namespace pws::check
