// SPDX-License-Identifier: Apache-2.0
// A file that is there as a whole or not at all, whatever ends the process.
#pragma once

#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>

namespace pws {

// Written beside the file and renamed in the end. Devices and pipes, files in folders where none can be made, and what
// a link leads to that has no name any more (standard output that goes to a removed file) are written themselves.
class whole_file {
 public:
  explicit whole_file(const std::filesystem::path& path) : path_(path) {
    namespace fs = std::filesystem;
    std::error_code error;
    const bool there = fs::exists(path, error);
    if (there) path_ = fs::canonical(path, error);  // what a link leads to
    const bool has_a_name = !there || !error;
    if (error) path_ = path;
    errno = 0;
    if (!there || (has_a_name && fs::is_regular_file(path_, error))) {
      beside_ = path_.string() + "." + std::to_string(getpid()) + ".part";
      out_.open(beside_, std::ios::binary);
      if (out_) return;
      beside_.clear();
      out_.clear();
    }
    errno = 0;
    out_.open(path_, std::ios::binary);
  }
  ~whole_file() {
    std::error_code ignored;
    if (!beside_.empty()) std::filesystem::remove(beside_, ignored);
  }
  whole_file(const whole_file&) = delete;
  whole_file& operator=(const whole_file&) = delete;

  // Takes what is to be written.
  std::ostream& out() { return out_; }
  // Last of all. False: it could not be written, and errno says why, if that is known; what was there before stays.
  bool commit() {
    out_.close();
    if (!out_) return false;
    if (beside_.empty()) return true;
    std::error_code error;
    std::filesystem::rename(beside_, path_, error);
    errno = error.value();
    if (error) return false;
    beside_.clear();
    return true;
  }

 private:
  std::filesystem::path path_, beside_;  // beside_ empty: path_ itself is written
  std::ofstream out_;
};

}  // namespace pws
