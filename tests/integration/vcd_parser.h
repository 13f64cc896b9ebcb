// SPDX-License-Identifier: Apache-2.0
// A strict reader of value change dumps (IEEE 1364-2005, clause 18): header with nested scopes, then value changes of
// declared variables in order of time. Everything is kept in memory; for tests.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace pws::test {

struct vcd_change {
  uint64_t time = 0;  // in units of the file's $timescale
  uint64_t value = 0;
};

struct vcd_signal {
  std::string name;                 // with its scopes: "SystemC.gpu.cu0.simd0.wf0.em"
  unsigned width = 0;               // bits, at most 64
  std::vector<vcd_change> changes;  // ascending; consecutive values differ. The first is from $dumpvars.

  // The value at a time; 0 before the first change.
  uint64_t at(uint64_t time) const;
};

struct vcd_file {
  std::string timescale;  // "1 ps"
  std::map<std::string, vcd_signal> signals;
  std::vector<std::string> comments;  // in the header and between the changes, with one blank between words
  uint64_t end_time = 0;              // of the last time stamp

  // Throws std::runtime_error naming the signal if there is none.
  const vcd_signal& signal(const std::string& name) const;
};

// Throws std::runtime_error with the line number where the text breaks the format: unknown or unclosed sections, scopes
// that do not nest, identifiers declared twice or not at all, values wider than the variable or with other digits than
// 0 and 1 (this machine has no unknown values), time that goes back, changes that change nothing.
vcd_file parse_vcd(const std::string& text);

}  // namespace pws::test
