// SPDX-License-Identifier: Apache-2.0
// What image instructions find in scalar registers: the resource (T#) and the sampler (S#), decoded. (GCN3 ISA 8.2
// "Vector Memory Image Instructions", tables "Image Resource Definition" and "Image Sampler Definition")
//
// Here are images of one level, of one sample for each texel and of linear layout: a texel's address is
//   base + (((layer or z) * height + y) * pitch + x) * bytes of a texel
// What is not is refused with program_error, which names it: other tilings, mipmaps, several samples, compression,
// formats of compressed or packed texels, border colours from a table, anisotropic filters and comparisons.
#pragma once

#include "models/isa/inst.h"
#include "models/isa/memory/memory_format.h"
#include "models/isa/wave_state.h"

namespace pws::isa {

struct image_resource {
  // T# TYPE.
  enum class dimension : uint8_t { d1 = 8, d2, d3, cube, d1_array, d2_array };

  uint64_t base = 0;  // a multiple of 256
  dimension kind = dimension::d1;
  element_format format;
  bool srgb = false;                          // x, y and z are stored with the sRGB transfer function
  uint32_t width = 1, height = 1, depth = 1;  // texels; depth of 3D images alone
  uint32_t pitch = 1;                         // texels from one row to the next
  uint32_t first_layer = 0, n_layers = 1;     // cubes: faces, six for each cube
  uint8_t dst_sel[4] = {};                    // 0: 0, 1: 1, 4..7: x, y, z, w

  bool layered() const { return kind >= dimension::cube; }
  unsigned axes() const {
    return kind == dimension::d3 ? 3 : kind == dimension::d1 || kind == dimension::d1_array ? 1 : 2;
  }
  // Coordinates of an instruction without derivatives and level: axes, and the layer or face.
  unsigned coordinates() const { return axes() + (layered() ? 1 : 0); }

  // Decodes the instruction's eight scalar registers. Throws program_error also where `da` does not go with the type.
  static image_resource from(const wave_state& s, const inst& i);
};

struct image_sampler {
  // S# CLAMP_X, CLAMP_Y and CLAMP_Z.
  enum class clamp : uint8_t {
    wrap,
    mirror,
    last_texel,
    mirror_once_last_texel,
    half_border,
    mirror_once_half_border,
    border,
    mirror_once_border
  };

  clamp address[3] = {};
  bool unnormalized = false;  // coordinates are in texels
  bool truncates = false;     // coordinates of point filters are not rounded to 1/256 texel
  bool linear_xy[2] = {};     // magnifying, minifying
  bool linear_z = false;
  float border[4] = {};  // x, y, z, w; integers 0 and 1 for integer formats
  float lowest_level = 0, highest_level = 0;
  bool cube_wraps = false;  // filters go on over a cube's edges

  // Decodes the instruction's four scalar registers.
  static image_sampler from(const wave_state& s, const inst& i);
};

// How many registers the instruction's address has with the resource that it is given. Throws as from() does.
unsigned image_address_registers(const wave_state& s, const inst& i);
// For those who look before the machine does: 1 where that throws.
unsigned image_address_registers_or_fewest(const wave_state& s, const inst& i);

// The level that is named in an address of image_load_mip and image_sample_l comes last; the derivatives of
// image_sample_d come first. Of the row alone.
bool names_level(const inst& i);
bool has_derivatives(const inst& i);

}  // namespace pws::isa
