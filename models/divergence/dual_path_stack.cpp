// SPDX-License-Identifier: Apache-2.0
#include "models/divergence/dual_path_stack.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/context/wavefront.h"
#include "models/divergence/path_storage.h"
#include "models/divergence/shown_registers.h"
#include "models/isa/scalar/split_operand.h"
#include "models/machine/occupancy.h"

namespace pws::models {

dual_path_stack::dual_path_stack(const machine_config& c, context_map& contexts)
    : divergence_scheme(c),
      contexts_(contexts),
      limit_(c.child_stack_entries),
      // Without time there is nothing that takes long.
      constrained_(c.dpe.scheduler == path_scheduler::constrained && c.fidelity == fidelity::timing),
      forwards_(c.dpe.path_forwarding),
      wavefronts_(contexts_of_cu(c)) {
  if (scoreboard() == path_scoreboard::conservative) attach_scoreboards();
}

void dual_path_stack::attach_scoreboards() {
  scoreboards_ = std::vector<slot_scoreboard>(wavefronts_.size() * slots);
  for (uint32_t simd = 0; simd < contexts_.layout().simds; ++simd)
    for (wf_context& c : contexts_.at(simd_id(simd), swf_number::simd_unit()).contexts) {
      slot_scoreboard* const both = &scoreboards_[size_t{c.tdm_requester.place} * slots];
      const uint32_t own = c.tdm_requester.part;
      both[own].pair_with(both[1 - own]);
      c.front.slot = &both[own];
    }
}

wf_context& dual_path_stack::context(const wf_context& w, slot s) const {
  wf_context& root = *w.tree.root;
  return s == left ? root : contexts_.of(root).paired_with(root);
}

bool dual_path_stack::diverges(const wf_context&, const isa::inst&) const {
  return true;
}

after_divergence dual_path_stack::execute(wf_context& w, const isa::inst& i, swf_scheduler& s) {
  wavefront& v = of(w);
  if (v.stack.empty()) {
    v.whole.where = place::runs;
    v.in = {&v.whole, nullptr};
  }
  return i.unit == isa::unit::merge ? merge(v, w, s) : split(v, w, i, s);
}

// ---- what happens to paths

after_divergence dual_path_stack::split(wavefront& v, wf_context& w, const isa::inst& i, swf_scheduler& s) {
  const slot own = slot_of(w), beside = opposite(own);
  dual_path& p = *v.in[own];
  const uint64_t mask = isa::split_operand(w.state, i);
  if (!diverges_by(w, mask)) {
    ++statistics_.one_sided;
    ++p.one_sided;
    return after_divergence::goes_on;
  }
  if (!v.stack.empty() && !is_innermost(v, p)) {
    w.state.pc = i.pc;
    p.at_split = true;
    share_pending(w, s);
    save(v, p, place::waits, w);
    return settle(v, w, &w, s);
  }
  if (v.stack.size() == limit_)
    throw program_error(
        fmt::format("the stack is full: {} splits wait for their merge (child_stack_entries)", v.stack.size()));
  wf_context& other = context(w, beside);
  if (v.in[beside] != nullptr) suspend(v, *v.in[beside], other, w);
  p.where = place::split;
  dual_entry& e = v.stack.emplace_back();
  e.left.where = e.right.where = place::runs;
  v.in = {&e.left, &e.right};
  ++statistics_.splits;
  statistics_.deepest = std::max<uint64_t>(statistics_.deepest, v.stack.size());
  enter(other, w);
  other.state = w.state;
  const uint64_t of_left = w.state.split_mask & mask, of_right = w.state.split_mask & ~mask;
  contexts_.of(w).set_split_mask(w, own == left ? of_left : of_right);
  contexts_.of(w).set_split_mask(other, own == left ? of_right : of_left);
  set_shadow_bits(w);
  s.begin(other, w);
  v.visible = left;
  if (constrained_) choose_visible(v, w, s);
  return after_divergence::goes_on;
}

after_divergence dual_path_stack::merge(wavefront& v, wf_context& w, swf_scheduler& s) {
  dual_path& p = *v.in[slot_of(w)];
  if (p.one_sided != 0) {
    --p.one_sided;
    return after_divergence::joined;
  }
  if (v.stack.empty()) throw program_error("merge without a split: the stack is empty");
  dual_entry& e = entry_of(v, p);
  dual_path& other = e.other(p);
  if (other.where == place::at_merge) {
    if (other.state.pc != w.state.pc)
      throw program_error(
          fmt::format("this merge meets another one, at {:#x}: the sides left their split by different ways", e.rpc));
    ++statistics_.merges;
    join_states(w, p, e);
    w.front.join(other.pending, w.state.time);
    w.unstack_path();
    return pop(v, w, s);
  }
  if (other.where == place::nowhere) return pop(v, w, s);
  e.rpc = merge_before(w.state);
  save(v, p, place::at_merge, w);
  return settle(v, w, &w, s);
}

// Scalar registers are the left side's.
void dual_path_stack::join_states(wf_context& w, const dual_path& own, dual_entry& e) const {
  dual_path& other = e.other(own);
  if (&other == &e.left) {
    other.state.time = w.state.time;
    std::swap(w.state, other.state);
  }
  take_work_items(contexts_, w, other.state);
}

// `w` holds the one path that is left of the innermost entry: it goes on as the path that split, in the slot of its
// side.
after_divergence dual_path_stack::pop(wavefront& v, wf_context& w, swf_scheduler& s) {
  const uint64_t join = merge_before(w.state);
  const slot from = slot_of(w);
  dual_path& path = path_that_split(v);
  v.stack.pop_back();
  v.in[from] = nullptr;
  share_pending(w, s);
  path.where = place::runs;
  const slot home = home_of(v, path);
  if (home == from || v.in[home] != nullptr) {
    v.in[from] = &path;
    settle(v, w, &w, s);
    return after_divergence::joined;
  }
  wf_context& to = context(w, home);
  enter(to, w);
  to.state = w.state;
  contexts_.of(w).set_split_mask(to, w.state.split_mask);
  to.front.take(w.front);
  v.in[home] = &path;
  s.resume(to, join);
  return settle(v, w, &w, s);
}

void dual_path_stack::ended(wf_context& w, swf_scheduler& s) {
  w.become(wf_status::ended);
  wavefront& v = of(w);
  if (v.stack.empty()) {
    v.whole.one_sided = 0;
    return s.finish(w);
  }
  dual_path& p = *v.in[slot_of(w)];
  p.where = place::nowhere;
  v.in[slot_of(w)] = nullptr;
  share_pending(w, s);
  if (!is_innermost(v, p)) {
    settle(v, w, nullptr, s);
    return;
  }
  // Nobody is left who would reach the merge of an entry without paths, and with that a side of the one below has
  // ended.
  while (!v.stack.empty() && v.stack.back().left.where == place::nowhere &&
         v.stack.back().right.where == place::nowhere) {
    path_that_split(v).where = place::nowhere;
    v.stack.pop_back();
  }
  if (!v.stack.empty()) {
    dual_entry& e = v.stack.back();
    dual_path& other = e.left.where == place::at_merge ? e.left : e.right;
    if (other.where == place::at_merge && e.other(other).where == place::nowhere) {
      dual_path& path = path_that_split(v);
      path.state = other.state;
      path.pending.take(other.pending);
      path.where = place::waits;
      v.stack.pop_back();
    }
  } else if (v.whole.where == place::nowhere) {
    wf_context& root = *w.tree.root;
    if (context(w, right).status != wf_status::idle) vacate(context(w, right), s);
    root.become(wf_status::ended);
    v.whole.one_sided = 0;
    return s.finish(root);
  }
  settle(v, w, nullptr, s);
}

// ---- who runs where

// `path` gives its slot, `from`, to a side of a split. One that has ended, and waits for what it has under way alone,
// is no path any more: `heir` waits for that instead.
void dual_path_stack::suspend(wavefront& v, dual_path& path, wf_context& from, wf_context& heir) {
  if (from.status == wf_status::draining) {
    heir.front.join(from.front, heir.state.time);
    path.where = place::nowhere;
    v.in[slot_of(from)] = nullptr;
  } else {
    save(v, path, place::waits, from);
  }
}

after_divergence dual_path_stack::settle(wavefront& v, const wf_context& w, wf_context* acting, swf_scheduler& s) {
  const auto put = [&](dual_path& p, slot at) {
    wf_context& c = context(w, at);
    enter(c, w);
    load(v, p, c);
    if (&c != acting) s.replace(c);
  };
  const auto wants_slot = [&](dual_path& p, slot home) {
    if (p.where != place::waits) return;
    slot at = home;
    if (v.in[home] != nullptr && (v.in[opposite(home)] == nullptr || is_innermost(v, *v.in[home]))) at = opposite(home);
    if (v.in[at] != nullptr) suspend(v, *v.in[at], context(w, at), context(w, opposite(at)));  // it was forwarded
    put(p, at);
  };
  if (v.stack.empty()) {
    wants_slot(v.whole, left);
  } else {
    wants_slot(v.stack.back().left, left);
    wants_slot(v.stack.back().right, right);
  }
  for (const slot at : {left, right})
    if (v.in[at] == nullptr) {
      dual_path* const p = forwards_ ? forwarded(v) : nullptr;
      if (p != nullptr)
        put(*p, at);
      else
        vacate(context(w, at), s);
    }
  if (constrained_) choose_visible(v, w, s);
  return acting != nullptr && v.in[slot_of(*acting)] == nullptr ? after_divergence::stops : after_divergence::goes_on;
}

// The suspended path nearest to the innermost entry that can go on.
dual_path* dual_path_stack::forwarded(wavefront& v) const {
  for (auto e = v.stack.rbegin(); e != v.stack.rend(); ++e)
    for (dual_path* p : {&e->left, &e->right})
      if (p->where == place::waits && !p->at_split) return p;
  return nullptr;
}

void dual_path_stack::long_operation_issued(wf_context& w, swf_scheduler& s) {
  wavefront& v = of(w);
  if (v.stack.empty() || v.in[left] == nullptr || v.in[right] == nullptr) return;
  v.visible = opposite(slot_of(w));
  choose_visible(v, w, s);
}

void dual_path_stack::choose_visible(wavefront& v, const wf_context& w, swf_scheduler& s) {
  if (v.in[v.visible] == nullptr) v.visible = opposite(v.visible);
  for (const slot at : {left, right}) {
    if (v.in[at] == nullptr) continue;
    wf_context& c = context(w, at);
    if (at == v.visible && c.status == wf_status::suspended) s.release(c);
    if (at != v.visible && stands(c.status)) s.suspend(c);
  }
}

// ---- paths, slots and contexts

dual_entry& dual_path_stack::entry_of(wavefront& v, const dual_path& p) {
  return *std::find_if(v.stack.rbegin(), v.stack.rend(),
                       [&](const dual_entry& e) { return &p == &e.left || &p == &e.right; });
}

bool dual_path_stack::is_innermost(const wavefront& v, const dual_path& p) {
  return &p == &v.stack.back().left || &p == &v.stack.back().right;
}

// The path whose split the innermost entry is for.
dual_path& dual_path_stack::path_that_split(wavefront& v) {
  if (v.stack.size() == 1) return v.whole;
  dual_entry& e = v.stack[v.stack.size() - 2];
  return e.left.where == place::split ? e.left : e.right;
}

dual_path_stack::slot dual_path_stack::home_of(const wavefront& v, const dual_path& p) {
  return !v.stack.empty() && &p == &v.stack.back().right ? right : left;
}

void dual_path_stack::save(wavefront& v, dual_path& p, place where, wf_context& from) {
  p.where = where;
  p.state = from.state;
  p.pending.take(from.front);
  from.stack_path();
  v.in[slot_of(from)] = nullptr;
}

void dual_path_stack::load(wavefront& v, dual_path& p, wf_context& to) {
  const uint64_t time = to.state.time;
  to.state = p.state;
  to.state.time = time;
  to.front.next = nullptr;
  to.front.take(p.pending);
  contexts_.of(to).set_split_mask(to, p.state.split_mask);
  p.where = place::runs;
  p.at_split = false;
  to.unstack_path();
  v.in[slot_of(to)] = &p;
}

// An idle second context becomes one of the wavefront of `w`.
void dual_path_stack::enter(wf_context& c, const wf_context& w) const {
  if (c.status == wf_status::idle) begin_swf(c, w, swf_number::context(w.tree.root->slot));
}

void dual_path_stack::vacate(wf_context& c, swf_scheduler& s) const {
  if (!c.is_swf()) {
    if (c.status != wf_status::suspended) s.suspend(c);
  } else if (c.status != wf_status::idle) {
    leave_wavefront(contexts_, c);
    s.leave(c);
  }
}

void dual_path_stack::begin_path(front_end& path, const front_end& from) const {
  // A fetch of the path that ran here before may still be on its way.
  instruction_buffer own = path.ibuf;
  own.keep(from.ibuf.begin, from.ibuf.end - from.ibuf.begin);
  divergence_scheme::begin_path(path, from);
  path.ibuf = own;
}

void dual_path_stack::set_shadow_bits(const wf_context& w) {
  if (scoreboards_.empty()) return;
  for (const slot at : {left, right}) context(w, at).front.slot->shadow(w.state.time);
}

void dual_path_stack::share_pending(const wf_context& w, swf_scheduler& s) {
  set_shadow_bits(w);
  const slot beside = opposite(slot_of(w));
  if (!scoreboards_.empty() && of(w).in[beside] != nullptr) s.sees_more(context(w, beside));
}

void dual_path_stack::check_barrier(const wf_context& w) const {
  if (w.is_split()) throw program_error("s_barrier inside a split region: the wavefront has other paths");
}

// ---- what is shown

std::vector<shown_register> dual_path_stack::shown() const {
  return shown_stack(limit_);
}

void dual_path_stack::show(const wf_context& c, uint64_t* values) const {
  const wavefront& v = of(c);
  const size_t depth = c.is_swf() ? 0 : v.stack.size();
  stack_values out(limit_, static_cast<uint32_t>(depth), values);
  if (depth == 0) return;
  uint64_t issuing = 0;
  for (const slot at : {left, right})
    if (v.in[at] != nullptr && is_innermost(v, *v.in[at]) && context(c, at).status != wf_status::suspended)
      issuing |= v.in[at] == &v.stack.back().left ? stack_record::left_issues : stack_record::right_issues;
  out.path(issuing);
  out.entries(v.stack, {}, [&](const dual_path& p, const stack_side& inside) -> stack_side {
    if (p.where == place::split) return inside;
    const isa::wave_state& state = p.where == place::runs ? context(c, v.in[left] == &p ? left : right).state : p.state;
    return {state.pc, state.split_mask};
  });
}

std::unique_ptr<divergence_scheme> make_dpe(const machine_config& c, context_map& contexts) {
  return std::make_unique<dual_path_stack>(c, contexts);
}

scheme_storage storage_of_dpe(const machine_config& c, uint32_t splits) {
  scheme_storage s = storage_beside(storage_of(c, splits, 0));
  s.buffers = storage_of_contexts(c, 1).buffers;  // of the second slot
  return s;
}

void dual_path_stack::keep_paths(state_archive& a) {
  for (uint32_t at = 0; at < wavefronts_.size(); ++at) {
    wavefront& v = wavefronts_[at];
    const auto keep_path = [&](state_archive& b, dual_path& p) {
      b.index(p.where, static_cast<uint64_t>(place::at_merge) + 1);
      b(p.at_split, p.one_sided);
      contexts_.keep_state(b, p.state, at);
    };
    keep_path(a, v.whole);
    a.list(v.stack, [&](state_archive& b, dual_entry& e) {
      b(e.rpc);
      keep_path(b, e.left);
      keep_path(b, e.right);
    });
    // By number: the whole, and both sides of each entry.
    std::vector<dual_path*> all{nullptr, &v.whole};
    for (dual_entry& e : v.stack) all.insert(all.end(), {&e.left, &e.right});
    for (dual_path*& p : v.in) {
      uint64_t number = a.restores() ? 0 : static_cast<uint64_t>(std::find(all.begin(), all.end(), p) - all.begin());
      a.index(number, all.size());
      p = all[number];
    }
    a.index(v.visible, slots);
  }
}

}  // namespace pws::models
