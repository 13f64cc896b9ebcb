// SPDX-License-Identifier: Apache-2.0
// Finds NaNs and infinities that arise, and integers that are divided by zero. A NaN or infinity arises where none of
// an instruction's operands is one and its result is. Compilers make many that no result has (a reciprocal of 0 inside
// a division, a side of a branch that is computed for nothing), so values are followed, as the check of initialisation
// does: what arises is a finding when it comes to memory or LDS. Which instructions make and carry numbers float_use.h
// says; what is found, and not, is in docs/checks.md.
#pragma once

#include <string_view>
#include <unordered_map>

#include "models/check/finding.h"
#include "models/check/numbers/float_use.h"
#include "models/check/numbers/number_shadow.h"
#include "models/isa/operands.h"
#include "models/isa/wave_state.h"

namespace pws::check {

// Tells code of mathematical functions from the program's own.
class function_names {
 public:
  struct origin {
    bool known = false;         // whose code it is
    std::string_view function;  // that of the mathematical library, in words; empty: it is the program's. Kept.
  };
  virtual origin origin_of(const isa::inst& i) = 0;
  virtual ~function_names() = default;
};

class numbers {
 public:
  // What an instruction concerns: the wavefront, and the part of it that executes it.
  struct path {
    number_shadow& wave;
    scalar_numbers& scalars;
  };

  numbers(finding_sink& sink, function_names* functions) : sink_(sink), functions_(functions) {}

  // Each instruction: before it is executed, and behind it. `s` is the path's at that time.
  void executes(const path& p, const isa::wave_state& s, const isa::inst& i);
  void executed(const path& p, const isa::wave_state& s, const isa::inst& i);
  // A memory instruction, between the two: lanes that reach memory or LDS, and those that reach scratch, at the device
  // addresses that `a` has.
  void accessed(const path& p, const isa::inst& i, uint64_t outside, uint64_t in_scratch, const isa::memory_access& a);

 private:
  // What only this check has to know of rows.
  enum class part : uint8_t { plain, scale, fmas, fixup, reciprocal, integer_reciprocal, from_integer, to_integer };
  struct row_facts {
    float_use use = float_use::none;
    part is = part::plain;
  };
  static part part_of(const isa::opcode_row& row);
  const row_facts& facts_of(const isa::opcode_row* row);

  // Before it is executed, with the registers that M0 means.
  void before(const path& p, const isa::wave_state& s, const isa::inst& i);
  void capture(const isa::wave_state& s, const isa::inst& i);
  void capture_scalars(const isa::wave_state& s, const isa::inst& i);
  void capture_permuted(const isa::inst& i);
  void capture_exchange(const path& p, const isa::wave_state& s, const isa::inst& i);
  void find_dependences(const path& p, const isa::inst& i);

  static bool is_half(const isa::register_part& p, unsigned which) { return p.bits == 16 && p.first == 16 * which; }
  static bool is_upper_half(const isa::register_part& p) { return is_half(p, 1); }
  int lane_of(unsigned k, unsigned lane) const { return permuted_ && k == 0 ? from_[lane] : static_cast<int>(lane); }
  number_mark mark_of(const path& p, unsigned k, unsigned lane) const;
  number_mark dependence_of(const path& p, unsigned k, unsigned lane) const;
  number_mark carried(const path& p, unsigned k, unsigned lane, uint32_t result) const;
  number_mark carried_half(const path& p, unsigned k, unsigned lane, uint32_t half) const;
  bool is_constant(const path& p, unsigned k, unsigned lane) const;
  bool any_marked(const path& p) const;

  // Behind it, likewise.
  void behind(const path& p, const isa::wave_state& s, const isa::inst& i);
  void vector(const path& p, const isa::wave_state& s, const isa::inst& i);
  void arithmetic(const path& p, const isa::wave_state& s, const isa::inst& i);
  void two_halves(const path& p, const isa::wave_state& s, const isa::inst& i);
  void select(const path& p, const isa::wave_state& s, const isa::inst& i);
  void carry(const path& p, const isa::wave_state& s, const isa::inst& i);
  void compare(const path& p, const isa::inst& i);
  void read_lane(const path& p, const isa::inst& i);
  void write_lane(const path& p, const isa::inst& i);
  void exchanged(number_shadow& w, const isa::inst& i);
  void scalar(scalar_numbers& w, const isa::wave_state& s, const isa::inst& i);
  uint64_t integers_of(const number_shadow& w, const isa::inst& i) const;
  void put(unsigned dword, bool upper, unsigned lane, number_mark m);
  static void clear_written(scalar_numbers& w, const isa::inst& i);
  number_mark arises(number_shadow& w, const isa::inst& i, unsigned lane, isa::type t, uint64_t result);

  void load(number_shadow& w, const isa::inst& i, uint64_t in_scratch, const isa::memory_access& a);
  void store(number_shadow& w, const isa::inst& i, unsigned data, uint64_t outside, uint64_t in_scratch,
             const isa::memory_access& a);
  void keep_in_scratch(number_shadow& w, unsigned r, uint64_t lanes, const uint64_t* address, unsigned dword);
  void replace(number_shadow& w, const isa::inst& i, uint64_t outside, uint64_t in_scratch,
               const isa::memory_access& a);
  void combine(number_shadow& w, const isa::inst& i, const isa::memory_access& a);
  void convert(number_shadow& w, const isa::inst& i, const isa::memory_access& a);
  void store_scalars(const path& p, const isa::inst& i);
  void stored(number_shadow& w, const isa::inst& i, unsigned r, uint64_t lanes, bool upper);
  void report(number_shadow& w, number_mark m, uint64_t lanes, bool division, const site* stored);

  finding_sink& sink_;
  function_names* functions_;
  std::unordered_map<const isa::opcode_row*, row_facts> facts_;
  // All that follows is about the instruction that is being executed.
  row_facts is_;
  uint64_t active_ = 0;    // lanes that write a result
  unsigned sources_ = 0;   // captured; the mask of a selection is none
  bool permuted_ = false;  // DPP: lanes have their first source of other lanes
  bool depends_ = false;   // `dependence_` has one
  unsigned lane_ = 0;      // that v_readlane or v_writelane names
  isa::operand source_[4];
  isa::register_part part_[4];
  isa::type type_[4] = {};
  uint64_t value_[4][64] = {};
  uint64_t raw_[2][64] = {};  // whole registers of those that are a part
  int8_t from_[64] = {};      // permuted: of which lane; -1: of none
  number_mark dependence_[64] = {};
  bool marks_ = false;               // the result has one:
  number_mark mark_[2][2][64] = {};  // of each dword, of its lower half or the whole and its upper half
};

}  // namespace pws::check
