// SPDX-License-Identifier: Apache-2.0
// What the pipeline knows of a context between instructions: its instruction buffer, its next instruction and when that
// may issue, and what its path has under way. The functional engine uses `next` alone.
#pragma once

#include <cstdint>

#include "models/context/outstanding.h"
#include "models/context/slot_scoreboard.h"
#include "models/context/wf_status.h"
#include "models/isa/inst.h"

namespace pws::models {

// The bytes [begin, end) of the program are here or arrive at `arrival`; those before `warm_end` are here.
struct instruction_buffer {
  uint64_t begin = 0, warm_end = 0, end = 0;
  cycle_t arrival = 0;  // of the bytes [warm_end, end); `never` while unknown

  // Drops the contents. A fetch on its way is still waited for; its bytes are not used.
  void restart(uint64_t address) { begin = warm_end = end = address; }
  // Keeps the `bytes` at `block`, which are here; nothing is on its way.
  void keep(uint64_t block, uint64_t bytes) {
    begin = block;
    warm_end = end = block + bytes;
  }
  bool holds(uint64_t address) const { return begin <= address && address < end; }
  // Cycle at which the bytes up to `to` are here; `never` if not requested or unknown.
  cycle_t available(uint64_t to) const { return to <= warm_end ? 0 : to <= end ? arrival : never; }
};

struct front_end : under_way {
  instruction_buffer ibuf;
  const isa::inst* next = nullptr;
  cycle_t earliest = 0;  // the previous instruction allows the next one from here on
  stall reason = stall::other;
  cycle_t ready_at = 0;  // all but the port was there, for the stall statistics
  cycle_t issued_at = 0;
  isa::unit issued_to{};  // unit of the instruction issued last
  // scoreboard: conservative: of the slot that this context is. The path depends on what it has under way itself; it
  // waits for what it sees there.
  slot_scoreboard* slot = nullptr;
  bool has_false_dependence = false;  // for `next` it waits longer there than it would have to

  // Its instruction `i` issues at `now` and writes its registers at `at`.
  void write(const isa::inst& i, uint32_t mode, cycle_t now, cycle_t at) {
    results.write(i, mode, now, at);
    if (slot != nullptr) slot->write(i, mode, now, at);
  }
  void add_vm(pending_operation& o) {
    vm.add(o);
    if (slot != nullptr) slot->add_vm(o);
  }
  void add_lgkm(pending_operation& o) {
    lgkm.add(o);
    if (slot != nullptr) slot->add_lgkm(o);
  }
  void retire(cycle_t now) {
    under_way::retire(now);
    if (slot != nullptr) slot->retire(now);
  }
};

}  // namespace pws::models
