// SPDX-License-Identifier: Apache-2.0
// Sets of scalar registers.
#pragma once

#include <bitset>
#include <string>

#include "models/isa/inst.h"
#include "models/isa/wave_state.h"

namespace pws::cfg {

// Bit per 32-bit scalar register by its operand number (models/isa/wave_state.h), and SCC.
constexpr unsigned scc_bit = isa::scalar_count;
using scalar_set = std::bitset<isa::scalar_count + 1>;

// What an instruction reads and writes, implicit operands (VCC, SCC, M0, EXEC) included.
inline void add_runs(scalar_set& set, const isa::inst::run* runs, unsigned count) {
  for (unsigned k = 0; k < count; ++k) {
    if (runs[k].is_vgpr) continue;
    for (unsigned r = 0; r < runs[k].count; ++r) set.set(runs[k].first + r);
  }
}
inline scalar_set scalars_read(const isa::inst& i) {
  scalar_set set;
  add_runs(set, i.reads, i.n_reads);
  if (i.reads_scc) set.set(scc_bit);
  return set;
}
inline scalar_set scalars_written(const isa::inst& i) {
  scalar_set set;
  add_runs(set, i.writes, i.n_writes);
  if (i.writes_scc) set.set(scc_bit);
  return set;
}

}  // namespace pws::cfg
