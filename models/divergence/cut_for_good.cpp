// SPDX-License-Identifier: Apache-2.0
#include "models/divergence/cut_for_good.h"

#include "models/divergence/exec_branches.h"
#include "models/divergence/paths_shown.h"

namespace pws::models {

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

}  // namespace pws::models
