// SPDX-License-Identifier: Apache-2.0
// Expressions that several scalar rows share (GCN3 ISA, chapter 12.1-12.5).
#pragma once

#include <cstdint>
#include <type_traits>

#include "models/isa/integer.h"
#include "models/isa/scalar/scalar_executors.h"

namespace pws::isa {

template <class T>
flagged<T> nonzero(T v) {
  return {v, v != 0};
}

inline uint32_t magnitude(uint32_t v) {
  return (v >> 31) != 0 ? 0 - v : v;
}

// Bit field of `v`: offset in the count's low bits, width in [22:16].
template <class T>
T bit_field(T v, uint32_t where) {
  return extracted<T>(v, static_cast<T>(where), static_cast<T>(where >> 16 & 0x7f));
}

template <class T>
T bit_reverse(T v) {
  T r = 0;
  for (unsigned n = 0; n < width_of<T>; ++n) r = static_cast<T>(r | ((v >> n) & 1) << (width_of<T> - 1 - n));
  return r;
}

// Number of the lowest set bit, -1 if there is none.
inline int32_t lowest_one(uint64_t v) {
  return v == 0 ? -1 : __builtin_ctzll(v);
}
// Number of zeros above the highest set bit of a T, -1 if none is set.
template <class T>
int32_t leading_zeros(T v) {
  return v == 0 ? -1 : __builtin_clzll(v) - static_cast<int>(64 - width_of<T>);
}
// Number of bits from the top equal to the sign bit, -1 if all are.
template <class T>
int32_t leading_sign_bits(T v) {
  return leading_zeros<T>((v >> (width_of<T> - 1)) != 0 ? static_cast<T>(~v) : v);
}

// Lowest bit of each quad: set if any bit of the quad is.
template <class T>
T quads(T v) {
  v = static_cast<T>(v | v >> 1 | v >> 2 | v >> 3);
  return v & static_cast<T>(0x1111111111111111u);
}
template <class T>
T whole_quads(T v) {
  return static_cast<T>(quads(v) * 15);
}
template <class T>
T quad_mask(T v) {
  T r = 0;
  for (unsigned n = 0; n < width_of<T> / 4; ++n) r = static_cast<T>(r | ((quads(v) >> (4 * n)) & 1) << n);
  return r;
}

template <class T>
T with_bit(T v, uint32_t number, bool on) {
  const T bit = T{1} << bit_number<T>(number);
  return on ? v | bit : v & ~bit;
}
template <class T>
bool bit_of(T v, uint32_t number) {
  return ((v >> bit_number<T>(number)) & 1) != 0;
}

// s_movrel*: index of the scalar register M0 beyond the operand's. Throws program_error if that is not one of the
// wavefront's registers.
unsigned relative_register(const wave_state& w, const operand& o);
template <class T>
T relative_source(const wave_state& w, const inst& i) {
  T v;
  std::memcpy(&v, &w.scalar[relative_register(w, i.src[0])], sizeof v);
  return v;
}
template <class T>
if_set<T> relative_write(wave_state& w, const inst& i, T v) {
  std::memcpy(&w.scalar[relative_register(w, i.dst)], &v, sizeof v);
  return {false, v};
}

// The branch stack of s_cbranch_g_fork, s_cbranch_i_fork and s_cbranch_join: MODE.CSP counts entries of four scalar
// registers each, from s0 on, the lanes that wait in the first two and where they go on in the others. The side with
// fewer lanes runs first. Throw program_error where an entry is outside the wavefront's registers or the stack's eight.
void fork(wave_state& w, uint64_t condition, uint64_t target);
void join(wave_state& w, uint32_t saved_depth);

// VGPR indexing mode: M0 [7:0] is the index, [15:12] says which of src0, src1, src2 and dst it moves.
void set_gpr_index(wave_state& w, uint32_t index);
void set_gpr_index_operands(wave_state& w, uint32_t operands);
void enable_gpr_index(wave_state& w, bool on);

// s_getreg, s_setreg (GCN3 ISA, "Hardware register"). Throw program_error for registers that are not modelled.
uint32_t get_hardware_register(const wave_state& w, uint32_t where);
void set_hardware_register(wave_state& w, uint32_t where, uint32_t value);

}  // namespace pws::isa
