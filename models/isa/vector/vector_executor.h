// SPDX-License-Identifier: Apache-2.0
// Executors of the vector ALU, one per shape, and the makers of rows. An executor owns EXEC, operands, modifiers and
// the host's floating-point state; the arithmetic is the row's kernel. (GCN3 ISA, chapter 6 "Vector ALU Operations")
#pragma once

#include <cstdint>

#include "models/isa/hardware_register.h"
#include "models/isa/host_fp.h"
#include "models/isa/vector/lane_bits.h"
#include "models/isa/vector/vector_lane.h"

namespace pws::isa {

// --- Shape of an instruction, as a template argument of its executor -----------------------------

// Which host floating-point state an expression needs.
enum class fp_state : unsigned {
  none,        // integer, bit-level, or exact whatever the state
  f32,         // MODE's single-precision rounding and denormals
  f32_flush,   // MODE's single-precision rounding; denormals always flushed
  f64,         // MODE's double-precision rounding and denormals
  f16,         // MODE's double-precision rounding; half denormals by MODE
  f16_of_f32,  // as f16, with a single-precision source: its denormals by MODE's single-precision field
  nearest      // round to nearest, denormals flushed: transcendentals
};

struct shape {
  unsigned n_src;       // explicit sources; if the destination is read too it is source number n_src
  unsigned dst_dwords;  // 0: mask only
  fp_state fp;
  bool reads_flag, writes_flag, writes_exec, sparse, implicit_flag;

