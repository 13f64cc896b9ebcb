// SPDX-License-Identifier: Apache-2.0
// What holds for every source file, whatever its language.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace pws::source_files_test {
namespace {

namespace fs = std::filesystem;

bool is_source(const fs::path& file) {
  static const std::set<std::string> extensions{".h",  ".cpp", ".inc", ".def",  ".hip", ".cl",    ".s",   ".sv", ".svh",
                                                ".py", ".sh",  ".yml", ".yaml", ".txt", ".cmake", ".css", ".js"};
  return file.extension().empty() || extensions.count(file.extension()) != 0;
}

void for_each_source(const std::function<void(const std::string& name, std::istream& in)>& visit) {
  const fs::path root = PWS_SOURCE_DIR;
  std::vector<fs::path> files{root / "CMakeLists.txt"};
  for (const char* top :
       {".ci", "base", "cmake", "configs", "docs", "models", "platform", "python", "rtl", "sw", "tests"})
    for (const auto& entry : fs::recursive_directory_iterator(root / top))
      if (entry.is_regular_file() && is_source(entry.path())) files.push_back(entry.path());
  for (const fs::path& file : files) {
    std::ifstream in(file);
    visit(fs::relative(file, root).generic_string(), in);
  }
}

// Lines of comments that go on with a sentence that is not there, with their numbers.
std::vector<std::string> unfinished_comments(std::istream& in) {
  static const std::regex form(
      R"re((^|[^:'"\w])(//[/!]?<?|#|/\*\*?|"""|;)\s*(Of|[Ll]ikewise)\b|^\s*\*\s+(Of|[Ll]ikewise)\b)re");
  std::vector<std::string> out;
  std::string line;
  for (int n = 1; std::getline(in, line); ++n)
    if ((line.find("Of") != std::string::npos || line.find("ikewise") != std::string::npos) &&
        std::regex_search(line, form))
      out.push_back(std::to_string(n) + ": " + line);
  return out;
}

TEST(source_files, comments_stand_on_their_own) {
  size_t files = 0;
  for_each_source([&](const std::string& name, std::istream& in) {
    ++files;
    EXPECT_THAT(unfinished_comments(in), testing::IsEmpty()) << name << ": begin the comment with what it is about";
  });
  EXPECT_GT(files, 1500u);
}

TEST(source_files, unfinished_comments_are_seen) {
  const auto seen = [](const std::string& line) {
    std::istringstream in(line);
    return !unfinished_comments(in).empty();
  };
  const std::string slashes = "//", of = " Of a unit.";
  for (const std::string& mark : {slashes, slashes + "/", slashes + "/<", std::string("#"), std::string("/*"),
                                  std::string("/**"), std::string("\"\"\""), std::string(" *"), std::string(";")}) {
    EXPECT_TRUE(seen(mark + of)) << mark;
    EXPECT_TRUE(seen("  " + mark + " Likewise for a unit.")) << mark;
    EXPECT_FALSE(seen(mark + " Offsets of a unit.")) << mark;
    EXPECT_FALSE(seen(mark + " One of a unit.")) << mark;
  }
  EXPECT_TRUE(seen("int n;  " + slashes + of));
  EXPECT_TRUE(seen("int n;  " + slashes + " likewise"));
  EXPECT_TRUE(seen("n: 1  #" + of));
  EXPECT_FALSE(seen("int n;  " + slashes + " of a unit"));
}

// Whether a file has to say its licence: sources and scripts, no data, and of YAML what is in configs.
// configs/gpu/default.yaml is what `pwsvp params --yaml` prints.
bool has_a_licence(const std::string& name) {
  const std::string base = fs::path(name).filename().string(), extension = fs::path(name).extension().string();
  if (name.find("/data/") != std::string::npos || name == "configs/gpu/default.yaml") return false;
  if (base == "CMakeLists.txt" || base == "Snakefile" || name == ".ci/run") return true;
  if (extension == ".yaml") return name.rfind("configs/", 0) == 0;
  static const std::set<std::string> sources{".h",  ".cpp", ".inc", ".def", ".hip", ".cl",   ".s",
                                             ".sv", ".svh", ".py",  ".sh",  ".js",  ".cmake"};
  return sources.count(extension) != 0;
}

TEST(source_files, name_their_licence) {
  const std::regex form("^(//|#) SPDX-License-Identifier: Apache-2\\.0$");
  size_t files = 0;
  for_each_source([&](const std::string& name, std::istream& in) {
    if (!has_a_licence(name)) return;
    ++files;
    size_t lines = 0;
    for (std::string line; std::getline(in, line);) lines += std::regex_match(line, form);
    EXPECT_EQ(lines, 1u) << name << ": a line SPDX-License-Identifier, as LICENSE has it";
  });
  EXPECT_GT(files, 1500u);
}

}  // namespace
}  // namespace pws::source_files_test
