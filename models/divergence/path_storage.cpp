// SPDX-License-Identifier: Apache-2.0
#include "models/divergence/path_storage.h"

#include <algorithm>

#include "models/context/outstanding.h"
#include "models/context/scoreboard.h"

namespace pws::models {

namespace {
// A result under way: its first register (the nine bits of an operand), how many there are, and whether it is pending.
constexpr uint64_t result_bits = 9 + 4 + 1;
constexpr uint64_t counter_bits = 4, counters = 2;
static_assert(outstanding::capacity < 1u << counter_bits);
constexpr uint64_t results = scoreboard::capacity;
// Each result has a shadow bit, and each counter a second one for what is pending with it.
constexpr uint64_t shadow_bits = results + counters * counter_bits;
constexpr uint64_t scoreboard_bits = results * result_bits + counters * counter_bits;
constexpr uint64_t scalar_bits = 32 * (102 + 2 + 1) + 64 + 1;

path_storage storage_of_turns(uint64_t open_splits, uint64_t paths) {
  constexpr uint64_t place_bits = 3;
  const uint64_t in_one_piece = 1, all = std::max(paths, in_one_piece);
  const uint64_t barrier = bits_to_tell(open_splits + 1);  // its number, or none
  path_storage s;
  s.turn_bits = all * (path_widths{}.pc + path_widths{}.mask + place_bits + barrier);
  s.barrier_bits = open_splits * (path_widths{}.mask + barrier);
  s.scalars_per_path = scalar_bits;
  s.paths_kept = all - 1;
  s.scoreboards = all;
  s.scoreboard_bits = all * scoreboard_bits;
  return s;
}
}  // namespace

scheme_storage storage_beside(const path_storage& s) {
  scheme_storage beside;
  beside.paths = s.stack_bits() + s.table_bits + s.turn_bits + s.barrier_bits;
  beside.scoreboards = s.scoreboard_bits - scoreboard_bits;
  beside.scalars = s.scalar_bits();
  return beside;
}

scheme_storage storage_of_contexts(const machine_config& c, uint64_t paths) {
  scheme_storage s;
  s.paths = paths * (path_widths{}.pc + path_widths{}.mask);
  s.scoreboards = paths * scoreboard_bits;
  s.buffers = paths * 32 * c.ibuf_dwords;
  s.scalars = paths * scalar_bits;
  return s;
}

uint64_t bits_of_split_registers(uint64_t units, uint64_t splits) {
  const uint64_t number = bits_to_tell(units + 1);  // 0: not set
  return path_widths{}.mask + number + splits * number + bits_to_tell(splits + 1);
}

path_storage storage_of(const machine_config& c, uint64_t open_splits, uint64_t warp_splits) {
  if (traits_of(c.divergence).takes_turns()) return storage_of_turns(open_splits, warp_splits);
  const bool dual = traits_of(c.divergence).contexts == swf_contexts::second_slots;
  const uint32_t paths = dual ? 2 : 1;
  path_storage s;
  s.entries = 1 + (dual ? 1 : 2) * open_splits;
  s.entry_bits = path_widths{}.entry(paths);
  s.paper_entry_bits = paper_widths.entry(paths);
  s.table_splits = warp_splits;
  if (warp_splits != 0) s.table_bits = warp_splits * (path_widths{}.pc + path_widths{}.mask) + path_widths{}.pc;
  s.scalars_per_path = scalar_bits;
  // At most one of an entry's two sides is kept: the other runs, or has an entry further in.
  s.paths_kept = open_splits + std::max<uint64_t>(warp_splits, 1) - 1;
  // One of each path that issues; `optimistic` keeps what a path in the stack has under way as well.
  const uint64_t issuing = std::max<uint64_t>(paths, warp_splits);
  const bool conservative = c.scoreboard == path_scoreboard::conservative;
  s.scoreboards = issuing + (c.scoreboard == path_scoreboard::optimistic ? open_splits : 0);
  s.shadow_bits = conservative && dual ? s.scoreboards * shadow_bits : 0;
  s.scoreboard_bits = s.scoreboards * scoreboard_bits + s.shadow_bits;
  return s;
}

}  // namespace pws::models
