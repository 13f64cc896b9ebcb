// SPDX-License-Identifier: Apache-2.0
#include "sw/loader/firmware_image.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <utility>

#include "sw/loader/bytes.h"
#include "sw/loader/elf_file.h"

namespace pws::loader {

namespace {

void refuse_others(const elf_file& file) {
  const byte_view& bytes = file.bytes();
  const elf_header& h = file.header();
  if (h.machine != EM_RISCV)
    bytes.fail(offsetof(Elf64_Ehdr, e_machine),
               fmt::format("is for ELF machine {}, and firmware is for RISC-V ({})", h.machine, EM_RISCV));
  if (h.type != ET_EXEC)
    bytes.fail(offsetof(Elf64_Ehdr, e_type),
               fmt::format("is ELF type {}, and firmware is a linked executable ({})", h.type, ET_EXEC));
  if ((h.flags & EF_RISCV_FLOAT_ABI) != EF_RISCV_FLOAT_ABI_SOFT || (h.flags & EF_RISCV_RVE) != 0)
    bytes.fail(offsetof(Elf64_Ehdr, e_flags),
               "passes floating-point numbers in registers that the processor has not, or is for RV64E: compile it "
               "with -march=rv64imac -mabi=lp64");
}

}  // namespace

firmware_image::firmware_image(const std::vector<uint8_t>& bytes, std::string name) : name_(std::move(name)) {
  const byte_view view(bytes.data(), bytes.size(), name_);
  const elf_file file(view);
  refuse_others(file);
  entry_ = file.header().entry;
  bool has_entry = false;
  for (const elf_segment& s : file.segments()) {
    if (s.type != PT_LOAD || s.memory_size == 0) continue;
    const std::string what = fmt::format("segment at {:#x}", s.paddr);
    if (s.file_size > s.memory_size)
      view.fail(fmt::format("{}: {} bytes in the file for {} in memory", what, s.file_size, s.memory_size));
    if (s.memory_size - 1 > ~uint64_t{0} - s.paddr || s.memory_size - 1 > ~uint64_t{0} - s.vaddr)
      view.fail(fmt::format("{}: its {} bytes end beyond all addresses", what, s.memory_size));
    const byte_view content = view.slice(s.offset, s.file_size, what);
    segments_.push_back({s.paddr, s.memory_size, {content.data(), content.data() + content.size()}});
    has_entry = has_entry || ((s.flags & PF_X) != 0 && entry_ - s.vaddr < s.memory_size);
  }
  if (segments_.empty()) view.fail("has nothing to load");
  if (!has_entry)
    view.fail(offsetof(Elf64_Ehdr, e_entry), fmt::format("its entry point {:#x} is in no executable segment", entry_));
  for (const elf_section& table : file.sections()) {
    if (table.type != SHT_SYMTAB) continue;
    for (elf_symbol& s : file.symbols(table)) {
      // Labels of assembly have no type; $x and .L are names of tools.
      const bool is_code =
          s.type == STT_FUNC || (s.type == STT_NOTYPE && !s.name.empty() && s.name[0] != '$' && s.name[0] != '.');
      if (is_code && s.section != SHN_UNDEF && s.section != SHN_ABS)
        functions_.push_back({s.value, s.size, std::move(s.name)});
    }
  }
  std::stable_sort(functions_.begin(), functions_.end(),
                   [](const function& a, const function& b) { return a.begin < b.begin; });
}

std::string firmware_image::name_of(uint64_t address) const {
  const std::string number = fmt::format("{:#x}", address);
  const auto after = std::upper_bound(functions_.begin(), functions_.end(), address,
                                      [](uint64_t a, const function& f) { return a < f.begin; });
  if (after == functions_.begin()) return number;
  const function& f = *std::prev(after);
  const uint64_t offset = address - f.begin;
  if (f.size != 0 && offset >= f.size) return number;
  const bool is_loaded = std::any_of(segments_.begin(), segments_.end(),
                                     [address](const segment& s) { return address - s.address < s.memory_size; });
  if (f.size == 0 && !is_loaded) return number;
  return offset == 0 ? fmt::format("{} ({})", number, f.name) : fmt::format("{} ({}+{:#x})", number, f.name, offset);
}

firmware_image load_firmware(const std::filesystem::path& path) {
  return {read_file(path), path.string()};
}

}  // namespace pws::loader
