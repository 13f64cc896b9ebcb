// SPDX-License-Identifier: Apache-2.0
#include "models/formation/formation_storage.h"

#include "models/machine/ids.h"
#include "models/machine/occupancy.h"

namespace pws::models {

bool joins_paths(const machine_config& c) {
  return c.divergence == divergence_kind::dwf;
}

bool counts_pcs(const machine_config& c) {
  return joins_paths(c) &&
         (c.dwf.heuristic == issue_heuristic::majority || c.dwf.heuristic == issue_heuristic::minority);
}

formation_storage storage_of(const formation_sizes& s) {
  const uint64_t tid = bits_to_tell(s.work_items), idx = bits_to_tell(s.pool), counter = tid;
  formation_storage bits;
  bits.update_registers = s.update_registers * (tid * s.warp_size + s.pc_bits + s.request_bits);
  bits.lut = s.lut_entries * (s.pc_bits + s.warp_size + idx);
  bits.pool = s.pool * (tid * s.warp_size + s.pc_bits + s.scheduling_bits);
  bits.allocator = s.pool * idx;
  bits.issue_logic = s.counters * (s.pc_bits + counter);
  return bits;
}

formation_sizes formation_sizes_of(const machine_config& c) {
  formation_sizes s;
  s.work_items = c.n_wfc * isa::wave_size;
  s.warp_size = warp_size_of(c);
  s.update_registers = c.dwf.update_registers;
  s.lut_entries = c.dwf.lut_entries;
  s.pool = c.dwf.pool.value_or(s.work_items);
  s.counters = counts_pcs(c) ? c.dwf.majority_entries : 0;
  s.pc_bits = 48;
  s.request_bits = s.warp_size;
  return s;
}

}  // namespace pws::models
