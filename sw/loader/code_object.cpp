// SPDX-License-Identifier: Apache-2.0
#include "sw/loader/code_object.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <utility>

#include "base/error.h"
#include "base/round_up.h"
#include "sw/loader/names.h"
#include "sw/loader/offload_bundle.h"

namespace pws::loader {

namespace {

// LLVM "User Guide for AMDGPU Backend", "ELF Code Object".
constexpr uint8_t os_abi_amdgpu_hsa = 64;
constexpr uint32_t nt_amdgpu_metadata = 32;
constexpr uint32_t mach_mask = 0xff;
constexpr uint32_t mach_gfx803 = 0x2a;
constexpr uint64_t descriptor_alignment = 64;
constexpr uint64_t entry_alignment = 256;
constexpr uint64_t largest_segment_alignment = uint64_t{1} << 20;
constexpr uint64_t largest_metadata = uint64_t{64} << 20;

isa::kernel_descriptor parse_descriptor(const byte_view& segment, uint64_t offset) {
  const byte_view d = segment.slice(offset, isa::kernel_descriptor::size, "kernel descriptor");
  try {
    return isa::kernel_descriptor::parse(d.data(), d.size());
  } catch (const input_error& e) {
    d.fail(0, e.what());
  }
}

std::string machine_name(uint16_t machine) {
  switch (machine) {
    case EM_386:
      return "x86";
    case EM_X86_64:
      return "x86-64";
    case EM_AARCH64:
      return "AArch64";
    case EM_RISCV:
      return "RISC-V";
    case EM_CUDA:
      return "NVIDIA CUDA";
    default:
      return fmt::format("ELF machine {}", machine);
  }
}

// EF_AMDGPU_MACH values, for the message that refuses them.
std::string processor_name(uint32_t mach) {
  static constexpr std::pair<uint32_t, const char*> names[] = {
      {0x20, "gfx600"},  {0x21, "gfx601"},  {0x3a, "gfx602"},  {0x22, "gfx700"},  {0x23, "gfx701"},  {0x24, "gfx702"},
      {0x25, "gfx703"},  {0x26, "gfx704"},  {0x3b, "gfx705"},  {0x28, "gfx801"},  {0x29, "gfx802"},  {0x2a, "gfx803"},
      {0x2b, "gfx810"},  {0x3c, "gfx805"},  {0x2c, "gfx900"},  {0x2d, "gfx902"},  {0x2e, "gfx904"},  {0x2f, "gfx906"},
      {0x30, "gfx908"},  {0x31, "gfx909"},  {0x32, "gfx90c"},  {0x3f, "gfx90a"},  {0x40, "gfx940"},  {0x33, "gfx1010"},
      {0x34, "gfx1011"}, {0x35, "gfx1012"}, {0x42, "gfx1013"}, {0x36, "gfx1030"}, {0x37, "gfx1031"}, {0x38, "gfx1032"},
      {0x39, "gfx1033"}, {0x3e, "gfx1034"}, {0x3d, "gfx1035"}, {0x45, "gfx1036"}, {0x41, "gfx1100"}, {0x46, "gfx1101"},
      {0x47, "gfx1102"}, {0x44, "gfx1103"}};
  for (const auto& [value, name] : names) {
    if (value == mach) return name;
  }
  return fmt::format("an unknown processor (e_flags mach {:#x})", mach);
}

// Sections may share bytes of the file, but reading the same bytes once per section would let a small file take any
// amount of time and memory.
class overlap_guard {
 public:
  explicit overlap_guard(const byte_view& file) : file_(file) {}
  void add(const elf_section& section, const char* what) {
    if (section.size > file_.size() - total_)
      file_.fail(section.offset, fmt::format("sections of {} overlap: together they are larger than the file", what));
    total_ += section.size;
  }

