// SPDX-License-Identifier: Apache-2.0
#include "models/divergence/reconvergence_stack.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/context/wavefront.h"
#include "models/divergence/path_storage.h"
#include "models/isa/scalar/split_operand.h"
#include "models/machine/occupancy.h"

namespace pws::models {

reconvergence_stack::reconvergence_stack(const machine_config& c, context_map& contexts)
    : divergence_scheme(c), contexts_(contexts), limit_(c.child_stack_entries), stacks_(contexts_of_cu(c)) {}

std::deque<stack_entry>& reconvergence_stack::entries(const wf_context& w) {
  return stacks_[w.tdm_requester.place];
}
const std::deque<stack_entry>& reconvergence_stack::entries(const wf_context& w) const {
  return stacks_[w.tdm_requester.place];
}

bool reconvergence_stack::diverges(const wf_context&, const isa::inst&) const {
  return true;
}

after_divergence reconvergence_stack::execute(wf_context& w, const isa::inst& i, swf_scheduler&) {
  if (i.unit == isa::unit::merge) return merge(w);
  split(w, isa::split_operand(w.state, i));
  return after_divergence::goes_on;
}

void reconvergence_stack::load(wf_context& w, stacked_path& path) {
  const uint64_t time = w.state.time;
  w.state = path.state;
  w.state.time = time;
  contexts_.of(w).set_split_mask(w, path.state.split_mask);
  if (scoreboard() == path_scoreboard::optimistic) w.front.take(path.pending);
  path.where = place::in_context;
  w.unstack_path();
}

void reconvergence_stack::save(stacked_path& path, wf_context& w) {
  path.state = w.state;
  if (scoreboard() == path_scoreboard::optimistic) path.pending.share(w.front);
  w.stack_path();
}

void reconvergence_stack::split(wf_context& w, uint64_t mask) {
  std::deque<stack_entry>& stack = entries(w);
  if (stack.size() == limit_)
    throw program_error(
        fmt::format("the stack is full: {} splits wait for their merge (child_stack_entries)", stack.size()));
  stack_entry& e = stack.emplace_back();
  statistics_.deepest = std::max<uint64_t>(statistics_.deepest, stack.size());
  e.left.where = place::in_context;
  if (!diverges_by(w, mask)) {
    ++statistics_.one_sided;
    return;
  }
  ++statistics_.splits;
  save(e.right, w);
  e.right.state.split_mask &= ~mask;
  e.right.where = place::waits;
  contexts_.of(w).set_split_mask(w, w.state.split_mask & mask);
}

after_divergence reconvergence_stack::merge(wf_context& w) {
  std::deque<stack_entry>& stack = entries(w);
  if (stack.empty()) throw program_error("merge without a split: the stack is empty");
  stack_entry& top = stack.back();
  stacked_path &own = top.running(), &other = top.other();
  switch (other.where) {
    case place::waits:
      top.rpc = merge_before(w.state);
      save(own, w);
      own.where = place::at_merge;
      load(w, other);
      return after_divergence::goes_on;
    case place::at_merge: {
      if (other.state.pc != w.state.pc)
        throw program_error(fmt::format(
            "this merge meets another one, at {:#x}: the sides left their split by different ways", top.rpc));
      ++statistics_.merges;
      // Scalar registers are the left side's, which was here first.
      const isa::wave_state right = w.state;
      if (scoreboard() == path_scoreboard::optimistic) other.pending.join(w.front, w.state.time);
      load(w, other);
      take_work_items(contexts_, w, right);
      break;
    }
    case place::nowhere:
    case place::in_context:
      break;
  }
  stack.pop_back();
  return after_divergence::joined;
}

void reconvergence_stack::check_barrier(const wf_context& w) const {
  if (w.tree.stacked != 0)
    throw program_error(
        fmt::format("s_barrier inside a split region: {} paths of the wavefront are on its stack", w.tree.stacked));
}

void reconvergence_stack::ended(wf_context& w, swf_scheduler& s) {
  w.become(wf_status::ended);
  end_path(w, s);
}

void reconvergence_stack::end_path(wf_context& w, swf_scheduler& s) {
  std::deque<stack_entry>& stack = entries(w);
  while (!stack.empty()) {
    stack_entry& top = stack.back();
    stacked_path& other = top.other();
    top.running().where = place::nowhere;
    if (other.where == place::waits) {
      load(w, other);
      return s.replace(w);
    }
    if (other.where == place::at_merge) {
      const uint64_t join = top.rpc;
      load(w, other);
      stack.pop_back();
      return s.resume(w, join);
    }
    stack.pop_back();  // nobody is left who would reach its merge, and with that a side of the entry below has ended
  }
  s.finish(w);
}

std::vector<shown_register> reconvergence_stack::shown() const {
  return shown_stack(limit_);
}

void reconvergence_stack::show(const wf_context& c, uint64_t* values) const {
  show(c, {c.state.pc, c.state.split_mask}, limit_, values);
}

void reconvergence_stack::show(const wf_context& c, const stack_side& running, uint32_t limit, uint64_t* values) const {
  const std::deque<stack_entry>& stack = entries(c);
  stack_values out(limit, static_cast<uint32_t>(stack.size()), values);
  if (stack.empty()) return;
  out.path(stack.back().left_is_running() ? stack_record::left_issues : stack_record::right_issues);
  out.entries(stack, running, [](const stacked_path& p, const stack_side& inside) -> stack_side {
    return p.where == place::in_context ? inside : stack_side{p.state.pc, p.state.split_mask};
  });
}

std::unique_ptr<divergence_scheme> make_stack(const machine_config& c, context_map& contexts) {
  return std::make_unique<reconvergence_stack>(c, contexts);
}

scheme_storage storage_of_stack(const machine_config& c, uint32_t splits) {
  return storage_beside(storage_of(c, splits, 0));
}

void reconvergence_stack::keep_paths(state_archive& a) {
  for (uint32_t at = 0; at < stacks_.size(); ++at)
    a.list(stacks_[at], [&](state_archive& b, stack_entry& e) {
      b(e.rpc);
      for (stacked_path* p : {&e.left, &e.right}) {
        b.index(p->where, static_cast<uint64_t>(stacked_path::place::at_merge) + 1);
        contexts_.keep_state(b, p->state, at);
      }
    });
}

}  // namespace pws::models
