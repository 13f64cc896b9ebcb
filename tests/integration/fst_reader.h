// SPDX-License-Identifier: Apache-2.0
// A reader of FST waveforms, by GTKWave's library. Everything is kept in memory; for tests.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "tests/integration/vcd_parser.h"

namespace pws::test {

struct fst_contents {
  std::map<std::string, vcd_signal> signals;            // with their scopes, and without a range behind the name
  std::vector<std::pair<uint64_t, std::string>> texts;  // all changes of signals that are text
  std::vector<std::string> enumerations;                // as the file has them
  uint64_t end_time = 0;
  std::string date;

  // Throws std::runtime_error naming the signal if there is none.
  const vcd_signal& signal(const std::string& name) const;
};

// Throws std::runtime_error if the file is none, or has a signal of more than 64 bits: of those only the lowest are
// kept if `wide` says so.
fst_contents read_fst(const std::string& path, bool wide = false);

}  // namespace pws::test
