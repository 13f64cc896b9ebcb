// SPDX-License-Identifier: Apache-2.0
// What the tests of races share: sequences of events by hand, of wavefronts of any workgroups.
#pragma once

#include <gmock/gmock.h>

#include <string>
#include <vector>

#include "models/check/races/races.h"
#include "tests/check/collected.h"

namespace pws::check {

class races_fixture : public testing::Test {
 protected:
  explicit races_fixture(size_t most_kept = size_t{1} << 20) : races_(sink_, most_kept) { races_.launch_begins(); }

  workgroup_id group() { return races_.workgroup_started(65536); }
  path_id wave(workgroup_id g, uint16_t number = 0) {
    site s;
    s.workgroup = g;
    s.wave = number;
    s.launch = 1;
    return races_.who().started(g, s);
  }
  // A wavefront of a workgroup of its own.
  path_id lone() { return wave(group()); }

  // The lanes of `mask`: where each accesses, and what it stores.
  void lanes(path_id p, uint64_t pc, race_access::kind k, uint32_t bytes, const uint64_t (&at)[64],
             const uint32_t (&data)[16][64], bool lds, uint64_t mask) {
    race_access a;
    a.does = k;
    a.in_lds = lds;
    a.counts_for_vmcnt = !lds;
    a.bytes = bytes;
    a.pc = pc;
    a.may_take_a_lock = takes_;
    a.mask = mask;
    a.address = at;
    a.data = k == race_access::kind::store ? data : nullptr;
    races_.access(p, a);
  }
  // One lane.
  void go(path_id p, uint64_t pc, race_access::kind k, uint64_t address, uint32_t bytes = 4, uint32_t value = 0,
          bool lds = false) {
    const uint64_t at[64] = {address};
    const uint32_t data[16][64] = {{value}};
    lanes(p, pc, k, bytes, at, data, lds, 1);
  }
  void load(path_id p, uint64_t pc, uint64_t address, uint32_t bytes = 4) {
    go(p, pc, race_access::kind::load, address, bytes);
  }
  // What is stored differs from one to the next, unless it is given.
  void store(path_id p, uint64_t pc, uint64_t address, uint32_t bytes = 4) {
    go(p, pc, race_access::kind::store, address, bytes, 0x01010101 * (++value_ & 0xff));
  }
  void store_value(path_id p, uint64_t pc, uint64_t address, uint32_t value) {
    go(p, pc, race_access::kind::store, address, 4, value);
  }
  void poll(path_id p, uint64_t pc, uint64_t address) { go(p, pc, race_access::kind::past_cache, address); }
  void atomic(path_id p, uint64_t pc, uint64_t address) { go(p, pc, race_access::kind::atomic, address); }
  void fetch(path_id p, uint64_t pc, uint64_t address) { go(p, pc, race_access::kind::returning_atomic, address); }
  void lds_load(path_id p, uint64_t pc, uint64_t at, uint32_t bytes = 4) {
    go(p, pc, race_access::kind::load, at, bytes, 0, true);
  }
  void lds_store(path_id p, uint64_t pc, uint64_t at, uint32_t bytes = 4) {
    go(p, pc, race_access::kind::store, at, bytes, 0x01010101 * (++value_ & 0xff), true);
  }
  void lds_atomic(path_id p, uint64_t pc, uint64_t at) {
    go(p, pc, race_access::kind::returning_atomic, at, 4, 0, true);
  }
  // An exchange, or a compare and swap.
  void lds_exchange(path_id p, uint64_t pc, uint64_t at) {
    takes_ = true;
    lds_atomic(p, pc, at);
    takes_ = false;
  }
  void wait(path_id p) { races_.who().waited(p, 0); }
  void invalidate(path_id p) { races_.who().invalidated(p); }
  void barrier(workgroup_id g) { races_.barrier(g); }
  // What clang makes of __threadfence().
  void fence(path_id p) {
    wait(p);
    invalidate(p);
  }
  // A message: data at 0x1000 are stored by the instruction 10, and told of at 0x2000 by 18.
  void store_and_tell(path_id p) {
    store(p, 0x10, 0x1000);
    wait(p);
    atomic(p, 0x18, 0x2000);
  }
  std::vector<std::string> found() const { return sink_.places(); }

  collected sink_;
  races races_;
  uint32_t value_ = 0;
  bool takes_ = false;
};

}  // namespace pws::check
