// SPDX-License-Identifier: Apache-2.0
#include "models/isa/code/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstring>
#include <mutex>
#include <new>
#include <type_traits>

#include "base/error.h"
#include "models/isa/code/decode.h"

namespace pws::isa {

namespace {

std::atomic<uint64_t> programs{0};

inst* zeros(uint64_t n) {
  static_assert(std::is_trivially_copyable_v<inst> && std::is_trivially_destructible_v<inst>);
  void* const p = std::calloc(std::max<uint64_t>(n, 1), sizeof(inst));
  if (p == nullptr) throw std::bad_alloc();
  return static_cast<inst*>(p);
}

}  // namespace

program::program(const uint32_t* words, uint64_t begin, uint64_t n_words)
    : program([words, begin](uint64_t address) { return words[(address - begin) >> 2]; }, begin, n_words) {}

program::program(word_reader read, uint64_t begin, uint64_t n_words)
    : read_(std::move(read)), begin_(begin), number_(programs++), slots_(n_words), cache_(zeros(n_words)) {}

program::program(const program& other)
    : read_(other.read_),
      begin_(other.begin_),
      number_(other.number_),
      slots_(other.slots_),
      cache_(zeros(other.slots_)) {}

const inst& program::decode_at(uint64_t pc) {
  if ((pc & 3) != 0) throw program_error(fmt::format("program counter 0x{:x} is not a multiple of 4", pc));
  const uint64_t slot = (pc - begin_) >> 2;
  if (pc < begin_ || slot >= slots_)
    throw program_error(fmt::format("program counter 0x{:x} is outside the code [0x{:x},0x{:x})", pc, begin_, end()));
  // One for all programs: each instruction comes here once.
  static std::mutex one_at_a_time;
  const std::lock_guard<std::mutex> hold(one_at_a_time);
  if (is_decoded(slot)) return cache_[slot];
  uint32_t words[2] = {read_(pc), 0};
  unsigned readable = 1;
  if (slot + 1 < slots_) try {
      words[1] = read_(pc + 4);
      readable = 2;
    } catch (const program_error&) {
      // memory ends behind the first word
    }
  const inst decoded = decode(words, readable, pc);
  static_assert(offsetof(inst, exec) == 0);
  constexpr size_t rest = sizeof decoded.exec;
  std::memcpy(reinterpret_cast<char*>(&cache_[slot]) + rest, reinterpret_cast<const char*>(&decoded) + rest,
              sizeof decoded - rest);
  decoded_.push_back(slot);
  __atomic_store_n(&cache_[slot].exec, decoded.exec, __ATOMIC_RELEASE);
  return cache_[slot];
}

bool program::holds() const {
  return std::all_of(decoded_.begin(), decoded_.end(), [this](uint64_t slot) {
    const inst& i = cache_[slot];
    return read_(i.pc) == i.raw[0] && (i.dwords < 2 || read_(i.pc + 4) == i.raw[1]);
  });
}

}  // namespace pws::isa
