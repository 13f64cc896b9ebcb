// SPDX-License-Identifier: Apache-2.0
// DS operations with two LDS operands, conditional exchange, append and consume; buffer loads to LDS.
#include <gtest/gtest.h>

#include <cstring>

#include "base/error.h"
#include "models/isa/code/opcode_table.h"
#include "tests/isa/memory_reference.h"

namespace pws::isa::test::memory_counters_test {

namespace {

bool active(uint64_t mask, int l) {
  return (mask >> l & 1) != 0;
}
uint64_t read_lds(const memory_bench& b, uint32_t at, unsigned bytes) {
  uint64_t v = 0;
  std::memcpy(&v, &b.lds[at], bytes);
  return v;
}

// The name and type of "ds_add_src2_u32" as the reference knows them: "add", "smin", "fadd", ...
std::string operation_of(const std::string& mnemonic) {
  std::string op = mnemonic.substr(3, mnemonic.find("_src2_") - 3);
  const char t = mnemonic[mnemonic.find("_src2_") + 6];
  if (op == "min" || op == "max") op = std::string(1, t == 'i' ? 's' : t) + op;
  if (op == "add" && t == 'f') op = "fadd";
  return op == "write" ? "swap" : op;
}

}  // namespace

TEST(memory_counters, second_operand_from_lds) {
  std::mt19937 random(5);
  unsigned rows = 0;
  for (const opcode_row& r : memory_rows()) {
    const std::string m = r.mnemonic;
    if (m.find("_src2_") == std::string::npos) continue;
    ++rows;
    const unsigned bytes = m.back() == '4' ? 8 : 4;
    // A constant distance, forwards and backwards, and one from the address register.
    for (const uint32_t offset : {4u, 0x7ffcu, 0x8000u})
      for (const uint64_t mask : lane_masks()) {
        memory_bench real(static_cast<unsigned>(random()));
        real.state.mode = 0xf0;
        if (random() % 2 == 0) real.make_small();
        uint32_t a[wave_size], b[wave_size];
        for (int l = 0; l < wave_size; ++l) {
          a[l] = 0x400 + static_cast<uint32_t>(random() % 64) * bytes;
          const int distance = offset == 4 ? 4 : offset == 0x7ffc ? -4 : static_cast<int>(random() % 64) * 2 - 64;
          b[l] = a[l] + static_cast<uint32_t>(4 * distance);
          const uint32_t high = offset == 0x8000 ? static_cast<uint32_t>(distance) << 17 : 0;
          real.vgprs[1].lane[l] = active(mask, l) ? a[l] | high : static_cast<uint32_t>(random());
        }
        real.set_mask(mask);
        memory_bench expected(real);
        memory_access record;
        real.state.access = &record;
        real.execute(encode_ds(r, 0, 1, 0, 0, offset));
        for (int l = 0; l < wave_size; ++l) {
          if (!active(mask, l)) continue;
          const uint64_t fresh = reference_atomic(operation_of(m), bytes, read_lds(expected, a[l], bytes),
                                                  read_lds(expected, b[l], bytes), 0);
          std::memcpy(&expected.lds[a[l]], &fresh, bytes);
          EXPECT_EQ(record.address[l], a[l]);
        }
        ASSERT_EQ(real.difference(expected), "") << m << " offset " << offset << " mask " << std::hex << mask;
        EXPECT_EQ(record.mask, mask);
        EXPECT_TRUE(record.is_atomic);
      }
  }
  EXPECT_EQ(rows, 31u);
}

TEST(memory_counters, second_operand_must_be_in_range_and_aligned) {
  memory_bench b(1);
  b.set_mask(1);
  b.vgprs[1].lane[0] = 0;
  EXPECT_THROW(b.execute(encode_ds(memory_row("ds_add_src2_u32"), 0, 1, 0, 0, 0x7fff)), program_error) << "below LDS";
  b.vgprs[1].lane[0] = memory_bench::lds_bytes - 4;
  EXPECT_THROW(b.execute(encode_ds(memory_row("ds_add_src2_u32"), 0, 1, 0, 0, 1)), program_error) << "above";
  b.vgprs[1].lane[0] = 2;
  EXPECT_THROW(b.execute(encode_ds(memory_row("ds_add_src2_u32"), 0, 1, 0, 0, 1)), program_error) << "unaligned";
  b.vgprs[1].lane[0] = 8;
  EXPECT_THROW(b.execute(encode_ds(memory_row("ds_add_src2_u64"), 0, 1, 0, 0, 1)), program_error) << "unaligned pair";
}

TEST(memory_counters, conditional_exchange) {
  std::mt19937 random(6);
  for (const uint64_t mask : lane_masks()) {
    memory_bench real(static_cast<unsigned>(random()));
    for (int l = 0; l < wave_size; ++l) real.vgprs[1].lane[l] = active(mask, l) ? 8 * (random() % 40) : random();
    real.set_mask(mask);
    memory_bench expected(real);
    real.execute(encode_ds(memory_row("ds_condxchg32_rtn_b64"), 40, 1, 8, 0, 16));
    for (int l = 0; l < wave_size; ++l)
      for (unsigned k = 0; active(mask, l) && k < 2; ++k) {
        const uint32_t at = expected.vgprs[1].lane[l] + 16 + 4 * k;
        const uint32_t data = expected.vgprs[8 + k].lane[l];
        expected.vgprs[40 + k].lane[l] = static_cast<uint32_t>(read_lds(expected, at, 4));
        const uint32_t fresh = data & 0x7fffffff;
        if (data >= 0x80000000) std::memcpy(&expected.lds[at], &fresh, 4);
      }
    ASSERT_EQ(real.difference(expected), "") << std::hex << mask;
  }
}

TEST(memory_counters, append_and_consume) {
  for (const bool append : {true, false})
    for (const uint64_t mask : lane_masks()) {
      memory_bench real(3);
      real.set_mask(mask);
      real.state.scalar[m0] = 0x120u << 16 | 0xffff;
      memory_bench expected(real);
      memory_access record;
      record.mask = 1;
      real.state.access = &record;
      real.execute(encode_ds(memory_row(append ? "ds_append" : "ds_consume"), 40, 0, 0, 0, 0x14));
      const auto old = static_cast<uint32_t>(read_lds(expected, 0x134, 4));
      uint32_t lanes = 0;
      for (int l = 0; l < wave_size; ++l) {
        if (!active(mask, l)) continue;
        ++lanes;
        expected.vgprs[40].lane[l] = old;
      }
      const uint32_t fresh = append ? old + lanes : old - lanes;
      std::memcpy(&expected.lds[0x134], &fresh, 4);
      ASSERT_EQ(real.difference(expected), "") << append << " " << std::hex << mask;
      EXPECT_EQ(record.mask, mask & (0 - mask)) << "one access for all";
    }
  memory_bench b(3);
  b.set_mask(1);
  b.state.scalar[m0] = 2u << 16;
  EXPECT_THROW(b.execute(encode_ds(memory_row("ds_append"), 40, 0, 0, 0, 0)), program_error);
  b.state.scalar[m0] = memory_bench::lds_bytes << 16;
  EXPECT_THROW(b.execute(encode_ds(memory_row("ds_consume"), 40, 0, 0, 0, 0)), program_error);
}

TEST(memory_counters, buffer_loads_to_lds) {
  const struct {
    const char* mnemonic;
    unsigned bytes;
    bool sign;
  } cases[] = {{"buffer_load_ubyte", 1, false}, {"buffer_load_sbyte", 1, true},  {"buffer_load_ushort", 2, false},
               {"buffer_load_sshort", 2, true}, {"buffer_load_dword", 4, false}, {"buffer_load_format_x", 4, false}};
  for (const auto& c : cases)
    for (const uint64_t mask : lane_masks()) {
      memory_bench real(4);
      real.set_mask(mask);
      for (int l = 0; l < wave_size; ++l) real.vgprs[2].lane[l] = static_cast<uint32_t>(l) * 12;
      uint32_t* resource = &real.state.scalar[8];
      resource[0] = static_cast<uint32_t>(memory_bench::data);
      resource[1] = static_cast<uint32_t>(memory_bench::data >> 32);
      resource[2] = 40 * 12 + 16;  // lanes from 41 on are out of range
      resource[3] = 4 | 4u << 12 | 4u << 15;
      real.state.scalar[m0] = 0xabcd0100;
      memory_bench expected(real);
      mubuf_fields f;
      f.addr = 2;
      f.offen = true;
      f.offset = 8;
      f.lds = true;
      real.execute(encode_mubuf(memory_row(c.mnemonic), f));
      for (int l = 0; l < wave_size; ++l) {
        if (!active(mask, l)) continue;
        uint32_t v = 0;
        if (l * 12 + 8 + static_cast<int>(c.bytes) <= 40 * 12 + 16)
          std::memcpy(&v, expected.host(memory_bench::data + static_cast<unsigned>(l) * 12 + 8), c.bytes);
        if (c.sign && (v >> (8 * c.bytes - 1)) != 0) v |= ~((1u << (8 * c.bytes)) - 1);
        std::memcpy(&expected.lds[0x100 + 8 + 4 * static_cast<unsigned>(l)], &v, 4);
      }
      ASSERT_EQ(real.difference(expected), "") << c.mnemonic << " mask " << std::hex << mask;
    }
}

}  // namespace pws::isa::test::memory_counters_test
