// SPDX-License-Identifier: Apache-2.0
// Read-modify-write operations of DS, FLAT and MUBUF atomics: from the old value and the instruction's data, the new
// one. (GCN3 ISA, chapter 12: "DS Instructions", "MUBUF Instructions", "FLAT Instructions"). Operands are unsigned
// integers of the access's width, 32 or 64 bits.
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "models/isa/host_fp.h"
#include "models/isa/memory/memory_lanes.h"
#include "models/isa/vector/vector_lane.h"

namespace pws::isa::atomic {

template <class T>
std::make_signed_t<T> to_signed(T v) {
  return static_cast<std::make_signed_t<T>>(v);
}

template <class T>
auto to_float(T v) {
  std::conditional_t<sizeof(T) == 8, double, float> f;
  static_assert(sizeof f == sizeof v);
  std::memcpy(&f, &v, sizeof f);
  return f;
}

inline uint32_t bits_of(float f) {
  uint32_t v;
  std::memcpy(&v, &f, sizeof v);
  return v;
}

// One data operand.
inline constexpr auto swap = [](auto, auto data) { return data; };
inline constexpr auto add = [](auto old, auto data) { return old + data; };
inline constexpr auto sub = [](auto old, auto data) { return old - data; };
inline constexpr auto rsub = [](auto old, auto data) { return data - old; };
inline constexpr auto inc = [](auto old, auto data) { return old >= data ? 0 : old + 1; };
inline constexpr auto dec = [](auto old, auto data) { return old == 0 || old > data ? data : old - 1; };
inline constexpr auto umin = [](auto old, auto data) { return data < old ? data : old; };
inline constexpr auto umax = [](auto old, auto data) { return data > old ? data : old; };
inline constexpr auto smin = [](auto old, auto data) { return to_signed(data) < to_signed(old) ? data : old; };
inline constexpr auto smax = [](auto old, auto data) { return to_signed(data) > to_signed(old) ? data : old; };
inline constexpr auto bit_and = [](auto old, auto data) { return old & data; };
inline constexpr auto bit_or = [](auto old, auto data) { return old | data; };
inline constexpr auto bit_xor = [](auto old, auto data) { return old ^ data; };
inline constexpr auto fadd = [](auto old, auto data) {
  return bits_of(with_chosen_nan(to_float(old) + to_float(data), to_float(old), to_float(data)));
};
// A comparison with a NaN is false, which leaves memory as it is.
inline constexpr auto fmin = [](auto old, auto data) { return to_float(data) < to_float(old) ? data : old; };
inline constexpr auto fmax = [](auto old, auto data) { return to_float(data) > to_float(old) ? data : old; };

// Two data operands in the order of the registers: DS compares with the first and stores the second, FLAT and MUBUF
// have the new value first.
inline constexpr auto cmpst = [](auto old, auto cmp, auto data) { return old == cmp ? data : old; };
inline constexpr auto fcmpst = [](auto old, auto cmp, auto data) {
  return to_float(old) == to_float(cmp) ? data : old;
};
inline constexpr auto cmpswap = [](auto old, auto data, auto cmp) { return old == cmp ? data : old; };
inline constexpr auto mskor = [](auto old, auto mask, auto data) { return (old & ~mask) | data; };
inline constexpr auto wrap = [](auto old, auto limit, auto data) { return old >= limit ? old - limit : old + data; };

// Brings the host's floating-point state to what Op needs. Sums round and flush as MODE says for single precision;
// comparisons see denormals as they are (GCN3 ISA: "handles NaN/INF/denorm").
template <auto& Op>
inline void prepare_host(const wave_state& s) {
  using op = std::remove_cv_t<std::remove_reference_t<decltype(Op)>>;
  const auto op_is = [](const auto& other) { return std::is_same_v<op, std::decay_t<decltype(other)>>; };
  if (op_is(fadd)) host_fp::want(*s.host_csr, host_fp::csr_f32(s.mode));
  if (op_is(fmin) || op_is(fmax) || op_is(fcmpst)) host_fp::want(*s.host_csr, host_fp::nearest);
}

// The new value: Op's data operands are lane `l` of the registers that begin at row `data` and, where it has two,
// `data2`. Recorded where somebody wants to know of accesses.
template <auto& Op, class T>
inline T apply(const wave_state& s, T old, unsigned data, unsigned data2, int l) {
  T operand = 0, left;
  if constexpr (std::is_invocable_v<decltype(Op), T, T>)
    left = static_cast<T>(Op(old, operand = lane_value<T>(s, data, l)));
  else
    left = static_cast<T>(Op(old, lane_value<T>(s, data, l), lane_value<T>(s, data2, l)));
  if (s.access != nullptr) s.access->note_change(l, old, operand, left);
  return left;
}

// The same on what is at `p`, naturally aligned, where other threads access it, too: what was there before.
template <auto& Op, class T>
inline T apply_at(const wave_state& s, uint8_t* p, unsigned data, unsigned data2, int l) {
  T* const at = reinterpret_cast<T*>(p);
  T old = __atomic_load_n(at, __ATOMIC_RELAXED), left = 0;
  do left = apply<Op, T>(s, old, data, data2, l);
  while (!__atomic_compare_exchange_n(at, &old, left, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
  return old;
}

}  // namespace pws::isa::atomic
