// SPDX-License-Identifier: Apache-2.0
// Keeps branch targets out of the places where the predictable machine needs a second fetch for them: what a pass
// inserts moves all code behind it, and a loop whose first instruction comes to lie across two fetches takes a round
// more in each iteration.
#pragma once

#include <cstdint>
#include <set>
#include <string>

namespace pws::pwscc {

// In those kernels of the assembly: writes vector instructions in front of such targets in their 64-bit encoding (the
// same operation in the same time, four bytes more). A target without one since the target before it stays where it is.
// `fetch_bytes`: a power of two, of one fetch.
std::string align_targets(const std::string& assembly, const std::string& name, const std::set<std::string>& kernels,
                          uint64_t fetch_bytes);

}  // namespace pws::pwscc
