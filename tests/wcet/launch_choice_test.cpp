// SPDX-License-Identifier: Apache-2.0
// program.split: auto in run files takes the code whose launches have the shorter bound: with auto's splits, or
// without.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "platform/wcet/choose_by_launch.h"
#include "tests/integration/child_process.h"
#include "tests/integration/child_run.h"

namespace pws::test::launch_choice_test {
namespace {

using platform::compiled_program;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using json = nlohmann::json;

const std::string source = PWS_SOURCE_DIR "/tests/wcet/launch_choice.hip";
// Names of arguments: with `both` (32) every wavefront takes both sides; with `below` (64) and `above` (0) each takes
// one.
const std::string both = "both", below = "below", above = "above";

// A run of kernel `halves` with split: auto, launched once for each of `ways`; without any: of `endless`.
class launch_choice : public testing::Test {
 protected:
  void write(const std::vector<std::string>& ways, const std::string& program_keys = "", const std::string& rest = "") {
    std::ofstream yaml(yaml_.path());
    yaml << fmt::format("machine: {{base: {}, divergence: pws, spsimd_per_simd: 1}}\n",
                        PWS_SOURCE_DIR "/configs/gpu/predictable.yaml");
    yaml << fmt::format("program: {{source: {}, split: auto{}}}\nlaunches:\n", source, program_keys);
    for (const std::string& way : ways)
      yaml << fmt::format("  - {{kernel: halves, launch: {{grid: 256, workgroup: 64}}, arguments: [out, {}]}}\n", way);
    if (ways.empty()) yaml << "  - {kernel: endless, launch: {grid: 64, workgroup: 64}, arguments: [out, both]}\n";
    yaml << "arguments:\n  - {name: out, type: f32, count: 256}\n  - {name: both, type: i32, value: 32}\n"
            "  - {name: below, type: i32, value: 64}\n  - {name: above, type: i32, value: 0}\n"
         << rest;
  }
  platform::run_config config(const std::vector<std::string>& settings = {}) const {
    return platform::load_run(yaml_.path(), settings);
  }
  compiled_program compiled(const std::vector<std::string>& settings = {}) const {
    return platform::compile_for_launches(config(settings), platform::assembly_text::wanted);
  }
  platform::launch_choice choice(const std::vector<std::string>& settings = {}) const {
    return compiled(settings).placed.by_launch.value();
  }
  program_result pwsvp(const std::string& command, const std::vector<std::string>& options = {}) const {
    std::vector<std::string> all{PWS_CLI, command, yaml_.path()};
    all.insert(all.end(), options.begin(), options.end());
    return run_program(all);
  }
  // The bound that pwsvp wcet finds for all launches, summed up.
  uint64_t bound_of(const std::vector<std::string>& settings) const {
    const temporary_file report(".json");
    std::vector<std::string> options{"--report", report.path()};
    for (const std::string& s : settings) options.insert(options.end(), {"--set", s});
    const program_result r = pwsvp("wcet", options);
    if (r.exit_code != 0) throw std::runtime_error(r.out + r.err);
    const json j = json::parse(report.contents());
    return (j.contains("total") ? j.at("total").at("bound") : j.at("bound").at("E_kernel")).at("value");
  }
  const std::string& file() const { return yaml_.path(); }

