// SPDX-License-Identifier: Apache-2.0
// The front end of the warp formation paper's machines (divergence pdom, naive, dwf, mimd): every cycle one warp of a
// SIMD unit issues, made of work-items whose next instruction is the same. It stands beside the pipeline and shares
// with it units, contexts, scoreboards and counters, instruction semantics, memory interface and statistics.
//
// A path's next instruction is fetched and looked up in its scoreboard as soon as the one before has issued; from the
// cycle in which it can issue the path is in the SIMD unit's warp pool. There it joins a warp at its PC (dwf), or is a
// warp by itself (pdom, naive). With mimd there are no warps: each cycle as many work-items issue as a warp has lanes.
//
// A path executes with its own scalar registers, so a warp's scalar instruction is executed once per path, but takes
// one slot of the scalar ALU. A warp's memory instruction is one: it coalesces over all its work-items, and all its
// paths count it.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "base/state_archive.h"
#include "models/compute_unit/issue_time.h"
#include "models/compute_unit/timing_engine.h"
#include "models/flow/code_table.h"
#include "models/formation/home_lanes.h"
#include "models/formation/instruction_blocks.h"
#include "models/formation/ready_ring.h"
#include "models/formation/warp_pool.h"
#include "models/machine/machine_config.h"

namespace pws::models {

// mimd: the lanes of a vector ALU, each with an instruction of its own.
class vector_lanes {
 public:
  explicit vector_lanes(uint32_t lanes) : free_from_(lanes) {}

  uint32_t free(cycle_t now) const {
    return static_cast<uint32_t>(
        std::count_if(free_from_.begin(), free_from_.end(), [now](cycle_t at) { return at <= now; }));
  }
  // Takes a lane that is free at `now`.
  void take(cycle_t now, cycle_t until) {
    *std::find_if(free_from_.begin(), free_from_.end(), [now](cycle_t at) { return at <= now; }) = until;
  }
  // The first cycle at which one is free.
  cycle_t next() const { return *std::min_element(free_from_.begin(), free_from_.end()); }
  // Its state, saved or restored.
  void keep(state_archive& a) { a.bytes(free_from_.data(), free_from_.size()); }

 private:
  std::vector<cycle_t> free_from_;
};

class warp_scheduler final : public timing_engine {
 public:
  warp_scheduler(cu_parts& cu, engine_host& host);
  ~warp_scheduler() override;

  void start(wf_context& root, cycle_t at) override;
  void tick(cycle_t now) override;
  void leave_barrier(wf_context& context, cycle_t at) override;
  void completed(ticket t, cycle_t at) override;
  void keep(state_archive& a) override;

  const formation_statistics& statistics(simd_id simd) const { return unit(simd).statistics; }
  const warp_pool& pool(simd_id simd) const { return unit(simd).pool; }
  // What a SIMD unit issued in its latest cycle in which it did: PC, mimd: one of them, and work-items.
  struct issued_warp {
    uint64_t pc = 0;
    uint32_t work_items = 0;
    cycle_t at = never;
  };
  const issued_warp& latest(simd_id simd) const { return unit(simd).latest; }

 private:
  // What the scheduler keeps of a path, beside its context.
  struct path {
    uint64_t source = 0;      // the warp that it issued in last, by the order in which warps issued
    uint64_t place = 0;       // in the order in which paths did, the same for both parts of one that is cut
    uint32_t passed = 0;      // post-dominators (4.3)
    bool first_here = false;  // of an instruction in two blocks, the first has been here
    bool waits = false;       // for memory operations of which it is not known when they are done
  };
  // The members of a warp that issues, with the instruction that all of them are at.
  struct issue_group {
    const isa::inst* next = nullptr;
    std::vector<pool_entry> members;
  };
  // A path that is ready in this cycle.
  struct arrival {
    uint64_t source = 0, pc = 0, place = 0;
    path_id path = 0;
    bool operator<(const arrival& o) const {
      if (source != o.source) return source < o.source;
      return pc != o.pc ? pc > o.pc : place < o.place;
    }
  };
  struct simd_state final : path_cutter {
    simd_state(warp_scheduler& owner, simd_unit& unit);
    path_id cut(path_id p, uint64_t lanes) override { return owner.cut(*this, p, lanes); }

    warp_scheduler& owner;
    simd_unit& unit;
    formation_statistics statistics;
    warp_pool pool;
    instruction_blocks blocks;
    ready_ring ring;
    std::vector<path> paths;                     // by slot of their contexts
    std::vector<path_id> arriving;               // that are ready in this cycle
    std::vector<pool_request> requests;          // that wait for an update register, or for a warp
    std::vector<std::vector<pool_entry>> spare;  // of requests that have entered, to be used again
    std::vector<path_id> waiting;                // mimd: ready, in the order in which they became so
    vector_lanes alu_lanes;                      // mimd
    uint64_t lane_cycles = 0;                    // mimd: for which they work, less than makes a cycle of the unit
    uint32_t live = 0;                           // paths
    cycle_t looked_at = never;                   // the last cycle that is in the statistics
    bool ready_before = false;                   // and after it paths were ready that no unit took
    issued_warp latest;
  };
  // Paths that wait for what was asked for with a ticket.
  struct asked {
    simd_state* fetches = nullptr;  // a block of its buffer; nullptr: a memory operation
    uint32_t block = 0;
    std::vector<wf_context*> paths;
  };

