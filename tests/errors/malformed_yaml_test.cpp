// SPDX-License-Identifier: Apache-2.0
// Malformed and hostile configuration files: the exact messages of the files in yaml/, and that nothing a file contains
// ends in anything but a config_error.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "platform/config/files/buffer.h"
#include "platform/config/files/run_config.h"

namespace pws::platform::malformed_yaml_test {
namespace {

namespace fs = std::filesystem;

const std::string directory = std::string(PWS_ERROR_DATA) + "/yaml";

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

std::string joined_lines(const std::vector<std::string>& lines) {
  std::string all;
  for (const std::string& line : lines) all += line + "\n";
  return all;
}

// The rest of every comment line at the file's beginning that has this label.
std::vector<std::string> header(const std::string& file, const std::string& label) {
  std::ifstream in(file, std::ios::binary);
  std::vector<std::string> values;
  const std::string start = "# " + label + ": ";
  for (std::string line; std::getline(in, line) && line[0] == '#';) {
    if (line.rfind(start, 0) == 0) values.push_back(line.substr(start.size()));
  }
  return values;
}

std::vector<std::string> messages(const std::string& file, const std::vector<std::string>& overrides) {
  std::vector<std::string> lines;
  try {
    load_run(file, overrides);
  } catch (const config_error& e) {
    for (const config_issue& issue : e.issues()) {
      // yaml-cpp 0.8 says which anchor, 0.7 does not.
      const std::string text = replaced(replaced(issue.text(), directory + "/", ""), "anchor is not defined: nothing",
                                        "anchor is not defined");
      const std::string own = fs::path(file).filename().string() + ":";
      lines.push_back(text.rfind(own, 0) == 0 ? text.substr(own.size()) : text);
    }
  }
  return lines;
}

std::vector<std::string> malformed_files() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(directory)) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

class malformed_yaml : public testing::TestWithParam<std::string> {};

TEST_P(malformed_yaml, gives_exactly_the_expected_messages) {
  const std::string file = directory + "/" + GetParam() + ".yaml";
  const std::vector<std::string> expected = header(file, "expect");
  ASSERT_FALSE(expected.empty()) << "the file says nothing of what to expect";
  EXPECT_EQ(joined_lines(messages(file, header(file, "set"))), joined_lines(expected));
}

INSTANTIATE_TEST_SUITE_P(files, malformed_yaml, testing::ValuesIn(malformed_files()),
                         [](const auto& file) { return file.param; });

TEST(malformed_yaml_set, is_large_enough) {
  EXPECT_GE(malformed_files().size(), 35u);
}

// A directory of its own for each test, removed afterwards.
class scratch : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "pws_config_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    dir_ = pattern;
    write("k.hip", "// a kernel");
    write("machine.yaml", "n_cu: 2\n");
    write("data.bin", std::string(16, '\1'));
  }
  void TearDown() override { fs::remove_all(dir_); }

  std::string write(const std::string& name, const std::string& text) const {
    std::ofstream out(dir_ + "/" + name, std::ios::binary);
    out << text;
    return dir_ + "/" + name;
  }
  // The messages for a file of this content, without its place in the file system.
  std::string problems(const std::string& text) const {
    const std::string file = write("run.yaml", text);
    try {
      load_run(file);
    } catch (const config_error& e) {
      return replaced(e.what(), dir_ + "/", "");
    }
    return "none";
  }

  std::string dir_;
};

const char* const valid_run = R"yaml(# every feature once
machine:
  base: machine.yaml
  n_simd: 2
  memory: {dram: {size_mib: 64, page: closed}, l2: {banks: 0x2}}
  trace: {cus: [0, 1]}
program: {source: k.hip, kernel: saxpy, flags: [-O3, "-DN=8"]}
launch: {grid: {workgroups: [2, 1]}, workgroup: [64], dynamic_lds: 1Ki}
arguments:
  - {name: n, type: i32, value: -8}
  - &first {name: a, type: f32, count: 8, init: {ramp: {start: 0.5, step: -1}}}
  - {name: b, type: f64, count: 8, init: {random: {seed: 7, min: -1, max: 1}}}
  - {name: c, type: f32, count: 8, init: none}
  - {name: d, type: u8, init: {file: data.bin}}
  - {name: e, type: f16, init: {values: [1, 2.5, .nan, -.inf]}}
  - {name: s, bytes: "0x00ff10"}
