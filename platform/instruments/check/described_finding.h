// SPDX-License-Identifier: Apache-2.0
// What checks found, in words, and kept when the machine is gone.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "models/check/finding.h"

namespace pws::platform {

// A site as people read it.
struct described_site {
  std::string kernel;       // empty: of no kernel (the host)
  int64_t offset = 0;       // bytes from the kernel's entry
  std::string instruction;  // disassembled
  std::string source;       // "file:line", where the program has line tables
  std::array<uint32_t, 3> workgroup{};
  std::string context;  // "cu0.simd1.wf3"
};

struct described_finding {
  check::finding found;  // the first one of its place
  described_site here, other;
  std::string memory;  // "argument x + 0x40"; empty: it is not about device memory
  uint64_t count = 0;
};

// What the checks of a run or program found, kept when the machine is gone.
struct check_results {
  std::vector<std::string> on;  // the families that were looked for
  std::vector<described_finding> findings;
  uint64_t not_listed = 0;  // places
  uint64_t count = 0;       // of all places

  bool any_on() const { return !on.empty(); }
  bool clean() const { return count == 0; }
  uint64_t places() const { return findings.size() + not_listed; }
};

}  // namespace pws::platform
