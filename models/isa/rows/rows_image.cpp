// SPDX-License-Identifier: Apache-2.0
// Opcode rows of MIMG. Opcodes: GCN3 ISA, chapter 12, checked against llvm-mc. Those that are refused by name are in
// models/isa/code/refused_names.cpp.
#include "models/isa/memory/memory_image.h"
#include "models/isa/rows/rows.h"

namespace pws::isa {

namespace {

opcode_row image_load_row(uint16_t op, const char* name, type address, uint32_t flags, exec_fn exec) {
  const meaning means{exec == image_get_resinfo ? operation::other : operation::load};
  constexpr type none = type::none;
  return {format::mimg, op, name, unit::vector_memory, type::b128, {address, none, none}, flags, exec, nullptr, means};
}
opcode_row image_store_row(uint16_t op, const char* name, type address) {
  return {format::mimg,      op,          name,    unit::vector_memory, type::none, {address, type::b128, type::none},
          is_store | no_dst, image_store, nullptr, {operation::store}};
}

}  // namespace

const std::vector<opcode_row>& image_rows() {
  constexpr type b32 = type::b32, b96 = type::b96, b128 = type::b128, b512 = type::b512;
  static const std::vector<opcode_row> rows = {
      image_load_row(0x00, "image_load", b96, 0, image_load),
      image_load_row(0x01, "image_load_mip", b128, 0, image_load),
      image_store_row(0x08, "image_store", b96),
      image_store_row(0x09, "image_store_mip", b128),
      image_load_row(0x0e, "image_get_resinfo", b32, 0, image_get_resinfo),
      image_load_row(0x20, "image_sample", b96, samples, image_sample),
      image_load_row(0x22, "image_sample_d", b512, samples, image_sample),
      image_load_row(0x24, "image_sample_l", b128, samples, image_sample),
      image_load_row(0x27, "image_sample_lz", b96, samples, image_sample),
      image_load_row(0x40, "image_gather4", b96, samples | four_dsts, image_gather4),
      image_load_row(0x44, "image_gather4_l", b128, samples | four_dsts, image_gather4),
      image_load_row(0x47, "image_gather4_lz", b96, samples | four_dsts, image_gather4),
  };
  return rows;
}

}  // namespace pws::isa
