// SPDX-License-Identifier: Apache-2.0
// The waveform of the quickstart run: well-formed, complete, and it shows the divergent branch as the program has it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <tuple>

#include "models/isa/code/decode.h"
#include "tests/integration/child_process.h"
#include "tests/integration/child_run.h"
#include "tests/integration/vcd_parser.h"

namespace pws::test::vcd_test {
namespace {

constexpr uint64_t all_lanes = ~uint64_t{0};
constexpr uint64_t cycle = 1000;  // ps at 1000 MHz

vcd_file waveform(const std::string& run_file, const std::vector<std::string>& overrides) {
  const temporary_file vcd(".vcd");
  std::vector<std::string> command{PWS_CLI, "run", PWS_SOURCE_DIR "/configs/runs/" + run_file, "--vcd", vcd.path()};
  for (const std::string& o : overrides) command.insert(command.end(), {"--set", o});
  const program_result r = run_program(command);
  if (r.exit_code != 0) throw std::runtime_error(r.out + r.err);
  return parse_vcd(vcd.contents());
}

// The quickstart on whole wavefronts, so that the bounds check switches no lane off.
vcd_file quickstart(const std::vector<std::string>& overrides = {}) {
  std::vector<std::string> all{"launch.grid=[1024]", "arguments.a.count=1024", "arguments.b.count=1024",
                               "arguments.c.count=1024", "arguments.n.value=1024"};
  all.insert(all.end(), overrides.begin(), overrides.end());
  return waveform("quickstart.yaml", all);
}

// Comments of ours: SystemC writes one too.
std::vector<std::string> launches_in(const vcd_file& v) {
  std::vector<std::string> found;
  for (const std::string& c : v.comments)
    if (c.rfind("launch ", 0) == 0) found.push_back(c);
  return found;
}

std::string context(unsigned simd, unsigned wf) {
  return "SystemC.gpu.cu0.simd" + std::to_string(simd) + ".wf" + std::to_string(wf) + ".";
}

// Distance of the instruction whose text begins with `mnemonic` from the kernel's entry; the n-th one.
uint64_t offset_of(const std::string& mnemonic, unsigned n) {
  const loader::program_image& program = program_of("sw/kernels/vector_add.hip");
  const loader::kernel& k = *program.find_kernel("vector_add").kernel;
  const loader::image image = program.code_objects().front().load(0);
  std::vector<uint32_t> words(k.code_size / 4);
  std::memcpy(words.data(), image.bytes.data() + k.entry_offset, k.code_size);
  for (size_t at = 0; at < words.size();) {
    const isa::inst i = isa::decode(&words[at], static_cast<unsigned>(words.size() - at), 4 * at);
    if (isa::disassemble(i).rfind(mnemonic, 0) == 0 && n-- == 0) return 4 * at;
    at += i.dwords;
  }
  throw std::runtime_error("vector_add has no further " + mnemonic);
}

TEST(vcd, hierarchy) {
  const vcd_file v = quickstart();
  EXPECT_EQ(v.timescale, "1 ps");
  for (unsigned simd = 0; simd < 4; ++simd) {
    for (unsigned wf = 0; wf < 10; ++wf) {
      for (const char* s : {"pc", "em"}) EXPECT_EQ(v.signal(context(simd, wf) + s).width, 64u);
      for (const char* s : {"status", "unit", "vmcnt", "lgkmcnt", "kernel", "wavefront"})
        EXPECT_EQ(v.signal(context(simd, wf) + s).width, 32u);
      for (const char* s : {"launch", "workgroup"}) EXPECT_EQ(v.signal(context(simd, wf) + s).width, 64u);
    }
    const std::string s = "SystemC.gpu.cu0.simd" + std::to_string(simd);
    EXPECT_EQ(v.signal(s + ".valu_busy").width, 1u);
    EXPECT_EQ(v.signal(s + ".salu_busy").width, 1u);
    v.signal(s + ".contexts");
  }
  for (const char* s : {"cu0.memory_in_flight", "cu0.l1_misses", "l2.bank0.misses", "l2.bank3.misses", "dram.queued",
                        "dispatcher.kernel", "dispatcher.launch", "dispatcher.workgroups_done"})
    v.signal(std::string("SystemC.gpu.") + s);
  EXPECT_EQ(v.signals.count("SystemC.gpu.cu1.simd0.wf0.em"), 0u) << "only the CUs of trace.cus are shown";
}

TEST(vcd, other_compute_units) {
  const vcd_file v = quickstart({"machine.trace.cus=[1,3]"});
  EXPECT_EQ(v.signals.count("SystemC.gpu.cu0.simd0.wf0.em"), 0u);
  EXPECT_GT(v.signal("SystemC.gpu.cu1.simd0.wf0.em").changes.size(), 1u);
  EXPECT_GT(v.signal("SystemC.gpu.cu3.simd0.wf0.em").changes.size(), 1u);
}

// What a context's execute mask was while the instruction at `offset` was its next, and right after.
struct mask_change {
  uint64_t before = 0, after = 0, at = 0;
};
mask_change across(const vcd_file& v, const std::string& wf, uint64_t offset) {
  const vcd_signal &pc = v.signal(wf + "pc"), &em = v.signal(wf + "em");
  const auto entry =
      std::find_if(pc.changes.begin(), pc.changes.end(), [](const vcd_change& c) { return c.value != 0; });
  if (entry == pc.changes.end()) throw std::runtime_error(wf + " never ran");
  const uint64_t wanted = entry->value + offset;
  for (auto c = entry; c + 1 != pc.changes.end(); ++c)
    if (c->value == wanted) return {em.at(c->time), em.at((c + 1)->time), (c + 1)->time};
  throw std::runtime_error(wf + " never came to the instruction at +" + std::to_string(offset));
}

bool is_proper_subset(uint64_t mask) {
  return mask != 0 && mask != all_lanes;
}

TEST(vcd, divergent_branch) {
  const vcd_file v = quickstart();
  const uint64_t bounds = offset_of("s_and_saveexec_b64", 0), branch = offset_of("s_and_saveexec_b64", 1),
                 other_side = offset_of("s_andn2_saveexec_b64", 0), join = offset_of("s_or_b64 exec", 0);
  ASSERT_LT(branch, offset_of("s_cbranch_execz", 1));
  // CU 0 has workgroup 0 only: a wavefront on each SIMD unit.
  for (unsigned simd = 0; simd < 4; ++simd) {
    const std::string wf = context(simd, 0);
    SCOPED_TRACE(wf);
    const mask_change at_bounds = across(v, wf, bounds), at_branch = across(v, wf, branch),
                      at_other = across(v, wf, other_side), at_join = across(v, wf, join);
    EXPECT_EQ(at_bounds.before, all_lanes);
    EXPECT_EQ(at_bounds.after, all_lanes) << "every work-item is within bounds";
    EXPECT_EQ(at_branch.before, all_lanes);
    EXPECT_TRUE(is_proper_subset(at_branch.after)) << std::hex << at_branch.after;
    EXPECT_EQ(at_other.after, ~at_branch.after);
    EXPECT_EQ(at_join.after, all_lanes);
    EXPECT_LT(at_bounds.at, at_branch.at);
    EXPECT_LT(at_branch.at, at_other.at);
    EXPECT_LT(at_other.at, at_join.at);
    EXPECT_EQ(v.signal(wf + "em").changes.back().value, 0u) << "the context is empty at the end";
  }
}

// All work-items on one side: no mask is ever anything but all lanes or none.
TEST(vcd, uniform_branch) {
  for (const auto& [low, high] : {std::pair{"0.5", "1"}, std::pair{"-1", "-0.5"}}) {
    SCOPED_TRACE(low);
    const vcd_file v = quickstart(
        {std::string("arguments.a.init.random.min=") + low, std::string("arguments.a.init.random.max=") + high});
    for (unsigned simd = 0; simd < 4; ++simd)
      for (const vcd_change& c : v.signal(context(simd, 0) + "em").changes)
        EXPECT_FALSE(is_proper_subset(c.value)) << std::hex << c.value << " at " << std::dec << c.time;
  }
}

TEST(vcd, one_lane_off_by_the_bounds_check) {
  const vcd_file v = quickstart({"arguments.a.count=255", "arguments.b.count=255", "arguments.c.count=255",
                                 "arguments.n.value=255", "launch.grid=[256]"});
  const uint64_t bounds = offset_of("s_and_saveexec_b64", 0);
  EXPECT_EQ(across(v, context(0, 0), bounds).after, all_lanes);
  EXPECT_EQ(across(v, context(3, 0), bounds).after, all_lanes >> 1);
}

// Values that a signal may have, and that all of its changes are at whole cycles.
TEST(vcd, values_in_range) {
  const vcd_file v = quickstart();
  const std::map<std::string, uint64_t> largest{{"status", static_cast<uint64_t>(models::wf_status::ended)},
                                                {"unit", models::n_units - 1},
                                                {"vmcnt", models::outstanding::capacity},
                                                {"lgkmcnt", models::outstanding::capacity},
                                                {"contexts", 10},
                                                {"kernel", 1},
                                                {"launch", 1},
                                                {"workgroup", 3},
                                                {"wavefront", 3}};
  uint64_t busy = 0;
  for (const auto& [name, s] : v.signals) {
    SCOPED_TRACE(name);
    const std::string last = name.substr(name.rfind('.') + 1);
    const auto limit = largest.find(last);
    for (const vcd_change& c : s.changes) {
      EXPECT_EQ(c.time % cycle, 0u);
      EXPECT_LE(c.value, limit == largest.end() ? all_lanes : limit->second);
      if (last == "valu_busy") busy += c.value;
    }
  }
  EXPECT_GT(busy, 0u);
  EXPECT_EQ(v.signal("SystemC.gpu.dispatcher.workgroups_done").changes.back().value, 4u);
  EXPECT_EQ(v.signal("SystemC.gpu.cu0.memory_in_flight").changes.back().value, 0u);
  EXPECT_EQ(v.signal("SystemC.gpu.dram.queued").changes.back().value, 0u);
}

// Whose wavefront runs in a context: each of both launches' is shown in one, for as long as it runs, and no other.
TEST(vcd, wavefronts_have_kernel_launch_and_workgroup) {
  const vcd_file v = waveform("two_stage_sum.yaml", {"machine.trace.cus=[0,1,2,3]"});
  EXPECT_EQ(launches_in(v), (std::vector<std::string>{
                                "launch 1: kernel 1, reduction: 4 x 1 x 1 workgroups of 256 x 1 x 1 work-items",
                                "launch 2: kernel 1, reduction: 1 x 1 x 1 workgroups of 256 x 1 x 1 work-items"}));
  using wavefront = std::tuple<uint64_t, uint64_t, uint64_t>;  // launch, workgroup, in the workgroup
  std::multiset<wavefront> seen;
  for (const auto& [name, launch] : v.signals) {
    if (name.find(".wf") == std::string::npos || name.substr(name.rfind('.')) != ".launch") continue;
    SCOPED_TRACE(name);
    const std::string scope = name.substr(0, name.rfind('.') + 1);
    for (const vcd_change& c : launch.changes) {
      EXPECT_EQ(v.signal(scope + "kernel").at(c.time), c.value == 0 ? 0u : 1u);
      EXPECT_EQ(v.signal(scope + "em").at(c.time) != 0, c.value != 0) << "a wavefront begins with all work-items";
      if (c.value == 0) continue;
      EXPECT_EQ(v.signal("SystemC.gpu.dispatcher.launch").at(c.time), c.value);
      EXPECT_EQ(v.signal("SystemC.gpu.dispatcher.kernel").at(c.time), 1u);
      seen.insert({c.value, v.signal(scope + "workgroup").at(c.time), v.signal(scope + "wavefront").at(c.time)});
    }
    EXPECT_EQ(launch.changes.back().value, 0u) << "the context is empty at the end";
  }
  std::multiset<wavefront> there_are;
  for (uint64_t wave = 0; wave < 4; ++wave) {
    for (uint64_t group = 0; group < 4; ++group) there_are.insert({1, group, wave});
    there_are.insert({2, 0, wave});
  }
  EXPECT_EQ(seen, there_are);
  EXPECT_EQ(v.signal("SystemC.gpu.dispatcher.launch").changes.back().value, 0u);
}

// In three dimensions, x first, with a grid that ends within a workgroup.
TEST(vcd, workgroups_are_numbered_x_first) {
  const vcd_file v =
      waveform("quickstart.yaml", {"machine.trace.cus=[0,1,2,3]", "launch.grid=[130,3,2]", "launch.workgroup=[64,1,1]",
                                   "launch.partial_workgroups=true", "expect={}"});
  EXPECT_EQ(launches_in(v), (std::vector<std::string>{"launch 1: kernel 1, vector_add: "
                                                      "3 x 3 x 2 workgroups of 64 x 1 x 1 work-items"}));
  std::set<uint64_t> seen, there_are;
  for (const auto& [name, s] : v.signals)
    if (name.size() > 10 && name.substr(name.size() - 10) == ".workgroup")
      for (const vcd_change& c : s.changes) seen.insert(c.value);
  for (uint64_t n = 0; n < 18; ++n) there_are.insert(n);
  EXPECT_EQ(seen, there_are);
}

TEST(vcd, clock_gives_the_time) {
  const vcd_file v = quickstart({"machine.clock_mhz=500"});
  for (const vcd_change& c : v.signal("SystemC.gpu.cu0.simd0.wf0.pc").changes) EXPECT_EQ(c.time % (2 * cycle), 0u);
}

// The reader refuses what it should: a reader that takes anything proves nothing.
TEST(vcd_parser, refuses_what_is_wrong) {
  const std::string head = "$timescale 1 ps $end $scope module a $end $var wire 2 ! x [1:0] $end $upscope $end ";
  const std::string def = head + "$enddefinitions $end $dumpvars b0 ! $end ";
  EXPECT_EQ(parse_vcd(def + "#1 b11 ! #5 b1 !").signal("a.x").at(4), 3u);
  EXPECT_EQ(parse_vcd("$comment a $end " + def + "$comment b  c $end #1 b11 !").comments,
            (std::vector<std::string>{"a", "b c"}));
  const std::pair<std::string, const char*> wrong[] = {
      {head + "$dumpvars", "in the header"},
      {"$timescale 1 ps $end $scope module a $end $enddefinitions $end", "not closed"},
      {"$timescale 1 ps $end $upscope $end $enddefinitions $end", "outside every scope"},
      {"$scope module a $end $upscope $end $enddefinitions $end", "timescale"},
      {"$timescale 1 ps $end $var wire 1 ! x $end $var wire 1 ! y $end", "declared twice"},
      {"$timescale 1 ps $end $var wire 2 ! x [2:0] $end", "range"},
      {"$timescale 1 ps $end $var wire 1 ! x $end $enddefinitions $end $dumpvars $end", "no initial value"},
      {def + "b1 !", "before any time"},
      {def + "#1 b1 ?", "undeclared"},
      {def + "#1 b111 !", "'111'"},
      {def + "#1 bx !", "digit"},
      {def + "#1 1!", "scalar"},
      {def + "#2 b1 ! #2 b0 !", "does not grow"},
      {def + "#2 b1 ! #1 b0 !", "does not grow"},
      {def + "#2 b1 ! b0 !", "twice"},
      {def + "#2 b0 !", "that it has"},
      {def + "#2 b1", "identifier"},
      {def + "#2 $end", "$end of nothing"},
  };
  for (const auto& [text, what] : wrong) {
    SCOPED_TRACE(text);
    try {
      parse_vcd(text);
      ADD_FAILURE() << "accepted";
    } catch (const std::runtime_error& e) {
      EXPECT_THAT(e.what(), testing::HasSubstr(what));
    }
  }
}

}  // namespace
}  // namespace pws::test::vcd_test
