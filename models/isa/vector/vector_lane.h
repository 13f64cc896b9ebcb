// SPDX-License-Identifier: Apache-2.0
// From one expression over scalars to a kernel over 64 lanes. A row of the vector tables is a captureless lambda, as
//   [](float a, float b) { return a + b; }
// whose signature says everything about its operands: widths, how constants convert, which modifiers make sense.
// Kernels do not know about registers, EXEC or modifiers: an executor (vector_executor.h) hands them rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>
#include <utility>

#include "models/isa/opcode_row.h"
#include "models/isa/vector/half.h"
#include "models/isa/vector/lane_mask.h"

namespace pws::isa {

// --- Parameters that are no source operand -------------------------------------------------------

// The lane's bit of the mask that the instruction reads (VCC or a register pair): 0 or 1.
struct lane_flag {
  uint32_t bit;
};
struct lane_index {
  uint32_t value;
};
// HW_REG_MODE, the same for all lanes.
struct fp_mode {
  uint32_t bits;
  bool ieee() const { return (bits & 0x200) != 0; }
  bool dx10_clamp() const { return (bits & 0x100) != 0; }
};

// --- Results -------------------------------------------------------------------------------------

// A value and the lane's bit of a second, mask destination (carry, borrow, v_div_scale's flag). A plain bool result is
// a compare: it has the mask only.
template <class T>
struct with_flag {
  T value;
  bool flag;
};

// --- What a kernel works on ----------------------------------------------------------------------

// Rows of 64 dwords; a 64-bit operand is two rows in sequence, low dwords first. Rows are identical, disjoint, or
// halves of pairs that overlap: every kernel reads a lane's sources before it writes that lane.
struct lane_args {
  const uint32_t* src[4];
  uint32_t* dst;
  uint64_t mask;       // lanes wanted. Dense kernels with a 32-bit result write all lanes, the others only these
  uint64_t flags_in;   // for lane_flag
  uint64_t flags_out;  // result of flags; bits outside `mask` are unspecified
  uint32_t mode;
};
using lane_kernel = void (*)(lane_args&);

// --- Types of operands ---------------------------------------------------------------------------

template <class T>
struct lane_type;  // code: the row's type; load, store: one lane of a row

// How one lane of an operand is stored: as an element of a dword row, or, for 64-bit types, of 64 consecutive qwords.
template <class T, type Code>
struct dword_lane {
  static constexpr type code = Code;
  using element = uint32_t;
  static T load(const element* row, unsigned l) { return bit_cast<T>(row[l]); }
  static void store(element* row, unsigned l, T v) { row[l] = bit_cast<uint32_t>(v); }
};
template <class T, type Code>
struct qword_lane {
  static constexpr type code = Code;
  using element = uint64_t;
  static T load(const element* row, unsigned l) { return bit_cast<T>(row[l]); }
  static void store(element* row, unsigned l, T v) { row[l] = bit_cast<uint64_t>(v); }
};
// 16-bit results clear the upper half of the register (GCN3; later generations keep it).
template <class T, type Code>
struct word_lane {
  static constexpr type code = Code;
  using element = uint32_t;
  static T load(const element* row, unsigned l) { return static_cast<T>(static_cast<uint16_t>(row[l])); }
  static void store(element* row, unsigned l, T v) { row[l] = static_cast<uint16_t>(v); }
};
template <>
struct lane_type<float> : dword_lane<float, type::f32> {};
template <>
struct lane_type<uint32_t> : dword_lane<uint32_t, type::u32> {};
template <>
struct lane_type<int32_t> : dword_lane<int32_t, type::i32> {};
template <>
struct lane_type<double> : qword_lane<double, type::f64> {};
template <>
struct lane_type<uint64_t> : qword_lane<uint64_t, type::u64> {};
template <>
struct lane_type<int64_t> : qword_lane<int64_t, type::i64> {};
template <>
struct lane_type<uint16_t> : word_lane<uint16_t, type::u16> {};
template <>
struct lane_type<int16_t> : word_lane<int16_t, type::i16> {};
template <>
struct lane_type<half> {
  static constexpr type code = type::f16;
  using element = uint32_t;
  static half load(const element* row, unsigned l) { return half::from_bits(static_cast<uint16_t>(row[l])); }
  static void store(element* row, unsigned l, half v) { row[l] = v.bits; }
};
template <class T>
inline constexpr bool is_wide = std::is_same_v<typename lane_type<T>::element, uint64_t>;

template <class R>
struct result_type {
  using value = R;
  static constexpr type code = lane_type<R>::code;
  static constexpr bool has_value = true, has_flag = false, wide = is_wide<R>;
  template <class E>
  static void store(E* dst, uint32_t*, unsigned l, R r) {
    lane_type<R>::store(dst, l, r);
  }
};
template <class T>
struct result_type<with_flag<T>> {
  using value = T;
  static constexpr type code = lane_type<T>::code;
  static constexpr bool has_value = true, has_flag = true, wide = is_wide<T>;
  template <class E>
  static void store(E* dst, uint32_t* flags, unsigned l, with_flag<T> r) {
    lane_type<T>::store(dst, l, r.value);
    flags[l] = r.flag ? ~uint32_t{0} : 0;
  }
};
template <>
struct result_type<bool> {
  using value = bool;
  static constexpr type code = type::b64;
  static constexpr bool has_value = false, has_flag = true, wide = false;
  template <class E>
  static void store(E*, uint32_t* flags, unsigned l, bool r) {
    flags[l] = r ? ~uint32_t{0} : 0;
  }
};

template <class A>
inline constexpr bool is_source =
    !std::is_same_v<A, lane_flag> && !std::is_same_v<A, lane_index> && !std::is_same_v<A, fp_mode>;

// One parameter of an expression, ready for the lane loop.
template <class T, class = void>
struct parameter {
  const uint32_t* row;
  parameter(const lane_args& a, unsigned source) : row(a.src[source]) {}
  T get(unsigned l) const {
    return lane_type<T>::load(static_cast<const uint32_t*>(__builtin_assume_aligned(row, 64)), l);
  }
};
template <class T>
struct parameter<T, std::enable_if_t<is_source<T> && sizeof(T) == 8>> {
  alignas(64) uint64_t row[wave_size];
  parameter(const lane_args& a, unsigned source) { join_halves(row, a.src[source]); }
  T get(unsigned l) const { return lane_type<T>::load(row, l); }
};
template <>
struct parameter<lane_flag> {
  alignas(64) uint32_t row[wave_size];
  parameter(const lane_args& a, unsigned) { expand_mask(a.flags_in, row); }
  lane_flag get(unsigned l) const { return {row[l]}; }
};
template <>
struct parameter<lane_index> {
  parameter(const lane_args&, unsigned) {}
  lane_index get(unsigned l) const { return {l}; }
};
template <>
struct parameter<fp_mode> {
  uint32_t mode;
  parameter(const lane_args& a, unsigned) : mode(a.mode) {}
  fp_mode get(unsigned) const { return {mode}; }
};

// --- NaN results ---------------------------------------------------------------------------------

// What an operation on NaNs gives: the first source that is a NaN, made quiet, else the default NaN, which is positive.
// The host differs in both (x86's default NaN is negative, and compilers swap the operands of + and *), so that the
// result is chosen here, once per row. Float to half or double conversions keep what they made of the source's payload.
template <class T>
struct nan_format {
  static constexpr bool is_float = false;
};
template <>
struct nan_format<float> {
  static constexpr bool is_float = true;
  using bits = uint32_t;
  static constexpr bits infinity = 0x7f800000u, quiet = 0x400000u, sign = 0x80000000u;
};
template <>
struct nan_format<double> {
  static constexpr bool is_float = true;
  using bits = uint64_t;
  static constexpr bits infinity = 0x7ff0000000000000u, quiet = 0x8000000000000u, sign = 0x8000000000000000u;
};
template <>
struct nan_format<half> {
  static constexpr bool is_float = true;
  using bits = uint16_t;
  static constexpr bits infinity = 0x7c00u, quiet = 0x200u, sign = 0x8000u;
};
template <class T>
inline bool is_nan_pattern(T x) {
  using f = nan_format<T>;
  return (bit_cast<typename f::bits>(x) & static_cast<typename f::bits>(~f::sign)) > f::infinity;
}
template <class T>
inline T quiet_pattern(T x) {
  using f = nan_format<T>;
  return bit_cast<T>(static_cast<typename f::bits>(bit_cast<typename f::bits>(x) | f::quiet));
}
// One source in the choice above, last source first.
template <class R, class T>
inline R nan_choice(R converted, R so_far, T source) {
  if constexpr (std::is_same_v<R, T>)
    return is_nan_pattern(source) ? quiet_pattern(source) : so_far;
  else if constexpr (nan_format<T>::is_float)
    return is_nan_pattern(source) ? converted : so_far;
  else
    return so_far;
}
template <class R>
inline R nan_of_sources(R, R so_far) {
  return so_far;
}
template <class R, class T, class... Rest>
inline R nan_of_sources(R converted, R so_far, T first, Rest... rest) {
  return nan_choice(converted, nan_of_sources(converted, so_far, rest...), first);
}
template <class R, class... A>
inline R with_chosen_nan(R r, A... sources) {
  using f = nan_format<R>;
  const R generated = bit_cast<R>(static_cast<typename f::bits>(f::infinity | f::quiet));
  return is_nan_pattern(r) ? nan_of_sources(r, generated, sources...) : r;
}

// --- Kernels -------------------------------------------------------------------------------------

// A captureless lambda is no default-constructible type in C++17: its (empty) object is kept here, once per type.
template <class F>
struct expression {
  static_assert(std::is_empty_v<F>, "a row's expression captures nothing");
  alignas(F) static inline unsigned char storage[sizeof(F)];
  static void keep(const F& f) { new (storage) F(f); }
  static const F& get() { return *std::launder(reinterpret_cast<const F*>(storage)); }
};

template <class F, class Call = decltype(&F::operator())>
struct kernel_of;

template <class F, class R, class... A>
struct kernel_of<F, R (F::*)(A...) const> {
  using result = result_type<R>;
  static constexpr unsigned n_sources = (0u + ... + (is_source<A> ? 1u : 0u));
  static constexpr bool reads_flag = (false || ... || std::is_same_v<A, lane_flag>);
  static constexpr bool any_f32 = std::is_same_v<R, float> || (false || ... || std::is_same_v<A, float>);
  static constexpr bool any_f16 = std::is_same_v<R, half> || (false || ... || std::is_same_v<A, half>);
  static constexpr bool half_of_single = std::is_same_v<R, half> && (false || ... || std::is_same_v<A, float>);
  static constexpr bool any_f64 = std::is_same_v<R, double> || (false || ... || std::is_same_v<A, double>);

