// SPDX-License-Identifier: Apache-2.0
#include "models/divergence/convergence_barriers.h"

#include "models/divergence/path_storage.h"
#include "models/isa/predicates.h"

namespace pws::models {

namespace {
constexpr uint32_t any_number = ~uint32_t{0};
}  // namespace

convergence_barriers::convergence_barriers(const machine_config& c, context_map& contexts)
    : path_turns(c, contexts, any_number, 1), yield_branches_(c.convergence.yield_branches) {
  may_yield_at(isa::unit::internal);
  if (yield_branches_ != 0) may_yield_at(isa::unit::branch);
}

bool convergence_barriers::yields(wf_context& w, const isa::inst& i, swf_scheduler& s) {
  wavefront& v = of(w);
  if (v.paths.size() < 2) return false;
  if (i.unit == isa::unit::branch) {
    const bool backward = w.state.pc <= i.pc;
    uint32_t& taken = path_of(v, w).branches;
    if (!backward || ++taken < yield_branches_) return false;
    taken = 0;
  } else if (isa::operation_of(i) != isa::operation::sleep) {
    return false;
  }
  return yield(v, w, s);
}

std::unique_ptr<divergence_scheme> make_convergence(const machine_config& c, context_map& contexts) {
  return std::make_unique<convergence_barriers>(c, contexts);
}

scheme_storage storage_of_convergence(const machine_config& c, uint32_t splits) {
  return storage_beside(storage_of(c, splits, splits + 1));
}

}  // namespace pws::models
