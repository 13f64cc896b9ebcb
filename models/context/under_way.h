// SPDX-License-Identifier: Apache-2.0
// What a path has under way: results that are being computed, and memory operations that its counters count.
#pragma once

#include "models/context/outstanding.h"
#include "models/context/scoreboard.h"

namespace pws::models {

struct under_way {
  scoreboard results;
  outstanding vm{outstanding::order::in_order};
  outstanding lgkm{outstanding::order::any};

  void clear() {
    results.clear();
    vm.clear();
    lgkm.clear();
  }
  // Exactly what `from` has.
  void share(const under_way& from) {
    results.share(from.results);
    vm.share(from.vm);
    lgkm.share(from.lgkm);
  }
  // What `other` has too, which has nothing any more.
  void join(under_way& other, cycle_t now) {
    results.join(other.results, now);
    other.results.clear();
    vm.join(other.vm);
    lgkm.join(other.lgkm);
  }
  // Exactly what `from` has, which has nothing any more.
  void take(under_way& from) {
    share(from);
    from.clear();
  }
  void retire(cycle_t now) {
    vm.retire(now);
    lgkm.retire(now);
  }
  cycle_t vm_at_most(unsigned limit) const { return vm.when_at_most(limit); }
  cycle_t lgkm_at_most(unsigned limit) const { return lgkm.when_at_most(limit); }
  // First cycle at which a split or merge finds as much as counters and scoreboard hold, and no more.
  cycle_t fits() const {
    return std::max({results.fits(), vm.when_at_most(outstanding::capacity), lgkm.when_at_most(outstanding::capacity)});
  }
};

}  // namespace pws::models
