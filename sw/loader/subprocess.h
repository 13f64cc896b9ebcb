// SPDX-License-Identifier: Apache-2.0
// Running a tool without a shell, and what a shell would give it.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace pws::loader {

// What a command gave.
struct process_result {
  int exit_code = 0;   // 128 + signal number if a signal ended it
  std::string output;  // standard output and standard error, interleaved
};

// Starts argv[0] (a path, not searched for in PATH) and waits for it; standard input is empty. A `temporary` that is
// not empty is its TMPDIR: clang leaves empty folders there. Throws input_error if it cannot be started.
process_result run_process(const std::vector<std::string>& argv, const std::filesystem::path& temporary = {});

// A variable of the environment; "" if it is not set.
std::string environment(const char* name);

// The executable file of that name: as a path if it has a slash, else in PATH; empty path if there is none.
std::filesystem::path find_executable(const std::string& name);

// A new directory under $TMPDIR (or /tmp), removed with all it holds at the end of the scope.
class temporary_directory {
 public:
  temporary_directory();  // throws input_error if it cannot be made
  ~temporary_directory();
  temporary_directory(const temporary_directory&) = delete;
  temporary_directory& operator=(const temporary_directory&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

// Each `@FILE` replaced by the words of that file, which may name further ones; `@FILE` without such a file stays, as
// compilers have it. Words are separated by spaces and line ends; quotes hold a word together, and a backslash takes
// the next character as it is (GCC and clang: "@file"). Throws input_error: files that name each other in a circle.
std::vector<std::string> with_response_files(const std::vector<std::string>& words);

}  // namespace pws::loader