  // Types of the sources, in order; none where there are fewer.
  static constexpr type source(unsigned n) {
    constexpr type codes[] = {code_of<A>()..., type::none};
    unsigned k = 0;
    for (unsigned a = 0; a < sizeof...(A); ++a)
      if (codes[a] != type::none && k++ == n) return codes[a];
    return type::none;
  }

  // All 64 lanes in one loop for the vectoriser. ChooseNan: results that are NaN follow with_chosen_nan().
  template <bool ChooseNan>
  static void dense(lane_args& a) {
    run_dense<ChooseNan>(a, std::index_sequence_for<A...>{});
  }
  // Only the lanes of the mask, straight into dst: for expressions that do not vectorise.
  static void sparse(lane_args& a) { run_sparse(a, std::index_sequence_for<A...>{}); }

 private:
  template <class T>
  static constexpr type code_of() {
    if constexpr (is_source<T>)
      return lane_type<T>::code;
    else
      return type::none;
  }
  // Which source the K-th parameter is.
  template <size_t K>
  static constexpr unsigned source_number() {
    constexpr bool sources[] = {is_source<A>...};
    unsigned n = 0;
    for (size_t k = 0; k < K; ++k) n += sources[k] ? 1 : 0;
    return n;
  }
  // The parameters by position, each built in place.
  template <size_t K, class T>
  struct slot : parameter<T> {
    using parameter<T>::parameter;
  };
  template <class Positions>
  struct parameters;
  template <size_t... K>
  struct parameters<std::index_sequence<K...>> : slot<K, A>... {
    explicit parameters(const lane_args& a) : slot<K, A>(a, source_number<K>())... {}
  };

