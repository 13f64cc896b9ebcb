// SPDX-License-Identifier: Apache-2.0
// Executors of the scalar formats. A row's semantics is a lambda; what it takes and returns says everything else:
// operand widths, what is read and written implicitly, and so the row's types and flags.
//
// Parameters, in any order:
//   uint32_t, int32_t, uint64_t, int64_t   the next source operand
//   old<T>      the destination's value before      simm      the 16-bit immediate, sign-extended
//   scc_in      SCC                                 exec_in   the lanes that execute (EM & SpM)
//   vcc_in      VCC                                 next_pc   address of the following instruction
//   wave_state&, const inst&                        for what has no simpler description
// Results:
//   T           the destination                     flagged<T>    destination and SCC
//   if_set<T>   the destination, if `set`           scc_out       SCC only
//   taken       a branch to the target, if `value`  jump<T>       destination (or no_value) and the new PC
//   saved_exec  the new EXEC; destination is the old one, SCC whether the new one has a lane
//   void        nothing
#pragma once

#include <cstdint>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>

#include "models/isa/opcode_row.h"
#include "models/isa/wave_state.h"

namespace pws::isa {

struct scc_in {
  bool value;
};
struct vcc_in {
  uint64_t value;
};
struct exec_in {
  uint64_t value;
};
struct next_pc {
  uint64_t value;
};
struct simm {
  int32_t value;
};
template <class T>
struct old {
  T value;
};

struct no_value {};
template <class T>
struct flagged {
  T value;
  bool scc;
};
template <class T>
struct if_set {
  bool set;
  T value;
};
template <class T>
struct jump {
  T value;
  uint64_t pc;
};
struct scc_out {
  bool value;
};
struct taken {
  bool value;
};
struct saved_exec {
  uint64_t exec;
};

// A scalar source that is not a plain load: EXEC as instructions see it, VCCZ, EXECZ, SCC.
uint64_t special_source(const wave_state& w, const operand& o);

template <class T>
T read_operand(const wave_state& w, const inst& i, const operand& o) {
  if (__builtin_expect(i.special_src, 0)) return static_cast<T>(special_source(w, o));
  const void* from = o.kind == operand_kind::constant ? static_cast<const void*>(&o.value) : &w.scalar[o.index];
  T v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

template <class T>
void write_destination(wave_state& w, const inst& i, T v) {
  if constexpr (!std::is_same_v<T, no_value>) std::memcpy(&w.scalar[i.dst.index], &v, sizeof v);
}

namespace scalar_shape {

// --- What a parameter is
// ----------------------------------------------------------------------------------------------

template <class T>
constexpr type register_type = type::none;
template <>
inline constexpr type register_type<uint32_t> = type::u32;
template <>
inline constexpr type register_type<int32_t> = type::i32;
template <>
inline constexpr type register_type<uint64_t> = type::u64;
template <>
inline constexpr type register_type<int64_t> = type::i64;

template <class P>
struct parameter {
  static constexpr bool is_source = register_type<P> != type::none;
  static constexpr uint32_t flags = 0;
  static P get(const wave_state& w, const inst& i, unsigned source) { return read_operand<P>(w, i, i.src[source]); }
};
template <class P, uint32_t Flags>
struct implicit_parameter {
  static constexpr bool is_source = false;
  static constexpr uint32_t flags = Flags;
};
template <>
struct parameter<scc_in> : implicit_parameter<scc_in, reads_scc> {
  static scc_in get(const wave_state& w, const inst&, unsigned) { return {w.scc}; }
};
template <>
struct parameter<vcc_in> : implicit_parameter<vcc_in, implicit_vcc> {
  static vcc_in get(const wave_state& w, const inst&, unsigned) { return {w.vcc()}; }
};
template <>
struct parameter<exec_in> : implicit_parameter<exec_in, reads_exec> {
  static exec_in get(const wave_state& w, const inst&, unsigned) { return {w.active()}; }
};
template <>
struct parameter<next_pc> : implicit_parameter<next_pc, 0> {
  static next_pc get(const wave_state& w, const inst&, unsigned) { return {w.pc}; }
};
template <>
struct parameter<simm> : implicit_parameter<simm, 0> {
  static simm get(const wave_state&, const inst& i, unsigned) { return {i.simm}; }
};
template <class T>
struct parameter<old<T>> : implicit_parameter<old<T>, reads_dst> {
  static old<T> get(const wave_state& w, const inst& i, unsigned) {
    // The destination field may name EXEC without any source doing so.
    if (__builtin_expect(i.dst.index >= exec_lo, 0)) return {static_cast<T>(special_source(w, i.dst))};
    T v;
    std::memcpy(&v, &w.scalar[i.dst.index], sizeof v);
    return {v};
  }
};
template <>
struct parameter<wave_state&> : implicit_parameter<wave_state&, 0> {
  static wave_state& get(wave_state& w, const inst&, unsigned) { return w; }
};
template <>
struct parameter<const wave_state&> : implicit_parameter<const wave_state&, 0> {
  static const wave_state& get(const wave_state& w, const inst&, unsigned) { return w; }
};
template <>
struct parameter<const inst&> : implicit_parameter<const inst&, 0> {
  static const inst& get(const wave_state&, const inst& i, unsigned) { return i; }
};

// --- What a result does
// -----------------------------------------------------------------------------------------------

template <class R>
struct result {
  static constexpr type dst = register_type<R>;
  static constexpr uint32_t flags = 0;
  static void put(wave_state& w, const inst& i, R r) { write_destination(w, i, r); }
};
template <>
struct result<void> {
  static constexpr type dst = type::none;
  static constexpr uint32_t flags = no_dst;
};
template <class T>
struct result<flagged<T>> {
  static constexpr type dst = register_type<T>;
  static constexpr uint32_t flags = writes_scc;
  static void put(wave_state& w, const inst& i, flagged<T> r) {
    write_destination(w, i, r.value);
    w.scc = r.scc;
  }
};
template <class T>
struct result<if_set<T>> {
  static constexpr type dst = register_type<T>;
  static constexpr uint32_t flags = reads_dst;  // the destination's old value stays
  static void put(wave_state& w, const inst& i, if_set<T> r) {
    if (r.set) write_destination(w, i, r.value);
  }
};
template <>
struct result<scc_out> {
  static constexpr type dst = type::none;
  static constexpr uint32_t flags = writes_scc | no_dst;
  static void put(wave_state& w, const inst&, scc_out r) { w.scc = r.value; }
};
template <>
struct result<taken> {
  static constexpr type dst = type::none;
  static constexpr uint32_t flags = no_dst;
  static void put(wave_state& w, const inst& i, taken r) {
    if (r.value) w.pc = i.target;
  }
};
template <class T>
struct result<jump<T>> {
  static constexpr type dst = register_type<T>;
  static constexpr uint32_t flags = dst == type::none ? uint32_t{no_dst} : 0;
  static void put(wave_state& w, const inst& i, jump<T> r) {
    write_destination(w, i, r.value);
    w.pc = r.pc;
  }
};
template <>
struct result<saved_exec> {
  static constexpr type dst = type::u64;
  static constexpr uint32_t flags = writes_scc | writes_exec | reads_exec;
  static void put(wave_state& w, const inst& i, saved_exec r) {
    w.set_scalar64(i.dst.index, w.active());
    w.set_scalar64(exec_lo, r.exec);
    w.scc = r.exec != 0;
  }
};

// --- The executor
// -----------------------------------------------------------------------------------------------------

template <class F, class R, class... P>
struct signature {
  // Number of source operands among the parameters before the k-th.
  static constexpr unsigned source_index(unsigned k) {
    constexpr bool is_source[] = {parameter<P>::is_source..., false};
    unsigned n = 0;
    for (unsigned j = 0; j < k; ++j) n += is_source[j] ? 1 : 0;
    return n;
  }
  static constexpr type source_type(unsigned source) {
    constexpr type types[] = {register_type<P>..., type::none};
    constexpr bool is_source[] = {parameter<P>::is_source..., false};
    unsigned n = 0;
    for (unsigned j = 0; j < sizeof...(P); ++j) {
      if (!is_source[j]) continue;
      if (n == source) return types[j];
      ++n;
    }
    return type::none;
  }

  // A lambda without captures has no state; the instance exists so that operator() has an object to be called on.
  static inline const F* semantics = nullptr;

  template <std::size_t... K>
  static R call(wave_state& w, const inst& i, std::index_sequence<K...>) {
    return (*semantics)(parameter<P>::get(w, i, source_index(K))...);
  }
  static void execute(wave_state& w, const inst& i) {
    if constexpr (std::is_void_v<R>)
      call(w, i, std::index_sequence_for<P...>{});
    else
      result<R>::put(w, i, call(w, i, std::index_sequence_for<P...>{}));
  }

  static opcode_row row(const F& f, format native, unsigned opcode, const char* mnemonic, const meaning& means,
                        isa::unit u, uint32_t flags) {
    static const F instance = f;
    semantics = &instance;
    return {native,
            static_cast<uint16_t>(opcode),
            mnemonic,
            u,
            result<R>::dst,
            {source_type(0), source_type(1), source_type(2)},
            flags | result<R>::flags | (0u | ... | parameter<P>::flags),
            &execute,
            nullptr,
            means};
  }
};

template <class F, class R, class... P>
signature<F, R, P...> signature_of(R (F::*)(P...) const);

}  // namespace scalar_shape

// One row from its semantics. Every lambda must be without captures. Without a meaning: operation::other.
template <class F>
opcode_row scalar_row(format native, unsigned opcode, const char* mnemonic, const meaning& means, F semantics,
                      isa::unit u = unit::salu, uint32_t flags = 0) {
  static_assert(std::is_empty_v<F>, "semantics depend on their parameters only");
  return decltype(scalar_shape::signature_of(&F::operator()))::row(semantics, native, opcode, mnemonic, means, u,
                                                                   flags);
}
template <class F, class = std::enable_if_t<!std::is_same_v<F, meaning>>>
opcode_row scalar_row(format native, unsigned opcode, const char* mnemonic, F semantics, isa::unit u = unit::salu,
                      uint32_t flags = 0) {
  return scalar_row(native, opcode, mnemonic, meaning{}, semantics, u, flags);
}

// A row that decodes and disassembles but is refused as unimplemented.
inline opcode_row refused_row(format native, unsigned opcode, const char* mnemonic, type dst = type::none,
                              type src0 = type::none, type src1 = type::none, const meaning& means = {}) {
  return {native,
          static_cast<uint16_t>(opcode),
          mnemonic,
          unit::internal,
          dst,
          {src0, src1, type::none},
          dst == type::none ? uint32_t{no_dst} : 0,
          nullptr,
          nullptr,
          means};
}

}  // namespace pws::isa
