// SPDX-License-Identifier: Apache-2.0
// Findings as people and programs read them.
#include "platform/instruments/check/finding_report.h"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>
#include <sstream>

namespace pws::platform::finding_report_test {
namespace {

described_finding early_read() {
  described_finding d;
  d.found.check = check::family::waits;
  d.found.rule = "vgpr_read_too_early";
  d.found.what = "v4 is read while the load that fills it is under way";
  d.found.mend = "s_waitcnt vmcnt(1) in front of it";
  d.found.here = {0x1064, 0x8f, 3, 1, 1, 0, 0, 3};
  d.found.other = check::site{0x1050, ~uint64_t{0}, 3, 1, 1, 0, 0, 3};
  d.found.other_is = "the load";
  d.found.space = check::memory_space::global;
  d.found.address = 0x20040;
  d.found.bytes = 4;
  d.here = {"saxpy", 0x64, "v_add_f32_e32 v4, v4, v5", "saxpy.hip:12", {3, 0, 0}, "cu0.simd1.wf3"};
  d.other = {"saxpy", 0x50, "flat_load_dword v4, v[2:3]", "", {3, 0, 0}, "cu0.simd1.wf3"};
  d.memory = "argument x + 0x40";
  d.count = 4096;
  return d;
}

check_results results_of(std::vector<described_finding> findings) {
  check_results r;
  r.on = {"waits", "races"};
  for (const described_finding& d : findings) r.count += d.count;
  r.findings = std::move(findings);
  return r;
}

TEST(finding_report, names_both_instructions_the_memory_and_the_remedy) {
  std::ostringstream out;
  print_findings(out, results_of({early_read()}));
  EXPECT_EQ(out.str(),
            "  waits        v4 is read while the load that fills it is under way (4096 times)\n"
            "    here       saxpy.hip:12, kernel saxpy + 0x64: v_add_f32_e32 v4, v4, v5\n"
            "               launch 1, workgroup (3,0,0), wavefront 1 (cu0.simd1.wf3), lanes 0-3, 7\n"
            "    the load   kernel saxpy + 0x50: flat_load_dword v4, v[2:3]\n"
            "               launch 1, workgroup (3,0,0), wavefront 1 (cu0.simd1.wf3), lanes 0-63\n"
            "    memory     4 bytes at 0x20040, argument x + 0x40\n"
            "    mend       s_waitcnt vmcnt(1) in front of it\n");
}

TEST(finding_report, what_the_host_did_has_no_wavefront) {
  described_finding d = early_read();
  d.found.other_is = "written by";
  d.found.other = check::site{};
  d.other = {};
  std::ostringstream out;
  print_findings(out, results_of({d}));
  EXPECT_THAT(out.str(), testing::HasSubstr("    written by the host\n    memory"));
  EXPECT_EQ(findings_part().json(results_of({d}))["findings"][0]["other"].dump(),
            R"({"who":"host","is":"written by"})");
}

TEST(finding_report, a_long_introduction_has_a_blank_behind_it) {
  described_finding d = early_read();
  d.found.other_is = "v4, which nothing has written, is first read by";
  std::ostringstream out;
  print_findings(out, results_of({d}));
  EXPECT_THAT(out.str(),
              testing::HasSubstr("    v4, which nothing has written, is first read by kernel saxpy + 0x50: "));
}

TEST(finding_report, code_in_front_of_its_kernel_has_a_negative_offset) {
  described_finding d = early_read();
  d.here.offset = -0x20;
  std::ostringstream out;
  print_findings(out, results_of({d}));
  EXPECT_THAT(out.str(), testing::HasSubstr("kernel saxpy - 0x20: v_add"));
  EXPECT_EQ(findings_part().json(results_of({d}))["findings"][0]["here"]["offset"]["value"], -0x20);
}

TEST(finding_report, lanes_are_ranges) {
  described_finding d = early_read();
  const auto lanes = [&](uint64_t mask) {
    d.found.here.lanes = mask;
    const nlohmann::json here = findings_part().json(results_of({d}))["findings"][0]["here"];
    return here.contains("lanes") ? here["lanes"].get<std::string>() : "none";
  };
  EXPECT_EQ(lanes(0), "none");
  EXPECT_EQ(lanes(1), "0");
  EXPECT_EQ(lanes(uint64_t{1} << 63), "63");
  EXPECT_EQ(lanes(uint64_t{3} << 62), "62-63");
  EXPECT_EQ(lanes(~uint64_t{0}), "0-63");
  EXPECT_EQ(lanes(0x8000000000000015u), "0, 2, 4, 63");
}

TEST(finding_report, says_how_much_was_found) {
  check_results r = results_of({});
  EXPECT_EQ(text(r), "waits, races: nothing found");
  EXPECT_TRUE(r.clean());
  described_finding once = early_read();
  once.count = 1;
  EXPECT_EQ(text(results_of({once})), "waits, races: 1 finding, 1 time");
  EXPECT_EQ(text(results_of({early_read(), once})), "waits, races: 2 findings, 4097 times");
  r = results_of({once});
  r.not_listed = 7;
  r.count = 9;
  EXPECT_EQ(text(r), "waits, races: 8 findings, 9 times");
  std::ostringstream out;
  print_findings(out, r);
  EXPECT_THAT(out.str(), testing::HasSubstr("  and 7 more findings that are not listed\n"));
}

}  // namespace
}  // namespace pws::platform::finding_report_test
