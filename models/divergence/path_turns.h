// SPDX-License-Identifier: Apache-2.0
// What schemes have in common whose paths take turns: a wavefront has one pipeline and one instruction buffer, and one
// of its paths issues at a time. When that one stops, another goes on, in the order of a table. Schemes differ in when
// a path stops before its merge.
//
// Paths become one at convergence barriers. A `split` opens one, whose participants are the work-items of the path; a
// `merge` is where a path waits at the innermost one that it has open. When all participants are there, they go on as
// one path, and the barrier that was open before is the innermost one again. Participants that have ended are not
// waited for. Those that have yielded are not waited for either, until they have their turn again: they pass later, by
// themselves, each barrier that the others have passed meanwhile. Paths that have passed all barriers apart stay apart,
// and each takes part in s_barrier by itself.
//
// Each path has a context, so that what it has under way goes on while others issue. The first is the wavefront's own.
#pragma once

#include <vector>

#include "models/divergence/divergence_scheme.h"

namespace pws::models {

// Where its values stand in the debug window's record of the wavefront's context.
namespace turns_record {
constexpr uint64_t active = 0x24;   // 32 bits: number of the path that issues, from 1; 0: none does
constexpr uint64_t count = 0x38;    // 32 bits: paths; 0: the wavefront is in one piece
constexpr uint64_t entries = 0x40;  // oldest first
constexpr uint64_t entry_bytes = 24;
constexpr uint64_t pc = 0, mask = 8;          // in an entry, 64 bits each
constexpr uint64_t place = 16, barrier = 20;  // 32 bits each: turn_path::place, barriers that the path has open
constexpr uint32_t entries_shown = 40;        // what a record has room for
}  // namespace turns_record

// A path of a wavefront.
struct turn_path {
  // What it does. Values appear in the waveform; append only.
  enum class place : uint8_t {
    active = 1,      // it has its turn
    ready = 2,       // it waits for its turn
    stalled = 3,     // for memory, while others have their turn
    at_merge = 4,    // for others, at its innermost convergence barrier
    at_barrier = 5,  // for other wavefronts, at s_barrier
  };
  static constexpr uint32_t no_barrier = ~uint32_t{0};

  wf_context* context = nullptr;
  uint32_t barrier = no_barrier;  // innermost one that it has open
  place where = place::ready;
  bool begun = false;     // it has had a turn
  bool yielded = false;   // since it had its last one
  uint32_t branches = 0;  // taken backward branches in this turn; schemes where they count
  uint64_t join = 0;      // the merge behind which it goes on when it has its turn; 0: it goes on at its PC
};

class path_turns : public divergence_scheme {
 public:
  bool diverges(const wf_context&, const isa::inst&) const override { return true; }
  after_divergence execute(wf_context& w, const isa::inst& i, swf_scheduler& s) override;
  void check_barrier(const wf_context& w) const override;
  void check_grid_barrier(const wf_context& w) const override;
  void waits_at_barrier(wf_context& w, swf_scheduler& s) override;
  void leaves_barrier(wf_context& w, swf_scheduler& s) override;
  void ended(wf_context& w, swf_scheduler& s) override;
  std::vector<shown_register> shown() const override;
  void show(const wf_context& c, uint64_t* values) const override;

  // The paths of the wavefront in `w`, oldest first; none or one while it is in one piece.
  const std::vector<turn_path>& paths(const wf_context& w) const { return of(w).paths; }

 protected:
  using place = turn_path::place;
  // A convergence barrier that is open. They lie in one list for each wavefront, so that none is allocated twice.
  struct convergence_barrier {
    uint64_t participants = 0;  // work-items that have neither passed it nor ended; 0: it is free
    uint32_t outer = turn_path::no_barrier;
    uint32_t depth = 0;  // 1: outermost
    bool passed = false;
  };
  // What a wavefront's paths share.
  struct wavefront {
    std::vector<turn_path> paths;
    std::vector<convergence_barrier> barriers;
  };

  // `entries`: paths that may have begun and not come to their merge. `switch_cycles`: from one path to the next.
  path_turns(const machine_config& c, context_map& contexts, uint32_t entries, uint32_t switch_cycles);
  wavefront& of(const wf_context& w) { return wavefronts_[w.tdm_requester.place]; }
  const wavefront& of(const wf_context& w) const { return wavefronts_[w.tdm_requester.place]; }
  static turn_path& path_of(wavefront& v, const wf_context& w);  // which there is
  static turn_path* active_path(wavefront& v);
  void give_turn(turn_path& to, swf_scheduler& s);
  // The path in `w`, which has its turn, lets the next one have it and is `as` meanwhile. False if there is no other.
  bool pass_turn(wavefront& v, wf_context& w, place as, swf_scheduler& s);
  // As pass_turn(); nobody who waits at a barrier waits for it any more.
  bool yield(wavefront& v, wf_context& w, swf_scheduler& s);

 private:
  void keep_paths(state_archive& a) override;
  void split(wavefront& v, wf_context& w, uint64_t mask, swf_scheduler& s);
  uint32_t open_barrier(wavefront& v, uint32_t outer, uint64_t participants);
  after_divergence arrive(wavefront& v, wf_context& w, swf_scheduler& s);
  wf_context* pass_if_complete(wavefront& v, uint32_t barrier, swf_scheduler& s);
  void absorb(wf_context& w, wf_context& other) const;
  void drop(wavefront& v, size_t path, swf_scheduler& s);
  void pass_all_complete(wavefront& v, uint32_t barrier, swf_scheduler& s);
  static size_t number_of(const wavefront& v, const turn_path& p) { return static_cast<size_t>(&p - v.paths.data()); }
  turn_path* next_of(wavefront& v, size_t first, size_t looked_at) const;
  void pass_to_next(wavefront& v, size_t first, uint64_t time, swf_scheduler& s);

  context_map& contexts_;
  const uint32_t limit_;  // barriers that a path can have open
  const uint32_t entries_, switch_cycles_;
  std::vector<wavefront> wavefronts_;  // by tdm_requester.place
};

}  // namespace pws::models
