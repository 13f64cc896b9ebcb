// SPDX-License-Identifier: Apache-2.0
// The rules of register maps, and what drivers rely on in that of the GPU.
#include "models/registers/register_map.h"

#include <gmock/gmock.h>

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "models/registers/gpu_register_map.h"

namespace pws::test::register_map_test {
namespace {

using models::gpu_registers;
using models::register_access;
using models::register_block;
using models::register_field;
using models::register_map;
using models::register_number;
using models::register_row;
using ::testing::StrEq;
namespace gpu_register = models::gpu_register;

// A small map that may be spoiled.
struct small_map {
  register_block blocks[2] = {{"device", 0, 1, 0x20, ""}, {"queue", 0x20, 4, 0x10, ""}};
  register_row rows[3] = {{0, "id", 0, 1, register_access::ro, 5, ""},
                          {0, "text", 0x10, 2, register_access::ro, 0, ""},
                          {1, "base", 8, 1, register_access::rw, 0, ""}};
  register_field fields[2] = {{0, "low", 0, 4, ""}, {0, "high", 60, 4, ""}};
  register_number numbers[1] = {{2, "none", 0, ""}};
  uint32_t bad_accesses = 1;
  register_map map() const {
    register_map m;
    m.blocks = blocks;
    m.rows = rows;
    m.fields = fields;
    m.numbers = numbers;
    m.bad_accesses = bad_accesses;
    return m;
  }
};

TEST(register_map, a_sound_one_has_no_mistake) {
  EXPECT_EQ(mistake_in(small_map().map()), nullptr);
  EXPECT_EQ(mistake_in(gpu_registers), nullptr);
}

TEST(register_map, each_mistake_is_found) {
  const std::vector<std::pair<const char*, std::function<void(small_map&)>>> spoiled = {
      {"a block is empty or not aligned", [](small_map& m) { m.blocks[1].count = 0; }},
      {"a block is empty or not aligned", [](small_map& m) { m.blocks[1].stride = 0; }},
      {"a block is empty or not aligned", [](small_map& m) { m.blocks[1].base = 0x24; }},
      {"a block is empty or not aligned", [](small_map& m) { m.blocks[1].stride = 0x14; }},
      {"two blocks overlap", [](small_map& m) { m.blocks[1].base = 0x18; }},
      {"two blocks overlap", [](small_map& m) { m.blocks[0].count = 2; }},
      {"a register is in no block", [](small_map& m) { m.rows[2].block = 2; }},
      {"a register is not aligned", [](small_map& m) { m.rows[2].offset = 4; }},
      {"a register is not aligned", [](small_map& m) { m.rows[2].words = 0; }},
      {"a register is behind its block", [](small_map& m) { m.rows[2].offset = 0x10; }},
      {"a register is behind its block", [](small_map& m) { m.rows[1].words = 3; }},
      {"two registers overlap", [](small_map& m) { m.rows[1].offset = 0; }},
      {"two registers overlap", [](small_map& m) { m.rows[0].words = 3; }},
      {"a reset value has reserved bits", [](small_map& m) { m.rows[0].reset = 0x10; }},
      {"a field does not fit", [](small_map& m) { m.fields[1].width = 5; }},
      {"a field does not fit", [](small_map& m) { m.fields[1].width = 0; }},
      {"a field does not fit", [](small_map& m) { m.fields[1].lsb = 64; }},
      {"a field does not fit", [](small_map& m) { m.fields[1].row = 3; }},
      {"two fields overlap", [](small_map& m) { m.fields[1].lsb = 3; }},
      {"a value is of no register", [](small_map& m) { m.numbers[0].row = 3; }},
      {"a register has both fields and values", [](small_map& m) { m.numbers[0].row = 0; }},
      {"no register shows wrong accesses", [](small_map& m) { m.bad_accesses = 3; }},
  };
  for (const auto& [mistake, spoil] : spoiled) {
    small_map m;
    spoil(m);
    EXPECT_THAT(mistake_in(m.map()), StrEq(mistake));
  }
}

TEST(register_map, addresses_and_bits) {
  const small_map m;
  EXPECT_EQ(m.map().size(), 0x60u);
  EXPECT_EQ(m.map().address(1, 0, 1), 0x18u);
  EXPECT_EQ(m.map().address(2, 3), 0x58u);
  EXPECT_EQ(m.map().bits(0), 0xf00000000000000fu);
  EXPECT_EQ(m.map().bits(1), ~uint64_t{0});
  EXPECT_EQ(m.fields[1].in(0xa000000000000005), 0xau);
  EXPECT_EQ(m.fields[1].of(0x1b), 0xb000000000000000u) << "what does not fit is dropped";
  EXPECT_EQ((register_field{0, "all", 0, 64, ""}.mask()), ~uint64_t{0});
}

// Drivers in the field rely on these: a change of them is a new major version.
TEST(gpu_register_map, where_registers_are) {
  const auto at = [](uint32_t row, uint32_t queue = 0) { return gpu_registers.address(row, queue); };
  EXPECT_EQ(at(gpu_register::id), 0x000u);
  EXPECT_EQ(at(gpu_register::control), 0x018u);
  EXPECT_EQ(at(gpu_register::interrupt_status), 0x030u);
  EXPECT_EQ(at(gpu_register::fault_cause), 0x040u);
  EXPECT_EQ(at(gpu_register::clock_ratio), 0x0a0u);
  EXPECT_EQ(at(gpu_register::bad_accesses), 0x0a8u);
  EXPECT_EQ(at(gpu_register::cycles_busy), 0x100u);
  EXPECT_EQ(at(gpu_register::fault_text), 0x800u);
  EXPECT_EQ(at(gpu_register::queue_base), 0x1000u);
  EXPECT_EQ(at(gpu_register::queue_doorbell, 255), 0x10f18u);
  EXPECT_EQ(gpu_registers.size(), 0x11000u);
}

TEST(gpu_register_map, every_row_says_what_it_means) {
  std::set<std::string> names;
  for (const register_row& r : gpu_registers.rows) {
    EXPECT_TRUE(names.insert(r.name).second) << r.name;
    EXPECT_STRNE(r.meaning, "") << r.name;
    EXPECT_FALSE(r.reset.by_configuration && is_writable(r.access)) << r.name;
  }
  for (const register_field& f : gpu_registers.fields) {
    EXPECT_STRNE(f.meaning, "") << f.name;
    EXPECT_TRUE(names.insert(std::string(gpu_registers.rows[f.row].name) + "_" + f.name).second) << f.name;
  }
  for (const register_number& v : gpu_registers.numbers) {
    EXPECT_STRNE(v.meaning, "") << v.name;
    EXPECT_TRUE(names.insert(std::string(gpu_registers.rows[v.row].name) + "_" + v.name).second) << v.name;
  }
}

}  // namespace
}  // namespace pws::test::register_map_test
