#include "models/isa/memory_ds.h"

namespace pws::isa {

namespace {

// A lane exchange touches no memory, but an earlier access must not stay recorded.
void record_nothing(wave_state& s) {
  if (s.access == nullptr) return;
  s.access->where = memory_access::space::none;
  s.access->mask = 0;
}

// What the lanes offer to each other: disabled lanes give 0.
void visible_row(const uint32_t* row, uint64_t mask, uint32_t* out) {
  active_or(row, mask, 0, out);
}

}  // namespace

void ds_nop(wave_state& s, const inst&) {
  record_nothing(s);
}

// offset[15] = 1: any lane of four within each group of four; else and, or, xor masks on the lane number within
// each 32.
void ds_swizzle(wave_state& s, const inst& i) {
  record_nothing(s);
  const uint64_t mask = s.active();
  if (mask == 0) return;
  alignas(64) uint32_t from[wave_size], result[wave_size];
  visible_row(s.vgpr[i.src[0].index].lane, mask, from);
  const uint32_t o = i.offset0;
  if ((o & 0x8000) != 0) {
    for (uint32_t l = 0; l < wave_size; ++l) result[l] = from[(l & ~3u) | (o >> (2 * (l & 3)) & 3)];
  } else {
    const uint32_t and_mask = o & 0x1f, or_mask = o >> 5 & 0x1f, xor_mask = o >> 10 & 0x1f;
    for (uint32_t l = 0; l < wave_size; ++l) result[l] = from[(l & 32) | (((l & and_mask) | or_mask) ^ xor_mask)];
  }
  copy_lanes(s.vgpr[i.dst.index].lane, result, mask);
}

// Push: each lane sends its data to the lane its address names; where two collide the higher lane wins, where none
// sends the result is 0.
void ds_permute(wave_state& s, const inst& i) {
  record_nothing(s);
  const uint64_t mask = s.active();
  if (mask == 0) return;
  alignas(64) uint32_t result[wave_size] = {};
  const uint32_t* address = s.vgpr[i.src[0].index].lane;
  const uint32_t* data = s.vgpr[i.src[1].index].lane;
  for_each_lane(mask, [&](int l) { result[(address[l] + i.offset0) >> 2 & 63] = data[l]; });
  copy_lanes(s.vgpr[i.dst.index].lane, result, mask);
}

// Pull: each lane reads the data of the lane its address names, 0 if that lane is disabled.
void ds_bpermute(wave_state& s, const inst& i) {
  record_nothing(s);
  const uint64_t mask = s.active();
  if (mask == 0) return;
  alignas(64) uint32_t from[wave_size], offset[wave_size];
  visible_row(s.vgpr[i.src[1].index].lane, mask, from);
  const uint32_t* address = s.vgpr[i.src[0].index].lane;
  for (int l = 0; l < wave_size; ++l) offset[l] = (address[l] + i.offset0) & 0xfc;
  gather<dwords<1>>(reinterpret_cast<const uint8_t*>(from), offset, mask, &s.vgpr[i.dst.index]);
}

}  // namespace pws::isa
