// SPDX-License-Identifier: Apache-2.0
#include "models/compute_unit/functional_engine.h"

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>

#include "base/error.h"
#include "base/state_archive.h"
#include "models/isa/idle_cycles.h"
#include "models/isa/predicates.h"

namespace pws::models {

namespace {
constexpr uint64_t in_turn_slice = 100'000;
// wave_order: random. Slices between 2^k and 2^(k + 1) are as frequent for each k: wavefronts change within a few
// instructions, and also after one has run ahead.
constexpr uint64_t slice_exponents = 10;
constexpr uint64_t most_turns = 4;  // until the next compute unit has its turns
// Who waits for the clock waits at most this part of the time longer than it has to.
constexpr uint64_t clock_steps = 64;

// The workgroup's wavefronts, then its SWFs; nullptr: there are not so many.
wf_context* nth(const resident_workgroup& g, uint64_t n) {
  if (n < g.waves.size()) return g.waves[n];
  return n - g.waves.size() < g.swfs.size() ? g.swfs[n - g.waves.size()] : nullptr;
}
}  // namespace

functional_engine::functional_engine(cu_parts& cu, engine_host& host)
    : cu_(cu),
      host_(host),
      scheme_(*cu.scheme),
      step_(cu, host, *this),
      limit_(cu.config.limits.max_instructions == 0 ? ~uint64_t{0} : cu.config.limits.max_instructions),
      slice_(in_turn_slice),
      folds_(folds_mask_instructions(cu.config)) {
  if (cu.config.wave_order == wave_order::random) {
    std::seed_seq seed{static_cast<uint32_t>(cu.config.wave_order_seed),
                       static_cast<uint32_t>(cu.config.wave_order_seed >> 32), cu.index};
    random_.emplace(seed);
  }
}

void functional_engine::start(wf_context& root) {
  polls_.erase(&root);
  scheme_.launched(root, *this);
}

bool functional_engine::run() {
  if (!resumes_) at_ = {};
  resumes_ = false;
  return random_ ? run_at_random() : run_in_turn();
}

bool functional_engine::run_in_turn() {
  for (; at_.group < cu_.groups.size(); ++at_.group) {
    resident_workgroup& g = *cu_.groups[at_.group];
    if (at_.in != nullptr || (g.live && g.unfinished != 0)) at_.more |= run_group(g);
  }
  return at_.more;
}

bool functional_engine::run_at_random() {
  if (at_.in != nullptr) {
    run_turn(*at_.in);
    --at_.turns;
  } else {
    at_.turns = 1 + (*random_)() % most_turns;
  }
  for (; at_.turns != 0 && !host_.stop_requested(); --at_.turns) {
    ready_.clear();
    for (const auto& g : cu_.groups) {
      if (!g->live || g->unfinished == 0) continue;
      if (g->barrier_complete()) leave_barrier(*g);
      for (const auto* contexts : {&g->waves, &g->swfs})
        for (wf_context* w : *contexts)
          if (w->status == wf_status::running) ready_.push_back(w);
    }
    if (ready_.empty()) return false;
    const uint64_t longest = uint64_t{1} << (*random_)() % slice_exponents;
    slice_ = longest + (*random_)() % longest;
    run_turn(*ready_[(*random_)() % ready_.size()]);
  }
  return true;
}

// True if the workgroup has used up its turn and can go on.
bool functional_engine::run_group(resident_workgroup& g) {
  while (!host_.stop_requested()) {
    run_each(g);
    if (g.unfinished == 0) return false;
    if (g.barrier_complete()) {
      leave_barrier(g);
    } else if (at_.slice_over) {
      return true;
    } else if (!at_.ran) {
      return false;  // nothing can go on
    }
  }
  return false;
}

// A slice for each context of the workgroup that can go on. SWFs come and go meanwhile.
void functional_engine::run_each(resident_workgroup& g) {
  if (at_.in == nullptr) {
    at_.wave = 0;
    at_.ran = at_.slice_over = false;
  }
  for (; at_.wave < g.waves.size() + g.swfs.size(); ++at_.wave) {
    wf_context& w = *nth(g, at_.wave);
    if (at_.in == nullptr && w.status != wf_status::running) continue;
    at_.ran = true;
    at_.slice_over |= run_turn(w);
  }
}

void functional_engine::leave_barrier(resident_workgroup& g) {
  uint64_t latest = 0;
  for (const auto* contexts : {&g.waves, &g.swfs})
    for (const wf_context* w : *contexts)
      if (w->status == wf_status::barrier) latest = std::max(latest, w->state.time);
  pass_barrier(cu_, g, cu_.clock.now(), [this, latest](wf_context& w) {
    w.state.time = latest;
    w.become(wf_status::running);
    scheme_.leaves_barrier(w, *this);
  });
}

// True if the context could go on.
bool functional_engine::run_turn(wf_context& w) {
  const outcome o = run_wave(w);
  if (o == outcome::grid_barrier) {
    host_.reached_grid_barrier(w, *w.front.next, w.state.time);
  } else if (o == outcome::ended) {
    latest_time_ = std::max(latest_time_, w.state.time);
    scheme_.ended(w, *this);
  }
  return o == outcome::slice_over;
}

// ---- splitting

void functional_engine::begin(wf_context& c, const wf_context&) {
  polls_.erase(&c);
  go_on(c);
}

void functional_engine::resume(wf_context& c, uint64_t) {
  go_on(c);
}

void functional_engine::replace(wf_context& c) {
  go_on(c);
}

void functional_engine::go_on(wf_context& c) {
  settle();
  if (c.status == wf_status::idle)
    host_.swf_started(c, cu_.clock.now());
  else
    c.become(wf_status::running);
}

void functional_engine::suspend(wf_context& c) {
  c.become(wf_status::suspended);
}

void functional_engine::release(wf_context& c) {
  c.become(wf_status::running);
}

void functional_engine::take_turn(wf_context& c, cycle_t) {
  c.become(wf_status::running);
}

void functional_engine::leave(wf_context& swf) {
  settle();
  host_.swf_left(swf, cu_.clock.now());
  cu_.unit_of(swf).release(swf);
}

void functional_engine::finish(wf_context& root) {
  settle();
  host_.wave_finished(root, cu_.clock.now());
}

// ---- execution

functional_engine::outcome functional_engine::run_wave(wf_context& c) {
  cu_.executing = &c;
  if (at_.in == nullptr) at_.end = c.state.time + slice_;
  at_.in = &c;
  outcome result = outcome::stopped;
  if (cu_.observers.any() || cu_.observers.attention != nullptr || pauses())
    result = run_in_parts(c);
  else
    result = scheme_.can_split() ? run_slice<audience::nobody, true>(c, at_.end, at_.end)
                                 : run_slice<audience::nobody, false>(c, at_.end, at_.end);
  at_.in = nullptr;
  cu_.executing = nullptr;
  return result;
}

// Whoever listens may want to hear otherwise from any instruction on. Where instructions are only counted, most parts
// are as quick as if nobody listened: no instruction takes less than a cycle, so time says when to look again.
functional_engine::outcome functional_engine::run_in_parts(wf_context& c) {
  constexpr uint64_t observed_part = 256;
  const bool splits = scheme_.can_split();
  const isa::wave_state& state = c.state;
  const struct settled_at_exit {
    functional_engine& engine;
    ~settled_at_exit() { engine.settle(); }
  } settled{*this};
  uint64_t& end = at_.end;
  outcome result = outcome::slice_over;
  do {
    const instruction_observers& all = cu_.observers;
    const uint64_t quiet = all.any() || all.attention == nullptr || pauses() ? 0 : all.attention->quiet();
    const uint64_t until = state.time + (quiet != 0 ? quiet : observed_part);
    if (quiet != 0) {
      counted_ = &c;
      result = splits ? run_slice<audience::counter, true>(c, end, until)
                      : run_slice<audience::counter, false>(c, end, until);
      settle();
    } else {
      result = splits ? run_slice<audience::observers, true>(c, end, until)
                      : run_slice<audience::observers, false>(c, end, until);
    }
  } while (result == outcome::slice_over && state.time < end);
  return result;
}

void functional_engine::settle() {
  if (uncounted_ != 0)
    cu_.observers.attention->have_begun(*counted_, std::exchange(uncounted_, 0), counted_->front.next);
}

void functional_engine::keep(state_archive& a) {
  a.section("functional engine");
  a(latest_time_, slice_);
  std::string numbers;
  if (random_) {
    std::ostringstream text;
    text << *random_;
    numbers = text.str();
  }
  a.value(numbers);
  if (random_ && a.restores() && !(std::istringstream(numbers) >> *random_))
    throw bad_state("the state of the random numbers is not one");
  a(at_.group, at_.wave, at_.ran, at_.slice_over, at_.more, at_.turns, at_.end);
  cu_.contexts.keep(a, at_.in);
  resumes_ = a.restores() && at_.in != nullptr;
  const auto is_at_its_turn = [this] {
    return at_.group < cu_.groups.size() && cu_.groups[at_.group]->live &&
           nth(*cu_.groups[at_.group], at_.wave) == at_.in;
  };
  if (resumes_ && (at_.in->status != wf_status::running || !(random_ ? at_.turns <= most_turns : is_at_its_turn())))
    throw bad_state("the wavefront whose turn it is does not run");
  keep_polls(a);
}

// In the order of the contexts.
void functional_engine::keep_polls(state_archive& a) {
  std::vector<std::pair<wf_context*, clock_poll>> polls;
  if (!a.restores())
    for (const auto& u : cu_.units)
      for (wf_context& c : u->contexts)
        if (const auto known = polls_.find(&c); known != polls_.end()) polls.emplace_back(&c, known->second);
  a.list(polls, [this](state_archive& b, auto& p) {
    cu_.contexts.keep(b, p.first);
    p.second.keep(b);
  });
  if (!a.restores()) return;
  polls_.clear();
  for (auto& [context, poll] : polls) polls_.emplace(context, std::move(poll));
}

// A step is a part of what the wavefront has waited, and no longer than its slice, in which others get as far. Where
// others decide how long it waits, it lets them go on at once. When it then finds all as it was, it has waited as long
// as they have come, of its own compute unit's by their clocks, of others by the slices that they have had.
void functional_engine::read_clock(wf_context& c, uint64_t pc, clock_poll& poll, uint64_t& end) {
  isa::wave_state& s = c.state;
  const clock_poll::finding found = poll.reads(s, pc);
  const uint64_t rest = end - std::min(end, s.time);
  if (found == clock_poll::finding::waits_for_clock) {
    // Slices of random order are short, and say nothing of time.
    s.time += std::min(poll.waited(s.time) / clock_steps, random_ ? in_turn_slice : rest);
    poll.go_on(s.time);
  } else if (found == clock_poll::finding::waits_for_memory) {
    s.time = std::max(s.time + std::min(poll.waited(s.time), poll.left_to_others), time_of_others(c));
    poll.go_on(s.time);
    poll.left_to_others = rest;
    end = s.time;
  }
  s.clock_ahead = poll.value() - s.time;
}

// The one that is least far of those in this compute unit that can go on; 0: there is none.
uint64_t functional_engine::time_of_others(const wf_context& c) const {
  uint64_t least = never;
  for (const auto& g : cu_.groups) {
    if (!g->live || g->unfinished == 0) continue;
    for (const auto* contexts : {&g->waves, &g->swfs})
      for (const wf_context* w : *contexts)
        if (w != &c && w->status == wf_status::running) least = std::min(least, w->state.time);
  }
  return least == never ? 0 : least;
}

template <audience to, bool splits>
functional_engine::outcome functional_engine::run_slice(wf_context& c, uint64_t& end_of_slice, uint64_t until) {
  constexpr bool in_parts = to != audience::nobody;
  isa::wave_state& state = c.state;
  isa::program& code = *c.code;
  const cycle_t now = to == audience::observers ? cu_.clock.now() : 0;
  const auto known = polls_.empty() ? polls_.end() : polls_.find(&c);
  clock_poll* poll = known == polls_.end() ? nullptr : &known->second;
  uint64_t end = end_of_slice;
  while (state.time < end && (!in_parts || state.time < until)) {
    if (to == audience::observers && pauses()) {
      end_of_slice = end;
      cu_.pause->pass();
    }
    c.front.next = nullptr;
    const isa::inst& i = code.at(state.pc);
    c.front.next = &i;
    ++state.time;
    if (i.is_memory()) {
      if (isa::operation_of(i) == isa::operation::read_clock) {
        if (poll == nullptr) poll = &polls_[&c];
        read_clock(c, i.pc, *poll, end);
      } else if (poll != nullptr) {
        poll->accesses(state, i);
      }
    }
    if (!splits || !folds_ || !masks_.contains(code, i.pc)) step_.count<splits>(c, i);
    if (to == audience::counter) ++uncounted_;
    switch (step_.execute<false, to, splits>(model_, c, i, now)) {
      case after_step::goes_on:
        break;
      case after_step::idles:
        state.time += isa::idle_cycles(i);
        break;
      case after_step::diverged:
      case after_step::joined:
        if (i.unit == isa::unit::branch) cu_.statistics.branches_taken += has_jumped(c, i);
        if (c.status != wf_status::running) return outcome::stopped;
        break;
      case after_step::yielded:
        state.time += isa::idle_cycles(i);
        cu_.statistics.branches_taken += i.unit == isa::unit::branch && has_jumped(c, i);
        end = 0;  // its slice is over, so that others have theirs
        break;
      case after_step::branched:
        cu_.statistics.branches_taken += has_jumped(c, i);
        break;
      case after_step::stops:
      case after_step::barrier:
        return outcome::stopped;
      case after_step::grid_barrier:
        return outcome::grid_barrier;
      case after_step::ended:
        return outcome::ended;
    }
  }
  if (in_parts) end_of_slice = end;
  if ((!in_parts || state.time >= end) && cu_.statistics.total_instructions() > limit_)
    throw program_error("limits.max_instructions reached: " + std::to_string(limit_) +
                        " wavefront instructions on this compute unit");
  return outcome::slice_over;
}

}  // namespace pws::models
