// SPDX-License-Identifier: Apache-2.0
#include "models/isa/code/program.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>

#include "base/error.h"
#include "models/isa/code/decode.h"

namespace pws::isa {

namespace {

std::atomic<uint64_t> programs{0};

}  // namespace

program::program(const uint32_t* words, uint64_t begin, uint64_t n_words)
    : words_(words), begin_(begin), number_(programs++), cache_(n_words) {}

const inst& program::decode_at(uint64_t pc) {
  if ((pc & 3) != 0) throw program_error(fmt::format("program counter 0x{:x} is not a multiple of 4", pc));
  const uint64_t slot = (pc - begin_) >> 2;
  if (pc < begin_ || slot >= cache_.size())
    throw program_error(fmt::format("program counter 0x{:x} is outside the code [0x{:x},0x{:x})", pc, begin_, end()));
  const auto readable = static_cast<unsigned>(std::min<uint64_t>(2, cache_.size() - slot));
  cache_[slot] = decode(words_ + slot, readable, pc);
  return cache_[slot];
}

}  // namespace pws::isa
