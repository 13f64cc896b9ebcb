// SPDX-License-Identifier: Apache-2.0
// Costs of instructions in the callgrind profile format (Valgrind manual, "Callgrind Format Specification"), which
// kcachegrind and callgrind_annotate read.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pws {

// What is counted.
struct callgrind_event {
  std::string name;     // one word
  std::string meaning;  // without line breaks
};

// An instruction, or a part of one. Empty names are not known.
struct callgrind_cost {
  std::string object, function;
  std::string file;             // that its line is in
  std::string outer_file;       // that of the function; another one where code was inlined
  uint64_t offset = 0;          // of the instruction, in the object
  unsigned line = 0;            // 0: not known
  std::vector<uint64_t> costs;  // by event
};

// The file: costs in the order given, and their sums.
std::string callgrind_file(const std::vector<callgrind_event>& events, const std::vector<callgrind_cost>& all);

}  // namespace pws
