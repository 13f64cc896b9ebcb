// SPDX-License-Identifier: Apache-2.0
#include "models/divergence/mode_bit_splitting.h"

#include <fmt/format.h>

#include "base/error.h"
#include "models/divergence/exec_branches.h"
#include "models/divergence/path_storage.h"
#include "models/divergence/shown_registers.h"
#include "models/isa/hardware_register.h"

namespace pws::models {

namespace {
constexpr uint32_t split_enable = 1u << isa::mode_split_enable_bit;
}  // namespace

mode_bit_splitting::mode_bit_splitting(const machine_config& c, context_map& contexts)
    : divergence_scheme(c),
      contexts_(contexts),
      pool_(contexts),
      child_stack_entries_(c.child_stack_entries),
      forced_(c.force_mode_split),
      context_required_(c.check.split_contexts) {}

bool mode_bit_splitting::diverges(const wf_context& w, const isa::inst& i) const {
  return (forced_ || (w.state.mode & split_enable) != 0) && parts_at(w, i);
}

after_divergence mode_bit_splitting::execute(wf_context& w, const isa::inst& i, swf_scheduler& s) {
  const uint64_t active = w.state.active();
  wf_context* child = pool_.take(w);
  if (child == nullptr) {
    if (context_required_)
      throw program_error(
          fmt::format("no SWF context is free for the split at this branch: the wavefront has {} SWFs "
                      "already (check.split_contexts)",
                      w.tree.root->tree.live - 1));
    ++statistics_.no_context;
    i.exec(w.state, i);
    return after_divergence::goes_on;
  }
  ++statistics_.splits;
  begin_swf(*child, w, pool_.number_of(w));
  contexts_.of(*child).set_split_mask(*child, w.state.split_mask & ~active);
  contexts_.of(w).set_split_mask(w, w.state.split_mask & active);
  // Both sides execute the branch, each with its own mask: one has all of its work-items active, the other none.
  i.exec(w.state, i);
  i.exec(child->state, i);
  s.begin(*child, w);
  return after_divergence::goes_on;
}

void mode_bit_splitting::ended(wf_context& w, swf_scheduler& s) {
  end_for_good(contexts_, w, s);
}

std::vector<shown_register> mode_bit_splitting::shown() const {
  return shown_split_registers(child_stack_entries_);
}

void mode_bit_splitting::show(const wf_context& c, uint64_t* values) const {
  show_split_registers(contexts_, c, values);
}

std::unique_ptr<divergence_scheme> make_pws_mode(const machine_config& c, context_map& contexts) {
  return std::make_unique<mode_bit_splitting>(c, contexts);
}

// Paths never join: no context keeps a parent or children. The wavefront's own has a split mask too.
scheme_storage storage_of_pws_mode(const machine_config& c, uint32_t) {
  scheme_storage s = storage_of_contexts(c, c.spsimd_per_simd);
  s.paths += path_widths{}.mask;
  return s;
}

}  // namespace pws::models
