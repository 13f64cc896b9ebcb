// SPDX-License-Identifier: Apache-2.0
// The folders include each other as docs/layers.txt says, and in no other way.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace pws::layers_test {
namespace {

namespace fs = std::filesystem;

using arrows = std::map<std::string, std::set<std::string>>;

struct layers {
  std::vector<std::string> order;  // from the ground up
  arrows allowed;
};

// Lines that begin with white space go on with the one before.
layers read_layers(std::istream& in) {
  layers out;
  std::string line;
  while (std::getline(in, line)) {
    if (line.empty() || line[0] == '#') continue;
    if (line[0] != ' ') {
      const auto colon = line.find(':');
      if (colon == std::string::npos) throw std::runtime_error("no colon: " + line);
      out.order.push_back(line.substr(0, colon));
      if (!out.allowed.try_emplace(out.order.back()).second) throw std::runtime_error("twice: " + out.order.back());
      line.erase(0, colon + 1);
    }
    std::istringstream words(line);
    for (std::string to; words >> to;)
      if (!out.allowed.at(out.order.back()).insert(to).second)
        throw std::runtime_error(out.order.back() + " names twice " + to);
  }
  return out;
}

std::string folder_of(const std::string& path) {
  return path.substr(0, path.rfind('/'));
}

// What a file includes of ours, by its path from the root.
std::vector<std::string> includes_of(std::istream& in) {
  static const std::regex form("^\\s*#\\s*include\\s+\"([^\"]+)\"");
  std::vector<std::string> out;
  std::smatch m;
  for (std::string line; std::getline(in, line);)
    if (std::regex_search(line, m, form)) out.push_back(m[1]);
  return out;
}

// Every arrow between folders, with a file that makes it.
using examples = std::map<std::pair<std::string, std::string>, std::string>;
examples arrows_in_code(const fs::path& root, std::set<std::string>& folders) {
  examples out;
  for (const char* top : {"base", "models", "sw", "platform", "rtl", "hip_runtime", "python"})
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      const auto extension = entry.path().extension();
      if (extension != ".h" && extension != ".cpp" && extension != ".inc") continue;
      const std::string file = fs::relative(entry.path(), root).generic_string();
      if (file.rfind("sw/include/", 0) == 0 || file.rfind("sw/kernels/", 0) == 0) continue;  // the device's
      if (file.rfind("sw/firmware/", 0) == 0) continue;  // the processor's of pwsvp soc
      folders.insert(folder_of(file));
      std::ifstream in(entry.path());
      for (const std::string& to : includes_of(in))
        if (to.find('/') != std::string::npos && folder_of(to) != folder_of(file))
          out.try_emplace({folder_of(file), folder_of(to)}, file + " includes " + to);
    }
  return out;
}

// What is wrong, a line each.
std::vector<std::string> violations(const layers& l, const examples& found, const std::set<std::string>& folders) {
  std::vector<std::string> out;
  const auto floor = [&](const std::string& f) { return std::find(l.order.begin(), l.order.end(), f); };
  for (const std::string& f : folders)
    if (floor(f) == l.order.end()) out.push_back("not in the list: " + f);
  for (const auto& [from, to] : l.allowed) {
    if (folders.count(from) == 0) out.push_back("no such folder: " + from);
    for (const std::string& t : to) {
      if (floor(t) >= floor(from)) out.push_back(from + " names " + t + ", which is not above it in the list");
      if (found.count({from, t}) == 0) out.push_back(from + " names " + t + ", which it does not include");
    }
  }
  for (const auto& [arrow, example] : found)
    if (const auto from = l.allowed.find(arrow.first); from != l.allowed.end() && from->second.count(arrow.second) == 0)
      out.push_back(example + ", which is not allowed");
  return out;
}

layers layers_from(const std::string& text) {
  std::istringstream in(text);
  return read_layers(in);
}

TEST(layers, are_kept) {
  const fs::path root = PWS_SOURCE_DIR;
  std::ifstream in(root / "docs/layers.txt");
  ASSERT_TRUE(in);
  std::set<std::string> folders;
  const examples found = arrows_in_code(root, folders);
  EXPECT_GT(found.size(), 50u);
  EXPECT_THAT(violations(read_layers(in), found, folders), ::testing::IsEmpty());
}

