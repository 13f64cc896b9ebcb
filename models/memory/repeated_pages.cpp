// SPDX-License-Identifier: Apache-2.0
#include "models/memory/repeated_pages.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace pws::models {

namespace {

constexpr uint64_t smallest_mapped = 1 << 20;  // below, writing is as cheap
constexpr uint64_t smallest_block = 1 << 20;
constexpr uint64_t most_blocks = 4096;  // the host has some 65,000 mappings for a process

void write_pattern(unsigned char* at, uint64_t bytes, uint32_t pattern) {
  unsigned char of_four[4];
  for (unsigned k = 0; k < 4; ++k) of_four[k] = static_cast<unsigned char>(pattern >> (8 * k));
  for (uint64_t k = 0; k < std::min<uint64_t>(bytes, 4); ++k) at[k] = of_four[k];
  for (uint64_t done = 4; done < bytes;) {  // copies what is there, twice as much each time
    const uint64_t next = std::min(done, bytes - done);
    std::memcpy(at + done, at, next);
    done += next;
  }
}

// A file in memory of so many bytes of the pattern; -1: the host has none.
int file_of(uint64_t bytes, uint32_t pattern) {
  const int file = memfd_create("pattern", MFD_CLOEXEC);
  if (file < 0) return -1;
  void* block = MAP_FAILED;
  if (ftruncate(file, static_cast<off_t>(bytes)) == 0)
    block = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (block == MAP_FAILED) {
    close(file);
    return -1;
  }
  write_pattern(static_cast<unsigned char*>(block), bytes, pattern);
  munmap(block, bytes);
  return file;
}

// Returns how many of the bytes are mapped.
uint64_t map_pattern(unsigned char* at, uint64_t bytes, uint64_t page, uint32_t pattern) {
  const uint64_t block = std::max(smallest_block, (bytes / most_blocks + page) / page * page);
  const int file = file_of(block, pattern);
  if (file < 0) return 0;
  uint64_t done = 0;
  while (done < bytes) {
    const uint64_t next = std::min(block, bytes - done);
    constexpr int flags = MAP_PRIVATE | MAP_FIXED | MAP_NORESERVE;
    if (mmap(at + done, next, PROT_READ | PROT_WRITE, flags, file, 0) == MAP_FAILED) break;
    done += next;
  }
  close(file);
  return done;
}

}  // namespace

void repeat_pattern(unsigned char* at, uint64_t bytes, uint32_t pattern) {
  const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const auto address = reinterpret_cast<uintptr_t>(at);
  const uint64_t before =
      (page - address % page) % page;  // a multiple of 4, so pages begin with the pattern's beginning
  if (bytes < smallest_mapped || bytes < before) return write_pattern(at, bytes, pattern);
  write_pattern(at, before, pattern);
  const uint64_t mapped = map_pattern(at + before, (bytes - before) / page * page, page, pattern);
  write_pattern(at + before + mapped, bytes - before - mapped, pattern);
}

}  // namespace pws::models
