// SPDX-License-Identifier: Apache-2.0
// Random instructions of every row of the instruction tables in every encoding that it has, with special registers
// (EXEC, VCC, M0, halves of pairs, ...) as sources and destinations, and wavefronts on which they can be executed.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "models/isa/opcode_row.h"
#include "tests/wcet/described_wave.h"

namespace pws::test {

// A row in one of its encodings.
struct row_form {
  enum class encoding : uint8_t { plain, literal, vop3, sdwa, dpp };
  const isa::opcode_row* row;
  encoding in;
  std::string name() const;
};

// All that the machine has semantics for.
std::vector<row_form> all_row_forms();

// Nothing: the fields do not go together.
std::optional<std::vector<uint32_t>> random_words(const row_form& form, random_source& r);

// Memory for a wavefront, and the registers that the memory instructions of random_words take their addresses and
// resources from.
class row_memory {
 public:
  static constexpr uint64_t base = 0x10'0000'0000, constants = base + 0x8000;
  static constexpr uint32_t bytes = 0x10000, lds_bytes = 0x1000;
  row_memory();
  void connect(isa::wave_state& s);
  // Puts addresses where `i` takes them from, and says so in what is known.
  void prepare(described_wave& m, const isa::inst& i, random_source& r) const;
  // What the kernel's arguments are taken to be.
  void describe(wcet::launch_facts& facts) const;

 private:
  std::vector<uint8_t> storage_, lds_;
  isa::global_memory memory_;
};

}  // namespace pws::test
