// SPDX-License-Identifier: Apache-2.0
#include <cstring>

#include "models/isa/code/opcode_table.h"
#include "tests/isa/encodings.h"

namespace pws::isa::test {

namespace encodings_memory {
namespace {

bool has(const opcode_row& row, uint32_t flag) {
  return (row.flags & flag) != 0;
}
bool is_called(const opcode_row& row, const char* mnemonic) {
  return std::strcmp(row.mnemonic, mnemonic) == 0;
}
std::vector<unsigned> vgprs(unsigned dwords) {
  return {0, 7, 256 - dwords};
}

void add_smem(const opcode_row& row, std::vector<encoding>& to) {
  const uint32_t op = 0xc0000000u | uint32_t{row.opcode} << 18;
  const type data = row.dst != type::none ? row.dst : row.src[1];
  const auto add = [&](uint32_t sdata, uint32_t base, uint32_t bits, uint32_t offset) {
    to.push_back({&row, {op | bits | sdata << 6 | base >> 1, offset}});
  };
  constexpr uint32_t imm = 1u << 17, glc = 1u << 16;
  if (row.src[0] == type::none) {
    if (data == type::none) {
      add(0, 0, 0, 0);
    } else {
      for (unsigned d : scalar_registers(dwords_of(data), true))
        if (d != 126) add(d, 0, 0, 0);
    }
    return;
  }
  for (unsigned b : scalar_registers(dwords_of(row.src[0]), false))
    if (b != 126) add(8, b, imm, 0x10);
  for (unsigned d : scalar_registers(dwords_of(data), true)) {
    // LLVM lets neither exec nor m0 be loaded or stored.
    if (d == 126 || d == 127 || d == 124) continue;
    add(d, 4, imm, 4);
  }
  for (uint32_t o : {0u, 1u, 64u, 65u, 0xfffffu}) add(8, 4, imm, o);
  for (unsigned s : {0u, 33u, 101u, 106u, 124u}) add(8, 4, 0, s);
  add(8, 4, imm | glc, 0);
}

void add_ds(const opcode_row& row, std::vector<encoding>& to) {
  struct fields {
    unsigned dst = 5, addr = 1, data0 = 9, data1 = 17, offset = 0, gds = 0;
  };
  const bool global = std::strstr(row.mnemonic, "gws") != nullptr || is_called(row, "ds_ordered_count");
  const auto add = [&](const fields& f) {
    const uint32_t low = 0xd8000000u | uint32_t{row.opcode} << 17 | f.gds << 16 | f.offset;
    const uint32_t high = f.dst << 24 | f.data1 << 16 | f.data0 << 8 | f.addr;
    // Patterns with more than one encoding.
    const bool ambiguous = is_called(row, "ds_swizzle_b32") && (f.offset == 0x0935 || f.offset == 0x7fff);
    to.push_back({&row, {low, high}, ambiguous});
  };
  fields base;
  if (row.dst == type::none) base.dst = 0;
  if (row.src[0] == type::none) base.addr = 0;
  if (row.src[1] == type::none) base.data0 = 0;
  if (row.src[2] == type::none) base.data1 = 0;
  if (global) base.gds = 1;
  add(base);
  if (is_called(row, "ds_nop")) return;
  unsigned fields::*const members[] = {&fields::addr, &fields::data0, &fields::data1};
  for (unsigned n = 0; n < 3; ++n)
    if (row.src[n] != type::none)
      for (unsigned v : vgprs(dwords_of(row.src[n]))) {
        fields f = base;
        f.*members[n] = v;
        add(f);
      }
  if (row.dst != type::none)
    for (unsigned v : vgprs(dwords_of(row.dst))) {
      fields f = base;
      f.dst = v;
      add(f);
    }
  std::vector<unsigned> offsets = {1, 255, 256, 0x1234, 0xffff};
  // Every mode of the swizzle's pattern.
  if (is_called(row, "ds_swizzle_b32"))
    offsets = {0x801b, 0x80e4, 0x041f, 0x101f, 0x7c1f, 0x1c1f, 0x001e, 0x0018, 0x0010,
               0x0060, 0x0935, 0x7fff, 0x0010, 0x03e0, 0x0001, 0xc00e, 0xffff};
  for (unsigned o : offsets) {
    fields f = base;
    f.offset = o;
    add(f);
  }
}

void add_flat(const opcode_row& row, std::vector<encoding>& to) {
  const bool atomic = has(row, is_atomic);
  const bool load = row.dst != type::none && !atomic;
  const bool store = row.src[1] != type::none;
  const auto add = [&](unsigned dst, unsigned addr, unsigned data, uint32_t glc, uint32_t slc) {
    const bool returns = load || glc != 0;
    to.push_back({&row,
                  {0xdc000000u | uint32_t{row.opcode} << 18 | glc << 16 | slc << 17,
                   (atomic || load ? (returns ? dst : 0) : 0) << 24 | (store ? data : 0) << 8 | addr}});
  };
  for (unsigned v : vgprs(2)) add(5, v, 9, 0, 0);
  if (store)
    for (unsigned v : vgprs(dwords_of(row.src[1]))) add(5, 2, v, 0, 0);
  if (row.dst != type::none)
    for (unsigned v : vgprs(dwords_of(row.dst))) add(v, 2, 9, atomic ? 1 : 0, 0);
  add(5, 2, 9, 0, 1);
  if (atomic || load || store) add(5, 2, 9, 1, 0);
  if (atomic || load || store) add(5, 2, 9, 1, 1);
}

void add_mtbuf(const opcode_row& row, std::vector<encoding>& to) {
  constexpr uint32_t offen = 1u << 12, idxen = 1u << 13, glc = 1u << 14, slc = 1u << 22;
  const auto add = [&](uint32_t bits, uint32_t format_bits, uint32_t data, uint32_t high_bits) {
    const uint32_t address = (bits & (offen | idxen)) != 0 ? 3 : 0;
    to.push_back({&row,
                  {0xe8000000u | uint32_t{row.opcode} << 15 | format_bits << 19 | bits,
                   (high_bits >> 24 != 0 ? 0 : 128u << 24) | 2u << 16 | data << 8 | address | high_bits}});
  };
  for (uint32_t f = 0; f < 128; ++f) add(0, f, 9, 0);
  const type data = row.src[1] != type::none ? row.src[1] : row.dst;
  for (unsigned v : vgprs(dwords_of(data))) add(0, 4 | 7 << 4, v, 0);
  for (uint32_t b : {offen, idxen, offen | idxen, offen | 0xfffu, idxen | glc, glc | 1u}) add(b, 4 | 4 << 4, 9, 0);
  for (uint32_t soffset : {101u, 106u, 124u, 129u, 193u, 242u}) add(0, 10, 9, soffset << 24);
  add(0, 10, 9, slc);
}

void add_mubuf(const opcode_row& row, std::vector<encoding>& to) {
  struct fields {
    unsigned addr = 0, data = 9, resource = 2, soffset = 128, bits = 0;
  };
  constexpr uint32_t offen = 1u << 12, idxen = 1u << 13, glc = 1u << 14, lds = 1u << 16, slc = 1u << 17;
  constexpr uint32_t tfe = 1u << 23;  // of the second dword
  const auto add = [&](const fields& f, uint32_t high_bits = 0) {
    const uint32_t low = 0xe0000000u | uint32_t{row.opcode} << 18 | f.bits;
    to.push_back({&row, {low, f.soffset << 24 | f.resource << 16 | f.data << 8 | f.addr | high_bits}});
  };
  if (row.src[0] == type::none) {
    to.push_back({&row, {0xe0000000u | uint32_t{row.opcode} << 18, 0}});
    return;
  }
  const bool atomic = has(row, is_atomic);
  const bool load = row.dst != type::none && !atomic;
  const type data = row.src[1] != type::none ? row.src[1] : row.dst;
  const fields base;
  add(base);
  for (unsigned v : vgprs(dwords_of(data))) {
    fields f = base;
    f.data = v;
    add(f);
  }
  for (unsigned r : {0u, 1u, 24u, 28u, 30u}) {  // in fours: s[0:3] ... s[96:99], ttmp[0:3]
    fields f = base;
    f.resource = r;
    add(f);
  }
  for (unsigned s : {0u, 101u, 106u, 124u, 128u, 129u, 192u, 193u, 208u, 242u}) {
    fields f = base;
    f.soffset = s;
    add(f);
  }
  for (uint32_t b : {offen, idxen, offen | idxen, offen | 0xfffu, offen | glc, idxen | slc, glc | slc | 1u}) {
    fields f = base;
    f.bits = b;
    f.addr = (b & (offen | idxen)) != 0 ? 3 : 0;
    add(f);
    if ((b & offen) == 0 || (b & idxen) == 0) continue;
    f.addr = 254;
    add(f);
  }
  if (load && dwords_of(row.dst) == 1 && std::strstr(row.mnemonic, "d16") == nullptr) {
    add(base, tfe);
    fields f = base;
    f.data = 0;
    f.bits = lds | 5;
    add(f);
  }
}

}  // namespace
}  // namespace encodings_memory

void add_memory_encodings(const opcode_row& row, std::vector<encoding>& to) {
  using namespace encodings_memory;
  switch (row.native) {
    case format::smem:
      return add_smem(row, to);
    case format::ds:
      return add_ds(row, to);
    case format::flat:
      return add_flat(row, to);
    case format::mtbuf:
      return add_mtbuf(row, to);
    default:
      return add_mubuf(row, to);
  }
}

std::vector<encoding> all_encodings() {
  std::vector<encoding> e;
  for (const opcode_row& row : scalar_rows()) add_scalar_encodings(row, e);
  for (const opcode_row& row : vector_rows()) add_vector_encodings(row, e);
  for (const opcode_row& row : memory_rows()) add_memory_encodings(row, e);
  for (const opcode_row& row : image_rows()) add_image_encodings(row, e);
  return e;
}

}  // namespace pws::isa::test