  simd_state& unit(simd_id s) { return *units_[s.value]; }
  const simd_state& unit(simd_id s) const { return *units_[s.value]; }
  simd_state& unit_of(const wf_context& c) { return unit(c.simd); }
  path& path_of(const wf_context& c) { return unit_of(c).paths[c.slot.value]; }
  static wf_context& context_of(simd_state& s, path_id p) { return s.unit[slot_id(p)]; }
  pool_entry entrant_of(simd_state& s, path_id p);

  // ---- Paths (warp_paths.cpp)
  void enter(wf_context& c, cycle_t issued_at);
  path_id cut(simd_state& s, path_id p, uint64_t lanes);
  void begin(wf_context& context, const wf_context& from) override;
  void leave(wf_context& swf) override;
  [[noreturn]] void joins_nothing() const;
  void resume(wf_context&, uint64_t) override { joins_nothing(); }
  void replace(wf_context&) override { joins_nothing(); }
  void suspend(wf_context&) override { joins_nothing(); }
  void release(wf_context&) override { joins_nothing(); }
  void take_turn(wf_context&, cycle_t) override { joins_nothing(); }
  // Fetches and looks up what the path is at, which the instruction before allows from `earliest` on.
  void prepare(wf_context& c, cycle_t earliest);
  bool fetched(simd_state& s, wf_context& c, cycle_t& here);
  void ready(wf_context& c, cycle_t at);
  void wait_for(wf_context& c, const counter_limits& limits);
  void drain(wf_context& c);
  void fetch(simd_state& s, cycle_t now);
  ticket acquire_ticket();
  void release_ticket(ticket t);

  // ---- Cycles (warp_scheduler.cpp)
  void tick(simd_state& s, cycle_t now);
  void account(simd_state& s, cycle_t now);
  void collect(simd_state& s);
  static pool_request request_of(simd_state& s, const arrival& a);
  void fill_pool(simd_state& s);
  uint32_t issue_warp(simd_state& s, cycle_t now);
  uint32_t issue_work_items(simd_state& s, cycle_t now);
  void plan(simd_state& s, cycle_t now, bool issued, uint32_t active);
  uint32_t free_ports(const simd_state& s, cycle_t now) const;

  // ---- Execution (warp_execution.cpp)
  // Executes and returns how many work-items were active.
  uint32_t issue(simd_state& s, issue_group& g, cycle_t now);
  uint32_t count(simd_state& s, const issue_group& g, cycle_t now);
  void execute(simd_state& s, const issue_group& g, cycle_t now);
  void scalar_alu(simd_state& s, const issue_group& g, cycle_t now);
  void vector_alu(simd_state& s, const issue_group& g, cycle_t now);
  void branch(simd_state& s, const issue_group& g, cycle_t now);
  void memory(simd_state& s, const issue_group& g, cycle_t now);
  void barrier(simd_state& s, const issue_group& g, cycle_t now);
  void end(simd_state& s, const issue_group& g, cycle_t now);
  template <class F>  // executes for the members, one after the other; `then` says what that means for a path
  void each(simd_state& s, const issue_group& g, cycle_t now, F then);
  uint32_t bank_conflict(const issue_group& g) const;
  // The path goes on behind the instruction that it has executed, or the barrier that it has waited at.
  void go_on(wf_context& c, cycle_t earliest);

  requester who(const simd_state& s) const;

  const bool mimd_, joins_;
  const bool counts_post_dominators_;
  const uint32_t warp_size_;
  const cycle_t warp_cycles_;  // that a full-rate instruction occupies a VALU
  const home_lanes lanes_;
  model_execution model_;
  std::vector<std::unique_ptr<simd_state>> units_;
  std::vector<asked> asked_;  // by ticket
  std::vector<ticket> free_tickets_;
  std::vector<wf_context*> told_;    // of `completed`
  std::vector<path_id> arrived_;     // of a fetch
  std::vector<arrival> arrivals_;    // of the SIMD unit that is looked at
  issue_group group_;                // that issues now
  std::vector<issue_group> groups_;  // mimd
  shared_access access_;
  cycle_t earliest_ = 0;   // what happens now has consequences from this cycle on
  cycle_t begins_at_ = 0;  // paths that begin now can issue
  uint32_t slowdown_ = 1;  // of the warp that issues: how often its registers are read, one home lane at a time
  bool launching_ = false;
  uint64_t issues_ = 0, places_ = 0;  // in which paths have issued
  cfg::code_tables tables_;
};

template <class F>
void warp_scheduler::each(simd_state& s, const issue_group& g, cycle_t now, F then) {
  for (const pool_entry& e : g.members) {
    wf_context& c = context_of(s, e.path);
    cu_.executing = &c;
    c.state.time = now;
    step_.execute<true, audience::observers>(model_, c, *g.next, now);
    then(c);
  }
}

}  // namespace pws::models
