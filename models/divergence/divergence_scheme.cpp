// SPDX-License-Identifier: Apache-2.0
#include "models/divergence/divergence_scheme.h"

#include <algorithm>

namespace pws::models {

namespace {
constexpr uint32_t units_acted_on(divergence_points p) {
  const auto bit = [](isa::unit u) { return uint32_t{1} << static_cast<unsigned>(u); };
  switch (p) {
    case divergence_points::nothing:
    case divergence_points::launch:
      break;
    case divergence_points::split_and_merge:
      return bit(isa::unit::split) | bit(isa::unit::merge);
    case divergence_points::exec_branches:
      return bit(isa::unit::branch);
  }
  return 0;
}
}  // namespace

divergence_scheme::divergence_scheme(const machine_config& c)
    : traits_(traits_of(c.divergence)),
      acting_units_(units_acted_on(traits_.acts_at)),
      split_cycles_(c.split_cycles),
      join_cycles_(c.merge_cycles),
      scoreboard_(c.scoreboard) {}

divergence_scheme::wait divergence_scheme::waits_for(const wf_context& w, const isa::inst&) const {
  const front_end& f = w.front;
  if (carries()) {
    const cycle_t fits = f.slot == nullptr ? f.fits() : std::max(f.fits(), f.slot->fits());
    return {fits, stall::memory};
  }
  const cycle_t results = f.results.all_ready(), memory = std::max(f.vm.when_at_most(0), f.lgkm.when_at_most(0));
  return memory > results ? wait{memory, stall::memory} : wait{results, stall::operand};
}

void divergence_scheme::begin_path(front_end& path, const front_end& from) const {
  path.ibuf = from.ibuf;
  if (carries())
    path.share(from);
  else
    path.clear();
}

void divergence_scheme::rejoin(front_end& path) const {
  if (!carries()) path.results.clear();
}

std::unique_ptr<divergence_scheme> make_divergence_scheme(const machine_config& c, context_map& contexts) {
  using factory = std::unique_ptr<divergence_scheme> (*)(const machine_config&, context_map&);
  constexpr factory factories[] = {
#define PWS_DIVERGENCE_SCHEME(KIND, NAME, CONTEXTS, ACTS_AT, BOUND, HELP) make_##KIND,
#include "models/machine/divergence_schemes.def"
#undef PWS_DIVERGENCE_SCHEME
  };
  return factories[static_cast<size_t>(c.divergence)](c, contexts);
}

scheme_storage storage_of_scheme(const machine_config& c, uint32_t splits) {
  using function = scheme_storage (*)(const machine_config&, uint32_t);
  constexpr function functions[] = {
#define PWS_DIVERGENCE_SCHEME(KIND, NAME, CONTEXTS, ACTS_AT, BOUND, HELP) storage_of_##KIND,
#include "models/machine/divergence_schemes.def"
#undef PWS_DIVERGENCE_SCHEME
  };
  return functions[static_cast<size_t>(c.divergence)](c, splits);
}

}  // namespace pws::models
