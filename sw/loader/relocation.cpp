// SPDX-License-Identifier: Apache-2.0
#include "sw/loader/relocation.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

#include "base/error.h"

namespace pws::loader {

namespace {

// The calculation's value: symbol + addend, that minus the place, or base + addend; and the bits of it that are stored.
enum class formula : uint8_t { absolute, relative, based };
enum class part : uint8_t { all64, low32, high32, unsigned32, signed32 };

struct relocation_row {
  uint32_t type;
  const char* name;
  formula value;
  part stored;
};

constexpr std::array rows{
    relocation_row{1, "R_AMDGPU_ABS32_LO", formula::absolute, part::low32},
    relocation_row{2, "R_AMDGPU_ABS32_HI", formula::absolute, part::high32},
    relocation_row{3, "R_AMDGPU_ABS64", formula::absolute, part::all64},
    relocation_row{4, "R_AMDGPU_REL32", formula::relative, part::signed32},
    relocation_row{5, "R_AMDGPU_REL64", formula::relative, part::all64},
    relocation_row{6, "R_AMDGPU_ABS32", formula::absolute, part::unsigned32},
    relocation_row{10, "R_AMDGPU_REL32_LO", formula::relative, part::low32},
    relocation_row{11, "R_AMDGPU_REL32_HI", formula::relative, part::high32},
    relocation_row{13, "R_AMDGPU_RELATIVE64", formula::based, part::all64},
};
constexpr uint32_t none_type = 0;  // R_AMDGPU_NONE

[[noreturn]] void fail(const relocation_context& context, const elf_relocation& r, const std::string& problem) {
  throw input_error(
      fmt::format("{}: relocation at file offset {:#x}: {}", context.file.name(), r.file_offset, problem));
}

uint64_t symbol_address(const relocation_context& context, const elf_relocation& r) {
  if (r.symbol >= context.symbols.size()) {
    fail(context, r, fmt::format("names symbol {} of {}", r.symbol, context.symbols.size()));
  }
  const elf_symbol& s = context.symbols[r.symbol];
  if (s.section == SHN_ABS) return s.value;
  if (s.section == SHN_UNDEF) {
    if (r.symbol != STN_UNDEF && s.binding == STB_WEAK) return 0;  // gABI: an undefined weak symbol's value is zero
    fail(context, r,
         r.symbol == STN_UNDEF ? "needs a symbol and names none" : "unresolved symbol " + in_quotes(s.name));
  }
  return context.base + s.value;
}

}  // namespace

void relocate(const relocation_context& context, const elf_relocation& r) {
  if (r.type == none_type) return;
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const relocation_row& x) { return x.type == r.type; });
  if (row == rows.end()) fail(context, r, fmt::format("type {} cannot be applied by a loader", r.type));
  const uint64_t bytes = row->stored == part::all64 ? 8 : 4;
  if (segment_at(context.segments, r.offset, bytes) == nullptr) {
    fail(context, r, fmt::format("{} patches address {:#x}, outside every segment", row->name, r.offset));
  }
  // Unsigned arithmetic wraps as the device's addresses do.
  const auto addend = static_cast<uint64_t>(r.addend);
  uint64_t value = addend;
  switch (row->value) {
    case formula::absolute:
      value += symbol_address(context, r);
      break;
    case formula::relative:
      value += symbol_address(context, r) - (context.base + r.offset);
      break;
    case formula::based:
      value += context.base;
      break;
  }
  const auto as_signed = static_cast<int64_t>(value);
  switch (row->stored) {
    case part::all64:
    case part::low32:
      break;
    case part::high32:
      value >>= 32;
      break;
    case part::unsigned32:
      if (value > std::numeric_limits<uint32_t>::max()) {
        fail(context, r, fmt::format("{}: value {:#x} does not fit 32 bits", row->name, value));
      }
      break;
    case part::signed32:
      if (as_signed < std::numeric_limits<int32_t>::min() || as_signed > std::numeric_limits<int32_t>::max()) {
        fail(context, r, fmt::format("{}: distance {} does not fit 32 bits", row->name, as_signed));
      }
      break;
  }
  std::memcpy(context.image.data() + r.offset, &value, bytes);
}

}  // namespace pws::loader
