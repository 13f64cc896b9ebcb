// SPDX-License-Identifier: Apache-2.0
// SWFs in a tree: PWS paper, section 4.1 (pws) and section 7 (dws, which takes them from the SIMD unit's own contexts).
#include "tests/splitting/path_pipeline.h"

namespace pws::test {

namespace {

class tree_model final : public path_pipeline {
 public:
  tree_model(const path_program& p, const models::machine_config& m, uint32_t work_items)
      : path_pipeline(p, m, work_items), begun_(wavefronts_) {
    if (pws()) {
      for (unsigned k = 1; k <= machine_.spsimd_per_simd; ++k)
        for (uint32_t w = 0; w < wavefronts_; ++w) add_place(k, w, w);
    } else {
      for (uint32_t context = wavefronts_; context < machine_.n_wfc; ++context) add_place(0, 0, context);
    }
    for (const auto& q : places_) nodes_[q.get()];
  }

 private:
  // The child stack has `one_sided` splits above each entry, which path::one_sided counts for the top one.
  struct child {
    place* who = nullptr;  // nullptr: it has ended
    unsigned one_sided = 0;
  };
  struct node {
    place* parent = nullptr;
    std::vector<child> children;
    bool ended = false;  // but a child goes on
  };
  bool pws() const { return machine_.divergence == models::divergence_kind::pws; }
  bool in_use(const place& p) const { return p.is != place::state::empty || nodes_.at(&p).ended; }
  // For the next cycle: who can take it is known when a cycle begins.
  void free(place& p) const {
    p.is = place::state::empty;
    p.empty_at = now_ + 1;
  }

  // A context for another SWF of its wavefront. Wavefronts keep theirs until the workgroup ends.
  place* free_place(const place& p) const {
    unsigned has = 0;
    place* first = nullptr;
    for (size_t k = wavefronts_; k < places_.size(); ++k) {
      place& q = *places_[k];
      const bool of_it = q.wavefront == p.wavefront;
      if (in_use(q))
        has += of_it;
      else if (first == nullptr && q.empty_at <= now_ && (of_it || !pws()))
        first = &q;
    }
    return has < machine_.spsimd_per_simd ? first : nullptr;
  }
  bool parts(const place& p, uint64_t left, uint64_t right) const override {
    return left != 0 && right != 0 && free_place(p) != nullptr;
  }

  void split(place& p, uint64_t left) override {
    place& swf = *free_place(p);
    swf.wavefront = p.wavefront;
    swf.rank = begun_++;
    nodes_[&swf] = {&p, {}, false};
    nodes_[&p].children.push_back({&swf, p.runs->one_sided});
    path other = *p.runs;
    other.work_items &= ~left;
    other.one_sided = p.runs->one_sided = 0;
    p.runs->work_items &= left;
    begin(swf, other, now_ + machine_.split_cycles);
  }

  void merge(place& p) override {
    node& n = nodes_[&p];
    if (!n.children.empty()) {
      const child top = n.children.back();
      if (top.who == nullptr)
        goes_on(p, *p.runs);
      else if (top.who->is == place::state::at_merge && nodes_[top.who].children.empty())
        goes_on(p, joined(*p.runs, leave(*top.who)));
      else
        p.is = place::state::at_merge;
      return;
    }
    place& parent = *n.parent;
    node& above = nodes_[&parent];
    p.is = place::state::at_merge;
    if (above.children.back().who != &p) return;
    if (above.ended)
      goes_on(parent, leave(p));
    else if (parent.is == place::state::at_merge)
      goes_on(parent, joined(*parent.runs, leave(p)));
  }
  // Behind the merge of the split on top of its child stack.
  void goes_on(place& p, path who) {
    node& n = nodes_[&p];
    who.one_sided = n.children.back().one_sided;
    n.children.pop_back();
    n.ended = false;
    begin(p, who, now_ + machine_.merge_cycles);
  }
  path leave(place& swf) {
    nodes_[&swf] = {};
    free(swf);
    return *swf.runs;
  }

  void ended(place& p) override {
    node& n = nodes_[&p];
    while (!n.children.empty() && n.children.back().who == nullptr) n.children.pop_back();
    if (!n.children.empty()) {
      n.ended = true;
      p.is = place::state::ends;
      place& top = *n.children.back().who;
      if (top.is == place::state::at_merge && nodes_[&top].children.empty()) goes_on(p, leave(top));
      return;
    }
    free(p);
    place* parent = n.parent;
    n = {};
    if (parent == nullptr) return;
    node& above = nodes_[parent];
    for (child& c : above.children)
      if (c.who == &p) c.who = nullptr;
    if (above.children.back().who != nullptr) return;
    if (above.ended)
      ended(*parent);
    else if (parent->is == place::state::at_merge)
      goes_on(*parent, *parent->runs);
  }

  std::map<const place*, node> nodes_;
  uint64_t begun_;  // contexts, as they come into use: the oldest issues first
};

}  // namespace

std::unique_ptr<path_pipeline> make_tree_model(const path_program& p, const models::machine_config& m, uint32_t n) {
  return std::make_unique<tree_model>(p, m, n);
}

}  // namespace pws::test
