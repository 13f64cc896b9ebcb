// SPDX-License-Identifier: Apache-2.0
// What a load, store or atomic instruction of RV64IMAC does with memory: for accesses that go over a bus.
#pragma once

#include <cstdint>
#include <optional>

namespace pws::models {

struct rv64_access {
  enum class kind : uint8_t { load, store, load_reserved, atomic };  // atomic: sc and amo

  kind what = kind::load;
  uint8_t bytes = 0;          // 1, 2, 4 or 8
  bool sign_extends = false;  // a load, to 64 bits
  uint8_t base = 0;           // register with the address
  uint8_t data = 0;           // register: a load's destination, a store's source
  int64_t offset = 0;         // to be added to the address
  uint8_t length = 4;         // of the instruction, in bytes

  // A load's value as the register gets it.
  uint64_t extended(uint64_t value) const {
    const unsigned unused = 64 - 8U * bytes;
    const uint64_t high = value << unused;
    return sign_extends ? static_cast<uint64_t>(static_cast<int64_t>(high) >> unused) : high >> unused;
  }
};

// nullopt: the instruction is none of these. (The RISC-V Instruction Set Manual, volume I, chapters 2, 5, 8, 16)
std::optional<rv64_access> decode_access(uint32_t instruction);

}  // namespace pws::models
