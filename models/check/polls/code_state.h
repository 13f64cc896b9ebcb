// SPDX-License-Identifier: Apache-2.0
// What registers and memory hold behind each instruction of a way through the code, as values of what they held at the
// way's beginning (values.h). It is about one lane: masks say whether that is on.
//
// Memory is followed as far as compilers use it to keep values, which without optimisation is everywhere: scratch at a
// constant offset, and FLAT. A variable's address comes out of a slot of scratch or is made of the frame's register. No
// two variables have the same place. Through any other address all variables can be reached.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "models/check/polls/values.h"
#include "models/isa/inst.h"
#include "models/isa/wave_state.h"

namespace pws::check {

class code_state {
 public:
  explicit code_state(value_table& values);

  // Executes it. Branches and jumps change registers alone.
  void pass(const isa::inst& i);
  // The load that is looked at gets its value.
  void pass_loaded(const isa::inst& load);
  // Whether others may hear of something by it, or what follows cannot be told.
  bool may_release(const isa::inst& i);
  // Addresses that are in registers from the beginning count as variables'; else they can be those of anything.
  void first_round(bool is) { first_round_ = is; }
  // Whether a conditional branch depends on what was loaded.
  bool decides(const isa::inst& branch);
  // The branch is taken, or not. False: it cannot be, by what is known of the lane.
  bool assume_branch(const isa::inst& branch, bool taken);
  // The lane is on here. False: it cannot be.
  bool is_on() { return assume(held_at(false, isa::exec_lo), true); }
  // The lower half of its address, without the offset in the instruction.
  value_id address_of(const isa::inst& load) { return of(load.src[0], 0); }
  // With it.
  value_id place_of(const isa::inst& load);
  // A dword of an operand.
  value_id of(const isa::operand& o, unsigned dword);

 private:
  struct stored {
    value_id base;
    uint32_t offset, bytes;
    value_id data;
  };
  using how = std::vector<uint32_t>;

  std::optional<bool> bit_of(value_id mask) const;
  bool assume(value_id mask, bool bit);
  bool compute_mask(const isa::inst& i);
  value_id& held(bool is_vgpr, unsigned number);
  value_id held_at(bool is_vgpr, unsigned number);
  how how_of(const isa::inst& i) const;
  std::vector<value_id> sources_of(const isa::inst& i);
  void write(const isa::inst& i, const how& h, const std::vector<value_id>& of, bool of_frame = false);
  void compute(const isa::inst& i);
  void load(const isa::inst& i);
  void load_flat(const isa::inst& i);
  void load_slots(const isa::inst& i);
  void store(const isa::inst& i);
  void store_slots(const isa::inst& i);
  value_id in_flat(const isa::inst& i, value_table::place at, uint32_t bytes);
  bool is_variable(value_id address) const;

  value_table* values_;
  std::array<value_id, 256> vgprs_{};    // 0: as at first
  std::array<value_id, 128> scalars_{};  // EXEC and VCC among them
  value_id scc_ = 0;
  std::map<std::pair<value_id, uint32_t>, value_id> slots_;  // by base and offset: what was stored there
  uint32_t slot_stores_ = 0;
  std::vector<stored> flat_;  // what was stored, the latest last
  uint32_t unknown_stores_ = 0;
  std::map<value_id, bool> bits_;  // of the lane, in masks
  bool first_round_ = false;
};

}  // namespace pws::check
