// SPDX-License-Identifier: Apache-2.0
#include "models/check/init/memory_shadow.h"

#include <algorithm>
#include <cstring>
#include <type_traits>

#include "models/check/shadow/lanes.h"
#include "models/isa/wave_state.h"

namespace pws::check::init {

memory_shadow::memory_shadow(uint64_t begin, uint64_t bytes)
    : begin_(begin), bytes_(bytes), pages_((bytes + page_bytes - 1) / page_bytes, nullptr) {}

memory_shadow::~memory_shadow() {
  for (page* p : pages_)
    if (p != nullptr && p != &defined_) delete p;
}

uint64_t memory_shadow::clipped(uint64_t address, uint64_t bytes) const {
  return holds(address) ? std::min(bytes, bytes_ - (address - begin_)) : 0;
}

// The page with memory of its own.
memory_shadow::page& memory_shadow::own(uint64_t n) {
  page*& p = pages_[n];
  if (p != nullptr && p != &defined_) return *p;
  const int bits = p == nullptr ? 0xff : 0;
  if (spare_.empty()) spare_.push_back(std::make_unique<page>());
  p = spare_.back().release();
  spare_.pop_back();
  std::memset(p->bits, bits, sizeof p->bits);
  std::memset(p->from, 0, sizeof p->from);
  return *p;
}

void memory_shadow::drop(uint64_t n, page* now) {
  if (pages_[n] != nullptr && pages_[n] != &defined_) spare_.emplace_back(pages_[n]);
  pages_[n] = now;
}

// f(page number, offset in it, offset in the range, bytes)
template <class F>
void memory_shadow::each_part(uint64_t address, uint64_t bytes, F f) const {
  bytes = clipped(address, bytes);
  for (uint64_t done = 0; done < bytes;) {
    const uint64_t at = (address + done - begin_) % page_bytes;
    const uint64_t n = std::min(bytes - done, page_bytes - at);
    f(number(address + done), at, done, n);
    done += n;
  }
}

void memory_shadow::define(uint64_t address, uint64_t bytes) {
  each_part(address, bytes, [&](uint64_t page_number, uint64_t at, uint64_t, uint64_t n) {
    if (pages_[page_number] == &defined_) return;
    if (n == page_bytes)
      drop(page_number, &defined_);
    else
      std::memset(own(page_number).bits + at, 0, n);
  });
}

void memory_shadow::undefine(uint64_t address, uint64_t bytes) {
  each_part(address, bytes, [&](uint64_t page_number, uint64_t at, uint64_t, uint64_t n) {
    if (pages_[page_number] == nullptr) return;
    if (n == page_bytes) return drop(page_number, nullptr);
    page& p = own(page_number);
    std::memset(p.bits + at, 0xff, n);
    std::fill(p.from + at / 4, p.from + (at + n + 3) / 4, origin{0});
  });
}

void memory_shadow::copy(uint64_t to, uint64_t from_address, uint64_t bytes) {
  bytes = std::min(clipped(to, bytes), clipped(from_address, bytes));
  if (bytes == 0 || to == from_address) return;
  if (pages_defined(from_address, from_address + bytes - 1)) return define(to, bytes);
  // In pieces of a dword where both are aligned, so that origins go along; backwards where the target lies behind.
  const uint64_t piece = (to % 4 == from_address % 4) ? 4 : 1;
  std::vector<uint64_t> starts;
  starts.reserve(bytes / piece + 2);
  for (uint64_t at = 0; at < bytes;) {
    starts.push_back(at);
    at += piece - (to + at) % piece;
  }
  if (to > from_address) std::reverse(starts.begin(), starts.end());
  for (const uint64_t at : starts) {
    const auto n = static_cast<uint32_t>(std::min(bytes - at, piece - (to + at) % piece));
    uint8_t bits[4];
    load(from_address + at, n, bits);
    store(to + at, n, bits, from(from_address + at));
  }
}

void memory_shadow::load(uint64_t address, uint32_t bytes, uint8_t* bits) const {
  std::memset(bits, 0, bytes);
  each_part(address, bytes, [&](uint64_t page_number, uint64_t at, uint64_t done, uint64_t n) {
    const page* p = pages_[page_number];
    if (p == &defined_) return;
    if (p == nullptr)
      std::memset(bits + done, 0xff, n);
    else
      std::memcpy(bits + done, p->bits + at, n);
  });
}

void memory_shadow::store(uint64_t address, uint32_t bytes, const uint8_t* bits, origin from) {
  each_part(address, bytes, [&](uint64_t page_number, uint64_t at, uint64_t done, uint64_t n) {
    const bool undefined = std::any_of(bits + done, bits + done + n, [](uint8_t b) { return b != 0; });
    if (!undefined && pages_[page_number] == &defined_) return;
    page& p = own(page_number);
    std::memcpy(p.bits + at, bits + done, n);
    if (undefined) std::fill(p.from + at / 4, p.from + (at + n + 3) / 4, from);
  });
}

origin memory_shadow::from(uint64_t address) const {
  if (!holds(address)) return 0;
  const page* p = pages_[number(address)];
  return p == nullptr || p == &defined_ ? 0 : p->from[(address - begin_) % page_bytes / 4];
}

memory_shadow::run memory_shadow::next_undefined(uint64_t address, uint64_t end) const {
  end = address + clipped(address, end - address);
  const auto undefined_at = [&](uint64_t a) {
    const page* p = pages_[number(a)];
    return p == nullptr || (p != &defined_ && p->bits[(a - begin_) % page_bytes] != 0);
  };
  // Whole pages are alike.
  const auto skip = [&](uint64_t a, bool undefined) {
    while (a < end && undefined_at(a) == undefined) {
      const page* p = pages_[number(a)];
      a = p == nullptr || p == &defined_ ? begin_ + (number(a) + 1) * page_bytes : a + 1;
    }
    return std::min(a, end);
  };
  const uint64_t begin = skip(address, false);
  return {begin, skip(begin, true)};
}

void memory_shadow::tidy() {
  for (uint64_t n = 0; n < pages_.size(); ++n) {
    page* p = pages_[n];
    if (p == nullptr || p == &defined_) continue;
    if (std::all_of(p->bits, p->bits + page_bytes, [](uint8_t b) { return b == 0; })) drop(n, &defined_);
  }
}

void lds_shadow::begin(uint32_t bytes) {
  bits_.assign(bytes, 0xff);
  lines_.assign((bytes + line_bytes - 1) / line_bytes, line::partly);
  from_.assign(bytes / 4 + 1, 0);
}

void lds_shadow::load(uint64_t offset, uint32_t bytes, uint8_t* bits) const {
  std::memset(bits, 0, bytes);
  if (offset < bits_.size()) std::memcpy(bits, &bits_[offset], std::min<uint64_t>(bytes, bits_.size() - offset));
}

namespace {

// Calls f(number of bytes as a constant).
template <class F>
void with_size(uint32_t bytes, F f) {
  switch (bytes) {
    case 4:
      return f(std::integral_constant<uint32_t, 4>());
    case 8:
      return f(std::integral_constant<uint32_t, 8>());
    case 12:
      return f(std::integral_constant<uint32_t, 12>());
    default:
      return f(std::integral_constant<uint32_t, 16>());
  }
}

}  // namespace

void lds_shadow::change(uint64_t offset, uint64_t bytes) {
  for (uint64_t n = offset / line_bytes; n <= (offset + bytes - 1) / line_bytes; ++n) lines_[n] = line::changed;
}

// All of these lines that exist, by the numbers of the first and the last.
bool lds_shadow::lines_defined(uint64_t first, uint64_t last) {
  last = std::min<uint64_t>(last + 1, lines_.size());
  for (uint64_t n = first; n < last; ++n) {
    if (lines_[n] == line::changed) {
      const auto begin = bits_.begin() + static_cast<ptrdiff_t>(n * line_bytes);
      const auto end = bits_.begin() + static_cast<ptrdiff_t>(std::min<uint64_t>((n + 1) * line_bytes, bits_.size()));
      uint8_t some = 0;
      for (auto k = begin; k < end; ++k) some |= *k;
      lines_[n] = some == 0 ? line::whole : line::partly;
    }
    if (lines_[n] == line::partly) return false;
  }
  return true;
}

bool lds_shadow::defined(const uint64_t* offset, uint32_t beyond, uint32_t bytes, uint64_t lanes) {
  if (lanes == ~uint64_t{0}) {  // mostly all lanes are in one piece, whose size is a power of two
    uint32_t differ = 0;
    const auto first = static_cast<uint32_t>(offset[0]);
    for (int l = 0; l < isa::wave_size; ++l) differ |= static_cast<uint32_t>(offset[l]) ^ first;
    const uint32_t within = differ == 0 ? 0 : ~uint32_t{0} >> __builtin_clz(differ);
    const uint64_t low = uint64_t{first & ~within} + beyond;
    if (low + within < UINT32_MAX && lines_defined(low / line_bytes, (low + within + bytes - 1) / line_bytes))
      return true;
  }
  const uint64_t size = bits_.size();
  uint64_t some = 0;
  with_size(bytes, [&](auto n) {
    for_each_lane(lanes, [&](uint32_t l) {
      const uint64_t at = static_cast<uint32_t>(offset[l] + beyond);
      if (at + n > size) {
        for (uint64_t k = at; k < size; ++k) some |= bits_[k];
        return;
      }
      uint32_t bits[n / 4];
      std::memcpy(bits, &bits_[at], n);
      for (const uint32_t dword : bits) some |= dword;
    });
  });
  return some == 0;
}

void lds_shadow::define(const uint64_t* offset, uint32_t beyond, uint32_t bytes, uint64_t lanes) {
  const uint64_t size = bits_.size();
  with_size(bytes, [&](auto n) {
    for_each_lane(lanes, [&](uint32_t l) {
      const uint64_t at = static_cast<uint32_t>(offset[l] + beyond);
      if (at >= size) return;
      if (at + n <= size)
        std::memset(&bits_[at], 0, n);
      else
        std::memset(&bits_[at], 0, size - at);
      change(at, std::min<uint64_t>(n, size - at));
    });
  });
}

void lds_shadow::store(uint64_t offset, uint32_t bytes, const uint8_t* bits, origin from) {
  if (offset >= bits_.size() || bytes == 0) return;
  const uint64_t n = std::min<uint64_t>(bytes, bits_.size() - offset);
  std::memcpy(&bits_[offset], bits, n);
  change(offset, n);
  if (std::any_of(bits, bits + n, [](uint8_t b) { return b != 0; }))
    std::fill(from_.begin() + offset / 4, from_.begin() + (offset + n + 3) / 4, from);
}

}  // namespace pws::check::init
