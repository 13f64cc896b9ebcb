// SPDX-License-Identifier: Apache-2.0
// Values, hooks and accesses of a register bank, without a bus.
#include "models/registers/register_bank.h"

#include <gmock/gmock.h>

#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include "models/registers/gpu_register_map.h"

namespace pws::test::register_bank_test {
namespace {

using models::access_outcome;
using models::gpu_registers;
using models::register_access;
using models::register_bank;
using models::register_place;
using models::register_write;
using ::testing::ElementsAre;
namespace gpu_field = models::gpu_field;
namespace gpu_register = models::gpu_register;

struct bank_bench {
  register_bank bank{gpu_registers};

  static uint64_t at(uint32_t row, uint32_t instance = 0, uint32_t word = 0) {
    return gpu_registers.address(row, instance, word);
  }
  template <class T = uint64_t>
  T read(uint64_t address) {
    T value{};
    EXPECT_EQ(bank.read(address, reinterpret_cast<unsigned char*>(&value), sizeof value), access_outcome::done);
    return value;
  }
  template <class T>
  access_outcome write(uint64_t address, T value) {
    return bank.write(address, reinterpret_cast<const unsigned char*>(&value), sizeof value);
  }
  std::string text(uint32_t row) {
    std::string all(gpu_registers.rows[row].words * 8, '?');
    EXPECT_EQ(bank.peek(at(row), reinterpret_cast<unsigned char*>(all.data()), all.size()), all.size());
    return all;
  }
};

TEST(register_bank, every_register_has_its_reset_value) {
  bank_bench b;
  for (int round = 0; round < 2; ++round) {
    for (uint32_t row = 0; row < gpu_registers.rows.size(); ++row) {
      const models::register_row& r = gpu_registers.rows[row];
      for (uint32_t k = 0; k < gpu_registers.blocks[r.block].count; ++k)
        for (uint32_t word = 0; word < r.words; ++word) {
          ASSERT_EQ(b.bank.held(row, k, word), r.reset.value) << r.name << " " << k << " " << word;
          b.bank.hold(row, 0x1234567890abcdef, k, word);
        }
    }
    b.bank.refuse(access_outcome::burst_error);
    b.bank.reset();
    EXPECT_EQ(b.bank.wrong(), 0u);
  }
}

TEST(register_bank, halves_and_wholes) {
  bank_bench b;
  const uint64_t base = b.at(gpu_register::queue_base, 7);
  EXPECT_EQ(b.write(base, uint64_t{0x1122334455667788}), access_outcome::done);
  EXPECT_EQ(b.read<uint32_t>(base), 0x55667788u);
  EXPECT_EQ(b.read<uint32_t>(base + 4), 0x11223344u);
  EXPECT_EQ(b.write(base + 4, uint32_t{0xaabbccdd}), access_outcome::done);
  EXPECT_EQ(b.read(base), 0xaabbccdd55667788u);
  EXPECT_EQ(b.write(base, uint32_t{0}), access_outcome::done);
  EXPECT_EQ(b.read(base), 0xaabbccdd00000000u);
  EXPECT_EQ(b.read(b.at(gpu_register::queue_base, 6)), 0u) << "each queue has its own";
  EXPECT_EQ(b.read(b.at(gpu_register::queue_base, 8)), 0u);
}

TEST(register_bank, a_written_one_clears) {
  bank_bench b;
  b.bank.hold(gpu_register::interrupt_status, 3);
  EXPECT_EQ(b.write(b.at(gpu_register::interrupt_status), uint64_t{2}), access_outcome::done);
  EXPECT_EQ(b.read(b.at(gpu_register::interrupt_status)), 1u);
  EXPECT_EQ(b.write(b.at(gpu_register::interrupt_status), uint64_t{0}), access_outcome::done);
  EXPECT_EQ(b.write(b.at(gpu_register::interrupt_status) + 4, ~uint32_t{0}), access_outcome::done);
  EXPECT_EQ(b.read(b.at(gpu_register::interrupt_status)), 1u) << "the other half";
  EXPECT_EQ(b.write(b.at(gpu_register::interrupt_status), ~uint64_t{0}), access_outcome::done);
  EXPECT_EQ(b.read(b.at(gpu_register::interrupt_status)), 0u);
}

TEST(register_bank, a_written_one_sets_until_the_device_clears_it) {
  bank_bench b;
  EXPECT_EQ(b.write(b.at(gpu_register::control), uint32_t{1}), access_outcome::done);
  EXPECT_EQ(b.write(b.at(gpu_register::control), uint32_t{0}), access_outcome::done);
  EXPECT_EQ(b.read(b.at(gpu_register::control)), 1u);
  b.bank.on_write(gpu_register::control, [&b](const register_write& w) {
    if (gpu_field::control_reset.in(w.data) != 0) b.bank.reset();
    return true;
  });
  EXPECT_EQ(b.write(b.at(gpu_register::interrupt_mask), uint64_t{3}), access_outcome::done);
  EXPECT_EQ(b.write(b.at(gpu_register::control), uint64_t{1}), access_outcome::done);
  EXPECT_EQ(b.read(b.at(gpu_register::control)), 0u);
  EXPECT_EQ(b.read(b.at(gpu_register::interrupt_mask)), 0u);
}

TEST(register_bank, reserved_bits_read_as_zero) {
  bank_bench b;
  EXPECT_EQ(b.write(b.at(gpu_register::interrupt_mask), ~uint64_t{0}), access_outcome::done);
  EXPECT_EQ(b.read(b.at(gpu_register::interrupt_mask)), 3u);
  b.bank.hold(gpu_register::status, ~uint64_t{0});
  EXPECT_EQ(b.read(b.at(gpu_register::status)), 7u);
  b.bank.on_read(gpu_register::status, [](const register_place&) { return ~uint64_t{0} - 1; });
  EXPECT_EQ(b.read(b.at(gpu_register::status)), 6u);
}

TEST(register_bank, what_a_write_tells_the_device) {
  bank_bench b;
  std::vector<std::string> heard;
  b.bank.on_write(gpu_register::queue_cu_mask, [&heard](const register_write& w) {
    char line[128];
    std::snprintf(line, sizeof line, "%u.%u %llx: %llx, was %llx%s", w.place.instance, w.place.word,
                  static_cast<unsigned long long>(w.data), static_cast<unsigned long long>(w.value),
                  static_cast<unsigned long long>(w.before), w.low_half ? "" : ", high half");
    heard.emplace_back(line);
    return true;
  });
  const uint64_t at = b.at(gpu_register::queue_cu_mask, 255, 3);
  EXPECT_EQ(b.write(at, uint64_t{0xff}), access_outcome::done);
  EXPECT_EQ(b.write(at + 4, uint32_t{0xab}), access_outcome::done);
  EXPECT_EQ(b.write(at, uint32_t{0xcd}), access_outcome::done);
  b.bank.hold(gpu_register::queue_cu_mask, 1, 255, 3);
  EXPECT_THAT(heard,
              ElementsAre("255.3 ff: ff, was ffffffffffffffff", "255.3 ab00000000: ab000000ff, was ff, high half",
                          "255.3 cd: ab000000cd, was ab000000ff"));
}

TEST(register_bank, what_the_device_refuses_changes_nothing) {
  bank_bench b;
  b.bank.on_write(gpu_register::clock_ratio,
                  [](const register_write& w) { return gpu_field::clock_ratio_ratio.in(w.value) != 0; });
  EXPECT_EQ(b.write(b.at(gpu_register::clock_ratio), uint64_t{255}), access_outcome::done);
  for (const uint64_t value : {uint64_t{0}, uint64_t{256}})
    EXPECT_EQ(b.write(b.at(gpu_register::clock_ratio), value), access_outcome::refused);
  EXPECT_EQ(b.read(b.at(gpu_register::clock_ratio)), 255u);
  EXPECT_EQ(b.bank.wrong(access_outcome::refused), 2u);
  EXPECT_EQ(b.read(b.at(gpu_register::bad_accesses)), 2u);
}

TEST(register_bank, a_read_may_be_computed) {
  bank_bench b;
  b.bank.on_read(gpu_register::queue_state, [](const register_place& p) { return uint64_t{p.instance} << 32 | 1; });
  EXPECT_EQ(b.read(b.at(gpu_register::queue_state, 9)), 0x900000001u);
  EXPECT_EQ(b.read<uint32_t>(b.at(gpu_register::queue_state, 9) + 4), 9u);
  EXPECT_EQ(b.bank.held(gpu_register::queue_state, 9), 0u);
}

TEST(register_bank, text_ends_in_a_zero_byte) {
  bank_bench b;
  const auto shown = [&b](const std::string& text) {
    b.bank.hold_text(gpu_register::fault_text, text);
    const std::string all = b.text(gpu_register::fault_text);
    EXPECT_EQ(all.size(), 1024u);
    EXPECT_EQ(all.find_first_not_of('\0', std::strlen(all.c_str())), std::string::npos) << "zeros behind it";
    return std::string(all.c_str());
  };
  EXPECT_EQ(shown("kernel saxpy: no memory"), "kernel saxpy: no memory");
  EXPECT_EQ(shown(""), "");
  const std::string fits(1023, 'x');
  EXPECT_EQ(shown(fits), fits);
  EXPECT_EQ(shown(fits + "y"), fits);
  EXPECT_EQ(shown(std::string(1022, 'x') + "\u00e4"), std::string(1022, 'x'))
      << "a character of two bytes is cut whole";
  EXPECT_EQ(shown(std::string(1021, 'x') + "\u00e4"), std::string(1021, 'x') + "\u00e4");
  EXPECT_EQ(shown(std::string(5000, '\x80')), "") << "no character begins there";
}

TEST(register_bank, a_debugger_reads_any_bytes_and_is_not_counted) {
  bank_bench b;
  EXPECT_EQ(b.write(b.at(gpu_register::queue_doorbell, 2), uint64_t{0x0807060504030201}), access_outcome::done);
  b.bank.on_read(gpu_register::queue_priority, [](const register_place&) { return uint64_t{0xaa}; });
  unsigned char data[64] = {};
  EXPECT_EQ(b.bank.peek(b.at(gpu_register::queue_doorbell, 2) + 3, data, 7), 7u);
  EXPECT_THAT(std::vector<unsigned char>(data, data + 8), ElementsAre(4, 5, 6, 7, 8, 0xaa, 0, 0));
  EXPECT_EQ(b.bank.peek(b.at(gpu_register::queue_state), data, 64), 8u) << "up to where there is no register";
  EXPECT_EQ(b.bank.peek(b.at(gpu_register::queue_state) + 8, data, 1), 0u);
  EXPECT_EQ(b.bank.peek(gpu_registers.size(), data, 1), 0u);
  EXPECT_EQ(b.bank.peek(~uint64_t{0}, data, 64), 0u);
  EXPECT_EQ(b.bank.peek(b.at(gpu_register::id), data, 0), 0u);
  EXPECT_EQ(b.bank.wrong(), 0u);
}

}  // namespace
}  // namespace pws::test::register_bank_test
