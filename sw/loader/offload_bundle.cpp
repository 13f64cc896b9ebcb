// SPDX-License-Identifier: Apache-2.0
#include "sw/loader/offload_bundle.h"

#include <elf.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "sw/loader/elf_file.h"

namespace pws::loader {

namespace {

constexpr std::string_view bundle_magic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::string_view compressed_magic = "CCOB";
constexpr uint64_t entry_header_bytes = 24;

bool begins_with(const byte_view& bytes, std::string_view text) {
  return bytes.size() >= text.size() && std::memcmp(bytes.data(), text.data(), text.size()) == 0;
}

[[noreturn]] void refuse_compressed(const byte_view& bytes) {
  bytes.fail(0, "is a compressed offload bundle; compile it again with -no-offload-compress");
}

}  // namespace

bool is_offload_bundle(const byte_view& bytes) {
  return begins_with(bytes, bundle_magic);
}
bool is_compressed_bundle(const byte_view& bytes) {
  return begins_with(bytes, compressed_magic);
}

offload_bundle read_bundle(const byte_view& bytes) {
  if (is_compressed_bundle(bytes)) refuse_compressed(bytes);
  if (!is_offload_bundle(bytes)) bytes.fail(0, "is not an offload bundle (no __CLANG_OFFLOAD_BUNDLE__ magic)");
  const uint64_t count = bytes.read<uint64_t>(bundle_magic.size(), "offload bundle's entry count");
  uint64_t at = bundle_magic.size() + sizeof(uint64_t);
  if (count > (bytes.size() - at) / entry_header_bytes) {
    bytes.fail(bundle_magic.size(), fmt::format("offload bundle of {} entries is larger than the file", count));
  }
  offload_bundle bundle;
  for (uint64_t i = 0; i < count; ++i) {
    const std::string what = fmt::format("offload bundle entry {} of {}", i + 1, count);
    const byte_view head = bytes.slice(at, entry_header_bytes, what);
    const auto offset = head.read<uint64_t>(0, what);
    const auto size = head.read<uint64_t>(8, what);
    const auto id_bytes = head.read<uint64_t>(16, what);
    const byte_view id = bytes.slice(at + entry_header_bytes, id_bytes, "target id of " + what);
    at += entry_header_bytes + id_bytes;
    std::string id_text(reinterpret_cast<const char*>(id.data()), id.size());
    const byte_view code = bytes.slice(offset, size, fmt::format("{}, {},", what, in_quotes(id_text)));
    // Messages about the code object count offsets from its own first byte, as a tool that unbundles it would show
    // them.
    bundle.entries.push_back(
        {id_text, byte_view(code.data(), code.size(), fmt::format("{} [{}]", bytes.name(), in_quotes(id_text)), 0)});
    bundle.size = std::max(bundle.size, offset + size);
  }
  bundle.size = std::max(bundle.size, at);
  return bundle;
}

std::vector<offload_bundle> read_bundles(const byte_view& bytes) {
  std::vector<offload_bundle> bundles;
  const uint8_t* const end = bytes.data() + bytes.size();
  uint64_t at = 0;
  while (true) {
    // The linker pads between translation units' bundles to the section's alignment, so the next one is searched for.
    const uint8_t* next = std::search(bytes.data() + at, end, bundle_magic.begin(), bundle_magic.end());
    if (next == end) break;
    at = static_cast<uint64_t>(next - bytes.data());
    const std::string name = fmt::format("{}, bundle {}", bytes.name(), bundles.size() + 1);
    bundles.push_back(read_bundle({bytes.data() + at, bytes.size() - at, name, bytes.origin() + at}));
    at += bundles.back().size;
  }
  if (bundles.empty()) {
    if (is_compressed_bundle(bytes)) refuse_compressed(bytes);
    bytes.fail(0, "holds no offload bundle (no __CLANG_OFFLOAD_BUNDLE__ magic)");
  }
  return bundles;
}

bool targets_processor(std::string_view id, std::string_view processor) {
  const auto skip = [&id](std::string_view prefix) {
    if (id.substr(0, prefix.size()) != prefix) return false;
    id.remove_prefix(prefix.size());
    return true;
  };
  if (!skip("hipv4-") && !skip("hip-")) return false;
  if (!skip("amdgcn-amd-amdhsa-")) return false;
  skip("-");  // the empty environment of a four-part triple; clang before 12 left it out
  if (!skip(processor)) return false;
  return id.empty() || id.front() == ':';
}

const bundle_entry& entry_for_machine(const offload_bundle& bundle, const byte_view& file) {
  const bundle_entry* found = nullptr;
  std::vector<std::string> ids;
  for (const bundle_entry& e : bundle.entries) {
    ids.push_back(in_quotes(e.id));
    if (!targets_processor(e.id, machine_processor)) continue;
    const bool plain = e.id.find(':') == std::string::npos;
    if (found == nullptr || plain) found = &e;
  }
  if (found == nullptr) {
    file.fail(0, ids.empty() ? fmt::format("offload bundle is empty: it has no code for {}", machine_processor)
                             : fmt::format("offload bundle has no code for {}; it has {}", machine_processor,
                                           fmt::join(ids, ", ")));
  }
  if (found->bytes.size() == 0)
    file.fail(0, fmt::format("offload bundle's code for {} is empty", in_quotes(found->id)));
  return *found;
}

byte_view hip_fatbin(const byte_view& host_file) {
  const elf_file elf(host_file);
  for (const elf_section& s : elf.sections()) {
    if (s.name == ".hip_fatbin") {
      const byte_view contents = elf.contents(s);
      return {contents.data(), contents.size(), host_file.name() + " (.hip_fatbin)", contents.origin()};
    }
    if (s.name.rfind("__CLANG_OFFLOAD_BUNDLE__hip", 0) == 0) {
      host_file.fail("holds relocatable device code (-fgpu-rdc), which must be linked first");
    }
  }
  host_file.fail("is a host file without device code (it has no section '.hip_fatbin')");
}

}  // namespace pws::loader
