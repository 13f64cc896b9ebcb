// SPDX-License-Identifier: Apache-2.0
// Dual-path execution: DPE paper, sections 3 and 7.1.
#include <array>

#include "tests/splitting/path_stack.h"

namespace pws::test {

namespace {

class dual_path_model final : public path_pipeline {
 public:
  dual_path_model(const path_program& p, const models::machine_config& m, uint32_t work_items)
      : path_pipeline(p, m, work_items), wavefront_(wavefronts_) {
    for (uint32_t w = 0; w < wavefronts_; ++w) {
      places_[w]->rank = 2 * w;
      wavefront_[w].slots = {places_[w].get(), nullptr};
    }
    for (uint32_t w = 0; w < wavefronts_; ++w) wavefront_[w].slots[1] = &add_place(0, w, 2 * w + 1);
  }

 private:
  using state = path_side::state;
  static constexpr size_t nowhere = ~size_t{0};
  // A side of an entry; without an entry, the whole wavefront.
  struct owner {
    size_t entry = nowhere;
    bool left = true;
    bool operator==(const owner& o) const { return entry == o.entry && left == o.left; }
  };
  struct wavefront {
    std::vector<path_entry> stack;  // the innermost entry is the last
    std::vector<owner> from;        // of each entry: who has split
    std::array<place*, 2> slots{};
    std::array<owner, 2> runs{};  // in the slots
    size_t visible = 0;           // to a constrained scheduler
  };
  wavefront& of(const place& p) { return wavefront_[p.wavefront]; }
  static size_t slot_of(const wavefront& w, const place& p) { return &p == w.slots[0] ? 0 : 1; }
  static path_side& side(wavefront& w, const owner& o) {
    return o.left ? w.stack[o.entry].left : w.stack[o.entry].right;
  }
  bool constrained() const { return machine_.dpe.scheduler == models::path_scheduler::constrained; }

  const place* other_slot(const place& p) const override {
    const wavefront& w = wavefront_[p.wavefront];
    return w.slots[&p == w.slots[0] ? 1 : 0];
  }
  bool somebody_waits_elsewhere(uint32_t w) const override { return !wavefront_[w].stack.empty(); }

  // ---- The constrained scheduler

  bool may_issue(const place& p) const override {
    const wavefront& w = wavefront_[p.wavefront];
    return !constrained() || w.slots[w.visible] == &p || w.slots[w.visible]->is == place::state::empty;
  }
  void long_operation(place& p) override {
    wavefront& w = of(p);
    const size_t beside = 1 - slot_of(w, p);
    if (w.slots[beside]->is == place::state::runs) w.visible = beside;
  }

  // ---- Paths and slots

  void run_in(wavefront& w, size_t slot, const owner& o, const path& who, uint64_t at) {
    begin(*w.slots[slot], who, at);
    w.runs[slot] = o;
    if (o.entry != nowhere) side(w, o).is = state::runs;
  }
  // It goes on later, from where it is.
  void suspend(wavefront& w, size_t slot) {
    place& p = *w.slots[slot];
    if (p.is != place::state::runs) return;
    path_side& s = side(w, w.runs[slot]);
    s.is = state::waits;
    s.who = *p.runs;
    p.is = place::state::empty;
  }
  bool is_free(const wavefront& w, size_t slot) const { return w.slots[slot]->is == place::state::empty; }

  void split(place& p, uint64_t left) override {
    wavefront& w = of(p);
    const size_t slot = slot_of(w, p);
    const owner o = w.runs[slot];
    if (!w.stack.empty() && o.entry + 1 != w.stack.size()) {  // forwarded: not before its entry is the innermost
      path_side& s = side(w, o);
      s.is = state::waits;
      s.who = *p.runs;
      --s.who.at;
      s.at_split = true;
      p.is = place::state::empty;
      settle(w, machine_.split_cycles);
      return;
    }
    suspend(w, 1 - slot);
    if (!w.stack.empty()) side(w, o).is = state::waits;
    const path who = *p.runs;
    const path_entry& e = w.stack.emplace_back(who, left);
    w.from.push_back(o);
    const path l = e.left.who, r = e.right.who;
    const size_t top = w.stack.size() - 1;
    run_in(w, 0, {top, true}, l, now_ + machine_.split_cycles);
    run_in(w, 1, {top, false}, r, now_ + machine_.split_cycles);
    w.visible = 0;
    set_shadow_bits(p.wavefront);
  }

  void merge(place& p) override {
    wavefront& w = of(p);
    const size_t slot = slot_of(w, p);
    path_side& s = side(w, w.runs[slot]);
    s.is = state::at_merge;
    s.who = *p.runs;
    p.is = place::state::empty;
    over(w);
  }
  void ended(place& p) override {
    wavefront& w = of(p);
    const size_t slot = slot_of(w, p);
    if (w.stack.empty()) return;
    side(w, w.runs[slot]).is = state::ended;
    over(w);
  }

  // A path does not go on.
  void over(wavefront& w) {
    while (!w.stack.empty() && w.stack.back().over()) {
      const std::optional<path> whole = w.stack.back().whole();
      const owner o = w.from.back();
      w.stack.pop_back();
      w.from.pop_back();
      set_shadow_bits(w.slots[0]->wavefront);
      if (!whole) {
        if (o.entry != nowhere) side(w, o).is = state::ended;
      } else {
        // In the slot of the side that it is, unless a forwarded path has it.
        size_t own = o.left ? 0 : 1;
        if (!is_free(w, own)) own = 1 - own;
        run_in(w, own, o, *whole, now_ + machine_.merge_cycles);
      }
      if (o.entry == nowhere) break;
      resume(w);
    }
    settle(w, machine_.merge_cycles);
  }
  // `cycles`: what the instruction takes that has freed a slot.
  void settle(wavefront& w, uint64_t cycles) {
    if (machine_.dpe.path_forwarding) forward(w, cycles);
    if (is_free(w, w.visible)) w.visible = 1 - w.visible;
  }
  // Sides of what is the innermost entry now.
  void resume(wavefront& w) {
    const size_t top = w.stack.size() - 1;
    for (const bool left : {true, false}) {
      const owner o{top, left};
      if (side(w, o).is != state::waits) continue;
      size_t own = left ? 0 : 1;
      if (!is_free(w, own) && (is_free(w, 1 - own) || w.runs[own].entry == top)) own = 1 - own;
      suspend(w, own);  // it was forwarded
      const path who = side(w, o).who;
      side(w, o).at_split = false;
      run_in(w, own, o, who, now_ + machine_.merge_cycles);
    }
  }
  // Free slots go to paths further down.
  void forward(wavefront& w, uint64_t cycles) {
    for (size_t slot = 0; slot < 2; ++slot)
      for (size_t e = w.stack.size(); e-- > 0 && is_free(w, slot);)
        for (const bool left : {true, false}) {
          const owner o{e, left};
          if (side(w, o).is != state::waits || side(w, o).at_split || has_split(w, o) || !is_free(w, slot)) continue;
          const path who = side(w, o).who;
          run_in(w, slot, o, who, now_ + cycles);
        }
  }
  // Its work-items are in the entry above.
  static bool has_split(const wavefront& w, const owner& o) {
    for (const owner& f : w.from)
      if (f == o) return true;
    return false;
  }

  std::vector<wavefront> wavefront_;
};

}  // namespace

std::unique_ptr<path_pipeline> make_dual_path_model(const path_program& p, const models::machine_config& m,
                                                    uint32_t n) {
  return std::make_unique<dual_path_model>(p, m, n);
}

}  // namespace pws::test
