// SPDX-License-Identifier: Apache-2.0
// The warp pool of a SIMD unit and how warps are formed in it (warp formation paper, Fig. 11 c and 4.2): work-items
// whose next instruction can issue come in with its PC, join the warp that is being formed there, and open another one
// where their lanes are taken. A warp leaves the pool when it issues.
//
// Work-items are not held one by one but by path: all work-items of a path that is in the pool are in one warp. Where
// only some of them find room, the path is cut.
#pragma once

#include <cstdint>
#include <vector>

#include "base/state_archive.h"
#include "models/formation/formation_statistics.h"
#include "models/formation/majority_table.h"
#include "models/formation/pc_warp_lut.h"
#include "models/machine/machine_config.h"

namespace pws::models {

struct dispatch;

// A path of the SIMD unit: the slot of its context.
using path_id = uint16_t;

// Work-items of a path that come to the pool.
struct pool_entry {
  path_id path = 0;
  uint64_t lanes = 0;      // their home lanes, a bit each
  uint32_t passed = 0;     // post-dominators that they have passed
  bool exchanged = false;  // even and odd home lanes are, against the order of their numbers
};

// Work-items at one PC that come together: from one issued warp, by one warp update register.
struct pool_request {
  uint64_t pc = 0;
  const dispatch* kernel = nullptr;  // warps are of one dispatch
  uint8_t port = 0;                  // that the instruction issues to
  std::vector<pool_entry> entries;   // ordered by comes_before
};

// The owner of the paths.
class path_cutter {
 public:
  // Takes the work-items with these home lanes out of `path`; the new path that has them.
  virtual path_id cut(path_id path, uint64_t lanes) = 0;

 protected:
  ~path_cutter() = default;
};

// A warp in the pool.
struct formed_warp {
  uint64_t pc = 0;
  const dispatch* kernel = nullptr;
  uint64_t number = 0;    // in the order in which warps were opened
  uint64_t occupied = 0;  // home lanes of its work-items
  uint32_t work_items = 0;
  uint32_t passed = 0;  // fewest post-dominators that one of its work-items has passed
  uint8_t port = 0;
  uint32_t lut_entry = pc_warp_lut::none;   // that points here
  uint32_t counter = majority_table::none;  // entry of the majority table
  uint32_t place = 0;                       // among those in use
  std::vector<pool_entry> members;
};

class warp_pool {
 public:
  // `capacity`: warps. `joins`: work-items join warps that are there (dwf); else each request opens one.
  warp_pool(const machine_config& c, uint32_t capacity, bool joins, formation_statistics& statistics);

  // Takes a request in, front to back. False if no warp was free: what is left of the request comes again later.
  bool enter(pool_request& r, path_cutter& owner);
  // The warp that issues, of those whose ports are among `ports` (a bit each); nullptr: there is none. (4.3)
  const formed_warp* pick(uint32_t ports);
  // It has issued; its members go to `members`.
  void take(const formed_warp& w, std::vector<pool_entry>& members);

  bool empty() const { return in_use_.empty(); }
  uint32_t in_use() const { return static_cast<uint32_t>(in_use_.size()); }
  // Ports that warps of the pool want, a bit each.
  uint32_t wanted() const;
  // In no particular order.
  const formed_warp& at(uint32_t place) const { return warps_[in_use_[place]]; }
  const pc_warp_lut& lut() const { return lut_; }
  const majority_table& counted() const { return majority_; }
  // While it is empty.
  void keep(state_archive& a) {
    for (uint32_t& w : free_) a.index(w, warps_.size());
    lut_.keep(a);
    majority_.keep(a);
    a(current_pc_, opened_, uncounted_);
  }

 private:
  uint32_t open(const pool_request& r);
  uint64_t room_for(const formed_warp& w, const pool_entry& e) const;
  void join(formed_warp& w, const pool_entry& e);
  bool fill(uint32_t warp, pool_request& r, path_cutter& owner);
  void point_to(uint64_t pc, uint32_t& entry, uint32_t warp);
  void count(formed_warp& w, uint32_t work_items);
  void count_oldest();
  bool counts() const { return heuristic_ == issue_heuristic::majority || heuristic_ == issue_heuristic::minority; }
  struct priority {
    uint64_t first, second, number;
    bool before(const priority& o) const {
      if (first != o.first) return first < o.first;
      if (second != o.second) return second < o.second;
      return number < o.number;
    }
  };
  priority priority_of(const formed_warp& w) const;

  const uint32_t warp_size_;
  const bool lane_aware_, joins_;
  const issue_heuristic heuristic_;
  formation_statistics& statistics_;
  std::vector<formed_warp> warps_;
  std::vector<uint32_t> free_;    // the warp allocator: indices of warps_
  std::vector<uint32_t> in_use_;  // indices of warps_ that are allocated
  pc_warp_lut lut_;
  majority_table majority_;
  uint64_t current_pc_ = 0;  // majority: that issues until it has no warp left
  uint64_t opened_ = 0;
  bool uncounted_ = false;  // a warp may be without an entry of the majority table
};

}  // namespace pws::models
