// SPDX-License-Identifier: Apache-2.0
#include "tests/models/scheme_bench.h"

#include <fmt/format.h>

#include "models/context/wavefront.h"
#include "models/isa/code/decode.h"

namespace pws::test {

using models::wf_context;
using models::wf_status;

models::machine_config one_simd(models::divergence_kind scheme, uint32_t s, uint32_t contexts) {
  models::machine_config c;
  c.n_simd = 1;
  c.n_wfc = contexts;
  c.divergence = scheme;
  c.spsimd_per_simd = s;
  return c;
}

scheme_bench::scheme_bench(const models::machine_config& c) : config_(c), contexts_(models::layout_of(c)) {
  for (uint32_t k = 0; k < contexts_.layout().count(); ++k) {
    const models::unit_id u(k);
    const models::context_file::place where{u, contexts_.layout().simd_of(u), contexts_.layout().number_of(u)};
    units_.push_back(std::make_unique<unit>(config_, where));
    contexts_.add(*units_.back());
  }
  scheme_ = models::make_divergence_scheme(config_, contexts_);
  kernel_.sgprs = 16;
  kernel_.vgprs = 4;
}

wf_context& scheme_bench::launch(models::resident_workgroup& group, uint32_t work_items) {
  wf_context& w = *units_.front()->allocate(kernel_);
  models::begin_wavefront(contexts_, w, group, work_items == 64 ? ~uint64_t{0} : (uint64_t{1} << work_items) - 1);
  w.state.set_scalar64(isa::exec_lo, w.tree.launched);
  group.waves.push_back(&w);
  ++group.unfinished;
  w.become(wf_status::running);
  return w;
}

models::after_divergence scheme_bench::split(wf_context& w, uint64_t mask) {
  constexpr unsigned first = 8;  // split s8, s9
  const uint32_t word = 0xbf140000u | (first + 1) << 8 | first;
  const isa::inst i = isa::decode(&word, 1, w.state.pc);
  w.state.set_scalar64(first, mask);
  w.state.pc += i.bytes();
  return scheme_->diverges(w, i) ? scheme_->execute(w, i, *this) : models::after_divergence::goes_on;
}

models::after_divergence scheme_bench::merge(wf_context& w) {
  constexpr uint32_t word = 0xbf150000;
  const isa::inst i = isa::decode(&word, 1, w.state.pc);
  w.state.pc += i.bytes();
  return scheme_->diverges(w, i) ? scheme_->execute(w, i, *this) : models::after_divergence::goes_on;
}

models::after_divergence scheme_bench::branch_execz(wf_context& w, unsigned skipped) {
  const uint32_t word = 0xbf880000u | skipped;
  const isa::inst i = isa::decode(&word, 1, w.state.pc);
  w.state.pc += i.bytes();
  if (scheme_->acts_on(i) && scheme_->diverges(w, i)) return scheme_->execute(w, i, *this);
  i.exec(w.state, i);
  return models::after_divergence::goes_on;
}

void scheme_bench::end(wf_context& w) {
  w.become(wf_status::draining);
  scheme_->ended(w, *this);
}

std::vector<wf_context*> scheme_bench::in_use() const {
  std::vector<wf_context*> out;
  for (const auto& u : units_)
    for (wf_context& c : u->contexts)
      if (c.taken) out.push_back(&c);
  return out;
}

std::string scheme_bench::counted_wrong(const wf_context& root) const {
  uint32_t live = 0, paths = 0, running = 0, at_barrier = 0;
  for (const wf_context* c : in_use()) {
    if (contexts_.of(*c).split_masks.read(c->slot) != c->state.split_mask)
      return fmt::format("the split mask of {} is not what its register says", name_of(*c));
    if (c->status == wf_status::idle) continue;  // the second of a wavefront
    const auto counts = models::counts_of(c->status);
    if (c->group == root.group) {
      running += counts.running;
      at_barrier += counts.at_barrier;
      if (!c->is_swf()) running += c->tree.stacked;
    }
    if (c->tree.root != &root) continue;
    ++live;
    paths += counts.path;
  }
  const auto& t = root.tree;
  const auto& g = *root.group;
  if (live == t.live && paths == t.paths && running == g.running && at_barrier == g.at_barrier) return "";
  return fmt::format("{} contexts, {} paths, {} running, {} at a barrier; counted are {}, {}, {}, {}", live, paths,
                     running, at_barrier, t.live, t.paths, g.running, g.at_barrier);
}

std::string scheme_bench::name_of(const wf_context& c) const {
  if (contexts_.of(c).is_second(c)) return "right";
  if (c.slot.value >= config_.n_wfc) return "further";
  return std::to_string(config_.divergence == models::divergence_kind::dws ? c.slot.value + 1
                                                                           : contexts_.of(c).number.value());
}

void scheme_bench::begin(wf_context& swf, const wf_context&) {
  told.push_back("begin " + name_of(swf));
  go_on(swf);
}

void scheme_bench::resume(wf_context& c, uint64_t) {
  told.push_back("resume " + name_of(c));
  go_on(c);
}

void scheme_bench::replace(wf_context& c) {
  told.push_back("replace " + name_of(c));
  go_on(c);
}

void scheme_bench::go_on(wf_context& c) {
  if (c.status == wf_status::idle)
    models::run_swf(c);
  else
    c.become(wf_status::running);
}

void scheme_bench::suspend(wf_context& c) {
  told.push_back("suspend " + name_of(c));
  c.become(wf_status::suspended);
}

void scheme_bench::release(wf_context& c) {
  told.push_back("release " + name_of(c));
  c.become(wf_status::running);
}

void scheme_bench::take_turn(wf_context& c, models::cycle_t) {
  told.push_back("turn " + name_of(c));
  c.become(wf_status::running);
}

void scheme_bench::leave(wf_context& swf) {
  told.push_back("leave " + name_of(swf));
  models::stop_swf(swf);
  units_[swf.unit.value]->release(swf);
}

void scheme_bench::finish(wf_context& root) {
  told.push_back("finish");
  --root.group->unfinished;
}

}  // namespace pws::test
