// SPDX-License-Identifier: Apache-2.0
// A GPU program as the compiler leaves it: an ELF64 AMDGPU shared object for gfx803, code object version 3 to 5.
// (LLVM "User Guide for AMDGPU Backend", "Code Object")
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "models/isa/abi/kernel_descriptor.h"
#include "sw/loader/elf_file.h"
#include "sw/loader/metadata.h"

namespace pws::loader {

// What a symbol names.
enum class symbol_kind : uint8_t { function, variable, kernel_descriptor };

// A function, variable or kernel descriptor, local ones included. Unnamed things and section symbols are left out.
struct symbol {
  std::string name;       // as in the file
  std::string demangled;  // equal to name for C
  symbol_kind kind = symbol_kind::variable;
  uint64_t address = 0;  // code_object: offset from the base it will be loaded at; image: device address
  uint64_t size = 0;     // bytes; may be 0 for hand-written assembly
  bool is_global = false;
};

// A kernel of a code object.
struct kernel {
  kernel_metadata metadata;
  isa::kernel_descriptor descriptor;
  std::string demangled;           // "axpy(float, float*)"
  uint64_t descriptor_offset = 0;  // of NAME.kd from the base that the code object is loaded at
  uint64_t entry_offset = 0;       // of the first instruction, likewise
  uint64_t code_size = 0;          // bytes of the kernel's own function, 0 if the file does not say
};

// Device addresses [begin, end) of one segment.
struct extent {
  uint64_t begin = 0;
  uint64_t end = 0;
  bool readable = false;
  bool writable = false;
  bool executable = false;
};

// A code object laid out for a device address, relocated, ready to be copied to device memory.
struct image {
  std::string name;             // the file, for messages
  uint64_t base = 0;            // device address of bytes[0]
  std::vector<uint8_t> bytes;   // gaps between segments are zero
  std::vector<extent> extents;  // ascending, not overlapping
  std::vector<symbol> symbols;  // ascending by address

  // The symbol with that name, mangled or demangled; nullptr if there is none. Global symbols win over local ones.
  const symbol* find(std::string_view symbol_name) const;
  // The function or variable that holds the device address (an assembly label without size: that begins there), or
  // nullptr.
  const symbol* at(uint64_t address) const;
};

class code_object {
 public:
  // A larger image is refused: no program here needs it, and a damaged size field should not exhaust the host's memory.
  static constexpr uint64_t max_image_bytes = uint64_t{1} << 30;
  static constexpr uint64_t min_alignment = 4096;

  // Reads and checks everything but the relocations. `name` is what messages call it. Throws input_error.
  code_object(std::vector<uint8_t> bytes, std::string name);

  const std::string& name() const { return name_; }
  unsigned version() const { return version_; }  // 3, 4 or 5
  const std::vector<uint8_t>& file_bytes() const { return bytes_; }
  const code_object_metadata& metadata() const { return metadata_; }
  const std::vector<kernel>& kernels() const { return kernels_; }
  const std::vector<symbol>& symbols() const { return symbols_; }  // ascending by address
  // What it was assembled from, with line tables and marks, if pwscc made it; else empty. For reading, not trusted: the
  // code decides.
  std::string_view assembly() const {
    return {reinterpret_cast<const char*>(bytes_.data()) + assembly_offset_, assembly_size_};
  }
  uint64_t image_size() const { return image_size_; }      // bytes
  uint64_t image_alignment() const { return alignment_; }  // bytes, a power of two, at least min_alignment

  // The kernel with that name: mangled, demangled, or demangled without its parameter list.
  // Throws input_error if there is none (listing the kernels and the nearest name) or several (overloads).
  const kernel& find_kernel(std::string_view kernel_name) const;

  // Lays the segments out at `base` and applies the dynamic relocations. Throws std::invalid_argument if base is not a
  // multiple of image_alignment() or the image would pass the end of the address space, input_error for a bad
  // relocation.
  image load(uint64_t base) const;

 private:
  void check_header(const elf_file& elf);
  void read_segments(const elf_file& elf);
  void read_symbols(const elf_file& elf);
  void read_note(const elf_file& elf);
  void read_kernels(const byte_view& file);
  void read_relocations(const elf_file& elf);
  void read_assembly(const elf_file& elf);
  byte_view view() const { return {bytes_.data(), bytes_.size(), name_}; }

  std::vector<uint8_t> bytes_;
  std::string name_;
  unsigned version_ = 0;
  std::vector<elf_segment> segments_;  // PT_LOAD, ascending
  std::vector<symbol> symbols_;
  std::vector<elf_symbol> dynamic_symbols_;  // what relocations name
  std::vector<elf_relocation> relocations_;
  code_object_metadata metadata_;
  std::vector<kernel> kernels_;
  uint64_t image_size_ = 0;
  uint64_t alignment_ = min_alignment;
  uint64_t assembly_offset_ = 0, assembly_size_ = 0;  // in bytes_
};

// The section that pwscc puts a code object's assembly in.
inline constexpr const char* assembly_section = ".pws.assembly";

// A kernel and where it is; nullptr: there is none.
struct found_kernel {
  const code_object* object = nullptr;
  const loader::kernel* kernel = nullptr;
};
// code_object::find_kernel over several code objects, the translation units of one program; `file` is for the messages.
found_kernel find_kernel(const std::vector<const code_object*>& objects, std::string_view kernel_name,
                         const std::string& file);

}  // namespace pws::loader
