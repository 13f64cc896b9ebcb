// SPDX-License-Identifier: Apache-2.0
#include "tests/check/mutation/wait_mutants.h"

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "base/error.h"
#include "models/isa/code/decode.h"

namespace pws::test {

namespace {

constexpr uint64_t base = uint64_t{1} << 32;
constexpr uint32_t nop = 0xbf800000;

uint32_t wait_word(const isa::waitcnt_fields& w) {
  return 0xbf8c0000u | static_cast<uint32_t>(w.lgkmcnt) << 8 | static_cast<uint32_t>(w.expcnt) << 4 | w.vmcnt;
}

}  // namespace

const char* name_of(mutation m) {
  switch (m) {
    case mutation::vmcnt_plus_one:
      return "vmcnt + 1";
    case mutation::lgkmcnt_plus_one:
      return "lgkmcnt + 1";
    default:
      return "removed";
  }
}

std::vector<wait_mutant> mutants_of(const loader::code_object& code, const std::string& kernel) {
  const loader::program_image whole(code.name(), loader::program_kind::code_object, {code});
  const loader::image image = whole.load(base).front();
  const auto& kernels = code.kernels();
  const auto k =
      std::find_if(kernels.begin(), kernels.end(), [&](const loader::kernel& x) { return x.metadata.name == kernel; });
  if (k == kernels.end()) throw std::runtime_error(code.name() + " has no kernel " + kernel);
  const auto first = image.bytes.begin() + static_cast<std::ptrdiff_t>(k->entry_offset);
  const auto end = first + static_cast<std::ptrdiff_t>(k->code_size);
  const std::vector<uint8_t>& file = code.file_bytes();
  const auto in_file = std::search(file.begin(), file.end(), first, end);
  if (k->code_size < 8 || in_file == file.end())
    throw std::runtime_error("the code of " + kernel + " is not in the file");

  std::vector<uint32_t> words(k->code_size / 4);
  std::memcpy(words.data(), &*first, 4 * words.size());
  std::vector<wait_mutant> all;
  for (size_t at = 0; at < words.size();) {
    isa::inst i;
    try {
      i = isa::decode(&words[at], static_cast<unsigned>(words.size() - at), base + k->entry_offset + 4 * at);
    } catch (const program_error&) {
      ++at;  // padding
      continue;
    }
    if (i.unit == isa::unit::waitcnt) {
      wait_mutant m;
      m.offset = 4 * at;
      m.file_offset = static_cast<uint64_t>(in_file - file.begin()) + 4 * at;
      m.wait = isa::disassemble(i);
      m.word = nop;
      all.push_back(m);
      const isa::waitcnt_fields w = isa::waitcnt(i);
      isa::waitcnt_fields weaker = w;
      if (w.vmcnt < 15) {
        ++weaker.vmcnt;
        m.kind = mutation::vmcnt_plus_one;
        m.word = wait_word(weaker);
        all.push_back(m);
      }
      weaker = w;
      if (w.lgkmcnt < 15) {
        ++weaker.lgkmcnt;
        m.kind = mutation::lgkmcnt_plus_one;
        m.word = wait_word(weaker);
        all.push_back(m);
      }
    }
    at += i.dwords;
  }
  return all;
}

loader::program_image mutated(const loader::code_object& code, const wait_mutant& m) {
  std::vector<uint8_t> bytes = code.file_bytes();
  std::memcpy(&bytes.at(m.file_offset), &m.word, sizeof m.word);
  return loader::read_program(bytes, code.name());
}

}  // namespace pws::test