  constexpr unsigned code() const {
    return n_src | dst_dwords << 2 | static_cast<unsigned>(fp) << 4 | (reads_flag ? 1u : 0u) << 8 |
           (writes_flag ? 1u : 0u) << 9 | (writes_exec ? 1u : 0u) << 10 | (sparse ? 1u : 0u) << 11 |
           (implicit_flag ? 1u : 0u) << 12;
  }
  static constexpr shape decode(unsigned c) {
    return {c & 3,
            c >> 2 & 3,
            static_cast<fp_state>(c >> 4 & 0xf),
            (c >> 8 & 1) != 0,
            (c >> 9 & 1) != 0,
            (c >> 10 & 1) != 0,
            (c >> 11 & 1) != 0,
            (c >> 12 & 1) != 0};
  }
};

// --- Pieces shared by the executors; not for use elsewhere ---------------------------------------

namespace vector_detail {

// Two rows, for a 64-bit operand.
struct alignas(64) spare_row {
  uint32_t lane[2 * wave_size];
};

[[noreturn]] void outside_vgprs(const wave_state& s, const operand& o);
[[noreturn]] void not_a_mask(const inst& i);
// Value of a scalar, constant or special source.
uint64_t scalar_value(const wave_state& s, const operand& o);
// That value in all lanes of `row`.
const uint32_t* fill(const wave_state& s, const operand& o, uint32_t* row);
// The general case: SDWA, DPP, neg, abs, omod, clamp, half-precision denormal flushing, indexed registers.
void exec_modified(wave_state& s, const inst& i, shape what, uint64_t active);
// Throws program_error, by name, for instructions that must not be executed in VGPR indexing mode.
void refuse_indexing_if(bool refused, const inst& i);

inline uint32_t* vgpr(const wave_state& s, const operand& o) {
  if (__builtin_expect(uint32_t{o.index} + o.dwords > s.n_vgprs, 0)) outside_vgprs(s, o);
  return s.vgpr[o.index].lane;
}
inline const uint32_t* source_row(const wave_state& s, const operand& o, uint32_t* spare) {
  if (__builtin_expect(o.kind == operand_kind::vgpr, 1)) return vgpr(s, o);
  return fill(s, o, spare);
}
// The mask that lane_flag reads: VCC where the instruction names none, else the operand after the sources.
inline uint64_t flag_mask(const wave_state& s, const inst& i, unsigned n_src, bool implicit) {
  if (implicit) return s.vcc();
  const operand& o = i.src[n_src];
  if (o.kind == operand_kind::vgpr || o.kind == operand_kind::none) not_a_mask(i);
  return o.kind == operand_kind::scalar && o.index < exec_lo ? s.scalar64(o.index) : scalar_value(s, o);
}
inline void want_fp(fp_state fp, const wave_state& s) {
  uint32_t& bits = *s.host_csr;
  const uint32_t mode = s.mode;
  switch (fp) {
    case fp_state::none:
      break;
    case fp_state::f32:
      host_fp::want(bits, host_fp::csr_f32(mode));
      break;
    case fp_state::f32_flush:
      host_fp::want(bits, host_fp::csr_f32_flush(mode));
      break;
    case fp_state::f64:
      host_fp::want(bits, host_fp::csr_f64(mode));
      break;
    case fp_state::f16:
      host_fp::want(bits, host_fp::csr_f16(mode));
      break;
    case fp_state::f16_of_f32:
      host_fp::want(bits, host_fp::csr_f16_of_f32(mode));
      break;
    case fp_state::nearest:
      host_fp::want(bits, host_fp::nearest_flush);
      break;
  }
}
constexpr bool is_half(fp_state fp) {
  return fp == fp_state::f16 || fp == fp_state::f16_of_f32;
}
inline bool flushes_half(uint32_t mode) {
  return (mode & 0xc0) != 0xc0;
}
inline bool is_modified(const inst& i) {
  return i.variant == encoding_variant::sdwa || i.variant == encoding_variant::dpp ||
         (i.neg | i.abs | i.omod | static_cast<uint8_t>(i.clamp)) != 0;
}
inline void write_flags(wave_state& s, const inst& i, shape what, uint64_t flags) {
  const operand& o = what.dst_dwords == 0 ? i.dst : i.sdst;
  s.set_scalar64(o.index, flags);
  if (what.writes_exec) s.set_scalar64(exec_lo, flags);
}

}  // namespace vector_detail

// --- The executor --------------------------------------------------------------------------------

template <unsigned Shape>
void exec_vector(wave_state& s, const inst& i) {
  namespace d = vector_detail;
  constexpr shape what = shape::decode(Shape);
  const uint64_t active = s.active();
  if (active == 0) {
    if constexpr (what.writes_flag) d::write_flags(s, i, what, 0);
    return;
  }
  bool modified = d::is_modified(i) || (s.mode & mode_indexing) != 0;
  if constexpr (d::is_half(what.fp)) modified = modified || d::flushes_half(s.mode);
  d::want_fp(what.fp, s);
  if (__builtin_expect(modified, 0)) return d::exec_modified(s, i, what, active);

  d::spare_row spare[what.n_src == 0 ? 1 : what.n_src];
  lane_args a;
  for (unsigned k = 0; k < what.n_src; ++k) a.src[k] = d::source_row(s, i.src[k], spare[k].lane);
  a.mode = s.mode;
  a.mask = active;
  if constexpr (what.reads_flag) a.flags_in = d::flag_mask(s, i, what.n_src, what.implicit_flag);
  const auto kernel = reinterpret_cast<lane_kernel>(i.kernel);
  if constexpr (what.dst_dwords == 0) {
    kernel(a);
  } else {
    uint32_t* const dst = d::vgpr(s, i.dst);
    a.src[what.n_src] = dst;
    if (what.dst_dwords == 2 || what.sparse || active == all_lanes) {
      a.dst = dst;
      kernel(a);
    } else {
      vgpr_row result;
      a.dst = result.lane;
      kernel(a);
      copy_lanes(dst, result.lane, active);
    }
  }
  if constexpr (what.writes_flag) d::write_flags(s, i, what, a.flags_out & active);
}

// --- Rows ----------------------------------------------------------------------------------------

// Options of a row beside its row_flags: bits 32 and up.
namespace row_option {
constexpr uint64_t sparse = uint64_t{1} << 32;   // the expression does not vectorise: only active lanes are computed
constexpr uint64_t bitwise = uint64_t{1} << 33;  // floats in the signature, but exact in every floating-point state
constexpr uint64_t flush = uint64_t{1} << 34;    // single-precision denormals are always flushed
constexpr uint64_t transcendental = uint64_t{1} << 35;  // quarter rate; computed in double, rounded to nearest
constexpr uint64_t half_rate = uint64_t{1}
                               << 36;            // 32-bit multiplies and other rows of unit::valu_f64 without a double
constexpr uint64_t as_f32 = uint64_t{1} << 37;   // doubles in the signature, but MODE's single-precision fields rule
constexpr uint64_t own_nan = uint64_t{1} << 38;  // arithmetic that says itself which NaN it gives
constexpr uint64_t swapped = uint64_t{1} << 39;  // an integer_lane() whose sources change places
}  // namespace row_option

template <uint64_t Options, class F>
constexpr fp_state fp_of() {
  using k = kernel_of<F>;
  if constexpr ((Options & row_option::transcendental) != 0) return k::any_f64 ? fp_state::f64 : fp_state::nearest;
  if constexpr ((Options & row_option::bitwise) != 0) return fp_state::none;
  if constexpr ((Options & row_option::flush) != 0) return fp_state::f32_flush;
  if constexpr ((Options & row_option::as_f32) != 0) return fp_state::f32;
  if constexpr (k::any_f16) return k::half_of_single ? fp_state::f16_of_f32 : fp_state::f16;
  if constexpr (k::any_f64) return fp_state::f64;
  return k::any_f32 ? fp_state::f32 : fp_state::none;
}

// A row of `native` whose semantics is f. Options: row_flag and row_option bits.
template <uint64_t Options, class F>
opcode_row vector_row(format native, uint16_t opcode, const char* mnemonic, const meaning& means, const F& f) {
  using k = kernel_of<F>;
  expression<F>::keep(f);
  constexpr bool accumulates = (Options & reads_dst) != 0;
  constexpr bool sparse = (Options & row_option::sparse) != 0;
  constexpr fp_state fp = fp_of<Options, F>();
  constexpr shape what{k::n_sources - (accumulates ? 1 : 0),
                       k::result::has_value ? dwords_of(k::result::code) : 0,
                       fp,
                       k::reads_flag,
                       k::result::has_flag,
                       (Options & writes_exec) != 0,
                       sparse,
                       (Options & implicit_vcc) != 0};
  static_assert(what.n_src <= 3 && what.dst_dwords <= 2);

  opcode_row row{};
  row.native = native;
  row.opcode = opcode;
  row.mnemonic = mnemonic;
  row.means = means;
  row.unit = (Options & row_option::transcendental) != 0            ? unit::valu_trans
             : k::any_f64 || (Options & row_option::half_rate) != 0 ? unit::valu_f64
                                                                    : unit::valu;
  row.dst = k::result::code;
  bool wide = row.dst != type::b64 && dwords_of(row.dst) == 2;
  for (unsigned n = 0; n < what.n_src; ++n) {
    row.src[n] = k::source(n);
    wide = wide || dwords_of(row.src[n]) == 2;
  }
  auto flags = static_cast<uint32_t>(Options);
  if (wide) flags |= no_sdwa | no_dpp;
  if (k::reads_flag && (Options & implicit_vcc) == 0) flags |= reads_vcc;
  if (k::result::has_value && k::result::has_flag) flags |= writes_vcc;
  if (fp == fp_state::f32 || fp == fp_state::f32_flush) flags |= f32_arith;
  if (fp == fp_state::f64 || vector_detail::is_half(fp)) flags |= f64_arith;
  row.flags = flags;
  row.exec = &exec_vector<what.code()>;
  constexpr bool choose_nan = (Options & (row_option::own_nan | row_option::bitwise)) == 0;
  row.kernel = reinterpret_cast<void (*)()>(sparse ? &k::sparse : &k::template dense<choose_nan>);
  return row;
}

// The lane function of an operation on integers (integer.h). The count of a shift comes first.
template <operation O, data_type D, bool Swapped>
constexpr auto integer_lane() {
  using T = number<D>;
  if constexpr (O == operation::move || O == operation::bit_not)
    return [](T a) { return logic(O, a, a); };
  else if constexpr (carries_in(O))
    return [](T a, T b, lane_flag c) {
      const T x = Swapped ? b : a, y = Swapped ? a : b;
      return with_flag<T>{arithmetic<T>(O, x, y, c.bit), carry_out<T>(O, x, y, c.bit)};
    };
  else if constexpr (carries(O) && D == data_type::u32)
    return [](T a, T b) {
      const T x = Swapped ? b : a, y = Swapped ? a : b;
      return with_flag<T>{arithmetic<T>(O, x, y, 0), carry_out<T>(O, x, y, 0)};
    };
  else if constexpr (is_shift(O))
    return [](std::conditional_t<sizeof(T) == 2, uint16_t, uint32_t> n, T x) {
      return arithmetic<T>(O, x, static_cast<T>(n), 0);
    };
  else if constexpr (O == operation::bit_field_extract)
    return [](T x, uint32_t first, uint32_t bits) { return extracted<T>(x, static_cast<T>(first), bits & 31); };
  else if constexpr (is_of_three(O))
    return [](T a, T b, T c) {
      if constexpr (D == data_type::u24 || D == data_type::i24) return arithmetic(O, low24(a), low24(b), c);
      return arithmetic(O, a, b, c);
    };
  else
    return [](T a, T b) {
      if constexpr (D == data_type::u24 || D == data_type::i24) return arithmetic<T>(O, low24(a), low24(b), 0);
      return arithmetic<T>(O, Swapped ? b : a, Swapped ? a : b, 0);
    };
}
template <operation O, data_type D, uint64_t Options = 0>
opcode_row vector_integer(format native, uint16_t opcode, const char* mnemonic) {
  constexpr bool swapped = (Options & row_option::swapped) != 0;
  meaning means{O, D};
  means.reversed = swapped || is_shift(O);
  return vector_row<Options>(native, opcode, mnemonic, means, integer_lane<O, D, swapped>());
}

// Without a meaning: operation::other.
template <uint64_t Options = 0, class F>
opcode_row vop1(uint16_t opcode, const char* mnemonic, const meaning& means, const F& f) {
  return vector_row<Options>(format::vop1, opcode, mnemonic, means, f);
}
template <uint64_t Options = 0, class F>
opcode_row vop1(uint16_t opcode, const char* mnemonic, const F& f) {
  return vop1<Options>(opcode, mnemonic, meaning{}, f);
}
template <uint64_t Options = 0, class F>
opcode_row vop2(uint16_t opcode, const char* mnemonic, const meaning& means, const F& f) {
  return vector_row<Options>(format::vop2, opcode, mnemonic, means, f);
}
template <uint64_t Options = 0, class F>
opcode_row vop2(uint16_t opcode, const char* mnemonic, const F& f) {
  return vop2<Options>(opcode, mnemonic, meaning{}, f);
}
// Opcodes as encoded in VOP3, from 0x1c0 up.
template <uint64_t Options = 0, class F>
opcode_row vop3(uint16_t opcode, const char* mnemonic, const meaning& means, const F& f) {
  return vector_row<Options>(format::vop3, opcode, mnemonic, means, f);
}
template <uint64_t Options = 0, class F>
opcode_row vop3(uint16_t opcode, const char* mnemonic, const F& f) {
  return vop3<Options>(opcode, mnemonic, meaning{}, f);
}
template <uint64_t Options = 0, class F>
opcode_row vopc(uint16_t opcode, const char* mnemonic, const meaning& means, const F& f) {
  return vector_row<Options | no_dpp>(format::vopc, opcode, mnemonic, means, f);
}

// The tables of the four formats; vector_rows() is their concatenation with the rows that are no lane function.
std::vector<opcode_row> vop1_rows();
std::vector<opcode_row> vop2_rows();
std::vector<opcode_row> vop3_rows();
std::vector<opcode_row> vopc_rows();
std::vector<opcode_row> lane_access_rows();  // v_readlane, v_writelane, v_readfirstlane, v_movrel*, v_nop

}  // namespace pws::isa