 private:
  const temporary_file yaml_{".yaml"};
};

const std::string none = "program.split=none", as_auto = "program.split_by_launch=false";

// ---- which code

TEST_F(launch_choice, takes_splits_where_wavefronts_take_both_sides) {
  write({both});
  const compiled_program p = compiled();
  const platform::launch_choice c = p.placed.by_launch.value();
  EXPECT_TRUE(c.splits());
  EXPECT_LT(c.with_splits.bound.value(), c.without_splits.bound.value());
  EXPECT_EQ(p.placed.splits, 1u);
  EXPECT_EQ(*c.with_splits.bound, bound_of({as_auto}));
  EXPECT_EQ(*c.without_splits.bound, bound_of({none}));
  EXPECT_EQ(bound_of({}), bound_of({as_auto}));
}

TEST_F(launch_choice, leaves_them_out_where_each_takes_one) {
  for (const std::string& way : {below, above}) {
    write({way});
    const compiled_program p = compiled();
    const platform::launch_choice c = p.placed.by_launch.value();
    EXPECT_FALSE(c.splits());
    EXPECT_GT(c.with_splits.bound.value(), c.without_splits.bound.value()) << way;
    EXPECT_EQ(p.placed.splits, 0u);
    EXPECT_EQ(p.placed.branches, 1u) << "it is there all the same";
    EXPECT_EQ(*c.with_splits.bound, bound_of({as_auto}));
    EXPECT_EQ(*c.without_splits.bound, bound_of({none}));
    EXPECT_EQ(bound_of({}), bound_of({none}));
  }
}

// As many launches that gain as outweigh one that loses, and the reverse.
TEST_F(launch_choice, the_sum_of_the_launches_decides) {
  const auto of = [&](const std::vector<std::string>& ways) {
    write(ways);
    return choice();
  };
  const platform::launch_choice gains = of({both}), loses = of({below});
  const auto sum = [&](uint64_t n_gaining, uint64_t n_losing) {
    return std::pair{n_gaining * *gains.with_splits.bound + n_losing * *loses.with_splits.bound,
                     n_gaining * *gains.without_splits.bound + n_losing * *loses.without_splits.bound};
  };
  const uint64_t gain = *gains.without_splits.bound - *gains.with_splits.bound,
                 loss = *loses.with_splits.bound - *loses.without_splits.bound;
  for (const auto& [n_gaining, n_losing, splits] :
       {std::tuple{loss / gain + 1, uint64_t{1}, true}, {uint64_t{1}, gain / loss + 1, false}}) {
    std::vector<std::string> ways(n_gaining, both);
    ways.insert(ways.begin() + 1, n_losing, below);
    const platform::launch_choice c = of(ways);
    EXPECT_EQ(std::pair(*c.with_splits.bound, *c.without_splits.bound), sum(n_gaining, n_losing));
    EXPECT_EQ(c.splits(), splits);
    EXPECT_EQ(bound_of({}), std::min(*c.with_splits.bound, *c.without_splits.bound));
  }
}

TEST_F(launch_choice, equal_bounds_keep_autos_code) {
  write({both});
  const compiled_program p = compiled({"machine.divergence=none", "machine.spsimd_per_simd=0"});
  const platform::launch_choice c = p.placed.by_launch.value();
  EXPECT_EQ(c.with_splits.bound.value(), c.without_splits.bound.value());
  EXPECT_TRUE(c.splits());
  EXPECT_EQ(p.placed.splits, 0u) << "there is no context for any";
}

// Eq. 8 charges both sides with S + 1 times E_WF: splits never pay.
TEST_F(launch_choice, goes_by_the_bound_of_the_machines_scheme) {
  write({both});
  EXPECT_TRUE(choice().splits());
  const platform::launch_choice c = choice({"machine.divergence=dws"});
  EXPECT_FALSE(c.splits());
  EXPECT_GT(*c.with_splits.bound, *c.without_splits.bound);
}

TEST_F(launch_choice, the_machine_runs_the_code_that_is_chosen) {
  for (const std::string& way : {both, below}) {
    write({way});
    for (const char* fidelity : {"timing", "functional"}) {
      const temporary_file report(".json");
      const program_result r =
          pwsvp("run", {"--report", report.path(), "--set", std::string("machine.fidelity=") + fidelity});
      ASSERT_EQ(r.exit_code, 0) << r.out << r.err;
      const json j = json::parse(report.contents());
      const bool split = way == both;
      const json& chosen = j.at("split_points").at("by_launch");
      EXPECT_EQ(chosen.at("chosen"), split ? "with splits" : "without splits");
      EXPECT_EQ(chosen.at("with_splits").at("bound").at("value"), bound_of({as_auto}));
      EXPECT_EQ(chosen.at("without_splits").at("bound").at("value"), bound_of({none}));
      EXPECT_EQ(j.at("split_points").at("split").at("value"), split ? 1 : 0);
      EXPECT_EQ(j.at("totals").at("splits").at("value"), split ? 4 : 0);
      EXPECT_THAT(r.out, HasSubstr(fmt::format("by launch    {} splits: bound ", split ? "with" : "without")));
    }
    const program_result r = pwsvp("wcet", {"--observe"});
    EXPECT_EQ(r.exit_code, 0) << r.out << r.err;
    EXPECT_THAT(r.out, HasSubstr(fmt::format("split: auto   {} splits: bound ", way == both ? "with" : "without")));
  }
}

// ---- one of the codes has no bound

uint64_t code_bytes(const compiled_program& p) {
  uint64_t bytes = 0;
  for (const loader::code_object& o : p.image.code_objects())
    for (const loader::extent& e : o.load(0).extents)
      if (e.executable) bytes += e.end - e.begin;
  return bytes;
}

// Code is locked in the instruction cache, and splits are instructions.
TEST_F(launch_choice, code_that_does_not_fit_with_splits) {
  write({both});
  const auto padded = [](uint64_t n) { return fmt::format("program.flags=[-DPAD={}]", n); };
  const uint64_t cache = 4096, rest = code_bytes(compiled({none, padded(0)}));
  ASSERT_LT(rest, cache);
  const std::string flags = padded((cache - rest) / 4);
  EXPECT_EQ(code_bytes(compiled({none, flags})), cache);
  const compiled_program p = compiled({flags, "machine.memory.instruction_cache.size_kib=4"});
  const platform::launch_choice c = p.placed.by_launch.value();
  EXPECT_FALSE(c.splits());
  EXPECT_THAT(c.with_splits.problem, HasSubstr("more than the instruction cache that it is locked in"));
  EXPECT_TRUE(c.without_splits.bound.has_value());
  EXPECT_EQ(code_bytes(p), cache);
  const program_result r = pwsvp("run", {"--set", flags, "--set", "machine.memory.instruction_cache.size_kib=4"});
  EXPECT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(r.out, AllOf(HasSubstr("without splits: bound "), HasSubstr("; no bound with: ")));
}

// A place in one code is not one in the other.
TEST_F(launch_choice, a_loop_bound_by_offset_is_for_the_code_with_splits) {
  write({below}, "", "wcet: {loops: [{offset: 0x40, bound: 100}]}\n");
  const platform::launch_choice c = choice();
  EXPECT_TRUE(c.splits());
  EXPECT_FALSE(c.without_splits.bound.has_value());
  EXPECT_EQ(c.without_splits.problem, file() + ":10:16: wcet.loops: an offset is a place in the code with splits");
  write({below}, "", "wcet: {loops: [{label: BB0_1, bound: 100}]}\n");
  EXPECT_THAT(choice().without_splits.problem, HasSubstr("a label is a place in the code with splits"));
}

TEST_F(launch_choice, labels_of_assembly_are_in_both_codes) {
  write({});
  const temporary_file assembly(".s");
  const program_result made = run_program({PWSCC, "--split=none", "-O3", source, "-o", assembly.path()});
  ASSERT_EQ(made.exit_code, 0) << made.err;
  const std::string text = assembly.contents();
  // The first branch that goes back is the loop's.
  const size_t kernel = text.find("\nendless:");
  const std::regex branch("s_c?branch\\w* (\\.LBB\\d+_\\d+)");
  std::string label;
  for (std::sregex_iterator b(text.begin() + static_cast<std::ptrdiff_t>(kernel), text.end(), branch), end;
       b != end && label.empty(); ++b)
    if (text.find("\n" + (*b)[1].str() + ":") < kernel + static_cast<size_t>(b->position())) label = (*b)[1];
  ASSERT_NE(label, "");
  const platform::launch_choice c =
      choice({"program.source=" + assembly.path(), fmt::format("wcet.loops=[{{label: {}, bound: 100}}]", label)});
  EXPECT_EQ(c.with_splits.problem + c.without_splits.problem, "");
  EXPECT_EQ(c.with_splits.bound, c.without_splits.bound);
}

// ---- neither has

TEST_F(launch_choice, nothing_bounded_is_said) {
  write({});
  const platform::launch_choice c = choice();
  EXPECT_TRUE(c.splits());
  EXPECT_FALSE(c.with_splits.bound.has_value());
  EXPECT_FALSE(c.without_splits.bound.has_value());
  const temporary_file report(".json");
  const program_result ran = pwsvp("run", {"--report", report.path()});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("by launch    with splits: nothing could be bounded: "));
  const json chosen = json::parse(report.contents()).at("split_points").at("by_launch");
  EXPECT_EQ(chosen.at("chosen"), "with splits");
  EXPECT_THAT(chosen.at("with_splits").at("no_bound").get<std::string>(), HasSubstr("launch_choice.hip:9"));
  EXPECT_THAT(chosen.at("without_splits").at("no_bound").get<std::string>(), HasSubstr("launch_choice.hip:9"));
  const program_result bounded = pwsvp("wcet");
  EXPECT_EQ(bounded.exit_code, 2) << bounded.out;
  EXPECT_THAT(bounded.err, HasSubstr("launch_choice.hip:9"));
}

TEST_F(launch_choice, machines_and_schemes_without_bounds) {
  write({below});
  const std::string average = "machine.base=" PWS_SOURCE_DIR "/configs/gpu/default.yaml";
  platform::launch_choice c = choice({average});
  EXPECT_TRUE(c.splits());
  EXPECT_THAT(c.with_splits.problem, HasSubstr("a machine whose latencies are bounded"));
  EXPECT_EQ(c.with_splits.problem, c.without_splits.problem);
  c = choice({"machine.divergence=pws-mode"});
  EXPECT_THAT(c.with_splits.problem, HasSubstr("pws-mode has no bound"));
  const program_result r = pwsvp("run", {"--set", average});
  EXPECT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(r.out, HasSubstr("nothing could be bounded: static block times need"));
  // Measured block times need no such machine, and say nothing of the code that does not run.
  const program_result measured = pwsvp("wcet", {"--set", average, "--times", "measured"});
  EXPECT_EQ(measured.exit_code, 0) << measured.err;
  EXPECT_THAT(measured.out, HasSubstr("nothing could be bounded: static block times need"));
}

// ---- the key

TEST_F(launch_choice, is_not_made_where_the_key_is_off) {
  write({below}, ", split_by_launch: false");
  const compiled_program p = compiled();
  EXPECT_FALSE(p.placed.by_launch.has_value());
  EXPECT_EQ(p.placed.splits, 1u);
  const program_result r = pwsvp("run");
  EXPECT_EQ(r.exit_code, 0) << r.err;
  EXPECT_THAT(r.out, Not(HasSubstr("by launch")));
  EXPECT_THAT(pwsvp("wcet").out, Not(HasSubstr("split: auto")));
}

TEST_F(launch_choice, without_auto_there_is_no_choice_to_leave_out) {
  write({below}, ", split_by_launch: false");
  const program_result r = pwsvp("run", {"--set", "program.split=all"});
  EXPECT_EQ(r.exit_code, 2) << r.out;
  EXPECT_THAT(r.err, AllOf(HasSubstr(file() + ":2:"),
                           HasSubstr("program.split_by_launch: false is for split: auto, and split is all")));
  // With its default every key of another run can be written down.
  write({below}, ", split_by_launch: true");
  EXPECT_EQ(pwsvp("run", {"--set", "program.split=all"}).exit_code, 0);
}

}  // namespace
}  // namespace pws::test::launch_choice_test
