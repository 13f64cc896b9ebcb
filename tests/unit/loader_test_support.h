// SPDX-License-Identifier: Apache-2.0
// Shared by the loader's tests: the sources in tests/unit/data compiled once per build directory, and error checks.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "sw/loader/hip_compiler.h"
#include "sw/loader/program_image.h"
#include "sw/loader/subprocess.h"

namespace pws::loader {

inline std::filesystem::path test_data(const std::string& name) {
  return std::filesystem::path(PWS_TEST_DATA) / name;
}

inline compile_options test_options(unsigned version = 4) {
  compile_options o;
  o.code_object_version = version;
  o.cache_dir = PWS_TEST_CACHE;
  return o;
}

inline std::vector<uint8_t> compiled(const std::string& name, unsigned version = 4) {
  return hip_compiler(test_options(version)).compile(test_data(name)).code_object;
}

inline void write_file(const std::filesystem::path& path, const void* data, size_t bytes) {
  std::ofstream file(path, std::ios::binary);
  file.write(static_cast<const char*>(data), static_cast<std::streamsize>(bytes));
  ASSERT_TRUE(file.good()) << path;
}
inline void write_file(const std::filesystem::path& path, const std::string& text) {
  write_file(path, text.data(), text.size());
}
inline void write_file(const std::filesystem::path& path, const std::vector<uint8_t>& bytes) {
  write_file(path, bytes.data(), bytes.size());
}

// The message of the input_error that `action` throws; a test failure and "" if it throws none.
template <typename Action>
std::string input_error_of(Action action) {
  try {
    action();
  } catch (const input_error& e) {
    return e.what();
  }
  ADD_FAILURE() << "no input_error was thrown";
  return "";
}

}  // namespace pws::loader
