// SPDX-License-Identifier: Apache-2.0
// The registers of a device: holds their values, decodes accesses to them, and tells the device what was written.
//
// An access has 8 bytes, or the 4 of either half of a register, and is aligned to its size. Any other access is wrong.
// So is one to an address without a register, a read of what is write only and a write of what is read only. A wrong
// access changes nothing; it is answered with what is wrong, and counted.
//
// No access allocates memory or lets time pass.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>
#include <vector>

#include "models/registers/register_map.h"

namespace pws::models {

// What came of an access. Of several mistakes the first in this order is answered; that it is neither a read nor a
// write comes before all of them.
enum class access_outcome : uint8_t {
  done,
  byte_enable_error,  // it has byte enables
  burst_error,        // its size, its alignment, a streaming width below its size, or no data
  address_error,      // there is no register
  command_error,      // a write of what is read only, a read of what is write only, or neither read nor write
  refused,            // the device does not take that value, or not now
};
constexpr size_t n_access_outcomes = 6;

// Which register: its row in the map, of which block of its kind, and which word of the row.
struct register_place {
  uint32_t row = 0, instance = 0, word = 0;
};

// A write, when the register has its new value.
struct register_write {
  register_place place;
  // The access covers bits 31:0. A register that starts something does so then: a driver of 32 bits writes the high
  // half first.
  bool low_half = false;
  uint64_t data = 0;    // the bits that were written, in their place; others are 0
  uint64_t before = 0;  // the register's value
  uint64_t value = 0;   // that it has now
};

class register_bank {
 public:
  // The map has to outlive the bank.
  explicit register_bank(const register_map& map);
  register_bank(const register_bank&) = delete;
  register_bank& operator=(const register_bank&) = delete;

  // Computes what a register reads as, in place of the value that it holds. It changes nothing: a debugger's accesses
  // call it too. Reserved bits of what it returns are dropped.
  using read_hook = std::function<uint64_t(const register_place&)>;
  // Sets the hook of a row.
  void on_read(uint32_t row, read_hook hook) { read_hooks_[row] = std::move(hook); }
  // Hears of a write to a register. False: the device refuses it, and the register gets its old value again.
  using write_hook = std::function<bool(const register_write&)>;
  // Sets the hook of a row.
  void on_write(uint32_t row, write_hook hook) { write_hooks_[row] = std::move(hook); }

  // The value that a register holds, for the device itself.
  uint64_t held(uint32_t row, uint32_t instance = 0, uint32_t word = 0) const {
    return values_[slot(row, instance, word)];
  }
  // Calls no hook. Reserved bits are dropped.
  void hold(uint32_t row, uint64_t value, uint32_t instance = 0, uint32_t word = 0) {
    values_[slot(row, instance, word)] = value & bits_[row];
  }
  // The words of a row as text, with at least one zero byte behind it: what does not fit is cut off, between two
  // characters of UTF-8.
  void hold_text(uint32_t row, std::string_view text, uint32_t instance = 0);
  // All registers have their reset values, and no access was wrong. Those by configuration are 0, if no hook computes
  // them.
  void reset();

  // A driver's read; the data is little-endian, as in memory.
  access_outcome read(uint64_t address, unsigned char* data, size_t bytes);
  // A driver's write of such data.
  access_outcome write(uint64_t address, const unsigned char* data, size_t bytes);
  // An access that does not come so far, because of what is wrong with it.
  access_outcome refuse(access_outcome why);
  // A debugger's read, of any size and alignment: changes nothing, is not counted, and shows what is write only too.
  // Returns how many bytes from the first on registers have.
  size_t peek(uint64_t address, unsigned char* data, size_t bytes) const;

  // Wrong accesses since the reset that were answered so.
  uint64_t wrong(access_outcome how) const { return wrong_[static_cast<size_t>(how)]; }
  // All of them: what the register for it shows.
  uint64_t wrong() const;

  const register_map& map() const { return map_; }

 private:
  static constexpr uint16_t nowhere = UINT16_MAX;
  size_t slot(uint32_t row, uint32_t instance, uint32_t word) const {
    return first_[row] + size_t{instance} * map_.rows[row].words + word;
  }
  // False: there is no register at that address.
  bool find(uint64_t address, register_place& place) const;
  uint64_t shown(const register_place& place) const;

  const register_map& map_;
  std::vector<std::vector<uint16_t>> rows_at_;  // by block and offset / 8: its row
  std::vector<size_t> first_;                   // by row: where its values begin
  std::vector<uint64_t> bits_;                  // by row: those that are not reserved
  std::vector<uint64_t> values_;
  std::vector<read_hook> read_hooks_;    // by row
  std::vector<write_hook> write_hooks_;  // by row
  std::array<uint64_t, n_access_outcomes> wrong_{};
};

}  // namespace pws::models
