// SPDX-License-Identifier: Apache-2.0
#include "platform/sweep/fingerprint.h"

#include <elf.h>

#include "base/version.h"
#include "sw/loader/elf_file.h"

namespace pws::platform::sweep {

void fingerprint::add_program(const std::filesystem::path& file) {
  const std::vector<uint8_t> bytes = loader::read_file(file);
  const loader::elf_file elf({bytes.data(), bytes.size(), file.string()});
  for (const loader::elf_section& s : elf.sections()) {
    if ((s.flags & SHF_ALLOC) == 0 || s.type == SHT_NOTE || s.name == commit_section) continue;
    add(s.name);
    const loader::byte_view contents = elf.contents(s);
    add(contents.data(), contents.size());
  }
}

}  // namespace pws::platform::sweep
