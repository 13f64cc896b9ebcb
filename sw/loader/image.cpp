// SPDX-License-Identifier: Apache-2.0
// Placing a code object in device memory.
#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <stdexcept>

#include "sw/loader/code_object.h"
#include "sw/loader/relocation.h"

namespace pws::loader {

image code_object::load(uint64_t base) const {
  if (base % alignment_ != 0) {
    throw std::invalid_argument(fmt::format("code object base {:#x} is not a multiple of {}", base, alignment_));
  }
  if (base > std::numeric_limits<uint64_t>::max() - image_size_) {
    throw std::invalid_argument(fmt::format("code object of {} bytes does not fit at {:#x}", image_size_, base));
  }
  image out;
  out.name = name_;
  out.base = base;
  out.bytes.resize(image_size_);
  for (const elf_segment& s : segments_) {
    std::copy_n(bytes_.begin() + static_cast<ptrdiff_t>(s.offset), s.file_size,
                out.bytes.begin() + static_cast<ptrdiff_t>(s.vaddr));
    out.extents.push_back({base + s.vaddr, base + s.vaddr + s.memory_size, (s.flags & PF_R) != 0, (s.flags & PF_W) != 0,
                           (s.flags & PF_X) != 0});
  }
  const byte_view file = view();
  const relocation_context context{file, segments_, dynamic_symbols_, out.bytes, base};
  for (const elf_relocation& r : relocations_) relocate(context, r);
  out.symbols = symbols_;
  for (symbol& s : out.symbols) s.address += base;
  return out;
}

const symbol* image::find(std::string_view symbol_name) const {
  const symbol* best = nullptr;
  const auto rank = [&](const symbol& s) {
    const int spelling = s.name == symbol_name ? 4 : s.demangled == symbol_name ? 2 : 0;
    return spelling == 0 ? 0 : spelling + (s.is_global ? 1 : 0);
  };
  for (const symbol& s : symbols) {
    if (rank(s) > (best == nullptr ? 0 : rank(*best))) best = &s;
  }
  return best;
}

const symbol* image::at(uint64_t address) const {
  // Symbols may nest (aliases, labels inside a function), so the last one that holds the address is the closest.
  const auto after = std::upper_bound(symbols.begin(), symbols.end(), address,
                                      [](uint64_t a, const symbol& s) { return a < s.address; });
  for (auto it = std::make_reverse_iterator(after); it != symbols.rend(); ++it) {
    const uint64_t distance = address - it->address;
    if (distance < it->size || distance == 0) return &*it;
  }
  return nullptr;
}

}  // namespace pws::loader
