// SPDX-License-Identifier: Apache-2.0
// Waveforms in FST, and when they are recorded: the same values as in the VCD of the whole run, in the window that
// machine.trace says.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "base/waveform/vcd_to_fst.h"
#include "tests/integration/child_process.h"
#include "tests/integration/child_run.h"
#include "tests/integration/fst_reader.h"

namespace pws::test::waveform_test {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t period = 1000;  // ps at 1000 MHz

program_result run_with(const std::string& run_file, const std::vector<std::string>& settings,
                        const std::vector<std::string>& options) {
  std::vector<std::string> command{PWS_CLI, "run", PWS_SOURCE_DIR "/configs/runs/" + run_file, "--quiet"};
  command.insert(command.end(), options.begin(), options.end());
  for (const std::string& s : settings) command.insert(command.end(), {"--set", s});
  return run_program(command, 300);
}

vcd_file vcd_of(const std::string& run_file, const std::vector<std::string>& settings = {}) {
  const temporary_file file(".vcd");
  const program_result r = run_with(run_file, settings, {"--vcd", file.path()});
  if (r.exit_code != 0) throw std::runtime_error(r.out + r.err);
  return parse_vcd(file.contents());
}

fst_contents fst_of(const std::string& run_file, const std::vector<std::string>& settings = {}) {
  const temporary_file file(".fst");
  const program_result r = run_with(run_file, settings, {"--vcd", file.path()});
  if (r.exit_code != 0) throw std::runtime_error(r.out + r.err);
  return read_fst(file.path());
}

std::vector<std::pair<uint64_t, uint64_t>> pairs_of(const vcd_signal& s) {
  std::vector<std::pair<uint64_t, uint64_t>> all;
  for (const vcd_change& c : s.changes) all.emplace_back(c.time, c.value);
  return all;
}

TEST(waveform, fst_has_what_vcd_has) {
  for (const char* run_file : {"quickstart.yaml", "figure5.yaml", "two_stage_sum.yaml"}) {
    const vcd_file vcd = vcd_of(run_file);
    const fst_contents fst = fst_of(run_file);
    EXPECT_EQ(vcd.signals.size(), fst.signals.size()) << run_file;
    for (const auto& [name, s] : vcd.signals) {
      const vcd_signal& other = fst.signal(name.substr(std::string("SystemC.").size()));
      EXPECT_EQ(s.width, other.width) << run_file << ": " << name;
      EXPECT_EQ(pairs_of(s), pairs_of(other)) << run_file << ": " << name;
    }
    EXPECT_EQ(vcd.end_time, fst.end_time) << run_file;
  }
}

TEST(waveform, fst_says_what_launches_are_and_names_values) {
  const fst_contents fst = fst_of("two_stage_sum.yaml");
  ASSERT_EQ(fst.texts.size(), 2u);
  EXPECT_THAT(fst.texts[0].second, HasSubstr("launch 1: kernel 1, reduction: 4 x 1 x 1 workgroups"));
  EXPECT_THAT(fst.texts[1].second, HasSubstr("launch 2: kernel 1, reduction: 1 x 1 x 1 workgroups"));
  EXPECT_LT(fst.texts[0].first, fst.texts[1].first);
  ASSERT_FALSE(fst.enumerations.empty());
  bool status = false, unit = false;
  for (const std::string& e : fst.enumerations) {
    status = status || (e.rfind("status ", 0) == 0 && e.find("barrier") != std::string::npos);
    unit = unit || (e.rfind("unit ", 0) == 0 && e.find("merge") != std::string::npos);
  }
  EXPECT_TRUE(status && unit);
}

TEST(waveform, the_same_run_gives_the_same_fst) {
  const temporary_file first(".fst"), second(".fst");
  for (const auto* f : {&first, &second}) ASSERT_EQ(run_with("figure5.yaml", {}, {"--vcd", f->path()}).exit_code, 0);
  EXPECT_EQ(first.contents(), second.contents());
}

// What a waveform of that window is: nothing before it, the same at each time in it, and no change behind it.
void expect_window(const vcd_file& whole, const vcd_file& part, uint64_t from, uint64_t until) {
  bool changes = false;
  for (const auto& [name, s] : part.signals) {
    const vcd_signal& all = whole.signal(name);
    for (const vcd_change& c : s.changes) {
      if (c.time == 0) continue;  // what it begins with
      changes = true;
      EXPECT_GE(c.time, from) << name;
      EXPECT_LT(c.time, until) << name;
    }
    for (const vcd_change& c : all.changes)
      if (c.time >= from && c.time < until) {
        EXPECT_EQ(s.at(c.time), c.value) << name << " at " << c.time;
      }
    EXPECT_EQ(s.at(from), all.at(from)) << name;
  }
  EXPECT_TRUE(changes);
}

TEST(waveform, from_and_until_a_cycle) {
  const vcd_file whole = vcd_of("quickstart.yaml");
  expect_window(whole, vcd_of("quickstart.yaml", {"machine.trace.from_cycle=300", "machine.trace.until_cycle=500"}),
                300 * period, 500 * period);
  expect_window(whole, vcd_of("quickstart.yaml", {"machine.trace.until_cycle=200"}), 0, 200 * period);
  expect_window(whole, vcd_of("quickstart.yaml", {"machine.trace.from_cycle=900"}), 900 * period, UINT64_MAX);
  // FST too, where nothing is written outside of it.
  const fst_contents fst = fst_of("quickstart.yaml", {"machine.trace.from_cycle=300", "machine.trace.until_cycle=500"});
  const vcd_signal& em = fst.signal("gpu.cu0.simd0.wf0.em");
  for (const vcd_change& c : em.changes) {
    EXPECT_GE(c.time, 300 * period);
    EXPECT_LT(c.time, 500 * period);
  }
  EXPECT_EQ(em.at(400 * period), whole.signal("SystemC.gpu.cu0.simd0.wf0.em").at(400 * period));
}

// A window behind the end is empty, and no error.
TEST(waveform, a_window_that_never_opens) {
  const vcd_file v = vcd_of("quickstart.yaml", {"machine.trace.from_cycle=100000000"});
  for (const auto& [name, s] : v.signals)
    for (const vcd_change& c : s.changes) EXPECT_EQ(c.time, 0u) << name;
  const fst_contents f = fst_of("quickstart.yaml", {"machine.trace.from_launch=2"});
  for (const auto& [name, s] : f.signals)
    for (const vcd_change& c : s.changes) EXPECT_EQ(c.value, 0u) << name;
}

TEST(waveform, from_and_until_a_launch) {
  const vcd_file whole = vcd_of("two_stage_sum.yaml");
  const auto& launches = whole.signal("SystemC.gpu.dispatcher.launch").changes;
  uint64_t second = 0;
  for (const vcd_change& c : launches)
    if (c.value == 2) second = c.time;
  ASSERT_GT(second, 0u);
  expect_window(whole, vcd_of("two_stage_sum.yaml", {"machine.trace.from_launch=2"}), second, UINT64_MAX);
  expect_window(whole, vcd_of("two_stage_sum.yaml", {"machine.trace.until_launch=1"}), 0, second);
}

// The instruction at that offset issues in the cycle in which the waveform begins or ends.
TEST(waveform, from_and_until_an_instruction) {
  const vcd_file whole = vcd_of("quickstart.yaml");
  // The first wavefront's second instruction and one further on have issued where its PC moves past them.
  const auto& pcs = whole.signal("SystemC.gpu.cu0.simd0.wf0.pc").changes;
  ASSERT_GT(pcs.size(), 10u);
  size_t entry = 0;
  while (pcs[entry].value == 0) ++entry;
  const uint64_t first = pcs[entry].value;
  const auto offset = [&](size_t k) { return std::to_string(pcs[entry + k].value - first); };
  const vcd_file part =
      vcd_of("quickstart.yaml", {"machine.trace.from_pc=" + offset(3), "machine.trace.until_pc=" + offset(8)});
  uint64_t begins = UINT64_MAX, ends = 0;
  for (const auto& [name, s] : part.signals)
    for (const vcd_change& c : s.changes) {
      if (c.time == 0) continue;
      begins = std::min(begins, c.time);
      ends = std::max(ends, c.time);
    }
  // Wavefronts on four SIMD units issue it in four cycles; the first of them opens it.
  EXPECT_LE(begins, pcs[entry + 4].time);
  EXPECT_GE(begins + 8 * period, pcs[entry + 4].time);
  EXPECT_LE(ends, pcs[entry + 9].time);
  EXPECT_GT(ends, begins);
  expect_window(whole, part, begins, ends + 1);
}

TEST(waveform, as_deep_as_asked_for) {
  const vcd_file v = vcd_of("quickstart.yaml", {"machine.trace.depth=2"});
  EXPECT_EQ(v.signals.count("SystemC.gpu.cu0.simd0.valu_busy"), 1u);
  EXPECT_EQ(v.signals.count("SystemC.gpu.cu0.memory_in_flight"), 1u);
  EXPECT_EQ(v.signals.count("SystemC.gpu.dispatcher.launch"), 1u);
  EXPECT_EQ(v.signals.count("SystemC.gpu.cu0.simd0.wf0.pc"), 0u);
  EXPECT_EQ(vcd_of("quickstart.yaml", {"machine.trace.depth=100"}).signals.size(),
            vcd_of("quickstart.yaml").signals.size());
}

TEST(waveform, the_rtls_in_fst_and_in_a_window) {
  const std::vector<std::string> lockstep{"machine.split_cycles=9", "machine.merge_cycles=9",
                                          "machine.cosim.mode=lockstep", "machine.cosim.spsimds=[2]"};
  const temporary_file model(".fst"), rtl(".fst"), part(".fst");
  ASSERT_EQ(run_with("figure5.yaml", lockstep, {"--vcd", model.path(), "--rtl-vcd", rtl.path()}).exit_code, 0);
  const auto spm_of = [](const fst_contents& c) {
    for (const auto& [name, s] : c.signals)
      if (name.size() > 6 && name.compare(name.size() - 6, 6, ".spm_o") == 0) return s;
    throw std::runtime_error("no spm_o");
  };
  const vcd_signal whole = spm_of(read_fst(rtl.path(), true));
  std::vector<std::pair<uint64_t, uint64_t>> of_model, of_rtl;
  for (const auto& c : pairs_of(read_fst(model.path()).signal("gpu.cu0.simd0.spsimd2.swf0.spm")))
    if (c.second != 0 || !of_model.empty()) of_model.push_back(c);
  for (const auto& c : pairs_of(whole))
    if (c.second != 0 || !of_rtl.empty()) of_rtl.push_back(c);
  EXPECT_GE(of_model.size(), 2u);
  EXPECT_EQ(of_model, of_rtl);
  // Until the split alone: the merge is not there. Without a waveform of the machine too.
  std::vector<std::string> window = lockstep;
  window.push_back("machine.trace.until_cycle=" + std::to_string(of_rtl[0].first / period + 2));
  ASSERT_EQ(run_with("figure5.yaml", window, {"--rtl-vcd", part.path()}).exit_code, 0);
  const auto changes = pairs_of(spm_of(read_fst(part.path(), true)));
  ASSERT_FALSE(changes.empty());
  EXPECT_EQ(changes.back(), of_rtl[0]);
}

TEST(waveform, what_cannot_be) {
  const auto refused = [](const std::vector<std::string>& settings, const std::string& file) {
    const program_result r = run_with("quickstart.yaml", settings, {"--vcd", file});
    EXPECT_EQ(r.exit_code, 2) << r.err;
    return r.err;
  };
  EXPECT_THAT(refused({}, "waveform.txt"), HasSubstr("must end in .vcd or .fst"));
  EXPECT_THAT(refused({}, ".fst"), HasSubstr("must end in .vcd or .fst"));
  const temporary_file file(".fst");
  EXPECT_THAT(refused({"machine.trace.from_cycle=10", "machine.trace.until_cycle=10"}, file.path()),
              HasSubstr("machine.trace.until_cycle: ends at cycle 10, and begins at cycle 10"));
  EXPECT_THAT(refused({"machine.trace.from_launch=3", "machine.trace.until_launch=2"}, file.path()),
              HasSubstr("machine.trace.until_launch: ends behind launch 2, and begins with launch 3"));
  EXPECT_THAT(refused({"machine.trace.from_launch=0"}, file.path()), HasSubstr("machine.trace.from_launch"));
}

// A full disk.
TEST(waveform, fst_that_cannot_be_written_whole) {
  const temporary_file file(".fst");
  std::filesystem::create_symlink("/dev/full", file.path());
  const program_result r = run_with("quickstart.yaml", {}, {"--vcd", file.path()});
  EXPECT_EQ(r.exit_code, 2) << r.out << r.err;
  EXPECT_THAT(r.err, HasSubstr("cannot be written"));
}

// --- VCD turned into FST -------------------------------------------------------------------------------

constexpr const char* small_vcd =
    "$version x $end $timescale 1 ps $end $scope module top $end $var wire 1 ! a $end $var wire 70 \" w [69:0] $end\n"
    "$scope module in $end $var wire 1 ! again $end $var reg 4 ~~ v [3:0] $end $upscope $end $upscope $end\n"
    "$comment $scope module no $end\n$enddefinitions $end\n#0\n$dumpvars\n0!\nb1 \"\nb0 ~~\n$end\n"
    "#10\n1!\nb101 ~~\nbx1 \"\n#25\n0!\nb1111 ~~\n#30\n";

fst_contents turned(const std::string& text, size_t piece) {
  const temporary_file file(".fst");
  vcd_to_fst to(file.path());
  for (size_t k = 0; k < text.size(); k += piece) to.write(std::string_view(text).substr(k, piece));
  to.close();
  return read_fst(file.path(), true);
}

using pairs = std::vector<std::pair<uint64_t, uint64_t>>;

TEST(vcd_to_fst, in_pieces_of_any_size) {
  for (const size_t piece : {1u, 2u, 3u, 7u, 1000u}) {
    const fst_contents f = turned(small_vcd, piece);
    ASSERT_EQ(f.signals.size(), 4u) << piece;
    EXPECT_EQ(pairs_of(f.signal("top.a")), (pairs{{0, 0}, {10, 1}, {25, 0}}));
    EXPECT_EQ(pairs_of(f.signal("top.in.again")), pairs_of(f.signal("top.a")));
    EXPECT_EQ(pairs_of(f.signal("top.in.v")), (pairs{{0, 0}, {10, 5}, {25, 15}}));
    EXPECT_EQ(f.signal("top.w").width, 70u);
    EXPECT_EQ(f.end_time, 30u);
  }
}

TEST(vcd_to_fst, what_is_none_is_refused) {
  const std::string header = "$timescale 1ps $end $scope module t $end $var wire 2 ! a $end $upscope $end\n";
  for (const auto& [text, why] :
       std::vector<std::pair<std::string, std::string>>{{"$timescale 1ns $end\n", "time unit"},
                                                        {"$var wire two ! a $end\n", "width"},
                                                        {"$var wire 0 ! a $end\n", "no bits"},
                                                        {"$scope module $end\n", "$scope"},
                                                        {header + "$var wire 3 ! b $end\n", "two widths"},
                                                        {header + "#0\n1\"\n", "not declared"},
                                                        {header + "#0\nb111 !\n", "more digits"},
                                                        {header + "#0\nb12 !\n", "no value"},
                                                        {header + "#x\n", "no time"},
                                                        {header + "#0\nr1.5 !\n", "real"},
                                                        {header + "#0\nb \n", "without digits"},
                                                        {header + "$comment", "middle"},
                                                        {header + "#0\nb1 ", "middle"}}) {
    try {
      turned(text, 4);
      ADD_FAILURE() << "taken: " << text;
    } catch (const std::runtime_error& e) {
      EXPECT_THAT(e.what(), HasSubstr(why)) << text;
    }
  }
}

}  // namespace
}  // namespace pws::test::waveform_test
