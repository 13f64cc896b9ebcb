// SPDX-License-Identifier: Apache-2.0
#include "models/divergence/divergence_scheme.h"
#include "models/divergence/exec_branches.h"
#include "models/divergence/shown_registers.h"

namespace pws::models {

// `pdom`, `naive`, `dwf` and `mimd`: the machines of the warp formation paper. A wavefront begins as static warps, each
// a path of its own with dwf.warp_size work-items, or as single work-items (mimd). Where work-items of a path take
// different ways at s_cbranch_execz or s_cbranch_execnz, naive and dwf cut it in two. Paths never become one again:
// unmodified programs run, and which paths issue together as a warp is the warp scheduler's business.
//
// With pdom nothing is cut at branches: the code serialises its sides through EXEC and restores EXEC where they meet,
// which is where clang's structurisation puts a branch's immediate post-dominator.
class cut_for_good : public divergence_scheme {
 public:
  cut_for_good(const machine_config& c, context_map& contexts);

  void launched(wf_context& root, swf_scheduler& s) override;
  bool diverges(const wf_context& w, const isa::inst& i) const override;
  after_divergence execute(wf_context& w, const isa::inst& i, swf_scheduler& s) override;
  // Every path takes part in barriers with its work-items.
  void check_barrier(const wf_context&) const override {}
  void ended(wf_context& w, swf_scheduler& s) override;
  // What a path has under way at a cut goes on, and both parts wait for it.
  bool waits_at(const wf_context&, const isa::inst&) const override { return false; }
  void begin_path(front_end& path, const front_end& from) const override { path.share(from); }
  std::vector<shown_register> shown() const override;
  void show(const wf_context& c, uint64_t* values) const override;

 private:
  context_map& contexts_;
  const uint32_t first_paths_;  // work-items of each path that a wavefront begins with
};

namespace {
constexpr uint64_t lanes_from(uint32_t first, uint32_t count) {
  return (count == isa::wave_size ? ~uint64_t{0} : (uint64_t{1} << count) - 1) << first;
}
}  // namespace

cut_for_good::cut_for_good(const machine_config& c, context_map& contexts)
    : divergence_scheme(c),
      contexts_(contexts),
      first_paths_(c.divergence == divergence_kind::mimd ? 1 : warp_size_of(c)) {}

// Lanes without a work-item stay with the first path.
void cut_for_good::launched(wf_context& root, swf_scheduler& s) {
  for (uint32_t first = first_paths_; first < isa::wave_size; first += first_paths_) {
    const uint64_t lanes = lanes_from(first, first_paths_);
    if ((root.tree.launched & lanes) != 0) s.begin(cut_path(contexts_, root, lanes), root);
  }
}

bool cut_for_good::diverges(const wf_context& w, const isa::inst& i) const {
  return i.simm != 0 && parts_at(w, i);  // of a branch to what follows both ways are one
}

after_divergence cut_for_good::execute(wf_context& w, const isa::inst& i, swf_scheduler& s) {
  ++statistics_.splits;
  wf_context& other = cut_path(contexts_, w, w.state.split_mask & ~w.state.active());
  // Both execute the branch, each with its own mask: one has all of its work-items active, the other none.
  i.exec(w.state, i);
  i.exec(other.state, i);
  s.begin(other, w);
  return after_divergence::goes_on;
}

void cut_for_good::ended(wf_context& w, swf_scheduler& s) {
  end_for_good(contexts_, w, s);
}

std::vector<shown_register> cut_for_good::shown() const {
  return shown_paths();
}

void cut_for_good::show(const wf_context& c, uint64_t* values) const {
  show_paths(c, values);
}

#define PWS_CUT_FOR_GOOD(KIND)                                                                     \
  std::unique_ptr<divergence_scheme> make_##KIND(const machine_config& c, context_map& contexts) { \
    return std::make_unique<cut_for_good>(c, contexts);                                            \
  }
PWS_CUT_FOR_GOOD(pdom)
PWS_CUT_FOR_GOOD(naive)
PWS_CUT_FOR_GOOD(dwf)
PWS_CUT_FOR_GOOD(mimd)
#undef PWS_CUT_FOR_GOOD

// Sides of a branch run serially in a static warp.
scheme_storage storage_of_pdom(const machine_config&, uint32_t) {
  return {};
}
// A path for each side; the structures that form warps are models/formation's.
scheme_storage storage_of_naive(const machine_config& c, uint32_t splits) {
  return storage_of_contexts(c, splits);
}
scheme_storage storage_of_dwf(const machine_config& c, uint32_t splits) {
  return storage_of_contexts(c, splits);
}
scheme_storage storage_of_mimd(const machine_config& c, uint32_t) {
  return storage_of_contexts(c, isa::wave_size - 1);
}

}  // namespace pws::models
