// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstring>

#include "base/error.h"
#include "models/isa/code/decode.h"
#include "platform/wcet/stated_bounds.h"

namespace pws::platform {

namespace {

// Words of the kernel's code: as far as the assembly, its symbol, or its segment says.
size_t words_of(const loader::program_image& program, const loader::kernel& kernel, const source_lines& lines) {
  if (lines.known()) return lines.words();
  for (const loader::code_object& o : program.code_objects()) {
    const loader::image image = o.load(0);
    for (const loader::kernel& k : o.kernels()) {
      if (&k != &kernel) continue;
      for (const loader::symbol& s : image.symbols)
        if (s.address == k.entry_offset && s.size != 0) return s.size / 4;
      for (const loader::extent& e : image.extents)
        if (e.begin <= k.entry_offset && k.entry_offset < e.end) return (e.end - k.entry_offset) / 4;
    }
  }
  throw input_error(fmt::format("kernel {}: the end of its code is not known", kernel.demangled));
}

// As the program was loaded, which is what the machine executes: a store to where the code lies does not change it.
std::vector<uint32_t> code_at(const device_layout& layout, const loader::program_image& program, uint64_t entry,
                              size_t words, const std::string& kernel) {
  std::vector<uint32_t> out(words);
  const std::vector<loader::image>* images = layout.images(program);
  for (size_t k = 0; images != nullptr && k < images->size(); ++k) {
    const loader::image& image = (*images)[k];
    if (entry < image.base || entry - image.base > image.bytes.size()) continue;
    const uint64_t offset = entry - image.base;
    if (words > (image.bytes.size() - offset) / 4) break;
    std::memcpy(out.data(), image.bytes.data() + offset, words * 4);
    return out;
  }
  throw input_error(fmt::format("kernel {}: its code is not loaded", kernel));
}

// The words of an instruction; one where the code ends behind it.
std::vector<uint32_t> instruction_at(const device_layout& layout, const loader::program_image& program, uint64_t pc,
                                     const std::string& kernel) {
  try {
    return code_at(layout, program, pc, 2, kernel);
  } catch (const input_error&) {
    return code_at(layout, program, pc, 1, kernel);
  }
}

}  // namespace

launched_code read_code(const device_layout& layout, const kernel_launch& launch) {
  const loader::kernel& kernel = *launch.kernel.kernel;
  launched_code c;
  const std::string assembly(launch.kernel.program->find_kernel(kernel.metadata.name).object->assembly());
  c.lines = assembly.empty() ? std::make_shared<const source_lines>()
                             : std::make_shared<const source_lines>(assembly, launch.source, kernel.metadata.name);
  const uint64_t entry = launch.kernel.entry();
  const std::vector<uint32_t> words = code_at(layout, *launch.kernel.program, entry,
                                              words_of(*launch.kernel.program, kernel, *c.lines), kernel.demangled);
  try {
    c.own = cfg::decode_function(kernel.demangled, words.data(), words.size(), entry);
  } catch (const program_error& e) {
    throw input_error(fmt::format("kernel {}: {}", kernel.demangled, e.what()));
  }
  c.lines->require_same(c.own);
  const auto instruction = [&](uint64_t pc) {
    const std::vector<uint32_t> of_it = instruction_at(layout, *launch.kernel.program, pc, kernel.demangled);
    return isa::decode(of_it.data(), static_cast<unsigned>(of_it.size()), pc);
  };
  const auto place = [&](uint64_t pc) {
    const cfg::source_place at = c.lines->place(pc - entry);
    return at.line == 0 ? "" : fmt::format("{}:{}: ", at.file, at.line);
  };
  c.inlined = cfg::inline_calls(c.own, instruction, place);
  return c;
}

}  // namespace pws::platform
