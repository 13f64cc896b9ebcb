// SPDX-License-Identifier: Apache-2.0
// The host's floating-point environment, kept in the state that the device's instruction class needs: rounding mode and
// denormal flushing (GCN3 ISA, MODE register bits [7:0]) map to MXCSR fields.
// Switching costs tens of cycles, so it happens lazily, and a scope around a burst of execution restores the host's
// state.
#pragma once

#include <xmmintrin.h>

#include <cstdint>

namespace pws::isa::host_fp {

constexpr uint32_t exceptions_masked = 0x1f80;
constexpr uint32_t daz = 0x0040;  // denormal inputs read as zero
constexpr uint32_t ftz = 0x8000;  // denormal results become zero
constexpr uint32_t nearest = exceptions_masked;
constexpr uint32_t nearest_flush = exceptions_masked | daz | ftz;

// MXCSR for a pair of MODE fields. `round`: 0 nearest even, 1 towards +inf, 2 towards -inf, 3 towards zero. `denorm`:
// bit 0 keeps denormal inputs, bit 1 keeps denormal results.
constexpr uint32_t csr(uint32_t round, uint32_t denorm) {
  constexpr uint32_t rc[4] = {0x0000, 0x4000, 0x2000, 0x6000};
  return exceptions_masked | rc[round & 3] | ((denorm & 1) != 0 ? 0 : daz) | ((denorm & 2) != 0 ? 0 : ftz);
}

// MXCSR for each value of MODE's four bits.
struct csr_table {
  uint32_t value[16];
};
constexpr csr_table make_csr_table() {
  csr_table t{};
  for (uint32_t k = 0; k < 16; ++k) t.value[k] = csr(k & 3, k >> 2);
  return t;
}
inline constexpr csr_table csr_by_fields = make_csr_table();

// The MXCSR that single-precision (f32) or double- and half-precision (f64) arithmetic needs under HW_REG_MODE `mode`.
constexpr uint32_t csr_f32(uint32_t mode) {
  return csr_by_fields.value[(mode & 3) | ((mode >> 2) & 0xc)];
}
constexpr uint32_t csr_f64(uint32_t mode) {
  return csr_by_fields.value[((mode >> 2) & 3) | ((mode >> 4) & 0xc)];
}
// Unfused multiply-add flushes denormals whatever MODE says; rounding is MODE's.
constexpr uint32_t csr_f32_flush(uint32_t mode) {
  return csr_by_fields.value[mode & 3];
}
// Half precision is computed in single precision, where its denormals are normal numbers: only the rounding matters.
constexpr uint32_t csr_f16(uint32_t mode) {
  return csr_by_fields.value[((mode >> 2) & 3) | 0xc];
}

// A conversion from single to half precision: single-precision denormals are read as MODE's single-precision field
// says.
constexpr uint32_t csr_f16_of_f32(uint32_t mode) {
  return csr_by_fields.value[((mode >> 2) & 3) | 8 | ((mode >> 2) & 4)];
}

// What MXCSR's control bits hold while a scope is open, for all who have no place of their own for that. Whoever
// executes instructions in a thread beside others has one. No storage of threads: programs load this code while they
// run (dlopen).
inline uint32_t current = exceptions_masked;

// Brings MXCSR to `wanted`. Call only with a scope of `bits` open.
inline void want(uint32_t& bits, uint32_t wanted) {
  if (__builtin_expect(wanted != bits, 0)) {
    bits = wanted;
    _mm_setcsr(wanted);
  }
}

// Holds the environment around a burst of instructions; code inside must not yield to another SystemC process, which
// would run with the device's rounding and flushing.
class scope {
 public:
  // `bits`: where the states of these instructions look (wave_state::host_csr).
  explicit scope(uint32_t& bits = current) : bits_(bits), host_(_mm_getcsr()), outer_(bits) {
    bits_ = exceptions_masked;
    _mm_setcsr(exceptions_masked);
  }
  ~scope() {
    bits_ = outer_;
    _mm_setcsr(host_);
  }
  scope(const scope&) = delete;
  scope& operator=(const scope&) = delete;

 private:
  uint32_t& bits_;
  uint32_t host_;
  uint32_t outer_;
};

}  // namespace pws::isa::host_fp

namespace pws::isa {
using host_fp_scope = host_fp::scope;
}
