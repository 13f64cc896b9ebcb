// SPDX-License-Identifier: Apache-2.0
#include "models/isa/vector/lane_reach.h"

#include <fmt/format.h>

#include "base/error.h"
#include "models/isa/predicates.h"
#include "models/isa/scalar/scalar_executors.h"

namespace pws::isa {

namespace {
constexpr uint64_t bit(unsigned lane) {
  return uint64_t{1} << lane;
}

template <class F>
uint64_t over_active(uint64_t active, F lane_of) {
  uint64_t reached = 0;
  for (uint64_t m = active; m != 0; m &= m - 1) {
    const int lane = lane_of(__builtin_ctzll(m));
    if (lane >= 0) reached |= bit(static_cast<unsigned>(lane));
  }
  return reached;
}

bool is_enabled(const dpp_fields& d, int lane) {
  return (d.row_mask >> (lane / 16) & d.bank_mask >> (lane / 4 % 4) & 1) != 0;
}

uint64_t through_dpp(const inst& i, uint64_t active) {
  const dpp_fields& d = i.dpp;
  return over_active(active, [&](int l) { return is_enabled(d, l) ? dpp_source(d.ctrl, l) : -1; });
}

uint64_t through_lds(const inst& i, const wave_state& s, uint64_t active) {
  const uint32_t* address = s.vgpr[i.src[0].index].lane;
  return over_active(
      active, [&](int l) { return static_cast<int>(exchange_partner(i, address[l], static_cast<unsigned>(l))); });
}
}  // namespace

int dpp_source(unsigned ctrl, int lane) {
  const int row = lane & ~15;
  const int in_row = lane & 15;
  const int n = static_cast<int>(ctrl & 0xf);
  if (ctrl < 0x100) return (lane & ~3) | static_cast<int>((ctrl >> (2 * (lane & 3))) & 3);  // quad_perm
  switch (ctrl & 0x1f0) {
    case 0x100:
      return in_row + n < 16 ? lane + n : -1;  // row_shl
    case 0x110:
      return in_row - n >= 0 ? lane - n : -1;  // row_shr
    case 0x120:
      return row | ((in_row - n) & 15);  // row_ror
    default:
      break;
  }
  switch (ctrl) {
    case 0x130:
      return lane + 1 < wave_size ? lane + 1 : -1;  // wave_shl:1
    case 0x134:
      return (lane + 1) & 63;  // wave_rol:1
    case 0x138:
      return lane - 1;  // wave_shr:1
    case 0x13c:
      return (lane - 1) & 63;  // wave_ror:1
    case 0x140:
      return row | (15 - in_row);  // row_mirror
    case 0x141:
      return (lane & ~7) | (7 - (lane & 7));  // row_half_mirror
    case 0x142:
      return row - 1;  // row_bcast:15, the last lane of the row before
    case 0x143:
      return lane >= 32 ? 31 : -1;  // row_bcast:31
    default:
      throw program_error(fmt::format("DPP control 0x{:x} is reserved", ctrl));
  }
}

dpp_lanes lanes_of(const dpp_fields& dpp, uint64_t active) {
  dpp_lanes lanes{};
  for (int l = 0; l < wave_size; ++l) {
    const int from = dpp_source(dpp.ctrl, l);
    const bool valid = from >= 0 && (active >> from & 1) != 0;
    lanes.from[l] = static_cast<int8_t>(valid ? from : -1);
    if (is_enabled(dpp, l) && (valid || dpp.bound_ctrl)) lanes.writes |= uint64_t{1} << l;
  }
  lanes.writes &= active;
  return lanes;
}

uint64_t reached_lanes(const inst& i, const wave_state& s) {
  const uint64_t active = s.active();
  if (i.variant == encoding_variant::dpp) return through_dpp(i, active);
  switch (operation_of(i)) {
    case operation::read_first_lane:
      return active == 0 ? bit(0) : 0;
    case operation::read_lane:
    case operation::write_lane:
      // A lane number in a vector register is refused when the instruction executes.
      return i.src[1].kind == operand_kind::vgpr ? 0 : bit(read_operand<uint32_t>(s, i, i.src[1]) & 63);
    case operation::swizzle:
    case operation::permute_forward:
    case operation::permute_backward:
      return through_lds(i, s, active);
    default:
      return 0;
  }
}

}  // namespace pws::isa
