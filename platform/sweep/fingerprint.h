// SPDX-License-Identifier: Apache-2.0
// Tells whether a finished point was made of the same things.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sw/loader/bytes.h"
#include "sw/loader/compile_cache.h"

namespace pws::platform::sweep {

class fingerprint {
 public:
  void add(const void* data, size_t bytes) { hash_ = loader::content_hash(data, bytes, hash_); }
  void add(const std::string& text) { add(text.c_str(), text.size() + 1); }
  void add_file(const std::filesystem::path& file) {
    const std::vector<uint8_t> bytes = loader::read_file(file);
    add(bytes.data(), bytes.size());
  }
  // A program or library: what is loaded of it. Not its commit, nor the linker's hash of all: a commit that changes
  // nothing makes no other results.
  void add_program(const std::filesystem::path& file);
  std::string text() const { return fmt::format("{:016x}", hash_); }

 private:
  uint64_t hash_ = loader::content_hash(nullptr, 0);
};

}  // namespace pws::platform::sweep
