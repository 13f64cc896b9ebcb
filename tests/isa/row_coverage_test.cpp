// SPDX-License-Identifier: Apache-2.0
// Every row that the machine executes is executed by a test that compares its result. The list comes from a run of
// those tests in a process of their own, which must pass: deleting a row's vector makes this fail.
#include "tests/isa/row_coverage.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>

#include "models/isa/code/opcode_table.h"
#include "models/isa/inst.h"
#include "tests/isa/llvm_tools.h"

namespace pws::isa::test::row_coverage_test {

namespace {

class registry {
 public:
  // The rows are made before, so that they outlive this.
  registry() : path_(std::getenv("PWS_ROW_COVERAGE")) { all_rows(); }
  ~registry() {
    if (path_ == nullptr) return;
    std::ofstream out(path_, std::ios::app);
    for (const opcode_row* row : rows_) out << row->mnemonic << "\n";
  }
  registry(const registry&) = delete;
  registry& operator=(const registry&) = delete;
  void note(const opcode_row& row) { rows_.insert(&row); }

 private:
  const char* path_;
  std::set<const opcode_row*> rows_;
};

registry& the_registry() {
  static registry r;
  return r;
}

TEST(row_coverage, every_row_is_executed_and_compared) {
  const std::string list = temporary_directory() + "/rows.txt";
  // The test suites that compare results; those of decoding, texts and kernels are no proof of a row's meaning.
  const std::string suites =
      "scalar.*:vector_*:rows/vector_row.*:lane_access.*:gpr_index.*:memory_rows.*:memory_special.*:memory_counters.*:"
      "memory_format.*:memory_image.*:division.*";
  const std::string self = std::filesystem::read_symlink("/proc/self/exe");
  run("PWS_ROW_COVERAGE='" + list + "' '" + self + "' --gtest_brief=1 --gtest_filter='" + suites + "'");
  std::set<std::string> executed;
  std::ifstream in(list);
  for (std::string name; std::getline(in, name);) executed.insert(name);
  std::string without;
  unsigned n = 0;
  for (const opcode_row* row : all_rows()) {
    if (row->exec == nullptr) continue;  // refused by name: see opcode_space
    ++n;
    if (executed.count(row->mnemonic) == 0) without += std::string(" ") + row->mnemonic;
  }
  std::printf("%u rows; without a vector:%s\n", n, without.empty() ? " none" : without.c_str());
  EXPECT_EQ(without, "");
  EXPECT_GT(n, 790u);
}

}  // namespace

}  // namespace pws::isa::test::row_coverage_test

namespace pws::isa::test {
void note_executed(const opcode_row& row) {
  row_coverage_test::the_registry().note(row);
}
}  // namespace pws::isa::test
