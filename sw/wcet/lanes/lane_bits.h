// SPDX-License-Identifier: Apache-2.0
// One work-item's bit in the scalar registers, as far as it is known: the state of a walk (lane_walk.h).
#pragma once

#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

#include "models/isa/inst.h"
#include "models/isa/wave_state.h"
#include "sw/cfg/scalar_set.h"

namespace pws::wcet {

// 64 bits, of which one is the work-item's.
struct lane_word {
  enum class kind : uint8_t { zero, ones, other };  // all bits; `other`: at least the work-item's is known as `bit`
  kind whole = kind::other;
  // A literal: 0 is false, 1 is true, 2 v and 2 v + 1 are variable v (from 1) and its negation.
  uint32_t bit = 0;

  uint32_t literal() const { return whole == kind::zero ? 0 : whole == kind::ones ? 1 : bit; }
  bool operator==(const lane_word& o) const { return whole == o.whole && literal() == o.literal(); }
  bool operator<(const lane_word& o) const { return whole != o.whole ? whole < o.whole : literal() < o.literal(); }
};

class lane_bits {
 public:
  // A wavefront at the head of a loop with the work-item active or not, and nothing else known.
  explicit lane_bits(bool active);

  bool active() const { return exec().literal() == 1; }
  lane_word exec() const;

  // Executes the instruction. Where a value is needed that is not known, *this goes on with one and `others` gets what
  // goes on with the other.
  void execute(const isa::inst& i, std::vector<lane_bits>& others);

  // A compare that has just been executed has come out set, or clear: in the work-item's bit, or as SCC. `alike`: all
  // active work-items have the same result. False: that cannot be in this state.
  bool suppose(const isa::inst& compare, bool set, bool alike);

  // What holds if the block's last instruction, a conditional branch, is taken or not; nothing: it cannot be.
  std::optional<lane_bits> after_branch(const isa::inst& branch, bool taken) const;

  // Whether the work-item in that lane may be in this state where the wavefront has those registers.
  bool holds(const isa::wave_state& w, unsigned lane) const;

  // Forgets registers that are not live, and gives variables the names of their order: states that mean the same become
  // equal.
  void reduce(const cfg::scalar_set& live);

  // What holds in both of two states with the same EXEC: values that are equal, and places that are equal to each
  // other.
  static lane_bits common(const lane_bits& a, const lane_bits& b);
  // How much of them is not in it: registers of which all bits are known weigh most.
  static size_t lost(const lane_bits& a, const lane_bits& b);

  bool operator<(const lane_bits& o) const { return std::tie(places_, scc_) < std::tie(o.places_, o.scc_); }

 private:
  // A place holds 32 bits: a scalar register (by its number), or a lane of a vector register (behind those).
  struct half {
    lane_word of;
    uint8_t which = 0;  // low or high half; 0 where all bits are alike
    bool operator<(const half& o) const { return which != o.which ? which < o.which : of < o.of; }
    bool operator==(const half& o) const { return which == o.which && of == o.of; }
  };
  static uint32_t lane_place(unsigned vgpr, uint64_t lane);
  std::optional<lane_word> known(uint32_t pair) const;
  lane_word read(const isa::operand& o);
  void write(uint32_t pair, const lane_word& m);
  void forget(const isa::inst& i);
  lane_word fresh() { return {lane_word::kind::other, 2 * ++variables_}; }
  static lane_word negated(lane_word m);
  lane_word both(const lane_word& a, const lane_word& b);
  lane_word either(const lane_word& a, const lane_word& b) { return negated(both(negated(a), negated(b))); }
  lane_word differ(const lane_word& a, const lane_word& b);
  void substitute(uint32_t literal, bool value);
  void write_exec(const lane_word& m, std::vector<lane_bits>& others);
  struct word;
  std::optional<lane_word> combined(const isa::inst& i);

  using places = std::vector<std::pair<uint32_t, half>>;
  const half* find(uint32_t place) const;
  void put(uint32_t place, const half& h);
  void erase(uint32_t first, uint32_t end);

  places places_;                 // sorted; what is not there is not known
  std::optional<lane_word> scc_;  // SCC is whether that is not zero; nothing: not known
  uint32_t variables_ = 0;
};

}  // namespace pws::wcet
