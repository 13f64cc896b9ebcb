// SPDX-License-Identifier: Apache-2.0
#include "tests/debug/compiled_code.h"

#include <elf.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <random>

#include "sw/loader/elf_file.h"
#include "sw/loader/hip_compiler.h"
#include "sw/loader/subprocess.h"

namespace pws::test {

code_bytes compiled(const std::string& source, const std::vector<std::string>& flags, const std::string& name) {
  const loader::temporary_directory folder;
  const auto file = folder.path() / name;
  std::ofstream(file) << source;
  loader::compile_options options;
  options.flags = flags;
  options.flags.push_back("-ffile-prefix-map=" + folder.path().string() + "=.");
  options.use_cache = false;
  return loader::hip_compiler(options).compile(file).code_object;
}

uint64_t address_of(const code_bytes& code, const std::string& function) {
  const loader::elf_file elf({code.data(), code.size(), "code"});
  for (const loader::elf_section& table : elf.sections())
    if (table.type == SHT_SYMTAB)
      for (const loader::elf_symbol& s : elf.symbols(table))
        if (s.type == STT_FUNC && s.name == function) return s.value;
  ADD_FAILURE() << "no function " << function;
  return 0;
}

unsigned read_damaged(const code_bytes& whole, const std::function<bool(const code_bytes&)>& read) {
  constexpr size_t beginnings = 300;
  constexpr unsigned copies = 600;
  for (size_t n = 0; n < whole.size(); n += whole.size() / beginnings)
    read({whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(n)});
  std::mt19937_64 random(1);
  unsigned found = 0;
  for (unsigned n = 0; n < copies; ++n) {
    code_bytes code = whole;
    // Mostly beyond the machine code, where names and numbers of the entries are.
    const size_t quarter = code.size() / 4;
    for (unsigned k = 0; k <= n % 8; ++k)
      code[quarter + random() % (code.size() - quarter)] = static_cast<uint8_t>(random());
    found += read(code) ? 1 : 0;
  }
  return found;
}

bool is_printable(const std::string& name) {
  return std::all_of(name.begin(), name.end(), [](unsigned char c) { return c >= ' ' && c != 0x7f; });
}

}  // namespace pws::test
