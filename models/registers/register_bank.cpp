// SPDX-License-Identifier: Apache-2.0
#include "models/registers/register_bank.h"

#include <algorithm>
#include <cstring>

namespace pws::models {

namespace {

// An access that is a register or a half of one.
bool is_register_sized(uint64_t address, size_t bytes) {
  return (bytes == register_bytes || bytes == register_bytes / 2) && address % bytes == 0;
}

// Where the accessed bytes are in the register.
unsigned shift_of(uint64_t address) {
  return static_cast<unsigned>(address % register_bytes * 8);
}

// What a register holds after a write of `data` to the bits of `mask`.
uint64_t written(register_access access, uint64_t before, uint64_t data, uint64_t mask) {
  switch (access) {
    case register_access::rw:
    case register_access::wo:
      return (before & ~mask) | data;
    case register_access::w1c:
      return before & ~data;
    case register_access::w1s:
      return before | data;
    case register_access::ro:
      break;
  }
  return before;
}

}  // namespace

register_bank::register_bank(const register_map& map)
    : map_(map), read_hooks_(map.rows.size()), write_hooks_(map.rows.size()) {
  for (const register_block& b : map.blocks) rows_at_.emplace_back(b.stride / register_bytes, nowhere);
  size_t next = 0;
  for (uint32_t row = 0; row < map.rows.size(); ++row) {
    const register_row& r = map.rows[row];
    first_.push_back(next);
    next += size_t{map.blocks[r.block].count} * r.words;
    bits_.push_back(map.bits(row));
    std::fill_n(rows_at_[r.block].begin() + static_cast<std::ptrdiff_t>(r.offset / register_bytes), r.words,
                static_cast<uint16_t>(row));
  }
  values_.resize(next);
  on_read(map.bad_accesses, [this](const register_place&) { return wrong(); });
  reset();
}

void register_bank::reset() {
  for (uint32_t row = 0; row < map_.rows.size(); ++row) {
    const register_row& r = map_.rows[row];
    std::fill_n(values_.begin() + static_cast<std::ptrdiff_t>(first_[row]),
                size_t{map_.blocks[r.block].count} * r.words, r.reset.value);
  }
  wrong_.fill(0);
}

void register_bank::hold_text(uint32_t row, std::string_view text, uint32_t instance) {
  const size_t most = map_.rows[row].words * register_bytes - 1;
  size_t bytes = std::min(text.size(), most);
  if (bytes < text.size())
    while (bytes != 0 && (static_cast<unsigned char>(text[bytes]) & 0xc0) == 0x80) --bytes;  // inside of a character
  uint64_t* to = &values_[slot(row, instance, 0)];
  std::fill_n(to, map_.rows[row].words, 0);
  if (bytes != 0) std::memcpy(to, text.data(), bytes);
}

bool register_bank::find(uint64_t address, register_place& place) const {
  for (size_t k = 0; k < map_.blocks.size(); ++k) {
    const register_block& b = map_.blocks[k];
    if (address < b.base || address >= b.end()) continue;
    const uint64_t in_blocks = address - b.base, offset = in_blocks % b.stride;
    const uint16_t row = rows_at_[k][offset / register_bytes];
    if (row == nowhere) return false;
    place.row = row;
    place.instance = static_cast<uint32_t>(in_blocks / b.stride);
    place.word = static_cast<uint32_t>((offset - map_.rows[row].offset) / register_bytes);
    return true;
  }
  return false;
}

uint64_t register_bank::shown(const register_place& place) const {
  const read_hook& hook = read_hooks_[place.row];
  return hook ? hook(place) & bits_[place.row] : held(place.row, place.instance, place.word);
}

access_outcome register_bank::read(uint64_t address, unsigned char* data, size_t bytes) {
  register_place place;
  if (!is_register_sized(address, bytes)) return refuse(access_outcome::burst_error);
  if (!find(address, place)) return refuse(access_outcome::address_error);
  if (!is_readable(map_.rows[place.row].access)) return refuse(access_outcome::command_error);
  const uint64_t value = shown(place) >> shift_of(address);
  std::memcpy(data, &value, bytes);
  return access_outcome::done;
}

access_outcome register_bank::write(uint64_t address, const unsigned char* data, size_t bytes) {
  register_place place;
  if (!is_register_sized(address, bytes)) return refuse(access_outcome::burst_error);
  if (!find(address, place)) return refuse(access_outcome::address_error);
  const register_access access = map_.rows[place.row].access;
  if (!is_writable(access)) return refuse(access_outcome::command_error);
  register_write w;
  w.place = place;
  std::memcpy(&w.data, data, bytes);
  const unsigned shift = shift_of(address);
  const uint64_t mask = (bytes == register_bytes ? ~uint64_t{0} : uint64_t{UINT32_MAX} << shift) & bits_[place.row];
  w.data = w.data << shift & mask;
  w.low_half = shift == 0;
  uint64_t& value = values_[slot(place.row, place.instance, place.word)];
  w.before = value;
  w.value = value = written(access, w.before, w.data, mask);
  const write_hook& hook = write_hooks_[place.row];
  if (!hook || hook(w)) return access_outcome::done;
  value = w.before;
  return refuse(access_outcome::refused);
}

access_outcome register_bank::refuse(access_outcome why) {
  ++wrong_[static_cast<size_t>(why)];
  return why;
}

size_t register_bank::peek(uint64_t address, unsigned char* data, size_t bytes) const {
  register_place place;
  size_t done = 0;
  while (done < bytes && address + done >= address && find(address + done, place)) {
    const uint64_t value = shown(place) >> shift_of(address + done);
    const size_t n = std::min<size_t>(bytes - done, register_bytes - (address + done) % register_bytes);
    std::memcpy(data + done, &value, n);
    done += n;
  }
  return done;
}

uint64_t register_bank::wrong() const {
  uint64_t all = 0;
  for (const uint64_t n : wrong_) all += n;
  return all;
}

}  // namespace pws::models
