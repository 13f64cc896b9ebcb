// SPDX-License-Identifier: Apache-2.0
#include "platform/debug/debugger.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/machine/ids.h"
#include "models/machine/occupancy.h"
#include "platform/debug/step.h"
#include "platform/instruments/check/finding_report.h"

namespace pws::platform::debug {

using models::cycle_t;
using models::wf_context;

class debugger::watching_instrument : public instrument {
 public:
  watching_instrument(debugger& d, virtual_platform& board) : d_(d), board_(board) {}
  ~watching_instrument() override { d_.detach(); }
  void attach(device_runtime& runtime) override { d_.attach(board_.gpu, runtime); }
  void launch_begins(const kernel_launch& l, launch_report& r) override {
    d_.launch_begins(l, r.number);
    if (d_.given_up_) throw run_given_up();
  }
  bool launch_ended(const kernel_launch&, launch_report& r) override {
    d_.launch_ended(r);
    return true;
  }

 private:
  debugger& d_;
  virtual_platform& board_;
};

debugger::debugger(stop_listener& listener, debugged_run run, snapshot_options snapshots)
    : points([this] {
        instructions_->ask_at(points.places());
        instructions_->ask_always(points.has(point_kind::finding));
        note_attention();
      }),
      listener_(listener),
      run_(std::move(run)),
      instructions_(std::make_unique<models::instruction_attention>(static_cast<models::execution_observer&>(*this))),
      snapshots_(snapshots) {}
debugger::~debugger() = default;

void debugger::add_to(session_options& o) {
  o.one_more = [this](virtual_platform& board) { return std::make_unique<watching_instrument>(*this, board); };
  o.is_repeating = [this] { return is_repeating(); };
  o.found = [this](const described_finding& f) { found(f); };
}

void debugger::attach(const models::gpu& gpu, const loaded_code& code) {
  view_ = std::make_unique<machine_view>(gpu, code);
  places_ = std::make_unique<places>(code);
  units_ = models::layout_of(gpu.config).count();
  contexts_ = models::contexts_per_unit(gpu.config);
  beginnings_.assign(size_t{gpu.config.n_cu} * units_ * contexts_, {});
  instructions_->restart();
  launches_.clear();
  loadings_.clear();
  const bool goes_on = run_.end && !run_.found_launch;  // a program's machine is another one behind a reset
  if (!goes_on) first_has_begun_ = false;
  next_look_ = 0;
  snapshots_.clear();
  given_up_ = again_ = faulted_ = false;
  step_.reset();
  for (const auto& p : points.all()) {
    if (!back_ && !goes_on) p->hits = 0;
    p->last.reset();
  }
  note_attention();
  hear();
}

models::execution_observer::interests debugger::wants() const {
  interests w;
  w.issuing = false;
  w.attention = instructions_.get();
  w.accessed = points.watches_memory();
  w.issued = points.has(point_kind::value);
  return w;
}

void debugger::hear() {
  models::execution_observer* const ears = this;
  hearing_.reset();
  heard_ = wants();
  hearing_.emplace(view_->gpu, ears);
}

void debugger::detach() {
  hearing_.reset();
  places_.reset();
  view_.reset();
}

size_t debugger::index_of(uint32_t cu, const wf_context& c) const {
  return (size_t{cu} * units_ + c.unit.value) * contexts_ + c.slot.value;
}

std::optional<uint64_t> debugger::latest_of(const path& p) const {
  const size_t k = index_of(p.cu, *p.context);
  if (k >= beginnings_.size()) return std::nullopt;
  // What a context has counted before it had this path is of another one.
  const beginning& b = beginnings_[k];
  if (p.context->begun > b.position) return p.context->begun - 1;
  return b.by_split ? std::optional(b.position - 1) : std::nullopt;
}

cycle_t debugger::latest_at() const {
  const models::gpu& gpu = view_->gpu;
  return gpu.config.fidelity == models::fidelity::timing ? instructions_->latest_at() : gpu.clock.now();
}

// ---- Launches

const watched_launch& debugger::launch_numbered(uint64_t n) const {
  if (launches_.empty()) throw input_error("no kernel has been launched so far");
  for (const watched_launch& l : launches_)
    if (l.number == n) return l;
  return launches_.back();
}

const watched_launch& debugger::launch_of(const path& p) const {
  // The machine may count launches otherwise, but only where it has one at a time.
  return launch_numbered(p.context->group->launch.of->number());
}

void debugger::find_places_again() {
  std::vector<uint64_t> now;
  for (const loaded_code::loaded_object& o : view_->runtime.loaded_after(0)) now.push_back(o.number);
  if (now == std::exchange(loadings_, now)) return;
  places_ = std::make_unique<places>(view_->runtime);
  view_->forget_code();
  for (const auto& p : points.all()) {
    if (p->find_again.empty()) continue;
    try {
      p->places = places_->find(p->find_again, 0).at;
    } catch (const input_error&) {  // it waits until its code comes
      p->places.clear();
    }
  }
  points.changed();
  if (first_has_begun_) listener_.code_changed();
}

void debugger::stop_if_interrupted() {
  if (interrupted_.exchange(false) && is_wanted()) tell(stop_between());
}

void debugger::check_that_it_can_go_back() const {
  if (is_program())
    throw input_error(
        fmt::format("{} cannot go back or begin again: what it has done itself would not be undone", run_.program));
}

void debugger::launch_begins(const kernel_launch& l, uint64_t number) {
  launches_.erase(std::remove_if(launches_.begin(), launches_.end(), [](const auto& each) { return each.ended; }),
                  launches_.end());
  launches_.push_back({number, l, read_counters(view_->gpu), view_->gpu.clock.now()});
  about_ = number;
  find_places_again();
  if (is_program())
    view_->note_arguments(l);
  else
    view_->note_arguments(run_.arguments);
  for (const auto& p : points.all()) {
    if (p->kind != point_kind::write || p->memory.lds) continue;
    try {
      view_->read(p->memory.begin, p->known.data(), p->memory.bytes);
    } catch (const input_error&) {  // it is there for another launch alone
    }
  }
  const bool is_first = !std::exchange(first_has_begun_, true);
  if (is_first) make_snapshot();
  if (!is_first || is_repeating()) return;
  stop s;
  s.pc = l.kernel.entry();
  tell(s);
}

stop debugger::stop_behind_launch(uint64_t number) {
  about_ = number;
  for (watched_launch& l : launches_) l.ended = l.ended || l.number == number;
  view_->current = {};
  stop s;
  s.position = position();
  s.cycle = view_->gpu.clock.now();
  s.pc = launch().launch.kernel.entry();
  return s;
}

void debugger::meet_ends(stop& s) {
  for (const auto& p : points.all())
    if (p->enabled && p->kind == point_kind::end) meets(*p, s, 0);
  if (!s.points.empty()) s.why = stop_reason::point;
}

void debugger::launch_ended(const launch_report& r) {
  if (given_up_) throw run_given_up();
  const bool last = !r.completed || r.number == run_.launches;
  stop s = stop_behind_launch(r.number);
  if (is_repeating()) {
    if (!last) return;
    look_back_ends();
    if (given_up_) throw run_given_up();
  }
  if (!r.completed && !faulted_) {
    s.why = stop_reason::fault;
    s.text = r.error;
    const std::vector<path> left = view_->wavefronts();
    if (!left.empty()) {
      s.at = left.front();
      s.pc = view_->pc_of(s.at);
    }
    tell(s);
  } else if (r.completed) {
    meet_ends(s);
    if (last) s.why = stop_reason::run_ended;
    if (s.why != stop_reason::launch_begins) tell(s);
  }
  if (given_up_) throw run_given_up();
}

// ---- Execution

stop debugger::stop_at(stop_reason why, uint32_t cu, const wf_context& c, uint64_t pc, cycle_t at) const {
  stop s;
  s.why = why;
  s.at = {cu, &c};
  s.pc = pc;
  s.position = position();
  s.cycle = view_->gpu.config.fidelity == models::fidelity::timing ? at : c.state.time;
  return s;
}

void debugger::end_at_instruction() {
  throw reported_error("the debugger has ended the run");
}

void debugger::workgroup_started(uint32_t, const models::resident_workgroup& g, cycle_t) {
  if (run_.found_launch && g.launch.number() == 0) found_launch_begins(*g.launch.of);
  for (const auto& p : points.all())
    if (p->memory.lds && p->kind == point_kind::write && g.launch.of->number() == p->of.launch &&
        g.launch.number() == p->workgroup && !g.waves.empty())
      std::copy_n(g.waves.front()->state.lds + p->memory.begin, p->memory.bytes, p->known.begin());
}

void debugger::wave_started(uint32_t cu, const wf_context& c, cycle_t) {
  const size_t k = index_of(cu, c);
  if (back_ && back_->line && view_->has_name(cu, c, back_->line->of)) back_->line->has_begun = true;
  // A path begins with the instruction that splits, which is the latest.
  if (k < beginnings_.size()) beginnings_[k] = {position(), c.is_swf() && position() != 0};
}

void debugger::wave_ended(uint32_t cu, const wf_context& c, cycle_t) {
  if (step_) step_->ends(cu, c);
}

void debugger::issuing(uint32_t cu, const wf_context& c, const isa::inst& i, cycle_t at) {
  const auto may_act = [&] {
    return i.unit == isa::unit::split || i.unit == isa::unit::merge || i.unit == isa::unit::branch ||
           i.unit == isa::unit::barrier;
  };
  if (position() >= attentive_from_.load(std::memory_order_relaxed) || points.stops_at(i.pc) ||
      (points.catches_instructions() && may_act()))
    look_before(cu, c, i, at);
}

void debugger::look_from(uint64_t position) {
  attentive_from_ = position;
  // Which instructions act is not known by their addresses.
  instructions_->ask_from(points.catches_instructions() ? 0 : position);
}

void debugger::note_attention() {
  uint64_t from = makes_snapshots() ? next_look_ : ~uint64_t{0};
  if (back_) from = back_->line ? 0 : std::min(from, back_->until);
  if (step_ || given_up_) from = 0;
  look_from(from);
  if (interrupted_) look_from(0);  // it may have come meanwhile
}

void debugger::look_before(uint32_t cu, const wf_context& c, const isa::inst& i, cycle_t at) {
  if (given_up_) end_at_instruction();
  view_->current = {cu, &c};
  view_->current_pc = i.pc;
  consider_snapshot();
  stop s = stop_at(stop_reason::point, cu, c, i.pc, at);
  if (interrupted_.exchange(false) && is_wanted()) {
    back_.reset();
    s.why = stop_reason::interrupted;
    tell(s);
  } else if (back_ && position() >= back_->until) {
    if (back_->looks) {
      look_back_ends();
    } else {
      back_.reset();
      stops_before(c, i, s);
      s.why = stop_reason::position;
      tell(s);
    }
  } else if (back_) {
    if (back_->looks && (back_->line ? begins_line(cu, c, i.pc) : stops_before(c, i, s))) back_->found = position();
  } else {
    const bool met = stops_before(c, i, s);
    const bool stepped = step_ && step_->is_done(cu, c, i, *places_);
    if (!met && stepped) s.why = stop_reason::step;
    if (met || stepped) tell(s);
  }
  note_attention();
  if (given_up_) end_at_instruction();
}

bool debugger::stops_before(const wf_context& c, const isa::inst& i, stop& s) {
  const uint64_t lanes = c.state.active() & c.tree.root->tree.launched;
  const models::divergence_scheme& scheme = view_->gpu.cus[s.at.cu]->scheme();
  for (size_t k = 0; k < points.all().size(); ++k) {
    point& p = *points.all()[k];
    if (!p.enabled) continue;
    const auto acts = [&] { return scheme.can_split() && scheme.acts_on(i) && scheme.diverges(c, i); };
    bool is_here = false;
    if (p.kind == point_kind::code) is_here = std::binary_search(p.places.begin(), p.places.end(), i.pc);
    if (p.kind == point_kind::split) is_here = i.unit != isa::unit::merge && acts();
    if (p.kind == point_kind::merge) is_here = i.unit == isa::unit::merge && acts();
    if (p.kind == point_kind::barrier) is_here = i.unit == isa::unit::barrier;
    if (is_here) meets(p, s, lanes);
  }
  return !s.points.empty();
}

bool debugger::meets(point& p, stop& s, uint64_t lanes) {
  if (p.condition) {
    scene where{view_.get(), s.at, -1, s.cycle};
    try {
      bool holds = false;
      if (!p.condition->uses_lane(where)) {
        holds = p.condition->evaluate(where).is_true();
      } else {
        for (uint64_t m = lanes; m != 0 && !holds; m &= m - 1) {
          where.lane = __builtin_ctzll(m);
          holds = p.condition->evaluate(where).is_true();
        }
        if (holds) s.lane = where.lane;
      }
      if (!holds) return false;
    } catch (const input_error& e) {
      s.text += fmt::format("{}the condition of {}: {}", s.text.empty() ? "" : "\n", p.number, e.what());
    }
  }
  // Going back counts nothing and passes nothing: counts are of what has been done, and not of where it was looked.
  if (!back_ && ++p.hits <= p.ignore) return false;
  s.points.push_back(p.number);
  return true;
}

void debugger::faulted(uint32_t cu, const wf_context& c, const isa::inst* i, const program_error& e) {
  goes_wrong(stop_reason::fault, cu, c, i, e);
}

void debugger::mismatched(uint32_t cu, const wf_context& c, const isa::inst* i, const program_error& e) {
  goes_wrong(stop_reason::mismatch, cu, c, i, e);
}

void debugger::goes_wrong(stop_reason why, uint32_t cu, const wf_context& c, const isa::inst* i,
                          const program_error& e) {
  if (given_up_) return;
  faulted_ = true;
  if (is_repeating()) return;  // the launch's end ends it
  const uint64_t pc = i != nullptr ? i->pc : c.state.pc;
  stop s = stop_at(why, cu, c, pc, view_->gpu.clock.now());
  s.lane = e.lane();
  s.text = e.what();
  view_->current = {cu, &c};
  view_->current_pc = pc;
  tell(s);
}

void debugger::found(const described_finding& f) {
  if (!points.has(point_kind::finding) || given_up_ || view_ == nullptr || launches_.empty()) return;
  const check::site& here = f.found.here;
  stop s;
  if (here.launch != 0) s.at = view_->in_context(here.cu, models::unit_id(here.unit), models::slot_id(here.slot));
  if (s.at) {
    s = stop_at(stop_reason::point, s.at.cu, *s.at.context, here.pc, latest_at());
  } else {
    s.why = stop_reason::point;
    s.pc = here.pc;
    s.position = position();
  }
  // Some checks are told of an instruction before this is.
  const bool is_next = s.at && (latest_of(s.at) != position() - 1 || instructions_->latest_pc() != here.pc);
  if (here.lanes != 0) s.lane = __builtin_ctzll(here.lanes);
  for (const auto& p : points.all())
    if (p->enabled && p->kind == point_kind::finding) meets(*p, s, here.lanes);
  if (s.points.empty()) return;
  s.text = text(f) + (s.text.empty() ? "" : "\n" + s.text);
  view_->current = {};
  // A check does not have to know that the run may be given up: the next instruction ends it, or the launch's end.
  tell_or_note(s, is_next ? 0 : 1);
}

// ---- Stops

void debugger::tell(const stop& s) {
  step_.reset();
  if (is_program() && getpid() != process_) return;  // a copy of it, whose streams are the program's
  if (s.at) about_ = launch_of(s.at).number;
  const resumption r = listener_.stopped(s);
  for (const uint32_t n : s.points)
    if (const point* p = points.find(n); p != nullptr && p->temporary) points.remove(n);
  go_on_from(s, r);
}

stop debugger::stop_between() {
  view_->current = {};
  stop s;
  s.why = stop_reason::interrupted;
  s.position = position();
  s.cycle = view_->gpu.clock.now();
  return s;
}

void debugger::go_on_from(const stop& s, const resumption& r) {
  take(r, s);
  hear_what_is_wanted();
  note_attention();
}

void debugger::hear_what_is_wanted() {
  const interests now = wants();
  if (now.accessed != heard_.accessed || now.issued != heard_.issued) hear();
}

bool debugger::is_wanted() {
  if (listener_.asked()) return true;
  hear_what_is_wanted();
  return false;
}

void debugger::take(const resumption& r, const stop& s) {
  using how = resumption::how;
  switch (r.what) {
    case how::go_on:
      return;
    case how::instruction:
    case how::line:
    case how::next_line:
    case how::out:
    case how::until:
      if (r.from || r.scope == step_scope::all) step_ = std::make_unique<step_under_way>(r, s, *view_, *places_);
      return;
    case how::again:
      return begin_again();
    case how::back_to:
    case how::back_to_point:
    case how::back_a_line:
    case how::back_past:
      return go_back(r);
    case how::end:
      return give_up(false);
  }
}

void debugger::give_up(bool again) {
  if (!again && run_.end) run_.end();
  given_up_ = true;
  again_ = again;
}

bool debugger::is_in_call(const path& p) const {
  const uint64_t pc = view_->pc_of(p);
  return places_->lines(pc).size() > 1 || places_->function_at(pc).begin != launch_of(p).launch.kernel.entry();
}

}  // namespace pws::platform::debug
