// SPDX-License-Identifier: Apache-2.0
// The memory operations that a wavefront may have under way, as far as its waits tell: GCN3's counters, at their worst.
//
// vmcnt: vector memory, in order. lgkmcnt: LDS in order among themselves; scalar memory and messages in any order, so
// that with one of those under way only lgkmcnt(0) says anything. FLAT counts in both: where its lanes go to global
// memory or scratch it is vector memory like any other; where some go to LDS it needs vmcnt(0) and lgkmcnt(0).
// A counter holds 15: the sixteenth operation issues when the oldest of an in-order counter is done.
// (GCN3 ISA 4.4 "Data Dependency Resolution"; AMDGPU memory model of gfx6 to gfx9)
#pragma once

#include <array>
#include <cstdint>

#include "models/check/waits/instruction_facts.h"

namespace pws::check {

struct wait_counts {
  static constexpr unsigned any = 15;  // no wait
  unsigned vm = any, lgkm = any;
  bool operator==(const wait_counts& o) const { return vm == o.vm && lgkm == o.lgkm; }
};

struct operation_under_way {
  const instruction_facts* facts = nullptr;
  uint64_t pc = 0;
  uint64_t lanes = 0;  // that its data go to or come from
  bool vm_open = false, lgkm_open = false;
  bool joined = false;                      // came from another path
  uint64_t vm_number = 0, lgkm_number = 0;  // in the in-order part of the counter; 0: done only when it is 0
  bool fills_registers = false;
  bool reads_scalars = false;           // a scalar store: until lgkmcnt covers it
  bool in_lds = false;                  // reads or writes LDS
  bool writes_lds = false;              // in_lds, and a store or atomic, or a load with the lds bit
  uint32_t lds_first = 0, lds_end = 0;  // of a load with the lds bit
};

class outstanding_operations {
 public:
  static constexpr unsigned limit = 15, most = 64;

  // One more is under way. `touches_lds`: of FLAT.
  void issue(const instruction_facts& f, uint64_t pc, uint64_t lanes, bool touches_lds);
  void message() { message_open_ = true; }
  // A load with the lds bit, issued last, fills these bytes of the workgroup's LDS.
  void last_fills_lds(uint32_t first, uint32_t end);

  void wait(const wait_counts& w);
  void clear();
  // Paths have become one: what the other one's vector memory and LDS operations had to do is to be done here too, in
  // an order that nobody knows. Its scalar registers are no more.
  void join(const outstanding_operations& o);

  // The weakest wait after which the operation is done.
  wait_counts wait_for(const operation_under_way& o) const;

  bool touched_by(const instruction_facts& f) const { return f.touches.meets(registers_); }
  unsigned size() const { return n_; }
  // Oldest first.
  const operation_under_way& operator[](unsigned k) const { return operations_[k]; }
  bool fills_lds() const { return fills_lds_; }  // by a load with the lds bit

 private:
  bool unordered() const;
  void add(const operation_under_way& o);
  void retire_saturated();
  void refresh();

  std::array<operation_under_way, most> operations_;
  unsigned n_ = 0;
  register_set registers_;                    // of all that is under way
  uint64_t vm_issued_ = 0, lgkm_issued_ = 0;  // of the in-order parts
  bool message_open_ = false, fills_lds_ = false;
};

}  // namespace pws::check
