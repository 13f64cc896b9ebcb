// SPDX-License-Identifier: Apache-2.0
// Pairs of instructions between which GCN3 leaves it to software to wait (GCN3 ISA 4.5 "Manually Inserted Wait States
// (NOPs)"). Every instruction of the wavefront between the two is one wait state, s_nop N is N + 1.
#pragma once

#include <array>
#include <cstdint>

#include "models/check/waits/instruction_facts.h"

namespace pws::check {

struct wait_state_rule {
  const char* name;      // finding::rule
  uint32_t first;        // hazard_role of the first instruction
  uint32_t second;       // of the second one; for some of them the pair must meet in a register as well
  uint32_t wait_states;  // at least, between them
  const char* what;      // "%" is the register
};

constexpr unsigned most_wait_states = 5;
extern const std::array<wait_state_rule, 11> wait_state_rules;
// instruction_facts::followers
uint32_t followers_of(const instruction_facts& first);

// The last instructions of a wavefront that can be first of a pair.
class recent_instructions {
 public:
  // Calls f(rule, pc of the first one, wait states between them, the register or an empty run) for each rule that the
  // instruction breaks. Before passed().
  template <class F>
  void check(const instruction_facts& second, F f) const {
    if ((second.roles & followers_) == 0) return;
    find(second,
         [&](const wait_state_rule& r, const entry& e, const isa::inst::run& reg) { f(r, e.pc, now_ - e.end, reg); });
  }
  // The instruction has been issued. `f` has to stay where it is for the next most_wait_states instructions.
  void passed(const instruction_facts& f, uint64_t pc) {
    now_ += f.wait_states;
    if (f.followers == 0) return;
    if (now_ - latest_ >= most_wait_states) followers_ = 0;  // who came before makes no pair any more
    followers_ |= f.followers;
    latest_ = now_;
    last_[firsts_++ % last_.size()] = {&f, pc, now_};
  }
  void clear() { *this = {}; }

 private:
  struct entry {
    const instruction_facts* facts = nullptr;
    uint64_t pc = 0;
    uint64_t end = 0;  // wait states of the wavefront up to and with it
  };
  template <class F>
  void find(const instruction_facts& second, F f) const;

  std::array<entry, 8> last_{};  // a ring
  uint32_t followers_ = 0;       // of those in it, and perhaps of older ones
  uint32_t firsts_ = 0;
  uint64_t latest_ = 0;  // `end` of the one that came last
  uint64_t now_ = 0;
};

// The register in which the pair meets; `pair` false: these two are no pair.
struct meeting {
  bool pair = false;
  isa::inst::run in{};
};
meeting meet(const wait_state_rule& r, const instruction_facts& first, const instruction_facts& second);

template <class F>
void recent_instructions::find(const instruction_facts& second, F f) const {
  for (const entry& e : last_) {
    if (e.facts == nullptr || (e.facts->followers & second.roles) == 0 || now_ - e.end >= most_wait_states) continue;
    for (const wait_state_rule& r : wait_state_rules) {
      if ((e.facts->roles & r.first) == 0 || (second.roles & r.second) == 0 || now_ - e.end >= r.wait_states) continue;
      const meeting m = meet(r, *e.facts, second);
      if (m.pair) f(r, e, m.in);
    }
  }
}

}  // namespace pws::check
