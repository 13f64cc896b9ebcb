// SPDX-License-Identifier: Apache-2.0
#include "models/divergence/warp_split_table.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.h"
#include "models/context/wavefront.h"
#include "models/divergence/path_storage.h"
#include "models/divergence/shown_registers.h"
#include "models/isa/scalar/split_operand.h"
#include "models/machine/occupancy.h"

namespace pws::models {

warp_split_table::warp_split_table(const machine_config& c, context_map& contexts)
    : reconvergence_stack(c, contexts),
      threshold_(c.dws.threshold.value_or(~uint32_t{0})),
      together_(c.dws.pc_reconvergence),
      stack_shown_(std::min(limit(), table_record::stack_entries_shown)),
      tables_(contexts_of_cu(c)) {}

const std::vector<warp_split>& warp_split_table::splits(const wf_context& w) const {
  return of(w).splits;
}

template <class T>
auto warp_split_table::find(T& t, const wf_context& w) {
  return std::find_if(t.splits.begin(), t.splits.end(), [&](const warp_split& s) { return s.context == &w; });
}

bool warp_split_table::waits_at(const wf_context& w, const isa::inst& i) const {
  const table& t = of(w);
  return t.splits.empty() || i.unit == isa::unit::split || find(t, w)->open.empty();
}

// ---- warp-splits that issue together

void warp_split_table::standing_with(wf_context& w, std::vector<wf_context*>& all) const {
  const table& t = of(w);
  if (t.splits.empty()) return reconvergence_stack::standing_with(w, all);
  all.clear();
  for (const warp_split& x : t.splits)
    if (x.context->state.pc == w.state.pc && stands(x.context->status)) all.push_back(x.context);
}

uint32_t warp_split_table::schedulable_paths(const wf_context& w) const {
  const table& t = of(w);
  if (!together_ || t.splits.empty()) return reconvergence_stack::schedulable_paths(w);
  uint32_t paths = 0;
  for (auto x = t.splits.begin(); x != t.splits.end(); ++x) {
    if (!counts_of(x->context->status).path) continue;
    paths += !stands(x->context->status) || std::none_of(t.splits.begin(), x, [&](const warp_split& o) {
      return o.context->state.pc == x->context->state.pc && stands(o.context->status);
    });
  }
  return paths;
}

// ---- splits and merges

divergence_scheme::wait warp_split_table::waits_for(const wf_context& w, const isa::inst& i) const {
  wait all = reconvergence_stack::waits_for(w, i);
  const table& t = of(w);
  if (i.unit != isa::unit::merge || t.splits.empty() || !find(t, w)->open.empty()) return all;
  // Each of k paths may keep the k-th part of what the counters hold; if all of them have less, nobody waits.
  unsigned paths = 0, vm = 0, lgkm = 0;
  const auto here = [&](const warp_split& x) {
    return x.at_rpc || (x.open.empty() && x.context->state.pc == w.state.pc && stands(x.context->status));
  };
  for (const warp_split& x : t.splits) {
    if (!here(x)) continue;
    ++paths;
    vm += x.context->front.vm.count();
    lgkm += x.context->front.lgkm.count();
  }
  for (const warp_split& x : t.splits) {
    if (!here(x)) continue;
    const front_end& f = x.context->front;
    if (vm > outstanding::capacity) all.until = std::max(all.until, f.vm_at_most(outstanding::capacity / paths));
    if (lgkm > outstanding::capacity) all.until = std::max(all.until, f.lgkm_at_most(outstanding::capacity / paths));
  }
  return all;
}

after_divergence warp_split_table::execute(wf_context& w, const isa::inst& i, swf_scheduler& s) {
  table& t = of(w);
  if (i.unit == isa::unit::merge) {
    if (t.splits.empty()) return merge(w);
    return find(t, w)->open.empty() ? arrive(t, w, s) : pass_merge(t, w, i, s);
  }
  const uint64_t mask = isa::split_operand(w.state, i);
  if (t.splits.empty()) {
    if (!diverges_by(w, mask) || !subdivides(w, i)) {
      split(w, mask);
      return after_divergence::goes_on;
    }
    t.splits.push_back({&w, {}, false});
  }
  subdivide(t, w, mask, s);
  return after_divergence::goes_on;
}

bool warp_split_table::subdivides(const wf_context& w, const isa::inst& split) {
  if (threshold_ == ~uint32_t{0}) return true;
  return blocks_.try_emplace(w.code->number(), *w.code).first->second.length_behind(split.pc) <= threshold_;
}

void warp_split_table::subdivide(table& t, wf_context& w, uint64_t mask, swf_scheduler& s) {
  warp_split& own = *find(t, w);
  const uint64_t number = next_number_++;
  own.open.push_back(number);
  if (!diverges_by(w, mask)) {
    ++statistics_.one_sided;
    t.served[number].open = 1;
    return;
  }
  ++statistics_.splits;
  wf_context& other = contexts().of(w).take_further(*w.tree.root);
  begin_swf(other, w, swf_number::context(w.tree.root->slot));
  contexts().of(other).set_split_mask(other, w.state.split_mask & ~mask);
  contexts().of(w).set_split_mask(w, w.state.split_mask & mask);
  t.served[number].open = 1;
  for (const uint64_t n : own.open) ++t.served[n].open;
  t.splits.push_back({&other, own.open, false});
  statistics_.most_splits = std::max<uint64_t>(statistics_.most_splits, t.splits.size());
  s.begin(other, w);
}

after_divergence warp_split_table::pass_merge(table& t, wf_context& w, const isa::inst& i, swf_scheduler& s) {
  wf_context& goes_on = recombine(t, w, i.pc, s);
  warp_split& split = *find(t, goes_on);
  split_served& served = t.served[split.open.back()];
  statistics_.late += served.passed++ != 0;
  if (--served.open == 0) t.served.erase(split.open.back());
  split.open.pop_back();
  return &goes_on == &w ? after_divergence::goes_on : after_divergence::stops;
}

// Warp-splits that stand at this merge of the same split become one with `w`. Returns the context in which that goes
// on: the wavefront's own stays.
wf_context& warp_split_table::recombine(table& t, wf_context& w, uint64_t merge, swf_scheduler& s) {
  const uint64_t number = find(t, w)->open.back();
  wf_context* into = &w;
  // What both have under way has to fit in counters and scoreboard of one. Else they stay apart: nobody waits for that.
  const auto fits = [&](wf_context& c) {
    c.front.retire(w.state.time);
    return into->front.vm.count_with(c.front.vm) <= outstanding::capacity &&
           into->front.lgkm.count_with(c.front.lgkm) <= outstanding::capacity &&
           std::max(into->front.results.fits(), c.front.results.fits()) <= w.state.time;
  };
  const auto stands_there = [&](const warp_split& x) {
    wf_context& c = *x.context;
    return &c != into && stands(c.status) && !x.open.empty() && x.open.back() == number && c.state.pc == merge &&
           fits(c);
  };
  for (;;) {
    const auto x = std::find_if(t.splits.begin(), t.splits.end(), stands_there);
    if (x == t.splits.end()) break;
    wf_context& other = *x->context;
    ++statistics_.merges;
    // `into` stays with its scalar registers, which at this merge are those of `other`; of the two contexts the
    // wavefront's own stays.
    absorb(*into, other);
    wf_context& leaves = other.is_swf() ? other : *into;
    if (&leaves == into) {
      move(*into, other);
      into = &other;
    }
    drop(t, leaves, s);
  }
  if (into != &w) s.resume(*into, merge);
  return *into;
}

void warp_split_table::absorb(wf_context& w, wf_context& other) const {
  take_work_items(contexts(), w, other.state);
  w.front.join(other.front, w.state.time);
}

// The path in `from` goes on in `to`.
void warp_split_table::move(wf_context& from, wf_context& to) const {
  to.state = from.state;
  contexts().of(to).set_split_mask(to, from.state.split_mask);
  to.front.take(from.front);
}

// The warp-split in `c` is no more; its context is free unless it is the wavefront's own.
void warp_split_table::drop(table& t, wf_context& c, swf_scheduler& s) {
  const auto split = find(t, c);
  for (const uint64_t n : split->open)
    if (--t.served[n].open == 0) t.served.erase(n);
  t.splits.erase(split);
  if (!c.is_swf()) return;
  leave_wavefront(contexts(), c);
  s.leave(c);
}

after_divergence warp_split_table::arrive(table& t, wf_context& w, swf_scheduler& s) {
  if (entries(*w.tree.root).empty()) throw program_error("merge without a split: the stack is empty");
  find(t, w)->at_rpc = true;
  w.become(wf_status::merge);
  return all_at_rpc(t) ? empty(t, *w.tree.root, &w, s) : after_divergence::stops;
}

bool warp_split_table::all_at_rpc(const table& t) const {
  return std::all_of(t.splits.begin(), t.splits.end(), [](const warp_split& x) { return x.at_rpc; });
}

// All warp-splits stand behind the same merge: the stack's path goes on with their work-items. Scalar registers are the
// oldest one's.
after_divergence warp_split_table::empty(table& t, wf_context& root, wf_context* acting, swf_scheduler& s) {
  wf_context& oldest = *t.splits.front().context;
  uint64_t now = 0;  // the last of them came
  for (const warp_split& x : t.splits) now = std::max(now, x.context->state.time);
  for (const warp_split& x : t.splits) x.context->front.retire(now);
  const uint64_t rpc = merge_before(oldest.state);
  for (const warp_split& x : t.splits) {
    const uint64_t other = merge_before(x.context->state);
    if (other != rpc)
      throw program_error(fmt::format(
          "warp-splits left their split by different ways: they stand at merges at {:#x} and {:#x}", rpc, other));
    if (x.context != &oldest) absorb(oldest, *x.context);
  }
  if (&oldest != &root) {
    move(oldest, root);
  }
  while (!t.splits.empty()) drop(t, *t.splits.back().context, s);
  if (&root == acting) root.become(wf_status::running);
  const after_divergence then = merge(root);
  if (&root == acting) return then;
  if (then == after_divergence::joined)
    s.resume(root, rpc);
  else
    s.replace(root);
  return after_divergence::stops;
}

void warp_split_table::ended(wf_context& w, swf_scheduler& s) {
  table& t = of(w);
  w.front.results.clear();  // nobody uses what its path has not waited for
  if (t.splits.empty()) return reconvergence_stack::ended(w, s);
  w.become(wf_status::ended);
  wf_context& root = *w.tree.root;
  drop(t, w, s);
  if (t.splits.empty()) {
    root.become(wf_status::ended);
    end_path(root, s);
  } else if (all_at_rpc(t)) {
    empty(t, root, nullptr, s);
  }
}

void warp_split_table::check_barrier(const wf_context& w) const {
  const table& t = of(w);
  if (t.splits.empty()) return reconvergence_stack::check_barrier(w);
  if (!find(t, w)->open.empty() || !entries(w).empty())
    throw program_error("s_barrier inside a split region: the wavefront has other paths");
}

// ---- what is shown

std::vector<shown_register> warp_split_table::shown() const {
  std::vector<shown_register> list = shown_stack(stack_shown_);
  list.push_back({"table.splits", 32, table_record::count, 4});
  for (uint32_t k = 0; k < table_record::splits_shown; ++k) {
    const std::string split = "table.split" + std::to_string(k) + ".";
    const unsigned bits = k < listed_in_waveform ? 64 : 0;
    const uint64_t at = table_record::splits + k * table_record::split_bytes;
    list.push_back({split + "pc", bits, at + table_record::pc, 8});
    list.push_back({split + "mask", bits, at + table_record::mask, 8});
  }
  return list;
}

void warp_split_table::show(const wf_context& c, uint64_t* values) const {
  const table& t = of(c);
  stack_side running{c.state.pc, c.state.split_mask};
  if (!t.splits.empty()) running.mask = 0;
  for (const warp_split& x : t.splits) running.mask |= x.context->state.split_mask;
  reconvergence_stack::show(c, running, stack_shown_, values);
  values += 2 + 5 * stack_shown_;
  *values++ = t.splits.size();
  for (uint32_t k = 0; k < table_record::splits_shown; ++k) {
    const bool there = k < t.splits.size();
    *values++ = there ? t.splits[k].context->state.pc : 0;
    *values++ = there ? t.splits[k].context->state.split_mask : 0;
  }
}

std::unique_ptr<divergence_scheme> make_dws_table(const machine_config& c, context_map& contexts) {
  return std::make_unique<warp_split_table>(c, contexts);
}

// All splits are in the table: the stack has but the wavefront in one piece.
scheme_storage storage_of_dws_table(const machine_config& c, uint32_t splits) {
  scheme_storage s = storage_beside(storage_of(c, 0, splits + 1));
  s.buffers = storage_of_contexts(c, splits).buffers;
  return s;
}

void warp_split_table::keep_paths(state_archive& a) {
  reconvergence_stack::keep_paths(a);
  a(next_number_);
  for (table& t : tables_) {
    a.list(t.splits, [&](state_archive& b, warp_split& s) {
      contexts().keep(b, s.context);
      b.list(s.open);
      b(s.at_rpc);
      if (s.context == nullptr) throw bad_state("a warp-split has no context");
    });
    std::vector<std::pair<uint64_t, split_served>> served(t.served.begin(), t.served.end());
    std::sort(served.begin(), served.end(), [](const auto& x, const auto& y) { return x.first < y.first; });
    a.list(served, [](state_archive& b, auto& s) { b(s.first, s.second.open, s.second.passed); });
    if (a.restores()) t.served = {served.begin(), served.end()};
  }
}

}  // namespace pws::models