// Lines that link a folder's library with another one's, which is layers.txt's to say, or have the linker go over
// libraries that need each other.
std::vector<std::string> links_beside_the_list(const layers& l, std::istream& in) {
  std::set<std::string> libraries;
  for (std::string name : l.order) {
    std::replace(name.begin(), name.end(), '/', '_');
    libraries.insert("pws_" + name);
  }
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(std::regex_replace(line, std::regex("[()]"), " "));
    std::string command, target;
    words >> command >> target;
    bool beside = line.find("LINK_INTERFACE_MULTIPLICITY") != std::string::npos;
    if (command == "target_link_libraries" && libraries.count(target) != 0)
      for (std::string library; words >> library;) beside |= libraries.count(library) != 0;
    if (beside) out.push_back(line);
  }
  return out;
}

TEST(layers, libraries_are_linked_as_the_list_says) {
  const fs::path root = PWS_SOURCE_DIR;
  std::ifstream list(root / "docs/layers.txt");
  const layers l = read_layers(list);
  for (const char* top : {"base", "models", "sw", "platform", "rtl", "hip_runtime", "python"})
    for (const auto& entry : fs::recursive_directory_iterator(root / top)) {
      if (entry.path().filename() != "CMakeLists.txt") continue;
      std::ifstream in(entry.path());
      EXPECT_THAT(links_beside_the_list(l, in), ::testing::IsEmpty()) << entry.path();
    }
  std::istringstream cycle(
      "target_link_libraries(pws_models_isa PUBLIC pws_models_isa_code)\n"
      "set_property(TARGET pws_models_isa PROPERTY LINK_INTERFACE_MULTIPLICITY 4)\n"
      "target_link_libraries(pws_models_isa PUBLIC fmt::fmt)\n");
  EXPECT_EQ(links_beside_the_list(l, cycle).size(), 2u);
}

TEST(layers, all_are_in_the_drawing) {
  std::ifstream list(PWS_SOURCE_DIR "/docs/layers.txt"), page(PWS_SOURCE_DIR "/docs/architecture.md");
  ASSERT_TRUE(page);
  const std::string text{std::istreambuf_iterator<char>(page), {}};
  const size_t begin = text.find("```"), end = text.find("```", begin + 3);
  const std::string drawing = text.substr(begin, end - begin);
  for (const std::string& folder : read_layers(list).order) {
    const std::string name = folder.substr(folder.rfind('/') + 1);
    EXPECT_TRUE(std::regex_search(drawing, std::regex("\\b" + name + "\\b"))) << folder;
  }
}

TEST(layers, what_breaks_them_is_named) {
  const layers l = layers_from("# ground\na:\nb: a\nc:\n  a\n  b\n");
  const std::set<std::string> folders{"a", "b", "c"};
  const examples right{{{"b", "a"}, ""}, {{"c", "a"}, ""}, {{"c", "b"}, ""}};
  EXPECT_THAT(violations(l, right, folders), ::testing::IsEmpty());
  examples up = right;
  up[{"a", "b"}] = "a/x.h includes b/y.h";
  EXPECT_THAT(violations(l, up, folders), ::testing::ElementsAre("a/x.h includes b/y.h, which is not allowed"));
  examples less = right;
  less.erase({"c", "a"});
  EXPECT_THAT(violations(l, less, folders), ::testing::ElementsAre("c names a, which it does not include"));
  EXPECT_THAT(violations(l, right, {"a", "b", "c", "d"}), ::testing::ElementsAre("not in the list: d"));
  EXPECT_THAT(violations(l, right, {"a", "b"}), ::testing::ElementsAre("no such folder: c"));
  EXPECT_THAT(violations(layers_from("b: a\na:\n"), {{{"b", "a"}, ""}}, {"a", "b"}),
              ::testing::ElementsAre("b names a, which is not above it in the list"));
  EXPECT_THROW(layers_from("a: b\na:\n"), std::runtime_error);
  EXPECT_THROW(layers_from("a: b b\n"), std::runtime_error);
  EXPECT_THROW(layers_from("a b\n"), std::runtime_error);
}

TEST(layers, includes_are_read) {
  std::istringstream in("#include \"a/b.h\"\n  # include \"c.h\"\n// #include \"d.h\"\n#include <e.h>\n");
  EXPECT_THAT(includes_of(in), ::testing::ElementsAre("a/b.h", "c.h"));
}

}  // namespace
}  // namespace pws::layers_test