expect:
  c:
    expression: "i > 0 ? a[i - 1] * f32(n) + min(b, 2.5) : fma(a, a, 1)"
    tolerance: {absolute: 1e-6, relative: 1e-5, ulp: 4}
  d: {constant: 1, first: 4, count: 8}
  a: {values: [1, 2, 3, 4], first: 4}
)yaml";

TEST_F(scratch, valid_file_is_valid) {
  EXPECT_EQ(problems(valid_run), "none");
}

TEST_F(scratch, empty_file) {
  EXPECT_EQ(problems(""), "run.yaml:1:1: there is nothing in it");
}
TEST_F(scratch, only_white_space) {
  EXPECT_EQ(problems("\n \n\n"), "run.yaml:1:1: there is nothing in it");
}
TEST_F(scratch, only_document_marks) {
  EXPECT_EQ(problems("---\n...\n"), "run.yaml:2:1: expected a mapping (key: value), got nothing");
}

TEST_F(scratch, missing_file) {
  try {
    load_run(dir_ + "/none.yaml");
    FAIL();
  } catch (const config_error& e) {
    EXPECT_EQ(replaced(e.what(), dir_ + "/", ""), "none.yaml:1:1: cannot be read: No such file or directory");
  }
}

TEST_F(scratch, a_directory_instead_of_a_file) {
  try {
    load_run(dir_);
    FAIL();
  } catch (const config_error& e) {
    EXPECT_EQ(e.what(), dir_ + ":1:1: cannot be read: Is a directory");
  }
}

TEST_F(scratch, byte_order_marks) {
  EXPECT_EQ(problems("\xef\xbb\xbf" + std::string(valid_run)), "none");
  EXPECT_EQ(problems(std::string("\xff\xfe"
                                 "m\0",
                                 4)),
            "run.yaml:1:1: byte 0xff is not UTF-8 text");
}

TEST_F(scratch, too_large) {
  EXPECT_EQ(
      problems(std::string(17 << 20, '#')),
      "run.yaml:1:1: larger than 16 MiB, too large for a configuration; "
      "a run's numbers can be in files of their own (init: {file: F} of an argument, {file: F} of an expectation)");
}