 private:
  const byte_view& file_;
  uint64_t total_ = 0;
};

// Symbols of one kind by name; of several with one name, the first.
class name_map {
 public:
  name_map(const std::vector<symbol>& symbols, symbol_kind kind) {
    for (const symbol& s : symbols)
      if (s.kind == kind) by_name_.emplace(s.name, &s);
  }
  const symbol* find(std::string_view name) const {
    const auto it = by_name_.find(name);
    return it == by_name_.end() ? nullptr : it->second;
  }

 private:
  std::map<std::string_view, const symbol*> by_name_;
};

}  // namespace

code_object::code_object(std::vector<uint8_t> bytes, std::string name)
    : bytes_(std::move(bytes)), name_(std::move(name)) {
  const byte_view file = view();
  const elf_file elf(file);
  check_header(elf);
  read_segments(elf);
  read_symbols(elf);
  read_note(elf);
  read_kernels(file);
  read_relocations(elf);
  read_assembly(elf);
}

void code_object::check_header(const elf_file& elf) {
  const elf_header& h = elf.header();
  const byte_view& file = elf.bytes();
  if (h.machine != EM_AMDGPU) {
    file.fail(offsetof(Elf64_Ehdr, e_machine),
              fmt::format("is for {}, not a GPU code object (ELF machine {})", machine_name(h.machine), EM_AMDGPU));
  }
  if (h.os_abi != os_abi_amdgpu_hsa) {
    file.fail(EI_OSABI,
              fmt::format("code object has OS ABI {}, expected {} (AMDGPU HSA)", h.os_abi, os_abi_amdgpu_hsa));
  }
  constexpr uint8_t first_abi = 1;  // code object v3
  constexpr uint8_t last_abi = 3;   // v5
  if (h.abi_version < first_abi || h.abi_version > last_abi) {
    file.fail(EI_ABIVERSION, fmt::format("code object version {} (ABI version {}), this machine reads 3 to 5",
                                         h.abi_version + 2, h.abi_version));
  }
  version_ = h.abi_version + 2u;
  if ((h.flags & mach_mask) != mach_gfx803) {
    file.fail(offsetof(Elf64_Ehdr, e_flags), fmt::format("code object is for {}, this machine runs {}",
                                                         processor_name(h.flags & mach_mask), machine_processor));
  }
  if (h.type == ET_REL) file.fail("code object is relocatable, not linked; link it with ld.lld -shared");
  if (h.type != ET_DYN) {
    file.fail(offsetof(Elf64_Ehdr, e_type),
              fmt::format("code object has ELF type {}, expected {} (DYN)", h.type, ET_DYN));
  }
  if (elf.sections().empty()) file.fail("code object has no section headers (was it stripped of them?)");
}

void code_object::read_segments(const elf_file& elf) {
  const byte_view& file = elf.bytes();
  for (size_t i = 0; i < elf.segments().size(); ++i) {
    const elf_segment& s = elf.segments()[i];
    if (s.type != PT_LOAD) continue;
    const std::string what = fmt::format("segment {}", i);
    file.slice(s.offset, s.file_size, what);
    if (s.file_size > s.memory_size) {
      file.fail(s.offset,
                fmt::format("{} has {} bytes in the file but {} in memory", what, s.file_size, s.memory_size));
    }
    if (s.vaddr > max_image_bytes || s.memory_size > max_image_bytes - s.vaddr) {
      file.fail(s.offset, fmt::format("{} (address {:#x}, {} bytes) is beyond the limit of {} bytes", what, s.vaddr,
                                      s.memory_size, max_image_bytes));
    }
    const uint64_t align = std::max<uint64_t>(s.align, 1);
    if ((align & (align - 1)) != 0 || align > largest_segment_alignment) {
      file.fail(s.offset, fmt::format("{} has the alignment {}", what, s.align));
    }
    if (!segments_.empty() && s.vaddr < segments_.back().vaddr + segments_.back().memory_size) {
      file.fail(s.offset, fmt::format("{} at address {:#x} overlaps the segment before it", what, s.vaddr));
    }
    alignment_ = std::max(alignment_, align);
    if (s.memory_size != 0) segments_.push_back(s);
  }
  if (segments_.empty()) file.fail("code object has nothing to load (no PT_LOAD segment)");
  image_size_ = segments_.back().vaddr + segments_.back().memory_size;
}

void code_object::read_symbols(const elf_file& elf) {
  // .symtab has the local symbols too, but may have been stripped; .dynsym repeats its global ones.
  std::set<std::pair<std::string, uint64_t>> seen;
  std::set<uint32_t> types;
  for (const elf_section& table : elf.sections()) {
    if (table.type != SHT_SYMTAB && table.type != SHT_DYNSYM) continue;
    if (!types.insert(table.type).second) elf.bytes().fail(table.offset, "has a second symbol table of the same kind");
    std::vector<elf_symbol> entries = elf.symbols(table);
    if (table.type == SHT_DYNSYM) dynamic_symbols_ = entries;
    for (elf_symbol& s : entries) {
      if (s.type != STT_FUNC && s.type != STT_OBJECT) continue;
      if (s.section == SHN_UNDEF || s.section == SHN_ABS || s.name.empty()) continue;
      if (segment_at(segments_, s.value, s.size) == nullptr) {
        elf.bytes().fail(table.offset, fmt::format("symbol {} (address {:#x}, {} bytes) is outside every segment",
                                                   in_quotes(s.name), s.value, s.size));
      }
      if (!seen.emplace(s.name, s.value).second) continue;
      constexpr std::string_view suffix = ".kd";
      const bool is_descriptor =
          s.name.size() > suffix.size() && s.name.compare(s.name.size() - suffix.size(), suffix.size(), suffix) == 0;
      symbol out;
      out.kind = s.type == STT_FUNC ? symbol_kind::function
                 : is_descriptor    ? symbol_kind::kernel_descriptor
                                    : symbol_kind::variable;
      out.demangled = is_descriptor ? s.name : demangle(s.name);
      out.name = std::move(s.name);
      out.address = s.value;
      out.size = s.size;
      out.is_global = s.binding != STB_LOCAL;
      symbols_.push_back(std::move(out));
    }
  }
  std::stable_sort(symbols_.begin(), symbols_.end(),
                   [](const symbol& a, const symbol& b) { return a.address < b.address; });
}

void code_object::read_note(const elf_file& elf) {
  const byte_view& file = elf.bytes();
  bool found = false;
  overlap_guard overlaps(file);
  for (const elf_section& section : elf.sections()) {
    if (section.type != SHT_NOTE) continue;
    const byte_view notes = elf.contents(section);
    overlaps.add(section, "notes");
    const std::string what = "note in section " + in_quotes(section.name);
    uint64_t at = 0;
    while (at < notes.size()) {
      const auto name_bytes = notes.read<uint32_t>(at, what);
      const auto content_bytes = notes.read<uint32_t>(at + 4, what);
      const auto type = notes.read<uint32_t>(at + 8, what);
      const byte_view owner = notes.slice(at + 12, name_bytes, "owner of " + what);
      const uint64_t content_at = at + 12 + round_up(name_bytes, 4);
      const byte_view content = notes.slice(content_at, content_bytes, "content of " + what);
      constexpr std::string_view amdgpu("AMDGPU\0", 7);
      const bool is_ours =
          owner.size() == amdgpu.size() && std::memcmp(owner.data(), amdgpu.data(), amdgpu.size()) == 0;
      if (is_ours && type == nt_amdgpu_metadata) {
        if (found) content.fail(0, "has a second AMDGPU metadata note");
        if (content.size() > largest_metadata) content.fail(0, "has an AMDGPU metadata note of more than 64 MiB");
        metadata_ = read_metadata(content);
        found = true;
      }
      at = content_at + round_up(content_bytes, 4);
    }
  }
  if (!found) file.fail("code object has no AMDGPU metadata note (assembly needs an .amdgpu_metadata block)");
  const std::string& target = metadata_.target;
  if (!target.empty() && !targets_processor("hip-" + target, machine_processor)) {
    file.fail(
        fmt::format("metadata note says the target is {}, this machine runs {}", in_quotes(target), machine_processor));
  }
}

void code_object::read_kernels(const byte_view& file) {
  std::set<std::string> names;
  const name_map descriptors(symbols_, symbol_kind::kernel_descriptor), functions(symbols_, symbol_kind::function);
  for (const kernel_metadata& m : metadata_.kernels) {
    kernel k;
    k.metadata = m;
    k.demangled = demangle(m.name);
    const std::string what = "kernel " + in_quotes(m.name);
    if (!names.insert(m.name).second) file.fail(what + " is in the metadata note twice");
    const symbol* descriptor = descriptors.find(m.symbol);
    if (descriptor == nullptr) {
      file.fail(fmt::format("{} has no kernel descriptor: symbol {} is missing", what, in_quotes(m.symbol)));
    }
    k.descriptor_offset = descriptor->address;
    if (descriptor->size != isa::kernel_descriptor::size) {
      file.fail(fmt::format("kernel descriptor {} has {} bytes, expected {}", in_quotes(m.symbol), descriptor->size,
                            isa::kernel_descriptor::size));
    }
    if (descriptor->address % descriptor_alignment != 0) {
      file.fail(fmt::format("kernel descriptor {} at {:#x} is not aligned to {} bytes", in_quotes(m.symbol),
                            descriptor->address, descriptor_alignment));
    }
    const elf_segment* const holder = segment_at(segments_, descriptor->address, 1);
    const byte_view contents = file.slice(holder->offset, holder->file_size, "segment");
    k.descriptor = parse_descriptor(contents, descriptor->address - holder->vaddr);
    // Offsets from a damaged file may wrap; the check below is on the wrapped address.
    k.entry_offset = descriptor->address + static_cast<uint64_t>(k.descriptor.entry_offset);
    const elf_segment* const code = segment_at(segments_, k.entry_offset, 1);
    const bool in_code = code != nullptr && (code->flags & PF_X) != 0 && k.entry_offset - code->vaddr < code->file_size;
    if (!in_code) file.fail(fmt::format("{} begins at {:#x}, outside the code", what, k.entry_offset));
    if (k.entry_offset % entry_alignment != 0) {
      file.fail(fmt::format("{} begins at {:#x}, not aligned to {} bytes", what, k.entry_offset, entry_alignment));
    }
    const symbol* function = functions.find(m.name);
    if (function != nullptr && function->address == k.entry_offset) k.code_size = function->size;
    kernels_.push_back(std::move(k));
  }
}

void code_object::read_assembly(const elf_file& elf) {
  for (const elf_section& section : elf.sections()) {
    if (section.name != assembly_section || section.type != SHT_PROGBITS) continue;
    assembly_size_ = elf.contents(section).size();
    assembly_offset_ = section.offset;
  }
}

void code_object::read_relocations(const elf_file& elf) {
  overlap_guard overlaps(elf.bytes());
  for (const elf_section& section : elf.sections()) {
    if ((section.flags & SHF_ALLOC) == 0) continue;
    if (section.type == SHT_REL) elf.bytes().fail(section.offset, "has relocations without addends (SHT_REL)");
    if (section.type != SHT_RELA) continue;
    const std::vector<elf_relocation> entries = elf.relocations(section);
    overlaps.add(section, "relocations");
    if (section.link != SHN_UNDEF) {
      if (section.link >= elf.sections().size() || elf.sections()[section.link].type != SHT_DYNSYM) {
        elf.bytes().fail(section.offset, fmt::format("section {}: its symbol table (section {}) is missing",
                                                     in_quotes(section.name), section.link));
      }
    } else if (std::any_of(entries.begin(), entries.end(), [](const auto& r) { return r.symbol != STN_UNDEF; })) {
      elf.bytes().fail(section.offset,
                       fmt::format("section {}: it names symbols but has no symbol table", in_quotes(section.name)));
    }
    relocations_.insert(relocations_.end(), entries.begin(), entries.end());
  }
}

}  // namespace pws::loader
