// SPDX-License-Identifier: Apache-2.0
// The memory instructions once more, as slowly and plainly as the manual has them: byte by byte, lane by lane,
// everything derived from the mnemonic. Deliberately shares nothing with the executors.
#pragma once

#include <functional>
#include <string>

#include "tests/isa/memory_fixture.h"

namespace pws::isa::test {

// What a mnemonic says.
struct memory_operation {
  enum class kind { load, store, atomic, other };
  kind what = kind::other;
  std::string atomic;     // add, cmpswap, ...
  unsigned bytes = 0;     // of one access in memory
  bool sign = false;      // of a narrow load
  unsigned accesses = 1;  // 2 for read2, write2, wrxchg2
  unsigned unit = 1;      // of the two offsets
  bool always_returns = false;
  unsigned registers() const { return bytes < 4 ? 1 : bytes / 4; }
};
memory_operation parse_mnemonic(const std::string& mnemonic);

// The new value. data2 is the second register (pair) of two-operand atomics.
uint64_t reference_atomic(const std::string& op, unsigned bytes, uint64_t old, uint64_t data, uint64_t data2);

// Where one byte of a lane's access lies, or nullptr if it is out of a buffer's range: loads 0, stores nothing.
using byte_address = std::function<uint8_t*(int lane, unsigned access, unsigned byte)>;

// Executes on `b`: destination and data registers as given; data2 is only used by DS. `returns`: an atomic writes dst.
void reference_execute(memory_bench& b, const memory_operation& o, unsigned dst, unsigned data, unsigned data2,
                       bool returns, const byte_address& at);

}  // namespace pws::isa::test
