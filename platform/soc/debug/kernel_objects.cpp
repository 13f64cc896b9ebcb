// SPDX-License-Identifier: Apache-2.0
#include "platform/soc/debug/kernel_objects.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "base/error.h"

namespace pws::platform {

kernel_objects::kernel_objects(const loader::firmware_image& firmware, const std::vector<std::string>& files) {
  for (const std::string& file : files) named_.push_back(loader::load_program(file));
  for (const loader::firmware_image::segment& s : firmware.segments()) find_in(firmware, s);
  for (const loader::program_image& p : named_)
    for (const loader::code_object& o : p.code_objects()) all_.push_back({&o, o.load(0)});
  for (const loader::code_object& o : found_) all_.push_back({&o, o.load(0)});
}

// A code object is an ELF file for the GPU in the middle of the processor's.
void kernel_objects::find_in(const loader::firmware_image& firmware, const loader::firmware_image::segment& s) {
  const std::string magic(ELFMAG, SELFMAG);
  for (auto at = s.bytes.begin();; ++at) {
    at = std::search(at, s.bytes.end(), magic.begin(), magic.end());
    if (static_cast<size_t>(s.bytes.end() - at) < sizeof(Elf64_Ehdr)) return;
    Elf64_Ehdr header;
    std::memcpy(&header, &*at, sizeof header);
    if (header.e_machine != EM_AMDGPU) continue;
    const uint64_t address = s.address + static_cast<uint64_t>(at - s.bytes.begin());
    try {
      // What is behind it does not matter: everything in the file is found from its header.
      loader::code_object o({at, s.bytes.end()}, fmt::format("{}, kernels at {:#x}", firmware.name(), address));
      o.load(0);
      found_.push_back(std::move(o));
    } catch (const input_error&) {  // it is damaged, or for another GPU, and nothing that this one could execute
    }
  }
}

}  // namespace pws::platform
