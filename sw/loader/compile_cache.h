// SPDX-License-Identifier: Apache-2.0
// Results of earlier compilations, each with the contents' hashes of all files it was made from.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sw/loader/hip_compiler.h"

namespace pws::loader {

// XXH64, whose speed is that of memory: each start hashes the compiler's plugins and pwsvp itself. The cache need not
// resist an attacker: who can write it can replace the result too.
uint64_t content_hash(const void* data, size_t bytes, uint64_t seed = 0);
// Hash and size of a file's contents, for a list of files; nothing: it cannot be read.
std::optional<std::string> hash_of_file(const std::filesystem::path& file);

// Written beside the file and renamed, so that concurrent runs never see half of it. False: it cannot be written.
bool write_by_rename(const std::filesystem::path& file, const void* data, size_t bytes);

// The files that a make-style dependency file names after its target. Relative ones are below `folder`; empty: the
// working folder.
std::vector<std::filesystem::path> read_depfile(const std::string& text, const std::filesystem::path& folder = {});

// What -working-directory of a command of clang's says; empty: nothing.
std::filesystem::path working_folder(const std::vector<std::string>& command);

// True if a file was written since `start`: what was compiled may not be what is there now.
bool changed_since(const std::vector<std::filesystem::path>& files, std::filesystem::file_time_type start);

class compile_cache {
 public:
  // $XDG_CACHE_HOME/pws, else $HOME/.cache/pws, else "".
  static std::filesystem::path default_directory();

  explicit compile_cache(std::filesystem::path directory) : directory_(std::move(directory)) {}
  const std::filesystem::path& directory() const { return directory_; }

  // The result kept under `key`, if every file it was made from still has the same contents and the result is
  // undamaged.
  std::optional<compile_result> find(const std::string& key) const;
  // Keeps the result. Files are written beside and renamed, so that concurrent runs never see half of one. False if the
  // directory cannot be written.
  bool store(const std::string& key, const compile_result& result,
             const std::vector<std::filesystem::path>& dependencies) const;

 private:
  std::filesystem::path directory_;
};

}  // namespace pws::loader
