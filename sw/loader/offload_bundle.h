// SPDX-License-Identifier: Apache-2.0
// Clang offload bundles: how clang packs device code of several targets into one file, and how it embeds them in host
// executables (section .hip_fatbin, one bundle per translation unit). (ClangOffloadBundler documentation)
//
// Layout, little-endian: 24 bytes "__CLANG_OFFLOAD_BUNDLE__", u64 count, then per entry u64 offset (from the bundle's
// first byte), u64 size, u64 length of the target id, the id. Ids of HIP device code are
// hip-TRIPLE-PROCESSOR[:FEATURE...] or hipv4-TRIPLE-PROCESSOR[:FEATURE...].
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sw/loader/bytes.h"

namespace pws::loader {

// The machine's processor: GCN3, the papers' "Fiji".
inline constexpr std::string_view machine_processor = "gfx803";

// A code object in a bundle.
struct bundle_entry {
  std::string id;   // as in the file, "hipv4-amdgcn-amd-amdhsa--gfx803"
  byte_view bytes;  // a view into the bundle; its name adds bundle and id to the file's
};

struct offload_bundle {
  std::vector<bundle_entry> entries;
  uint64_t size = 0;  // bytes from the magic to the end of the last entry
};

bool is_offload_bundle(const byte_view& bytes);  // by its first bytes
// Bundles that clang >= 19 writes by default; they need -no-offload-compress.
bool is_compressed_bundle(const byte_view& bytes);

// Reads the bundle at the beginning of `bytes`. Throws input_error if it is damaged.
offload_bundle read_bundle(const byte_view& bytes);
// All bundles in `bytes`, which holds one after another with padding between (a file or a .hip_fatbin section).
// Throws input_error if there is none, or one is damaged.
std::vector<offload_bundle> read_bundles(const byte_view& bytes);

// True if the id means HIP device code for that processor, with or without features.
bool targets_processor(std::string_view id, std::string_view processor);
// The bundle's code object for this machine; an id without features is preferred. Throws input_error that lists the
// targets the bundle has.
const bundle_entry& entry_for_machine(const offload_bundle& bundle, const byte_view& file);

// The .hip_fatbin section of a host executable, object or library. Throws input_error if it has none.
byte_view hip_fatbin(const byte_view& host_file);

}  // namespace pws::loader
