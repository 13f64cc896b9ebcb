// SPDX-License-Identifier: Apache-2.0
// One wavefront whose instructions are executed and told to the check of numbers, as the machine does it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "models/check/numbers/numbers.h"
#include "tests/check/collected.h"
#include "tests/isa/memory_fixture.h"

namespace pws::check::test {

using isa::test::memory_bench;

class numbers_bench : public function_names {
 public:
  // One lane is on.
  static constexpr unsigned lane = 5;
  numbers_bench();

  // Assembly.
  void run(const std::vector<std::string>& lines);
  void execute(const std::vector<uint32_t>& words);
  // v[r], or v[r:r+1], in all lanes.
  void put(unsigned r, uint32_t value) { put_in(r, ~uint64_t{0}, value); }
  void put64(unsigned r, uint64_t value) {
    put(r, static_cast<uint32_t>(value));
    put(r + 1, static_cast<uint32_t>(value >> 32));
  }
  void put_in(unsigned r, uint64_t lanes, uint32_t value);
  // Stores so many dwords to memory, loads and stores a dword in scratch.
  void store(unsigned r, unsigned dwords = 1);
  void spill(unsigned r);
  void fill(unsigned r);
  // What has been found since the last call, as collected::places() has it.
  std::vector<std::string> found();
  // The wavefront and its code begin anew.
  void reset();

  // All code from here on is a mathematical function's; "": the program's. Or it is not known whose.
  std::string function;
  bool known = true;
  origin origin_of(const isa::inst&) override { return {known, function}; }

  memory_bench bench{1};
  collected sink;
  uint64_t pc = 0x1000;  // of the next instruction

 private:
  numbers check_{sink, this};
  number_shadow wave_;
  scalar_numbers scalars_;
  isa::memory_access access_;
};

}  // namespace pws::check::test