TEST_F(scratch, very_many_keys_and_errors) {
  std::string many = "machine:\n";
  for (int k = 0; k < 3000; ++k) many += "  x" + std::to_string(k) + ": 1\n";
  try {
    load_run(write("run.yaml", many));
    FAIL();
  } catch (const config_error& e) {
    EXPECT_EQ(e.issues().size(), issue_list::limit + 1);
    EXPECT_NE(std::string(e.what()).find("... and 2802 more problems"), std::string::npos);
  }
  for (int k = 3000; k < 200'000; ++k) many += "  x" + std::to_string(k) + ": 1\n";
  EXPECT_EQ(problems(many), "run.yaml:4098:3: machine: a mapping of more than 4096 keys");
}

TEST_F(scratch, deep_nesting_of_every_kind) {
  for (const char* opening :
       {"[", "{", "{a: ", "- ", "? ", "a: {b: [", "- - - ", "[{", "!!x [", "&a [", "(", "a[", "-"}) {
    std::string text;
    for (int k = 0; k < 20'000; ++k) text += opening;
    EXPECT_NE(problems(text), "none") << opening;
  }
  std::string expression = std::string(5000, '(') + "1" + std::string(5000, ')');
  for (const std::string& e :
       {expression, std::string(5000, '-') + "1", std::string(9000, '1'), std::string(4000, '?')}) {
    EXPECT_NE(problems(replaced(valid_run, "fma(a, a, 1)", e)), "none");
  }
}

// One change of the kinds that editors, merges and broken disks make.
std::string mutated(std::string text, std::mt19937_64& random) {
  static const std::vector<std::string> tokens = {"\t",
                                                  "\n",
                                                  " ",
                                                  ":",
                                                  ": ",
                                                  "- ",
                                                  "[",
                                                  "]",
                                                  "{",
                                                  "}",
                                                  "#",
                                                  "&first ",
                                                  "*first",
                                                  "<<: *first",
                                                  "!!int",
                                                  "|\n",
                                                  ">\n",
                                                  "'",
                                                  "\"",
                                                  "\\x",
                                                  "---\n",
                                                  "...\n",
                                                  "%",
                                                  "@",
                                                  "0x",
                                                  "99999999999999999999",
                                                  "-1",
                                                  "1e999",
                                                  "null",
                                                  "~",
                                                  ".nan",
                                                  "true",
                                                  std::string(1, '\0'),
                                                  "\xff",
                                                  "\xc3\xa9",
                                                  "? ",
                                                  ",",
                                                  "Gi",
                                                  "base: run.yaml\n",
                                                  "4294967296"};
  const auto below = [&random](size_t n) { return static_cast<size_t>(random() % std::max<size_t>(n, 1)); };
  const size_t at = below(text.size() + 1), length = below(std::min<size_t>(text.size() - at, 40) + 1);
  switch (below(6)) {
    case 0:
      if (at < text.size()) text[at] = static_cast<char>(random());
      return text;
    case 1:
      return text.erase(at, length);
    case 2:
      return text.insert(below(text.size() + 1), text.substr(at, length));
    case 3:
      return text.insert(at, tokens[below(tokens.size())]);
    case 4:
      return text.replace(at, std::min<size_t>(length, 4), tokens[below(tokens.size())]);
    default:
      return text.substr(0, at);
  }
}

// Makes the contents too, where they are small.
void use(const run_config& run) {
  constexpr uint64_t small = 1 << 20;
  for (const argument_config& argument : run.arguments) {
    if (argument.buffer() == nullptr || argument.buffer()->bytes() <= small) initial_contents(argument);
    if (argument.buffer() != nullptr && argument.buffer()->bytes() > small) return;
  }
  for (const expect_config& expect : run.expect) expected_contents(expect, run.arguments);
}

TEST_F(scratch, mutations_never_crash) {
  std::mt19937_64 random(20240501);
  const char* rounds = std::getenv("PWS_MUTATIONS");  // more of them for a long run
  const int n = rounds != nullptr ? std::atoi(rounds) : 2000;
  int refused = 0;
  for (int k = 0; k < n; ++k) {
    std::string text = valid_run;
    for (uint64_t changes = 1 + random() % 4; changes != 0; --changes) text = mutated(text, random);
    const std::string file = write("run.yaml", text);
    try {
      use(load_run(file));
    } catch (const config_error& e) {
      ++refused;
      ASSERT_FALSE(e.issues().empty());
      for (const config_issue& issue : e.issues()) {
        ASSERT_GE(issue.where.line(), 1) << text;  // every message has a place
        ASSERT_FALSE(issue.problem.empty());
      }
    } catch (const std::exception& e) {
      FAIL() << "not a config_error: " << e.what() << "\n" << text;
    }
  }
  EXPECT_GT(refused, n / 2);
  EXPECT_LT(refused, n);
}

TEST_F(scratch, mutated_overrides_never_crash) {
  const std::string file = write("run.yaml", valid_run);
  const std::vector<std::string> valid = {"machine.n_cu=2",         "arguments.a.init.constant=1",
                                          "expect.c={constant: 1}", "launch.grid.workgroups=[2, 2]",
                                          "arguments.0.value=3",    "machine.base=machine.yaml"};
  std::mt19937_64 random(7);
  int accepted = 0;
  for (int k = 0; k < 2000; ++k) {
    const std::string text = mutated(valid[random() % valid.size()], random);
    try {
      use(load_run(file, {text}));
      ++accepted;
    } catch (const config_error& e) {
      ASSERT_FALSE(e.issues().empty()) << text;
    }
  }
  EXPECT_GT(accepted, 10);
}

}  // namespace
}  // namespace pws::platform::malformed_yaml_test
