// SPDX-License-Identifier: Apache-2.0
// A warp-split table beside a reconvergence stack: DPE paper, section 2.2.
#include <algorithm>
#include <stdexcept>
#include <utility>

#include "tests/splitting/path_stack.h"

namespace pws::test {

namespace {

class table_model final : public stack_model {
 public:
  table_model(const path_program& p, const models::machine_config& m, uint32_t work_items)
      : stack_model(p, m, work_items), wavefront_(wavefronts_), begun_(wavefronts_) {
    for (uint32_t w = 0; w < wavefronts_; ++w) wavefront_[w].own = places_[w].get();
    for (uint32_t w = 0; w < wavefronts_; ++w)
      for (uint64_t k = 1; k < paths; ++k) add_place(0, w, 0);
  }

 private:
  static constexpr uint64_t paths = 65;  // of a wavefront, at most, and the context of its own

  struct warp_split {
    place* in = nullptr;
    std::vector<uint64_t> open;  // executions of splits whose merge it has not passed, innermost last
  };
  struct wavefront {
    place* own = nullptr;
    std::vector<warp_split> table;
    unsigned one_sided = 0;  // what the stack's path had open when the table's first split came
  };
  wavefront& of(const place& p) { return wavefront_[p.wavefront]; }
  static warp_split& row(wavefront& w, const place& p) {
    return *std::find_if(w.table.begin(), w.table.end(), [&](const warp_split& s) { return s.in == &p; });
  }
  bool passes(const place& p) const override {
    for (const warp_split& s : wavefront_[p.wavefront].table)
      if (s.in == &p) return !s.open.empty();
    return false;
  }
  // Warp-splits at one PC, in the order of the table.
  std::vector<place*> together(place& p) override {
    std::vector<place*> all;
    if (machine_.dws.pc_reconvergence)
      for (const warp_split& s : of(p).table)
        if (s.in->is == place::state::runs && s.in->runs->at == p.runs->at) all.push_back(s.in);
    return all.empty() ? stack_model::together(p) : all;
  }
  bool subdivides(const place& p) const {
    if (!wavefront_[p.wavefront].table.empty() || !machine_.dws.threshold) return true;
    const size_t split = p.runs->at - 1;
    return program_.length_behind(code_[split].target) <= *machine_.dws.threshold;
  }

  void split(place& p, uint64_t left) override {
    wavefront& w = of(p);
    if (!subdivides(p)) {
      stack_model::split(p, left);
      return;
    }
    if (w.table.empty()) {
      w.table.push_back({&p, {}});
      w.one_sided = std::exchange(p.runs->one_sided, 0);
    }
    row(w, p).open.push_back(++executions_);
    place& other = free_place(p.wavefront);
    other.rank = begun_++;
    w.table.push_back({&other, row(w, p).open});
    path right = *p.runs;
    right.work_items &= ~left;
    p.runs->work_items &= left;
    begin(other, right, now_ + machine_.split_cycles);
  }
  void keep_together(place& p) override {
    wavefront& w = of(p);
    if (w.table.empty())
      stack_model::keep_together(p);
    else
      row(w, p).open.push_back(++executions_);
  }
  place& free_place(uint32_t number) {
    for (const auto& p : places_)
      if (p->wavefront == number && p->is == place::state::empty && p.get() != wavefront_[number].own) return *p;
    throw std::logic_error("more paths than work-items");
  }

  void merge(place& p) override {
    wavefront& w = of(p);
    if (w.table.empty()) {
      stack_model::merge(p);
      return;
    }
    warp_split& mine = row(w, p);
    if (mine.open.empty()) {  // the reconvergence PC
      p.is = place::state::at_merge;
      empty_table(w);
      return;
    }
    const uint64_t execution = mine.open.back();
    place* into = &p;
    path whole = *p.runs;
    const auto stands_here = [&](const warp_split& s) {
      return s.in != into && s.in->is == place::state::runs && s.in->runs->at + 1 == whole.at && !s.open.empty() &&
             s.open.back() == execution;
    };
    for (auto s = w.table.begin(); s != w.table.end();) {
      if (!stands_here(*s)) {
        ++s;
        continue;
      }
      whole = joined(whole, *s->in->runs);
      place* leaves = s->in;
      if (leaves == w.own) std::swap(leaves, into);
      leaves->is = place::state::empty;
      w.table.erase(std::find_if(w.table.begin(), w.table.end(), [&](const warp_split& t) { return t.in == leaves; }));
      s = w.table.begin();
    }
    pass(w, *into, whole);
  }
  void pass(wavefront& w, place& p, path who) {
    row(w, p).open.pop_back();
    begin(p, who, now_ + machine_.merge_cycles);
  }

  void ended(place& p) override {
    wavefront& w = of(p);
    if (w.table.empty()) {
      stack_model::ended(p);
      return;
    }
    w.table.erase(std::find_if(w.table.begin(), w.table.end(), [&](const warp_split& t) { return t.in == &p; }));
    if (w.table.empty())
      stack_model::ended(*w.own);
    else
      empty_table(w);
  }
  // If all of it is at the reconvergence PC.
  void empty_table(wavefront& w) {
    for (const warp_split& s : w.table)
      if (s.in->is != place::state::at_merge) return;
    path whole = *w.table.front().in->runs;
    for (const warp_split& s : w.table) {
      if (&s != &w.table.front()) whole = joined(whole, *s.in->runs);
      s.in->is = place::state::empty;
    }
    w.table.clear();
    whole.one_sided = w.one_sided;
    if (whole.one_sided != 0) {  // the merge of a split without a second side
      --whole.one_sided;
      begin(*w.own, whole, now_ + machine_.merge_cycles);
      return;
    }
    w.own->runs = whole;
    stack_model::merge(*w.own);
  }

  std::vector<wavefront> wavefront_;
  uint64_t executions_ = 0;
  uint64_t begun_;  // contexts, as they come into use: the oldest issues first
};

}  // namespace

std::unique_ptr<path_pipeline> make_table_model(const path_program& p, const models::machine_config& m, uint32_t n) {
  return std::make_unique<table_model>(p, m, n);
}

}  // namespace pws::test
