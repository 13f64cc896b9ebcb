// SPDX-License-Identifier: Apache-2.0
#include "tests/splitting/path_pipeline.h"

#include <algorithm>
#include <stdexcept>

namespace pws::test {

path_pipeline::path_pipeline(const path_program& program, const models::machine_config& machine, uint32_t work_items)
    : program_(program), code_(program.code()), machine_(machine), wavefronts_((work_items + 63) / 64) {
  for (uint32_t w = 0; w < wavefronts_; ++w) {
    vector_.push_back(program.words_at_begin(64 * w));
    place& p = add_place(0, w, w);
    path whole;
    const uint32_t left = work_items - 64 * w;
    whole.work_items = left >= 64 ? ~uint64_t{0} : (uint64_t{1} << left) - 1;
    whole.scalar.exec = whole.work_items;
    whole.at = 1;
    begin(p, whole, 1);
  }
}

place& path_pipeline::add_place(unsigned number, uint32_t wavefront, uint64_t rank) {
  place& p = *places_.emplace_back(std::make_unique<place>());
  p.unit = number;
  p.wavefront = wavefront;
  p.rank = rank;
  last_unit_ = std::max(last_unit_, number);
  return p;
}

void path_pipeline::begin(place& p, path what, uint64_t at) const {
  what.can_issue = at;
  p.runs = std::move(what);
  p.is = place::state::runs;
}

path joined(const path& left, const path& right) {
  path p = left;
  p.work_items |= right.work_items;
  p.scalar.exec |= right.scalar.exec;
  for (const auto& [reg, ready] : right.results) p.results[reg] = std::max(p.results[reg], ready);
  return p;
}

std::vector<path_issue> path_pipeline::run(uint64_t begin) {
  constexpr uint64_t too_long = 1'000'000;
  for (now_ = 1;; ++now_) {
    if (now_ == too_long) throw std::runtime_error("the model does not come to an end");
    const bool over =
        std::all_of(places_.begin(), places_.end(), [](const auto& p) { return p->is == place::state::empty; });
    if (over) break;
    for (unsigned k = 0; k <= last_unit_; ++k) cycle(static_cast<unsigned>((begin + now_ + k) % (last_unit_ + 1)));
  }
  std::sort(issued_.begin(), issued_.end());
  return std::move(issued_);
}

path_pipeline::port path_pipeline::port_of(const path_instruction& i) const {
  switch (i.unit) {
    case path_unit::vector:
    case path_unit::quarter_rate_vector:
      return valu;
    case path_unit::scalar:
    case path_unit::branch:
    case path_unit::split_point:
    case path_unit::merge_point:
      return scalar;
    case path_unit::idle:
    case path_unit::barrier:
    case path_unit::end:
      break;
  }
  return none;
}

uint64_t path_pipeline::valu_cycles(const path_instruction& i) const {
  return 64 / machine_.valu_lanes * (i.unit == path_unit::quarter_rate_vector ? 4 : 1);
}

bool path_pipeline::there(const place& p, unsigned reg) const {
  const auto r = p.runs->results.find(reg);
  if (r != p.runs->results.end() && r->second > now_) return false;
  const auto in_slot = p.results.find(reg);
  if (in_slot != p.results.end() && in_slot->second.ready > now_) return false;
  const place* other = other_slot(p);
  if (other == nullptr) return true;
  const auto there = other->results.find(reg);
  return there == other->results.end() || there->second.ready <= now_ || !there->second.shadow;
}

void path_pipeline::set_shadow_bits(uint32_t wavefront) {
  for (const auto& p : places_)
    if (p->wavefront == wavefront)
      for (auto& [reg, r] : p->results) r.shadow = true;
}

bool path_pipeline::ready(const place& p) const {
  if (p.is != place::state::runs || !may_issue(p) || p.runs->can_issue > now_) return false;
  const path_instruction& i = instruction(p);
  for (const unsigned reg : i.registers)
    if (!there(p, reg)) return false;
  const bool diverges = i.unit == path_unit::split_point || (i.unit == path_unit::merge_point && !passes(p));
  if (diverges && machine_.scoreboard == models::path_scoreboard::drain)
    for (const auto& [reg, at] : p.runs->results)
      if (at > now_) return false;
  return port_of(i) != valu || units_.find(p.unit) == units_.end() || units_.at(p.unit).valu_free_at <= now_;
}

bool path_pipeline::all_ready(const std::vector<place*>& together) const {
  return std::all_of(together.begin(), together.end(), [&](const place* p) { return ready(*p); });
}

// Who can issue is known when the cycle begins; only who has been suspended since does not.
void path_pipeline::cycle(unsigned number) {
  std::vector<std::pair<place*, port>> candidates;
  for (const auto& p : places_) {
    if (p->unit != number) continue;
    if (p->is == place::state::ends && p->ends_at == now_)
      candidates.emplace_back(p.get(), none);
    else if (ready(*p) && together(*p).front() == p.get() && all_ready(together(*p)))
      candidates.emplace_back(p.get(), port_of(instruction(*p)));
  }
  std::sort(candidates.begin(), candidates.end(),
            [](const auto& a, const auto& b) { return a.first->rank < b.first->rank; });
  unit& u = units_[number];
  for (const port to : {valu, scalar, none}) {
    std::vector<place*> order;
    for (const auto& [p, wants] : candidates)
      if (wants == to) order.push_back(p);
    if (machine_.schedule == models::schedule_policy::round_robin)
      std::rotate(order.begin(),
                  std::find_if(order.begin(), order.end(), [&](const place* p) { return p->rank >= u.turn; }),
                  order.end());
    for (place* p : order) {
      const bool ends = p->is == place::state::ends && p->ends_at == now_;
      std::vector<place*> who = {p};
      if (!ends) {
        if (!ready(*p)) continue;
        who = together(*p);
        if (!all_ready(who)) continue;  // somebody has come there in this cycle
      }
      u.turn = p->rank + 1;
      if (ends) {
        p->is = place::state::empty;
        ended(*p);
      } else {
        const size_t at = p->runs->at;
        for (place* each : who)  // but for those that have become one with another of them
          if (each->is == place::state::runs && each->runs->at == at) issue(*each);
        if (to != none) break;
      }
    }
  }
}

void path_pipeline::issue(place& p) {
  const path_instruction& i = instruction(p);
  path& who = *p.runs;
  path_view view{who.scalar, vector_[p.wavefront], who.work_items};
  issued_.push_back({now_, p.wavefront, who.work_items, who.at, view.active()});
  const bool is_vector = port_of(i) == valu;
  if (is_vector) {
    units_[p.unit].valu_free_at = now_ + valu_cycles(i);
    const uint64_t latency =
        i.unit == path_unit::quarter_rate_vector ? machine_.latency.valu_trans : machine_.latency.valu;
    for (const unsigned reg : i.results) {
      const uint64_t ready = now_ + std::max(latency, valu_cycles(i));
      if (by_slot())
        p.results[reg] = {ready, false};
      else
        who.results[reg] = ready;
    }
  }
  if (i.act) i.act(view);
  who.at = i.taken && i.taken(view) ? i.target : who.at + 1;
  who.can_issue = now_ + 1;
  switch (i.unit) {
    case path_unit::vector:
    case path_unit::scalar:
      break;
    case path_unit::quarter_rate_vector:
      long_operation(p);
      break;
    case path_unit::branch:
      who.can_issue = now_ + machine_.latency.branch;
      break;
    case path_unit::idle:
      who.can_issue = now_ + std::max(machine_.latency.internal, i.cycles);
      break;
    case path_unit::barrier:
      p.is = place::state::at_barrier;
      pass_barrier();
      break;
    case path_unit::split_point:
      take_split(p);
      break;
    case path_unit::merge_point:
      who.can_issue = now_ + machine_.merge_cycles;
      if (who.one_sided != 0)
        --who.one_sided;
      else
        merge(p);
      break;
    case path_unit::end:
      p.ends_at = now_ + 1;
      p.is = place::state::ends;
      pass_barrier();
      break;
  }
}

void path_pipeline::take_split(place& p) {
  path& who = *p.runs;
  who.can_issue = now_ + machine_.split_cycles;
  const uint64_t left = who.scalar.exec & who.work_items;
  if (parts(p, left, who.work_items & ~left))
    split(p, left);
  else
    keep_together(p);
}

void path_pipeline::pass_barrier() {
  bool anybody = false;
  for (const auto& p : places_) {
    if (p->is == place::state::runs || p->is == place::state::at_merge) return;
    anybody |= p->is == place::state::at_barrier;
  }
  if (!anybody) return;
  for (uint32_t w = 0; w < wavefronts_; ++w)
    if (somebody_waits_elsewhere(w)) return;
  for (const auto& p : places_)
    if (p->is == place::state::at_barrier) begin(*p, *p->runs, now_ + 1);
}

std::vector<path_issue> predict(const path_program& program, const models::machine_config& machine, uint32_t work_items,
                                uint64_t begin) {
  using models::divergence_kind;
  const auto make = machine.divergence == divergence_kind::stack       ? make_stack_model
                    : machine.divergence == divergence_kind::dpe       ? make_dual_path_model
                    : machine.divergence == divergence_kind::dws_table ? make_table_model
                                                                       : make_tree_model;
  return make(program, machine, work_items)->run(begin);
}

}  // namespace pws::test
