// SPDX-License-Identifier: Apache-2.0
// What storage holds that nothing has written yet (machine.memory.fill). Each word is a function of the seed and of
// what the storage is, by no host address and no order of events: the same in both fidelities and in every scheme.
#pragma once

#include <cstdint>

#include "models/machine/machine_config.h"

namespace pws::models {

// A quiet NaN as f32 and as f64, a large integer, no address of anything, and in every other f16 a NaN, so that a
// program that reads it shows. Little-endian, dword after dword; buffers of run files with `init: none` hold it too.
constexpr uint32_t poison_word = 0x7ffadbad;

// Storage that begins with contents of its own; with the numbers that tell one piece from another.
struct filled_storage {
  // Which kind of storage.
  enum class kind : uint64_t { device_memory = 1, lds, scratch, vector_registers, scalar_registers };
  kind what = kind::device_memory;
  uint64_t launch = 0;     // number in the machine's life; device memory: the block's address
  uint64_t workgroup = 0;  // number in its launch
  uint64_t wave = 0;       // number in its workgroup
};

class fill_pattern {
 public:
  explicit fill_pattern(const memory_config& c) : kind_(c.fill), seed_(c.fill_seed) {}

  bool is_zero() const { return kind_ == memory_fill::zero; }
  // Word `n` of that storage.
  uint32_t word(const filled_storage& s, uint64_t n) const;
  // Words [first, first + count) of that storage to `to`, which need not be aligned.
  void fill(void* to, uint64_t count, const filled_storage& s, uint64_t first = 0) const;

 private:
  memory_fill kind_;
  uint64_t seed_;
};

}  // namespace pws::models
