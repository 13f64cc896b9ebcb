// SPDX-License-Identifier: Apache-2.0
// Files that appear whole, and what is written itself because nothing can be put in its place.
#include "base/whole_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace pws::test::whole_file_test {
namespace {

namespace fs = std::filesystem;

class whole_files : public testing::Test {
 protected:
  whole_files() { fs::create_directory(folder_); }
  ~whole_files() override { fs::remove_all(folder_); }
  static void write(const fs::path& path, const std::string& text) {
    whole_file file(path);
    file.out() << text;
    ASSERT_TRUE(file.commit());
  }
  static std::string read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  size_t files() const {
    return static_cast<size_t>(std::distance(fs::directory_iterator(folder_), fs::directory_iterator()));
  }

  const fs::path folder_ = fs::temp_directory_path() / ("whole_file_test." + std::to_string(getpid()));
};

TEST_F(whole_files, a_link_stays_and_its_file_is_new) {
  write(folder_ / "file", "old");
  fs::create_symlink("file", folder_ / "link");
  write(folder_ / "link", "new");
  EXPECT_TRUE(fs::is_symlink(folder_ / "link"));
  EXPECT_EQ(read(folder_ / "file"), "new");
  EXPECT_EQ(files(), 2u);
}

// As /dev/stdout leads to standard output, which may go to a file that has been removed.
TEST_F(whole_files, a_link_to_a_removed_file_stays) {
  const fs::path removed = folder_ / "removed";
  const int file = open(removed.c_str(), O_RDWR | O_CREAT, 0600);
  ASSERT_GE(file, 0);
  fs::remove(removed);
  const fs::path link = folder_ / "link";
  fs::create_symlink("/proc/self/fd/" + std::to_string(file), link);
  write(link, "text");
  EXPECT_TRUE(fs::is_symlink(link));
  EXPECT_EQ(files(), 1u);
  char text[5] = {};
  EXPECT_EQ(pread(file, text, 4, 0), 4);
  EXPECT_EQ(std::string(text), "text");
  close(file);
}

TEST_F(whole_files, devices_are_written_themselves) {
  write("/dev/null", "text");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

}  // namespace
}  // namespace pws::test::whole_file_test
