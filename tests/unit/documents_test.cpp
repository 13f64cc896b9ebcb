// SPDX-License-Identifier: Apache-2.0
// Paths in documents and comments lead somewhere.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <string>
#include <vector>

namespace pws::documents_test {
namespace {

namespace fs = std::filesystem;

TEST(documents, name_files_that_exist) {
  const fs::path root = PWS_SOURCE_DIR;
  std::vector<fs::path> files{root / "README.md", root / "CONTRIBUTING.md", root / "CHANGELOG.md"};
  for (const char* top : {"docs", "base", "models", "sw", "platform", "hip_runtime", "python", "tests"})
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const auto extension = entry.path().extension();
      if (extension == ".md" || extension == ".h" || extension == ".cpp") files.push_back(entry.path());
    }
  const std::regex form(
      "(^|[^\\w/.-])((base|models|sw|platform|rtl|docs)/[\\w/.]*\\w\\.(h|cpp|md|txt|sh|sv|hip|yaml))\\b");
  size_t paths = 0;
  for (const fs::path& file : files) {
    std::ifstream in(file);
    unsigned number = 0;
    for (std::string line; std::getline(in, line);) {
      ++number;
      for (auto m = std::sregex_iterator(line.begin(), line.end(), form); m != std::sregex_iterator(); ++m, ++paths)
        EXPECT_TRUE(fs::exists(root / (*m)[2].str())) << file << ":" << number << ": " << (*m)[2];
    }
  }
  EXPECT_GT(paths, 1000u);
}

}  // namespace
}  // namespace pws::documents_test
