// SPDX-License-Identifier: Apache-2.0
// What an instruction takes and what it gives: every source and result with what its encoding makes of it (SDWA, DPP),
// those that no field names among them: EXEC, VCC, SCC, M0, MODE, the immediate of SOPK, a destination that is a
// source. Scoreboard, checks, analysis and compiler pass read instructions through this list; none of them decodes
// fields.
//
// Where M0 says which registers are meant, in_place() gives the instruction that names them.
#pragma once

#include <array>
#include <cstdint>

#include "models/isa/opcode_row.h"

namespace pws::isa {

// What an operand is to its instruction.
enum class operand_role : uint8_t {
  value,     // a number or bits, of which the result is made; of a vector register each lane's own
  old,       // ... that the destination held before (v_mac, s_bitset, s_cmov)
  flag,      // one bit, which chooses, carries, or is what a compare says: SCC, or each lane's in a mask
  kept,      // a source that the result is not made of: the rest of the destination stays as it is
  lanes,     // EXEC: which lanes take part
  selector,  // M0: the register that is meant, the end of LDS or an offset in it, a message
  saved,     // a result: EXEC as it was (s_*_saveexec)
};

// Which bits of a register an operand is: all of them but in SDWA.
struct register_part {
  uint8_t first = 0, bits = 32;
  bool sign_extended = false;  // of a source

  constexpr bool whole() const { return bits == 32; }
  constexpr uint32_t mask() const { return (~uint32_t{0} >> (32 - bits)) << first; }
  // The part of a register as the instruction sees it.
  constexpr uint32_t of(uint32_t v) const {
    const uint32_t top = v >> first << (32 - bits);
    return sign_extended ? static_cast<uint32_t>(static_cast<int32_t>(top) >> (32 - bits)) : top >> (32 - bits);
  }
};
// What becomes of a register's other bits, where the result is a part of it.
enum class other_bits : uint8_t { zero, sign, kept };

// By the fields of SDWA: bytes 0 to 3, words 4 and 5, 6: everything.
constexpr register_part part_of_select(unsigned select, bool sign_extended = false) {
  if (select >= 6) return {};
  if (select >= 4) return {static_cast<uint8_t>(16 * (select - 4)), 16, sign_extended};
  return {static_cast<uint8_t>(8 * select), 8, sign_extended};
}
inline register_part source_part(const inst& i, unsigned field) {
  if (i.variant != encoding_variant::sdwa || field > 1) return {};
  return field == 0 ? part_of_select(i.sdwa.src0_sel, i.sdwa.src0_sext)
                    : part_of_select(i.sdwa.src1_sel, i.sdwa.src1_sext);
}
inline register_part result_part(const inst& i) {
  return i.variant == encoding_variant::sdwa ? part_of_select(i.sdwa.dst_sel) : register_part{};
}
inline other_bits rest_of_result(const inst& i) {
  return i.variant == encoding_variant::sdwa ? other_bits(i.sdwa.dst_unused) : other_bits::zero;
}

// A source: registers, and which part of them is read.
struct input_operand {
  operand from;
  operand_role role = operand_role::value;
  type of = type::none;  // how its bits are read; none where no row says it
  register_part part;
  bool of_other_lanes = false;  // DPP: each lane has it of another one, or of none
  int8_t field = -1;            // its number in inst::src; -1: no field names it
};

// A result: registers, and which part of them is written.
struct output_operand {
  operand to;
  operand_role role = operand_role::value;
  register_part part;
  other_bits rest = other_bits::zero;
};

// As many as an instruction can have, without allocating.
template <class T, unsigned Most>
class short_list {
 public:
  const T* begin() const { return items_.data(); }
  const T* end() const { return items_.data() + size_; }
  unsigned size() const { return size_; }
  const T& operator[](unsigned n) const { return items_[n]; }
  void add(const T& item) { items_[size_++] = item; }

 private:
  std::array<T, Most> items_{};
  unsigned size_ = 0;
};

// All sources and results of an instruction.
struct operand_list {
  short_list<input_operand, 10> sources;  // those of inst::src first, in their order
  short_list<output_operand, 5> results;
  uint32_t mode_read = 0, mode_written = 0;  // bits of MODE

  // The n-th source that the result is made of, in the order of the row's function; kind none: there is no such.
  const input_operand& value(unsigned n) const;
  unsigned values() const;
  // The bit that chooses or is carried in; nullptr: there is none.
  const input_operand* flag() const;
};
// A run of scalar registers, as an operand.
operand scalar_run(unsigned first, unsigned dwords);
// Sources and results of an instruction as it stands. Memory instructions have theirs at the places that inst::src
// says.
operand_list operands_of(const inst& i);
// Makes of that list what inst keeps for the machine: reads, writes, reads_exec, special_src and so on.
void note_operands(inst& i);

// Registers that M0 moves: v_movrel*, s_movrel*, and all vector registers of VALU instructions in VGPR indexing mode.
// (GCN3 ISA, "VGPR Indexing")
struct index_by_m0 {
  uint8_t operands = 0;  // bit per source, bit 3 the destination
  int64_t by = 0;
  uint32_t looked_at = 0;  // bits of M0
};
index_by_m0 indexed_by_m0(const inst& i, uint32_t mode, uint32_t m0);
// The instruction with these registers named, and vgpr_end behind all of them; its runs are as they were. One that no
// wavefront can have is no_register, which is beyond the last of any.
inst in_place(const inst& i, const index_by_m0& index);
constexpr uint16_t no_register = 0x7fff;

// Its operands are registers as a whole, of the lane itself: neither a part of one (SDWA) nor another lane's (DPP).
inline bool has_plain_operands(const inst& i) {
  return i.variant != encoding_variant::dpp && source_part(i, 0).whole() && source_part(i, 1).whole() &&
         result_part(i).whole();
}
// Reads or writes a mask with a bit for each lane, DPP's lanes, a lane's number: a lane's result is more than a
// function of what its own registers hold.
bool differs_by_lane(const inst& i);

}  // namespace pws::isa
