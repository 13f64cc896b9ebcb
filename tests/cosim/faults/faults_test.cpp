// SPDX-License-Identifier: Apache-2.0
// Lockstep finds every fault of faults.txt, and each output of the unit has somebody who compares it: its fault, which
// inverts it, is found too. An output without a comparer fails here.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "rtl/wrapper/assertion_error.h"
#include "rtl/wrapper/rtl_library.h"
#include "rtl/wrapper/spsimd_rtl.h"
#include "tests/cosim/begun_context.h"
#include "tests/cosim/directed_programs.h"
#include "tests/cosim/fault_kernel.h"
#include "tests/cosim/random_programs.h"
#include "tests/cosim/rare_programs.h"

namespace {
char selected = 0;  // of faults.list, from 1 on
}
extern "C" char pws_rtl_fault() {
  return selected;
}

namespace pws::test::faults_test {
namespace {

std::vector<std::string> names() {
  std::ifstream file(PWS_RTL_FAULTS);
  std::vector<std::string> all;
  for (std::string line; std::getline(file, line);) all.push_back(line);
  return all;
}

struct stimulus {
  std::string name;
  models::machine_config machine;
  loader::program_image program;
  std::vector<batch_launch> launches;
};

// From the kernel that has one of everything to programs that need luck.
const std::vector<stimulus>& stimuli() {
  static const std::vector<stimulus> all = [] {
    std::vector<stimulus> list;
    // The lanes of this unit have more stages than one.
    const auto with_latency = [](models::machine_config m) {
      m.latency.valu = rtl::spsimd_rtl::vector_latency(1);
      m.latency.valu_f64 = rtl::spsimd_rtl::vector_latency(2);
      m.latency.valu_trans = rtl::spsimd_rtl::vector_latency(4);
      return m;
    };
    const auto add = [&](const std::string& name, const directed_programs& p) {
      list.push_back({name, with_latency(p.machine), assemble(p.text), p.launches});
    };
    add("fault_kernel", fault_kernel());
    directed_programs wavefronts = fault_kernel();
    wavefronts.machine.cosim.spsimds = {1, 2};  // wavefronts too, all of whose work-items move
    add("fault_kernel from its launch on", wavefronts);
    add("ends", ends_around_merges());
    add("ends with results on their way", ends_with_results());
    add("parents that end", parents_that_end());
    add("DPP between rows", moves_between_rows());
    add("deep child stacks", deep_child_stacks());
    add("M0 handed over", m0_handed_over());
    add("high vector registers", high_vector_registers());
    add("hardware registers", hardware_registers_read());
    add("left to the model", left_to_the_model());
    random_instructions instructions(3);
    for (uint64_t seed = 1; seed <= 40; ++seed) {
      random_batch b = make_random_batch(seed, instructions);
      list.push_back({fmt::format("random {}", seed), with_latency(b.machine), b.program, b.launches});
    }
    return list;
  }();
  return all;
}

// Vector registers that hold the work-item's number, whatever is written.
class numbered_lanes : public rtl::vrf_port {
 public:
  void read(unsigned, unsigned, unsigned pass, uint32_t* data) override {
    for (unsigned l = 0; l < rtl::spsimd_rtl::lanes; ++l)
      data[2 * l] = data[2 * l + 1] = rtl::spsimd_rtl::lanes * pass + l;
  }
  uint32_t read_edge(unsigned, unsigned work_item) override { return work_item; }
  void write(unsigned, bool, unsigned, uint64_t, const uint32_t*) override {}
};

// In this machine an SWF's s_endpgm issues no sooner than its last result is in its register, so that the unit alone
// can show that results of an SWF which has left, or in whose place another one goes on, are dropped. What is wrong;
// empty if nothing is.
std::string results_after_leaving(bool vector, bool replaced) {
  constexpr uint64_t add = 0x80010302;      // s_add_u32 s1, s2, s3
  constexpr uint64_t compare = 0x7d940102;  // v_cmp_eq_u32 vcc, s2, v0: the work-item whose number s2 is
  const unsigned result = vector ? 106 : 1;
  const char* how = replaced ? "has been replaced" : "has left";
  const unsigned latency = vector ? rtl::spsimd_rtl::vector_latency(1) : rtl::spsimd_rtl::scalar_latency;
  for (unsigned gap = 0; gap < latency; ++gap) {
    const std::unique_ptr<rtl::spsimd_rtl> made = rtl::spsimd_rtl::make();
    rtl::spsimd_rtl& unit = *made;
    numbered_lanes lanes;
    rtl::spsimd_rtl::start start;
    start.pc = 0x1000;
    start.spm = start.launched = ~uint64_t{0};
    start.parent = 1;
    std::array<uint32_t, rtl::spsimd_rtl::scalars> registers{};
    registers[2] = registers[3] = 5;
    registers[126] = registers[127] = ~0u;  // EM
    begin_with(unit, 0, start, registers.data(), {});
    if (vector)
      unit.issue_vector(0, compare, 0x1000, lanes);
    else
      unit.issue_scalar(0, add, 0x1000, 0);
    for (unsigned k = 0; k < gap; ++k) unit.clock(&lanes);
    registers[result] = 77;
    if (replaced)
      unit.take_over(0, start);
    else
      unit.leave(0);
    // At the end of this cycle itself the context's registers are nobody's.
    uint32_t before = 0;
    for (unsigned k = 0; k < rtl::spsimd_rtl::handover_rows() + 2; ++k) {
      const unsigned width = rtl::spsimd_rtl::handover_registers();
      const bool row_comes = replaced && k >= 1 && k <= rtl::spsimd_rtl::handover_rows();
      if (row_comes) unit.receive(0, &registers[(k - 1) * width]);
      if (unit.clock(&lanes).scalar != rtl::spsimd_rtl::none)
        return fmt::format("the RTL retires a result {} cycles after its SWF {}", k, how);
      const uint32_t now = unit.scalar(0)[result];
      if (k != 0 && now != before && !(row_comes && result / width == k - 1))
        return fmt::format("the RTL writes a result {} cycles after its SWF {}", k, how);
      before = now;
    }
    if (replaced && before != registers[result])
      return fmt::format("the RTL has {} in place of what was handed over, {}", before, registers[result]);
  }
  return "";
}

// What the first stimulus says that stops; empty if none of the first `most` does.
std::string found_by(std::string& by, size_t most = SIZE_MAX) {
  by = "the unit alone";
  try {
    for (const bool vector : {false, true})
      for (const bool replaced : {false, true})
        if (const std::string wrong = results_after_leaving(vector, replaced); !wrong.empty()) return wrong;
  } catch (const rtl::assertion_error& e) {
    return e.what();
  }
  for (const stimulus& s : stimuli()) {
    if (most-- == 0) break;
    const batch_report r = run_batch(s.machine, s.program, s.launches, 300);
    by = s.name;
    if (!r.launches.back().error.empty()) return r.launches.back().error;
    for (const auto& [instruction, n] : r.by_the_model)
      if (!is_left_to_the_model(instruction))
        return fmt::format("the RTL does not know {} instructions that it has to: {}", n, instruction);
  }
  return "";
}

// The unit that is loaded is the one with faults.
TEST(rtl_faults, are_in_the_unit) {
  const std::vector<std::string> all = names();
  const auto at = std::find(all.begin(), all.end(), "output_status_o");
  ASSERT_NE(at, all.end());
  selected = static_cast<char>(at - all.begin() + 1);
  EXPECT_EQ(rtl::spsimd_rtl::make()->state(0), 3u);
  selected = 0;
  EXPECT_EQ(rtl::spsimd_rtl::make()->state(0), 0u);
  EXPECT_GT(rtl::spsimd_rtl::stages(), 1u);
}

// docs/rtl.md says of each output where it is compared.
TEST(rtl_faults, every_output_is_in_the_documents) {
  std::ifstream file(PWS_SOURCE_DIR "/docs/rtl.md");
  const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  unsigned outputs = 0;
  for (const std::string& name : names()) {
    if (name.rfind("output_", 0) != 0) continue;
    ++outputs;
    EXPECT_NE(text.find("`" + name.substr(7) + "`"), std::string::npos) << name.substr(7);
  }
  EXPECT_GE(outputs, 20u);
}

TEST(rtl_faults, none_without_a_fault) {
  selected = 0;
  rtl::spsimd_rtl::check_assertions(true);
  std::string by;
  EXPECT_EQ(found_by(by, 16), "") << by;  // all programs are in the tests of the unit without faults
}

// These faults break what the RTL says of itself before they show in a result: which assertion. What the scalar queue
// gives wrongly breaks its own and the context's in one cycle, and either may be told of.
constexpr const char* of_queue_or_context =
    "u_scalar_queue.what_is_not_there_writes_nothing|u_context.nothing_written_for_one_that_has_left";
constexpr std::pair<const char*, const char*> breaks_an_assertion[] = {
    {"scalar_result_1_after_the_end", of_queue_or_context},
    {"scalar_result_2_after_the_end", of_queue_or_context},
    {"vector_mask_after_the_end", "u_context.nothing_written_for_one_that_has_left"},
    {"child_has_too_many", "u_split_control.siblings_are_disjoint_and_all"},
    {"parent_keeps_all", "u_split_control.siblings_are_disjoint_and_all"},
    {"merge_does_not_wait", "u_split_control.a_merge_is_one_of_three"},
    {"wrong_spsimd_unit", "u_split_control.the_childs_unit_is_free"}};

TEST(rtl_faults, some_break_an_assertion) {
  const std::vector<std::string> all = names();
  rtl::spsimd_rtl::check_assertions(true);
  for (const auto& [fault, assertion] : breaks_an_assertion) {
    const auto at = std::find(all.begin(), all.end(), fault);
    ASSERT_NE(at, all.end()) << fault;
    selected = static_cast<char>(at - all.begin() + 1);
    std::string by;
    const std::string error = found_by(by);
    EXPECT_NE(error.find("Assertion failed in "), std::string::npos) << fault << ", " << by << ": " << error;
    EXPECT_THAT(error, testing::ContainsRegex(assertion)) << fault << ", " << by;
  }
}

// By comparison with the model, the assertions aside.
TEST(rtl_faults, every_fault_is_found) {
  rtl::spsimd_rtl::check_assertions(false);
  const std::vector<std::string> all = names();
  ASSERT_GE(all.size(), 40u + 20u);
  unsigned found = 0;
  for (size_t k = 0; k < all.size(); ++k) {
    selected = static_cast<char>(k + 1);
    std::string by;
    const std::string error = found_by(by);
    const bool is_of_the_rtl = error.find("RTL") != std::string::npos;
    EXPECT_TRUE(is_of_the_rtl) << all[k] << " is not found: " << error;
    if (!is_of_the_rtl) continue;
    ++found;
    // What is compared, and where.
    std::string what = error.substr(0, error.find('\n', error.find('\n') + 1));
    if (const size_t at = what.find("\n"); at != std::string::npos) what = what.substr(at + 3);
    fmt::print("{:32} {:32} {}\n", all[k], by, what.substr(0, 110));
  }
  fmt::print("{} of {} found\n", found, all.size());
}

}  // namespace
}  // namespace pws::test::faults_test

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  pws::rtl::use_library(PWS_RTL_FAULTY);
  return RUN_ALL_TESTS();
}
