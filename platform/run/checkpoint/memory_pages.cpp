// SPDX-License-Identifier: Apache-2.0
#include "platform/run/checkpoint/memory_pages.h"

#include <algorithm>
#include <cstring>

namespace pws::platform {

namespace {

constexpr uint64_t page = 4096, word = sizeof(uint32_t);

// Pages that follow one another.
struct piece {
  uint64_t pages = 0;
  bool repeats = false;  // all of them one word
  uint32_t pattern = 0;
};

uint32_t word_at(const uint8_t* p) {
  uint32_t w = 0;
  std::memcpy(&w, p, sizeof w);
  return w;
}

// A page is its first word over and over if it is the same when it is moved by a word.
bool repeats(const uint8_t* p, uint64_t bytes) {
  return bytes % word == 0 && std::memcmp(p, p + word, bytes - word) == 0;
}

bool is_pattern(const uint8_t* p, uint64_t bytes, uint32_t pattern) {
  return word_at(p) == pattern && repeats(p, bytes);
}

piece piece_at(const uint8_t* p, uint64_t pages) {
  piece found{0, repeats(p, page), word_at(p)};
  for (; found.pages < pages; ++found.pages) {
    const uint8_t* const next = p + found.pages * page;
    if (found.repeats ? !is_pattern(next, page, found.pattern) : repeats(next, page)) break;
  }
  return found;
}

void restore_pattern(models::dram& memory, uint64_t offset, const piece& n) {
  for (uint64_t k = 0; k < n.pages;) {
    const uint8_t* const first = memory.storage() + offset;
    uint64_t end = k;
    while (end < n.pages && !is_pattern(first + end * page, page, n.pattern)) ++end;
    if (end != k) memory.fill(memory.base() + offset + k * page, (end - k) * page, n.pattern);
    k = end + 1;
  }
}

}  // namespace

void keep_memory(state_archive& a, models::dram& memory, uint64_t bytes) {
  a.section("device memory");
  a.same(bytes, "size of device memory in use");
  const uint64_t pages = bytes / page;
  for (uint64_t done = 0; done < pages;) {
    uint8_t* const at = memory.storage() + done * page;
    piece n;
    if (!a.restores()) n = piece_at(at, pages - done);
    a(n.pages, n.repeats, n.pattern);
    if (n.pages == 0 || n.pages > pages - done) throw bad_state("a piece of device memory has no such size");
    if (!n.repeats)
      a.bytes(at, n.pages * page);
    else if (a.restores())
      restore_pattern(memory, done * page, n);
    done += n.pages;
  }
}

}  // namespace pws::platform
