// SPDX-License-Identifier: Apache-2.0
// Encodings of MIMG: each field through the values that matter, one at a time.
#include "tests/isa/encodings.h"

namespace pws::isa::test {

void add_image_encodings(const opcode_row& row, std::vector<encoding>& to) {
  constexpr uint32_t unorm = 1u << 12, glc = 1u << 13, da = 1u << 14, r128 = 1u << 15, tfe = 1u << 16, lwe = 1u << 17,
                     slc = 1u << 25, d16 = 1u << 31;
  const bool gathers = (row.flags & four_dsts) != 0;
  const uint32_t sampler = (row.flags & samples) != 0 ? 5u << 21 : 0;
  const auto add = [&](uint32_t dmask, uint32_t data, uint32_t address, uint32_t resource, uint32_t low,
                       uint32_t high = 0, bool text_only = false) {
    to.push_back({&row,
                  {0xf0000000u | uint32_t{row.opcode} << 18 | dmask << 8 | low,
                   resource << 16 | data << 8 | address | (high & 31u << 21 ? 0 : sampler) | high},
                  text_only});
  };
  for (uint32_t dmask = 1; dmask < 16; ++dmask)
    if (!gathers || (dmask & (dmask - 1)) == 0) add(dmask, 9, 3, 2, 0);
  for (uint32_t data : {0u, 100u, 252u}) add(gathers ? 8 : 15, data, 3, 2, 0);
  for (uint32_t address : {0u, 17u, 254u}) add(1, 9, address, 2, 0);
  for (uint32_t resource : {0u, 1u, 23u, 28u}) add(1, 9, 3, resource, 0);
  for (uint32_t bits : {unorm, glc, da, slc, tfe, unorm | glc | da | slc}) add(1, 9, 3, 2, bits);
  // The assembler wants other registers with these, or does not have them.
  for (uint32_t bits : {r128, lwe}) add(1, 9, 3, 2, bits, 0, true);
  constexpr uint16_t get_resinfo = 0x0e;
  if (row.opcode != get_resinfo) add(1, 9, 3, 2, 0, d16, true);
  if (sampler != 0)
    for (uint32_t s : {1u, 24u}) add(1, 9, 3, 2, 0, s << 21);
}

}  // namespace pws::isa::test
