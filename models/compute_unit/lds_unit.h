// SPDX-License-Identifier: Apache-2.0
// Local data share of a compute unit: storage, allocation to workgroups, and the time an access takes with bank
// conflicts.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/state_archive.h"
#include "models/context/range_allocator.h"
#include "models/isa/wave_state.h"
#include "models/machine/machine_config.h"

namespace pws::models {

class lds_unit {
 public:
  explicit lds_unit(const lds_config& c);

  range_allocator& allocator() { return allocator_; }
  const range_allocator& allocator() const { return allocator_; }
  uint8_t* bytes(uint32_t offset) { return storage_.data() + offset; }

  // Cycles for which the access occupies the LDS: half a wavefront per pass, and in each pass as many cycles as the
  // most wanted bank has different words to deliver (GCN3 ISA, "LDS": 32 banks of one dword).
  uint32_t cycles(const isa::memory_access& a);
  uint64_t conflict_cycles() const { return conflict_cycles_; }
  uint32_t size() const { return static_cast<uint32_t>(storage_.size()); }  // bytes
  // What is taken of it, and the count. The bytes are the workgroups' to keep.
  void keep(state_archive& a) {
    allocator_.keep(a);
    a(conflict_cycles_);
  }

 private:
  struct cost {
    uint32_t cycles = 0;
    uint32_t conflicts = 0;  // of them, beyond what as many words in different banks would take
  };
  cost half_cycles(const isa::memory_access& a, uint32_t first_lane, uint32_t extra_offset);

  // The last access pattern that an instruction made mostly repeats with another base: its cycles depend on the lanes'
  // distances alone, because a common offset only rotates the banks.
  struct pattern {
    uint64_t mask = 0;
    uint32_t bytes = 0, second = 0, alignment = 0;
    uint32_t cycles = 0, conflicts = 0;
    alignas(64) std::array<uint32_t, isa::wave_size> distance{};
  };
  pattern& slot_for(const isa::memory_access& a, uint32_t first);

  uint32_t banks_;
  std::vector<uint8_t> storage_;
  range_allocator allocator_;
  std::array<pattern, 64> patterns_;
  std::vector<uint32_t> bank_words_;  // scratch of half_cycles: words seen per bank
  std::vector<uint32_t> bank_count_;
  uint64_t conflict_cycles_ = 0;
};

}  // namespace pws::models
