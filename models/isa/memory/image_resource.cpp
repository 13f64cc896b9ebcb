// SPDX-License-Identifier: Apache-2.0
#include "models/isa/memory/image_resource.h"

#include <fmt/format.h>

#include "base/error.h"
#include "models/isa/bit_field.h"
#include "models/isa/opcode_row.h"

namespace pws::isa {

namespace {

[[noreturn]] void refuse_image(const inst& i, const std::string& what) {
  throw program_error(fmt::format("{}: unimplemented: {}", i.row->mnemonic, what));
}

constexpr unsigned linear_aligned = 8;  // TILING_INDEX, in the tables that AMD's drivers program
constexpr unsigned srgb_numbers = 9;    // NUM_FORMAT
constexpr unsigned last_plain_format = 14;
constexpr unsigned three_dwords = 13;

void read_format(const inst& i, const uint32_t* w, image_resource& r) {
  const unsigned data = bits(w[1], 25, 20), number = bits(w[1], 29, 26);
  r.srgb = number == srgb_numbers;
  if (data > last_plain_format || data == three_dwords || (number > 7 && !r.srgb))
    refuse_image(i, fmt::format("image data format {} with number format {}", data, number));
  r.format = format_of(data, r.srgb ? 0 : number, i.row->mnemonic);
  if (r.srgb && r.format.bits[0] != 8) refuse_image(i, fmt::format("sRGB with data format {}", data));
}

void read_layers(const inst& i, const uint32_t* w, image_resource& r) {
  if (!r.layered()) return;
  r.first_layer = bits(w[5], 12, 0);
  const uint32_t last = bits(w[5], 25, 13);
  if (last < r.first_layer)
    throw program_error(
        fmt::format("{}: the image's last layer {} is before its first, {}", i.row->mnemonic, last, r.first_layer));
  r.n_layers = last - r.first_layer + 1;
}

float level_of(uint32_t fixed) {  // 4.8 bits
  return static_cast<float>(fixed) / 256.0f;
}

bool is_linear(const inst& i, unsigned filter, const char* which) {
  if (filter > 1) refuse_image(i, fmt::format("{} filter {} (anisotropic)", which, filter));
  return filter == 1;
}

}  // namespace

image_resource image_resource::from(const wave_state& s, const inst& i) {
  const uint32_t* w = &s.scalar[i.src[2].index];
  image_resource r;
  const unsigned type = bits(w[3], 31, 28);
  if (type < static_cast<unsigned>(dimension::d1))
    throw program_error(fmt::format("{}: the resource in s[{}:{}] is no image (type {})", i.row->mnemonic,
                                    i.src[2].index, i.src[2].index + 7, type));
  if (type > static_cast<unsigned>(dimension::d2_array))
    refuse_image(i, fmt::format("image type {} (several samples)", type));
  r.kind = static_cast<dimension>(type);
  r.base = (uint64_t{w[0]} | uint64_t{bits(w[1], 7, 0)} << 32) << 8;
  read_format(i, w, r);
  r.width = bits(w[2], 13, 0) + 1;
  if (r.axes() >= 2) r.height = bits(w[2], 27, 14) + 1;
  for (unsigned c = 0; c < 4; ++c) {
    r.dst_sel[c] = static_cast<uint8_t>(bits(w[3], 3 * c + 2, 3 * c));
    if (r.dst_sel[c] == 2 || r.dst_sel[c] == 3)
      throw program_error(fmt::format("{}: dst_sel {} of the image is reserved", i.row->mnemonic, r.dst_sel[c]));
  }
  if (bits(w[3], 15, 12) != 0 || bits(w[3], 19, 16) != 0)
    refuse_image(i, fmt::format("mipmaps (levels {} to {})", bits(w[3], 15, 12), bits(w[3], 19, 16)));
  if (bits(w[3], 24, 20) != linear_aligned) refuse_image(i, fmt::format("tiling index {}", bits(w[3], 24, 20)));
  if (r.axes() == 3) r.depth = bits(w[4], 12, 0) + 1;
  r.pitch = bits(w[4], 26, 13) + 1;
  if (r.pitch < r.width && r.axes() >= 2)
    throw program_error(fmt::format("{}: the image's pitch of {} texels is less than its width, {}", i.row->mnemonic,
                                    r.pitch, r.width));
  read_layers(i, w, r);
  if (bits(w[6], 21, 21) != 0) refuse_image(i, "compressed images (COMPRESSION_EN)");
  if (r.layered() != image_fields_of(i).array)
    throw program_error(fmt::format("{}: da is {}, and the resource has {}", i.row->mnemonic, r.layered() ? 0 : 1,
                                    r.layered() ? "layers" : "none"));
  return r;
}

image_sampler image_sampler::from(const wave_state& s, const inst& i) {
  const uint32_t* w = &s.scalar[i.src[3].index];
  image_sampler r;
  for (unsigned axis = 0; axis < 3; ++axis) r.address[axis] = static_cast<clamp>(bits(w[0], 3 * axis + 2, 3 * axis));
  r.unnormalized = bits(w[0], 15, 15) != 0 || image_fields_of(i).unnormalized;
  r.truncates = bits(w[0], 27, 27) != 0;
  r.cube_wraps = bits(w[0], 28, 28) == 0;
  if (bits(w[0], 30, 29) != 0) refuse_image(i, fmt::format("filter mode {} (minimum or maximum)", bits(w[0], 30, 29)));
  r.lowest_level = level_of(bits(w[1], 11, 0));
  r.highest_level = level_of(bits(w[1], 23, 12));
  r.linear_xy[0] = is_linear(i, bits(w[2], 21, 20), "xy");
  r.linear_xy[1] = is_linear(i, bits(w[2], 23, 22), "xy");
  const unsigned z = bits(w[2], 25, 24);
  // 0 leaves it to the other axes, 1 is point, 2 linear.
  if (z > 2) refuse_image(i, fmt::format("z filter {}", z));
  r.linear_z = z == 0 ? r.linear_xy[0] : z == 2;
  constexpr unsigned transparent_black = 0, opaque_black = 1, opaque_white = 2;
  switch (bits(w[3], 31, 30)) {
    case transparent_black:
      break;
    case opaque_white:
      r.border[0] = r.border[1] = r.border[2] = 1;
      [[fallthrough]];
    case opaque_black:
      r.border[3] = 1;
      break;
    default:
      refuse_image(i, "a border colour from a table");
  }
  return r;
}

bool names_level(const inst& i) {
  switch (i.row->opcode) {
    case 0x01:  // image_load_mip
    case 0x09:  // image_store_mip
    case 0x24:  // image_sample_l
    case 0x44:  // image_gather4_l
      return true;
    default:
      return false;
  }
}

bool has_derivatives(const inst& i) {
  return i.row->opcode == 0x22;  // image_sample_d
}

unsigned image_address_registers(const wave_state& s, const inst& i) {
  constexpr unsigned get_resinfo = 0x0e;
  if (i.row->opcode == get_resinfo) return 1;
  const image_resource r = image_resource::from(s, i);
  return r.coordinates() + (names_level(i) ? 1 : 0) + (has_derivatives(i) ? 2 * r.axes() : 0);
}

unsigned image_address_registers_or_fewest(const wave_state& s, const inst& i) {
  try {
    return image_address_registers(s, i);
  } catch (const program_error&) {
    return 1;
  }
}

}  // namespace pws::isa
