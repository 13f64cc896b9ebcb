// SPDX-License-Identifier: Apache-2.0
#include "models/divergence/path_turns.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/context/wavefront.h"
#include "models/divergence/shown_registers.h"
#include "models/isa/scalar/split_operand.h"
#include "models/machine/occupancy.h"

namespace pws::models {

path_turns::path_turns(const machine_config& c, context_map& contexts, uint32_t entries, uint32_t switch_cycles)
    : divergence_scheme(c),
      contexts_(contexts),
      limit_(c.child_stack_entries),
      entries_(entries),
      switch_cycles_(switch_cycles),
      wavefronts_(contexts_of_cu(c)) {}

turn_path& path_turns::path_of(wavefront& v, const wf_context& w) {
  return *std::find_if(v.paths.begin(), v.paths.end(), [&](const turn_path& p) { return p.context == &w; });
}

after_divergence path_turns::execute(wf_context& w, const isa::inst& i, swf_scheduler& s) {
  wavefront& v = of(w);
  if (v.paths.empty()) {
    turn_path& whole = v.paths.emplace_back();
    whole.context = &w;
    whole.where = place::active;
    whole.begun = true;
  }
  if (i.unit == isa::unit::merge) return arrive(v, w, s);
  split(v, w, isa::split_operand(w.state, i), s);
  return after_divergence::goes_on;
}

// ---- splits and convergence barriers

void path_turns::split(wavefront& v, wf_context& w, uint64_t mask, swf_scheduler& s) {
  turn_path& own = path_of(v, w);
  own.barrier = open_barrier(v, own.barrier, w.state.split_mask);
  if (!diverges_by(w, mask)) {
    ++statistics_.one_sided;
    return;
  }
  ++statistics_.splits;
  turn_path sibling;
  sibling.context = &cut_path(contexts_, w, w.state.split_mask & ~mask);
  sibling.barrier = own.barrier;
  v.paths.push_back(sibling);
  statistics_.paths_in_turn = std::max<uint64_t>(statistics_.paths_in_turn, v.paths.size());
  s.begin(*sibling.context, w);
  s.suspend(*sibling.context);
}

uint32_t path_turns::open_barrier(wavefront& v, uint32_t outer, uint64_t participants) {
  const uint32_t depth = outer == turn_path::no_barrier ? 1 : v.barriers[outer].depth + 1;
  if (depth > limit_)
    throw program_error(
        fmt::format("all {} convergence barriers of this path are open: so many splits wait for their merge "
                    "(child_stack_entries)",
                    limit_));
  statistics_.open_barriers = std::max<uint64_t>(statistics_.open_barriers, depth);
  auto free = std::find_if(v.barriers.begin(), v.barriers.end(),
                           [](const convergence_barrier& b) { return b.participants == 0; });
  if (free == v.barriers.end()) free = v.barriers.insert(free, convergence_barrier());
  *free = {participants, outer, depth, false};
  return static_cast<uint32_t>(free - v.barriers.begin());
}

after_divergence path_turns::arrive(wavefront& v, wf_context& w, swf_scheduler& s) {
  turn_path& own = path_of(v, w);
  const uint32_t barrier = own.barrier;
  if (barrier == turn_path::no_barrier) throw program_error("merge without a split: no convergence barrier is open");
  for (const turn_path& p : v.paths)
    if (p.where == place::at_merge && p.barrier == barrier && p.context->state.pc != w.state.pc)
      throw program_error(
          fmt::format("this merge meets another one, at {:#x}: the sides left their split by different ways",
                      merge_before(p.context->state)));
  own.where = place::at_merge;
  wf_context* const joined = pass_if_complete(v, barrier, s);
  if (joined == &w) {
    turn_path& whole = path_of(v, w);
    whole.where = place::active;
    whole.join = 0;
    return after_divergence::joined;
  }
  if (joined != nullptr) {
    give_turn(path_of(v, *joined), s);
  } else {
    w.become(wf_status::merge);
    pass_to_next(v, number_of(v, own) + 1, w.state.time, s);
  }
  return after_divergence::stops;
}

// If nobody is waited for at `barrier`, the paths that are at it go on as one, in the wavefront's own context or that
// of the oldest one, whose scalar registers stay. Returns that context, whose path is ready; else nullptr.
wf_context* path_turns::pass_if_complete(wavefront& v, uint32_t barrier, swf_scheduler& s) {
  const auto is_here = [&](const turn_path& p) { return p.where == place::at_merge && p.barrier == barrier; };
  uint64_t here = 0, yielded = 0;
  wf_context* into = nullptr;
  for (const turn_path& p : v.paths) {
    const uint64_t work_items = p.context->state.split_mask;
    if (p.yielded) yielded |= work_items;
    if (!is_here(p)) continue;
    here |= work_items;
    if (into == nullptr || !p.context->is_swf()) into = p.context;
  }
  convergence_barrier& b = v.barriers[barrier];
  if (into == nullptr || (b.participants & ~(here | yielded)) != 0) return nullptr;
  for (size_t k = v.paths.size(); k-- > 0;) {
    if (v.paths[k].context == into || !is_here(v.paths[k])) continue;
    ++statistics_.merges;
    absorb(*into, *v.paths[k].context);
    drop(v, k, s);
  }
  statistics_.late += b.passed;
  b.passed = true;
  b.participants &= ~here;
  turn_path& whole = path_of(v, *into);
  whole.barrier = b.outer;
  whole.where = place::ready;
  whole.join = merge_before(into->state);
  return into;
}

void path_turns::absorb(wf_context& w, wf_context& other) const {
  w.state.time = std::max(w.state.time, other.state.time);
  take_work_items(contexts_, w, other.state);
  if (carries()) w.front.join(other.front, w.state.time);
}

// The path is no more; its context is free unless it is the wavefront's own.
void path_turns::drop(wavefront& v, size_t path, swf_scheduler& s) {
  wf_context& c = *v.paths[path].context;
  v.paths.erase(v.paths.begin() + static_cast<std::ptrdiff_t>(path));
  if (!c.is_swf()) return;
  leave_wavefront(contexts_, c);
  s.leave(c);
}

// ---- turns

turn_path* path_turns::active_path(wavefront& v) {
  const auto p =
      std::find_if(v.paths.begin(), v.paths.end(), [](const turn_path& x) { return x.where == place::active; });
  return p == v.paths.end() ? nullptr : &*p;
}

// The first path of so many, from the one of number `first` on and cyclically, that can have the turn; nullptr: none.
turn_path* path_turns::next_of(wavefront& v, size_t first, size_t looked_at) const {
  const auto begun = static_cast<size_t>(std::count_if(
      v.paths.begin(), v.paths.end(), [](const turn_path& p) { return p.begun && p.where != place::at_merge; }));
  for (size_t k = first; k < first + looked_at; ++k) {
    turn_path& p = v.paths[k % v.paths.size()];
    if (p.where == place::ready && (p.begun || begun < entries_)) return &p;
  }
  return nullptr;
}

void path_turns::give_turn(turn_path& to, swf_scheduler& s) {
  ++statistics_.turns;
  to.where = place::active;
  to.begun = true;
  to.yielded = false;
  to.branches = 0;
  const uint64_t join = to.join;
  to.join = 0;
  if (join != 0)
    s.resume(*to.context, join);
  else
    s.take_turn(*to.context, switch_cycles_);
}

// The path that had its turn until `time` has stopped. If all others are stalled, whoever's data comes first is next.
void path_turns::pass_to_next(wavefront& v, size_t first, uint64_t time, swf_scheduler& s) {
  turn_path* const next = next_of(v, first, v.paths.size());
  if (next == nullptr) return;
  next->context->state.time = std::max(next->context->state.time, time);
  give_turn(*next, s);
}

bool path_turns::pass_turn(wavefront& v, wf_context& w, place as, swf_scheduler& s) {
  turn_path& own = path_of(v, w);
  const size_t first = number_of(v, own) + 1;
  if (next_of(v, first, v.paths.size() - 1) == nullptr) return false;
  own.where = as;
  s.suspend(w);
  pass_to_next(v, first, w.state.time, s);
  return true;
}

bool path_turns::yield(wavefront& v, wf_context& w, swf_scheduler& s) {
  turn_path& own = path_of(v, w);
  own.yielded = true;
  pass_all_complete(v, own.barrier, s);
  if (pass_turn(v, w, place::ready, s)) {
    ++statistics_.yields;
    return true;
  }
  path_of(v, w).yielded = false;
  return false;
}

// Lets paths pass `barrier` and those further out, where nobody is waited for.
void path_turns::pass_all_complete(wavefront& v, uint32_t barrier, swf_scheduler& s) {
  for (uint32_t b = barrier; b != turn_path::no_barrier; b = v.barriers[b].outer) {
    wf_context* const passes = pass_if_complete(v, b, s);
    if (passes != nullptr) s.suspend(*passes);  // until it has its turn
  }
}

// ---- barriers of the workgroup, and ends

void path_turns::check_barrier(const wf_context& w) const {
  const wavefront& v = of(w);
  const auto own = std::find_if(v.paths.begin(), v.paths.end(), [&](const turn_path& p) { return p.context == &w; });
  if (own == v.paths.end()) return;
  for (uint32_t b = own->barrier; b != turn_path::no_barrier; b = v.barriers[b].outer)
    if ((v.barriers[b].participants & ~w.state.split_mask) != 0)
      throw program_error("s_barrier inside a split region: the wavefront has other paths");
}

void path_turns::check_grid_barrier(const wf_context& w) const {
  if (of(w).paths.size() > 1)
    throw program_error("a barrier of the grid counts wavefronts, and this one has other paths");
}

void path_turns::waits_at_barrier(wf_context& w, swf_scheduler& s) {
  wavefront& v = of(w);
  if (v.paths.size() < 2) return;
  turn_path& own = path_of(v, w);
  own.where = place::at_barrier;
  pass_to_next(v, number_of(v, own) + 1, w.state.time, s);
}

void path_turns::leaves_barrier(wf_context& w, swf_scheduler& s) {
  wavefront& v = of(w);
  if (v.paths.empty()) return;
  turn_path& own = path_of(v, w);
  if (own.where != place::at_barrier) return;
  if (active_path(v) == nullptr) {
    own.where = place::active;
  } else {
    own.where = place::ready;
    s.suspend(w);
  }
}

void path_turns::ended(wf_context& w, swf_scheduler& s) {
  w.become(wf_status::ended);
  wavefront& v = of(w);
  if (v.paths.empty()) return s.finish(w);
  wf_context& root = *w.tree.root;
  turn_path& own = path_of(v, w);
  const uint32_t innermost = own.barrier;
  const uint64_t time = w.state.time;
  for (uint32_t b = innermost; b != turn_path::no_barrier; b = v.barriers[b].outer)
    v.barriers[b].participants &= ~w.state.split_mask;
  const size_t number = number_of(v, own);
  drop(v, number, s);
  if (v.paths.empty()) {
    root.become(wf_status::ended);
    return s.finish(root);
  }
  pass_all_complete(v, innermost, s);
  if (active_path(v) == nullptr) pass_to_next(v, number, time, s);
}

// ---- what is shown

std::vector<shown_register> path_turns::shown() const {
  namespace record = turns_record;
  std::vector<shown_register> list{{"turns.active", 32, record::active, 4}, {"turns.paths", 32, record::count, 4}};
  for (uint32_t k = 0; k < record::entries_shown; ++k) {
    const std::string path = "turns.path" + std::to_string(k) + ".";
    const bool listed = k < listed_in_waveform;
    const uint64_t at = record::entries + k * record::entry_bytes;
    list.push_back({path + "pc", listed ? 64u : 0u, at + record::pc, 8});
    list.push_back({path + "mask", listed ? 64u : 0u, at + record::mask, 8});
    list.push_back({path + "place", listed ? 32u : 0u, at + record::place, 4});
    list.push_back({path + "barriers", listed ? 32u : 0u, at + record::barrier, 4});
  }
  return list;
}

void path_turns::show(const wf_context& c, uint64_t* values) const {
  const wavefront& v = of(c);
  const size_t n = c.is_swf() ? 0 : v.paths.size();
  const auto active = std::find_if(v.paths.begin(), v.paths.begin() + static_cast<std::ptrdiff_t>(n),
                                   [](const turn_path& p) { return p.where == place::active; });
  const auto number = static_cast<size_t>(active - v.paths.begin());
  *values++ = number == n ? 0 : number + 1;
  *values++ = n;
  for (uint32_t k = 0; k < turns_record::entries_shown; ++k) {
    const bool there = k < n;
    *values++ = there ? v.paths[k].context->state.pc : 0;
    *values++ = there ? v.paths[k].context->state.split_mask : 0;
    *values++ = there ? static_cast<uint64_t>(v.paths[k].where) : 0;
    const uint32_t open = there ? v.paths[k].barrier : turn_path::no_barrier;
    *values++ = open == turn_path::no_barrier ? 0 : v.barriers[open].depth;
  }
}

void path_turns::keep_paths(state_archive& a) {
  for (wavefront& v : wavefronts_) {
    a.list(v.barriers, [](state_archive& b, convergence_barrier& c) { b(c.participants, c.outer, c.depth, c.passed); });
    const auto keep_barrier = [&](uint32_t& n) {
      a(n);
      if (n != turn_path::no_barrier && n >= v.barriers.size())
        throw bad_state("a path has a barrier that is not there");
    };
    for (convergence_barrier& c : v.barriers) keep_barrier(c.outer);
    a.list(v.paths, [&](state_archive& b, turn_path& p) {
      contexts_.keep(b, p.context);
      keep_barrier(p.barrier);
      b.index(p.where, static_cast<uint64_t>(place::at_barrier) + 1);
      b(p.begun, p.yielded, p.branches, p.join);
      if (p.context == nullptr) throw bad_state("a path has no context");
    });
  }
}

}  // namespace pws::models
