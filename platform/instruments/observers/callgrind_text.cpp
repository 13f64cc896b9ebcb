// SPDX-License-Identifier: Apache-2.0
// The profile for kcachegrind and callgrind_annotate.
#include "base/output/callgrind_file.h"
#include "platform/instruments/observers/profile.h"

namespace pws::platform {

std::string callgrind_text(const profile& p) {
  std::vector<callgrind_cost> all;
  for (const profiled_instruction& i : p.instructions) {
    callgrind_cost c;
    c.object = i.object.file;
    c.function = i.function;
    c.offset = i.offset;
    if (!i.lines.empty()) {
      c.file = i.lines.front().file;
      c.outer_file = i.lines.back().file;
      c.line = i.lines.front().line;
    }
    c.costs = {i.counted.issues, i.counted.cycles, i.counted.all_stalls(), i.counted.lanes, i.counted.l1_misses};
    all.push_back(std::move(c));
  }
  return callgrind_file({{"Issues", "instructions of wavefronts"},
                         {"Cycles", "that wavefronts waited for an instruction, and issued it"},
                         {"Stalls", "cycles that a wavefront waited"},
                         {"Lanes", "active work-items, summed over issues"},
                         {"Misses", "lines that were not in the vector L1"}},
                        all);
}

}  // namespace pws::platform
