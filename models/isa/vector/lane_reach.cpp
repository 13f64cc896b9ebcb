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

uint64_t through_dpp(const inst& i, uint64_t active) {
  const dpp_fields& d = i.dpp;
  return over_active(active, [&](int l) {
    const bool enabled = ((d.row_mask >> (l / 16)) & (d.bank_mask >> (l / 4 % 4)) & 1) != 0;
    return enabled ? dpp_source(d.ctrl, l) : -1;
  });
}

uint64_t through_lds(const inst& i, const wave_state& s, uint64_t active) {
  const uint32_t o = i.offset0;
  if (operation_of(i) == operation::permute) {
    const uint32_t* address = s.vgpr[i.src[0].index].lane;
    return over_active(active, [&](int l) { return static_cast<int>((address[l] + o) >> 2 & 63); });
  }
  return over_active(active, [&](int lane) {
    const auto l = static_cast<uint32_t>(lane);
    if ((o & 0x8000) != 0) return static_cast<int>((l & ~3u) | (o >> (2 * (l & 3)) & 3));
    const uint32_t and_mask = o & 0x1f, or_mask = o >> 5 & 0x1f, xor_mask = o >> 10 & 0x1f;
    return static_cast<int>((l & 32) | (((l & and_mask) | or_mask) ^ xor_mask));
  });
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
    case operation::permute:
      return through_lds(i, s, active);
    default:
      return 0;
  }
}

}  // namespace pws::isa