  // NaN results as with_chosen_nan() has them. Rare, and out of the lane loop's way; it finds the sources anew, so that
  // the loop's stay in registers.
  template <class E, size_t... K>
  [[gnu::noinline]] static void choose_nans(E* row, const lane_args& args, std::index_sequence<K...>) {
    const parameters<std::index_sequence<K...>> in(args);
    for (unsigned l = 0; l < wave_size; ++l)
      lane_type<R>::store(row, l,
                          with_chosen_nan(lane_type<R>::load(row, l), static_cast<const slot<K, A>&>(in).get(l)...));
  }

  template <bool ChooseNan, size_t... K>
  static void run_dense(lane_args& args, [[maybe_unused]] std::index_sequence<K...> positions) {
    const F& f = expression<F>::get();
    const parameters<std::index_sequence<K...>> in(args);
    constexpr bool chooses = ChooseNan && nan_format<R>::is_float;
    alignas(64) uint32_t flags[result::has_flag ? wave_size : 1];
    alignas(64) uint64_t wide[result::wide ? wave_size : 1];
    alignas(64) uint32_t narrow[chooses && !result::wide ? wave_size : 1];
    if constexpr (result::wide) {
      for (unsigned l = 0; l < wave_size; ++l)
        result::store(wide, flags, l, f(static_cast<const slot<K, A>&>(in).get(l)...));
      if constexpr (chooses)
        if (__builtin_expect(any_lane_above(wide, nan_format<R>::infinity), 0)) choose_nans(wide, args, positions);
      split_halves(args.dst, wide, args.mask);
    } else if constexpr (chooses) {
      // A NaN's lane needs its sources once more: not straight to dst where that is a source too, or half of one.
      constexpr bool halves = (false || ... || (is_source<A> && sizeof(A) == 8));
      bool in_place = false;
      for (unsigned k = 0; k < n_sources; ++k)
        in_place = in_place || args.src[k] == args.dst || (halves && args.src[k] + wave_size == args.dst);
      auto* const dst = static_cast<uint32_t*>(__builtin_assume_aligned(in_place ? narrow : args.dst, 64));
      PWS_INDEPENDENT_LANES
      for (unsigned l = 0; l < wave_size; ++l)
        result::store(dst, flags, l, f(static_cast<const slot<K, A>&>(in).get(l)...));
      if (__builtin_expect(any_lane_above(dst, nan_format<R>::infinity), 0)) choose_nans(dst, args, positions);
      if (in_place) copy_lanes(args.dst, narrow, all_lanes);
    } else {
      auto* const dst = static_cast<uint32_t*>(__builtin_assume_aligned(args.dst, 64));
      PWS_INDEPENDENT_LANES
      for (unsigned l = 0; l < wave_size; ++l)
        result::store(dst, flags, l, f(static_cast<const slot<K, A>&>(in).get(l)...));
    }
    if constexpr (result::has_flag) args.flags_out = pack_mask(flags);
  }
  template <size_t... K>
  static void run_sparse(lane_args& args, std::index_sequence<K...>) {
    const F& f = expression<F>::get();
    const parameters<std::index_sequence<K...>> in(args);
    alignas(64) uint32_t flags[result::has_flag ? wave_size : 1] = {};
    alignas(64) uint64_t wide[result::wide ? wave_size : 1];
    for (uint64_t rest = args.mask; rest != 0; rest &= rest - 1) {
      const auto l = static_cast<unsigned>(__builtin_ctzll(rest));
      if constexpr (result::wide)
        result::store(wide, flags, l, f(static_cast<const slot<K, A>&>(in).get(l)...));
      else
        result::store(args.dst, flags, l, f(static_cast<const slot<K, A>&>(in).get(l)...));
    }
    if constexpr (result::wide) split_halves(args.dst, wide, args.mask);
    if constexpr (result::has_flag) args.flags_out = pack_mask(flags);
  }
};

}  // namespace pws::isa
