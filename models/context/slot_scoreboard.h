// SPDX-License-Identifier: Apache-2.0
// One of the two scoreboards of a wavefront that runs two paths (DPE paper, 3.2, Fig. 5 and 7). What a path has under
// way is pending in the scoreboard of the slot that it ran in, and stays there, whatever path runs in the slot next.
// Where paths part or become one, everything pending gets its shadow bit, and from then on the other slot sees it too.
//
// So a path waits for all that it depends on: what its slot has pending, and, by their shadow bits, what was under way
// on either side before the last split or merge. It may also wait for what another path has under way: a false
// dependence. The s_waitcnt counters are kept in the same way as the registers.
#pragma once

#include "models/context/under_way.h"

namespace pws::models {

class slot_scoreboard {
 public:
  // The wavefront's other slot; before anything is under way.
  void pair_with(slot_scoreboard& other) { other_ = &other; }

  void clear() {
    pending_.clear();
    shadowed_.clear();
  }
  void write(const isa::inst& i, uint32_t mode, cycle_t now, cycle_t at) { pending_.results.write(i, mode, now, at); }
  void add_vm(pending_operation& o) { pending_.vm.add(o); }
  void add_lgkm(pending_operation& o) { pending_.lgkm.add(o); }
  void retire(cycle_t now) {
    pending_.retire(now);
    shadowed_.retire(now);
  }
  // Sets the shadow bits of all that is pending here.
  void shadow(cycle_t now) {
    retire(now);
    shadowed_.join(pending_, now);
  }

  // First cycle at which all that `i` reads or overwrites is there.
  cycle_t ready(const isa::inst& i, uint32_t mode) const;
  cycle_t vm_at_most(unsigned limit) const {
    return outstanding::when_at_most({&pending_.vm, &shadowed_.vm, &other_->shadowed_.vm}, limit);
  }
  cycle_t lgkm_at_most(unsigned limit) const {
    return outstanding::when_at_most({&pending_.lgkm, &shadowed_.lgkm, &other_->shadowed_.lgkm}, limit);
  }
  cycle_t fits() const { return std::max({vm_at_most(outstanding::capacity), lgkm_at_most(outstanding::capacity)}); }

 private:
  slot_scoreboard* other_ = this;
  under_way pending_, shadowed_;  // without and with a shadow bit
};

inline cycle_t slot_scoreboard::ready(const isa::inst& i, uint32_t mode) const {
  return std::max(
      {pending_.results.ready(i, mode), shadowed_.results.ready(i, mode), other_->shadowed_.results.ready(i, mode)});
}

}  // namespace pws::models
