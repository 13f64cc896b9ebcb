// SPDX-License-Identifier: Apache-2.0
// Texels in memory: their addresses, what is in them, and what is recorded of that.
#pragma once

#include "models/isa/memory/image_resource.h"

namespace pws::isa {

// The texels that one lane of an instruction reads or writes.
class image_texels {
 public:
  // Records in s.access, if somebody times the instruction. `s` and `r` outlive this.
  image_texels(const wave_state& s, const image_resource& r, bool for_write, bool returns_data);

  // z: of a 3D image; else the layer. They are within the image.
  uint64_t address_of(uint32_t x, uint32_t y, uint32_t z) const {
    return r_.base + ((uint64_t{z} * r_.height + y) * r_.pitch + x) * r_.format.bytes;
  }
  // Records an access of the texel, which is the lane's `k`th. Host memory of it, or nullptr: read() and write() look
  // further.
  uint8_t* note(uint64_t address, unsigned k, int lane) const;
  // Stored components as registers have them: integers for integer formats, else floats. What the format lacks is 0,
  // and 1 for w.
  void read(uint64_t address, unsigned k, int lane, uint32_t (&component)[4]) const;
  void write(uint64_t address, int lane, const uint32_t (&component)[4]) const;

 private:
  const wave_state& s_;
  const image_resource& r_;
  bool for_write_;
  unsigned first_bit_[4] = {};
};

// A component as dst_sel selects it for a register.
inline uint32_t selected(const image_resource& r, unsigned select, const uint32_t (&component)[4]) {
  if (select >= 4) return component[select - 4];
  return select == 0 ? 0 : r.format.is_integer() ? 1 : 0x3f800000;
}

}  // namespace pws::isa
