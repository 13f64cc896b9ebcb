// SPDX-License-Identifier: Apache-2.0
#include "platform/config/files/saved_buffer.h"

#include <fmt/format.h>

#include <cmath>

namespace pws::platform {

namespace {

std::string number_text(element_type type, uint64_t bits) {
  if (is_real(type) && std::isnan(real_value(type, bits))) return "nan";  // whatever its sign
  return text_of(type, bits);
}

std::string npy_header(element_type type, uint64_t count) {
  const char kind = is_real(type) ? 'f' : is_signed(type) ? 'i' : 'u';
  const char order = size_of(type) == 1 ? '|' : '<';
  std::string text =
      fmt::format("{{'descr': '{}{}{}', 'fortran_order': False, 'shape': ({},), }}", order, kind, size_of(type), count);
  // Magic, version and length are 10 bytes; what follows the header begins at a multiple of 64.
  constexpr size_t before = 10, align = 64;
  text.append((align - (before + text.size() + 1) % align) % align, ' ');
  text += '\n';
  std::string header("\x93NUMPY\x01\x00", 8);
  header += static_cast<char>(text.size() & 0xff);
  header += static_cast<char>(text.size() >> 8);
  return header + text;
}

}  // namespace

std::string file_contents(const save_config& save, element_type type, const std::vector<uint8_t>& memory) {
  const uint64_t count = memory.size() / size_of(type);
  if (save.format == save_format::csv) {
    std::string text = save.buffer + "\n";
    for (uint64_t k = 0; k < count; ++k)
      text += number_text(type, load_element(type, memory.data() + k * size_of(type))) + "\n";
    return text;
  }
  std::string bytes = save.format == save_format::npy ? npy_header(type, count) : "";
  bytes.append(memory.begin(), memory.end());
  return bytes;
}

}  // namespace pws::platform
