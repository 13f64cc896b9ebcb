// SPDX-License-Identifier: Apache-2.0
// Which compute units the workgroups of a queue may go to: a bit for each, as COMPUTE_STATIC_THREAD_MGMT_SE* have it
// and hsa_amd_queue_cu_set_mask sets it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace pws::models {

constexpr uint32_t most_compute_units = 256;  // machine.n_cu

class cu_mask {
 public:
  static constexpr size_t words = most_compute_units / 64;

  // Has every compute unit that a machine can have.
  cu_mask() { word_.fill(~uint64_t{0}); }
  // Has no compute unit.
  static cu_mask none() {
    cu_mask m;
    m.word_.fill(0);
    return m;
  }

  bool has(uint32_t cu) const { return (word_[cu / 64] >> cu % 64 & 1) != 0; }  // by its index
  // Adds a compute unit, by its index.
  void add(uint32_t cu) { word_[cu / 64] |= uint64_t{1} << cu % 64; }
  // Bits 64 * k to 64 * k + 63.
  uint64_t word(size_t k) const { return word_[k]; }
  // Sets bits 64 * k to 64 * k + 63.
  void set_word(size_t k, uint64_t bits) { word_[k] = bits; }
  // How many of the first `n_cu` compute units are in it.
  uint32_t count(uint32_t n_cu) const {
    uint32_t n = 0;
    for (uint32_t cu = 0; cu < n_cu; ++cu) n += has(cu) ? 1 : 0;
    return n;
  }
  bool is_all_of(uint32_t n_cu) const { return count(n_cu) == n_cu; }  // of the first `n_cu`
  friend bool operator==(const cu_mask& a, const cu_mask& b) { return a.word_ == b.word_; }
  friend bool operator!=(const cu_mask& a, const cu_mask& b) { return !(a == b); }

 private:
  std::array<uint64_t, words> word_{};
};

}  // namespace pws::models
