// SPDX-License-Identifier: Apache-2.0
#include "sw/loader/program_image.h"

#include <elf.h>
#include <fmt/format.h>

#include <algorithm>

#include "base/round_up.h"
#include "sw/loader/elf_file.h"
#include "sw/loader/offload_bundle.h"

namespace pws::loader {

namespace {

std::vector<code_object> from_bundles(const byte_view& bytes) {
  std::vector<code_object> objects;
  for (const offload_bundle& bundle : read_bundles(bytes)) {
    const byte_view code = entry_for_machine(bundle, bytes).bytes;
    objects.emplace_back(std::vector<uint8_t>(code.data(), code.data() + code.size()), code.name());
  }
  return objects;
}

bool is_bitcode(const byte_view& bytes) {
  constexpr uint32_t magic = 0xdec04342;  // "BC" 0xC0DE
  return bytes.size() >= sizeof magic && bytes.read<uint32_t>(0, "magic") == magic;
}

}  // namespace

program_image::program_image(std::string name, program_kind kind, std::vector<code_object> objects)
    : name_(std::move(name)), kind_(kind), objects_(std::move(objects)) {}

found_kernel program_image::find_kernel(std::string_view kernel_name) const {
  std::vector<const code_object*> objects;
  for (const code_object& o : objects_) objects.push_back(&o);
  return loader::find_kernel(objects, kernel_name, name_);
}

std::vector<found_kernel> program_image::kernels() const {
  std::vector<found_kernel> out;
  for (const code_object& o : objects_) {
    for (const kernel& k : o.kernels()) out.push_back({&o, &k});
  }
  return out;
}

std::vector<image> program_image::load(uint64_t base) const {
  std::vector<image> images;
  uint64_t next = base;
  for (const code_object& o : objects_) {
    images.push_back(o.load(next));
    next = round_up(next + o.image_size(), image_alignment());
  }
  return images;
}

uint64_t program_image::load_size() const {
  uint64_t end = 0;
  for (const code_object& o : objects_) end = round_up(end, image_alignment()) + o.image_size();
  return end;
}

uint64_t program_image::image_alignment() const {
  uint64_t alignment = code_object::min_alignment;
  for (const code_object& o : objects_) alignment = std::max(alignment, o.image_alignment());
  return alignment;
}

program_image read_program(const std::vector<uint8_t>& bytes, const std::string& name) {
  const byte_view file(bytes.data(), bytes.size(), name);
  if (bytes.empty()) file.fail("is empty");
  if (is_offload_bundle(file) || is_compressed_bundle(file)) {
    return {name, program_kind::bundle, from_bundles(file)};
  }
  if (is_bitcode(file)) file.fail(0, "is LLVM bitcode, not a linked code object");
  if (!is_elf(file)) {
    file.fail(
        "is no program: neither a code object, an offload bundle nor a host executable (a source needs the "
        "extension .hip, .cpp or .s)");
  }
  const elf_file elf(file);
  if (elf.header().machine != EM_AMDGPU) {
    return {name, program_kind::host_file, from_bundles(hip_fatbin(file))};
  }
  std::vector<code_object> objects;
  objects.emplace_back(bytes, name);
  return {name, program_kind::code_object, std::move(objects)};
}

program_image load_program(const std::filesystem::path& path, const load_options& options) {
  const std::vector<uint8_t> bytes = read_file(path);
  if (!hip_compiler::is_source(path)) return read_program(bytes, path.string());
  compile_result compiled = hip_compiler(options.compile).compile(path);
  std::vector<code_object> objects;
  objects.emplace_back(std::move(compiled.code_object), path.string());
  return {path.string(), program_kind::source, std::move(objects)};
}

}  // namespace pws::loader
