// SPDX-License-Identifier: Apache-2.0
// The table of cases as data: launchable shapes, arguments that fit the kernels' sources, reproducible contents.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <sstream>
#include <string>

#include "tests/integration/reference/case_builder.h"
#include "tests/integration/reference/kernel_case.h"

namespace pws::reference::case_table_test {
namespace {

constexpr uint64_t large = 5000;  // work-items; larger cases are made once, smaller ones twice

std::string read_source(const std::string& path) {
  std::ifstream file(std::string(PWS_SOURCE_DIR) + "/" + path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

// The parameter declarations of `extern "C" __global__ ... void kernel(...)`, empty if there is no such kernel.
std::vector<std::string> parameters(const std::string& source, const std::string& kernel) {
  const size_t name = source.find("void " + kernel + "(");
  if (name == std::string::npos) return {};
  const size_t open = source.find('(', name);
  const size_t close = source.find(')', open);
  std::vector<std::string> declarations;
  std::stringstream list(source.substr(open + 1, close - open - 1));
  for (std::string one; std::getline(list, one, ',');) declarations.push_back(one);
  return declarations;
}

// Bytes of a scalar parameter; 0 for a type that no kernel uses.
size_t scalar_bytes(const std::string& declaration) {
  std::stringstream words(declaration);
  std::string type;
  words >> type;
  if (type == "uint64_t") return 8;
  if (type == "unsigned" || type == "uint32_t" || type == "int" || type == "float") return 4;
  return 0;
}

void check_arguments(const kernel_case& c) {
  const std::vector<std::string> declared = parameters(read_source(c.source), c.kernel);
  ASSERT_EQ(declared.size(), c.args.size()) << c.source;
  for (size_t i = 0; i < c.args.size(); ++i) {
    const kernel_case::arg& a = c.args[i];
    EXPECT_EQ(a.is_buffer, declared[i].find('*') != std::string::npos) << declared[i];
    const size_t space = declared[i].find_last_of(" *");
    EXPECT_EQ(a.name, declared[i].substr(space + 1));
    if (a.is_buffer) {
      EXPECT_FALSE(a.bytes.empty()) << a.name;
      EXPECT_EQ(a.bytes.size(), a.expected.size()) << a.name;
      const bool read_only = declared[i].find("const ") != std::string::npos;
      EXPECT_TRUE(!read_only || a.bytes == a.expected) << a.name;
    } else {
      EXPECT_EQ(a.bytes.size(), scalar_bytes(declared[i])) << declared[i];
      EXPECT_TRUE(a.expected.empty()) << a.name;
    }
  }
}

void check_shape(const kernel_case& c, uint64_t work_items) {
  uint64_t in_grid = 1;
  uint64_t in_workgroup = 1;
  for (size_t d = 0; d < 3; ++d) {
    ASSERT_GT(c.workgroup[d], 0u);
    ASSERT_GT(c.grid[d], 0u);
    EXPECT_EQ(c.grid[d] % c.workgroup[d], 0u) << "dimension " << d;
    in_grid *= c.grid[d];
    in_workgroup *= c.workgroup[d];
  }
  EXPECT_LE(in_workgroup, 1024u);
  EXPECT_LE(c.dynamic_lds, 65536u);
  EXPECT_GE(in_grid, work_items);
  EXPECT_LT(in_grid, work_items + in_workgroup);
}

bool same(const kernel_case& x, const kernel_case& y) {
  return x.name == y.name && x.grid == y.grid && x.workgroup == y.workgroup && x.dynamic_lds == y.dynamic_lds &&
         std::equal(x.args.begin(), x.args.end(), y.args.begin(), y.args.end(), [](const auto& a, const auto& b) {
           return a.name == b.name && a.bytes == b.bytes && a.expected == b.expected;
         });
}

TEST(case_table, every_case_fits_its_kernel) {
  std::set<std::string> names;
  for (const case_entry& entry : all_cases()) {
    SCOPED_TRACE(entry.name);
    EXPECT_TRUE(names.insert(entry.name).second) << "name is used twice";
    EXPECT_TRUE(std::all_of(entry.name.begin(), entry.name.end(),
                            [](unsigned char ch) { return std::isalnum(ch) != 0 || ch == '_'; }));
    const kernel_case c = entry.make();
    EXPECT_EQ(c.name, entry.name);
    check_shape(c, entry.work_items);
    check_arguments(c);
    EXPECT_TRUE(entry.work_items > large || same(c, entry.make())) << "a second call gives other bytes";
  }
  EXPECT_GT(names.size(), 150u);
}

TEST(case_table, every_case_but_the_inert_ones_changes_memory) {
  std::set<std::string> inert;
  for (const case_entry& entry : all_cases()) {
    if (entry.work_items > large) continue;
    const kernel_case c = entry.make();
    const bool changes =
        std::any_of(c.args.begin(), c.args.end(), [](const auto& a) { return a.is_buffer && a.bytes != a.expected; });
    if (!changes) inert.insert(c.name);
  }
  const std::set<std::string> meant = {"vector_add_empty", "bfs_step_frontier_none", "fully_divergent_rounds_0",
                                       "alu_chain_100_steps_0"};
  for (const std::string& name : meant) EXPECT_EQ(inert.erase(name), 1u) << name;
  // A graph of one or two nodes is searched completely before level 3.
  for (const std::string& name : inert) EXPECT_EQ(name.rfind("bfs_", 0), 0u) << name;
}

TEST(case_table, every_kernel_has_a_case) {
  std::set<std::pair<std::string, std::string>> covered;
  for (const case_entry& entry : all_cases()) {
    if (entry.work_items > large) continue;
    const kernel_case c = entry.make();
    covered.insert({c.source, c.kernel});
  }
  size_t kernels = 0;
  for (const auto& file : std::filesystem::directory_iterator(std::string(PWS_SOURCE_DIR) + "/sw/kernels")) {
    if (file.path().extension() != ".hip") continue;
    const std::string source = "sw/kernels/" + file.path().filename().string();
    const std::string text = read_source(source);
    for (size_t at = text.find("__global__"); at != std::string::npos; at = text.find("__global__", at + 1)) {
      const size_t name = text.find("void ", at) + 5;
      const std::string kernel = text.substr(name, text.find('(', name) - name);
      EXPECT_EQ(covered.count({source, kernel}), 1u) << kernel << " in " << source << " has no case";
      ++kernels;
    }
  }
  EXPECT_EQ(kernels, covered.size());
}

TEST(random_source, gives_known_numbers_and_stays_in_range) {
  random_source source(0);
  EXPECT_EQ(source.next(), 0xe220a8397b1dcdafu);  // the published first output of splitmix64 for seed 0
  for (int i = 0; i < 1000; ++i) {
    EXPECT_LT(source.below(3), 3u);
    const float v = source.between(-1.0f, 1.0f);
    EXPECT_GE(v, -1.0f);
    EXPECT_LT(v, 1.0f);
  }
  EXPECT_EQ(source.below(1), 0u);
}

}  // namespace
}  // namespace pws::reference::case_table_test
