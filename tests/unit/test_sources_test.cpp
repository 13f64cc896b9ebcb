// SPDX-License-Identifier: Apache-2.0
// Sources of tests can be compiled together, in whatever order: what each declares is in a namespace of its own.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <string_view>

namespace pws::test_sources_test {
namespace {

namespace fs = std::filesystem;

bool begins(std::string_view line, std::string_view with) {
  return line.substr(0, with.size()) == with;
}

bool ends(std::string_view line, std::string_view with) {
  return line.size() >= with.size() && line.substr(line.size() - with.size()) == with;
}

bool begins_a_test(std::string_view line) {
  for (const char* macro : {"TEST(", "TEST_F(", "TEST_P(", "TYPED_TEST(", "TYPED_TEST_P(", "SIMULATION("})
    if (begins(line, macro)) return true;
  return false;
}

// Without what is in raw strings: sources in other languages, most of them.
std::string without_raw_strings(std::string text) {
  for (size_t at = text.find("R\""); at != std::string::npos; at = text.find("R\"", at + 2)) {
    const size_t open = text.find('(', at);
    if (open == std::string::npos || open - at > 18) continue;  // a delimiter has 16 characters at most
    const std::string closing = ")" + text.substr(at + 2, open - at - 2) + "\"";
    const size_t end = text.find(closing, open);
    if (end == std::string::npos) break;
    text.erase(open + 1, end - open - 1);
  }
  return text;
}

// What keeps a source from being compiled with others, a line each. `name` is the file's, without its extension.
std::string faults_of(const std::string& name, const std::string& text) {
  std::istringstream in(without_raw_strings(text));
  std::string faults, around;
  std::set<std::string> macros;
  bool tests = false;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string first, second;
    words >> first >> second;
    if (begins(line, "namespace ") && ends(line, " {") && second != "{") around = second;
    if (begins(line, "}  // namespace " + around)) around.clear();
    if (first == "#define") macros.insert(second.substr(0, second.find('(')));
    if (first == "#undef") macros.erase(second);
    if (!begins_a_test(line)) continue;
    tests = true;
    if (!ends("::" + around, "::" + name)) faults += "in namespace '" + around + "': " + line + "\n";
  }
  if (!tests) return "";
  for (const std::string& macro : macros) faults += "macro that is left defined: " + macro + "\n";
  if (!ends(name, "_test")) faults += "the file's name does not end in _test\n";
  return faults;
}

TEST(test_sources, have_namespaces_of_their_own) {
  const fs::path root = fs::path(PWS_SOURCE_DIR) / "tests";
  std::set<std::string> names;  // with the folder of the program
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".cpp") continue;
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const std::string name = entry.path().stem();
    EXPECT_EQ(faults_of(name, text), "") << entry.path();
    if (!ends(name, "_test")) continue;
    fs::path folder = entry.path().parent_path();
    while (!fs::exists(folder / "CMakeLists.txt")) folder = folder.parent_path();
    EXPECT_TRUE(names.insert(folder / name).second) << entry.path() << ": another of " << folder << " has its name";
  }
  EXPECT_GT(names.size(), 200u);
}

TEST(test_sources, faults_are_seen) {
  const std::string good =
      "#define TWO 2\nnamespace pws::a_test {\nnamespace {\nTEST(a, b) {\n}\n#undef TWO\n}  // namespace\n"
      "}  // namespace pws::a_test\n";
  EXPECT_EQ(faults_of("a_test", good), "");
  EXPECT_EQ(faults_of("a_test", "namespace a_test {\nTEST_F(a, b) {}\n}  // namespace a_test\n"), "");
  EXPECT_EQ(faults_of("b_test", good), "in namespace 'pws::a_test': TEST(a, b) {\n");
  EXPECT_EQ(faults_of("a_test", good + "SIMULATION(a, c) {\n}\n"), "in namespace '': SIMULATION(a, c) {\n");
  EXPECT_EQ(faults_of("a_test", "namespace pws {\nnamespace {\nTEST_P(a, b) {\n}\n"),
            "in namespace 'pws': TEST_P(a, b) {\n");
  EXPECT_EQ(faults_of("a_test", "#define ONE(x) 1\n" + good), "macro that is left defined: ONE\n");
  EXPECT_EQ(faults_of("a_test", "const char* const kernel = R\"hip(\n#define ONE 1\n)hip\";\n" + good), "");
  EXPECT_EQ(faults_of("a", "namespace pws::a {\nTEST(a, b) {\n"), "the file's name does not end in _test\n");
  EXPECT_EQ(faults_of("main", "#define ONE 1\nint main() {}\n"), "");  // has no tests
}

}  // namespace
}  // namespace pws::test_sources_test
