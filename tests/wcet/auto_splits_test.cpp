// SPDX-License-Identifier: Apache-2.0
// pwscc --split=auto never makes a bound longer on the predictable machine: the bound of PWS of the code that it makes
// is at most that of no splitting of the code without, launch by launch, whatever the accesses' addresses turn out to
// be. The compiler does not know the launch. Where its wavefronts are followed one by one, and none takes both sides of
// a branch that is split, split and merge (and the skips that pwscc adds) are the price: that is what such a bound may
// be longer, and no more. Of a run file the launches are known, and the code is chosen by them: there nothing is
// longer. PWS_WCET_PROGRAMS sets how many random programs are tried, PWS_WCET_ALL=1 tries every case of every kernel
// with every S.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "platform/config/files/exec_config.h"
#include "platform/run/program/machine_timing.h"
#include "platform/wcet/choose_by_launch.h"
#include "platform/wcet/wcet_analysis.h"
#include "sw/pwscc/command_line.h"
#include "tests/integration/child_process.h"
#include "tests/integration/machines.h"
#include "tests/wcet/kernel_loops.h"
#include "tests/wcet/random_bounds.h"

namespace pws::test::auto_splits_test {
namespace {

using models::divergence_kind;

struct comparison {
  unsigned launches = 0, worse = 0, better = 0, splits = 0;
  std::string first;
  // `price`: what the bound may be longer.
  void add(const std::string& name, uint64_t none, uint64_t automatic, uint64_t price = 0) {
    ++launches;
    better += automatic < none ? 1 : 0;
    if (automatic <= none + price) return;
    if (worse++ == 0)
      first = fmt::format("{}: {} cycles with auto, {} without splitting, {} of split and merge", name, automatic, none,
                          price);
  }
  void print(const std::string& name) const {
    fmt::print("{}: {} launches, {} splits: {} bounds shorter, {} longer\n", name, launches, splits, better, worse);
  }
};

// --- Random programs ---------------------------------------------------------------------------------

constexpr unsigned batch = 10;

// A batch of random programs in the form that the compiler leaves, without splits.
struct unsplit_batch {
  std::string text;
  std::vector<batch_launch> launches;
};

// Where each kernel ends, as compilers say it.
std::string with_sizes(std::string text) {
  const std::string end = "  s_endpgm\n";
  size_t at = 0;
  for (unsigned k = 0; (at = text.find(end, at)) != std::string::npos; ++k) {
    at += end.size();
    text.insert(at, fmt::format(".size k{0}, .-k{0}\n", k));
  }
  return text;
}

// `booleans`: with lane masks that live over a merge, which take instructions.
unsplit_batch make_batch(unsigned seed, bool booleans = true) {
  assembly_file file;
  unsplit_batch out;
  for (unsigned k = 0; k < batch; ++k) {
    std::mt19937_64 random(seed + k);
    program_options options;
    options.depth = 1 + static_cast<unsigned>(random() % 4);
    options.statements = 1 + static_cast<unsigned>(random() % 6);
    options.split_percent = 0;
    options.booleans = booleans;
    options.memory = random() % 3 == 0;
    options.lds = random() % 3 == 0;
    options.loops = random() % 4 != 0;
    options.barriers = random() % 2 != 0;
    file.add_program(seed + k, options);
    batch_launch l;
    l.kernel = fmt::format("k{}", k);
    l.workgroup = 64u << (random() % 3);
    l.work_items = l.workgroup * (1 + static_cast<uint32_t>(random() % 24));
    l.mul = 1;
    out.launches.push_back(l);
  }
  out.text = with_sizes(file.text());
  return out;
}

// `seen`: what the compiler is told of the machine.
void compare(const unsplit_batch& b, const machine_shape& shape, const wcet::machine_timing& seen, bool one_by_one,
             comparison& out) {
  const models::machine_config machine = predictable(shape);
  machine_shape serial = shape;
  serial.scheme = divergence_kind::none;
  const models::machine_config without = predictable(serial);
  pwscc::pass_options options;
  options.choice = pwscc::split_choice::automatic;
  options.swf_contexts = shape.s;
  options.machine = seen;
  const pwscc::pass_result placed = pwscc::place_splits(b.text, "random.s", options);
  for (const pwscc::branch_report& r : placed.report.branches) out.splits += r.split ? 1 : 0;
  const loader::program_image before = assemble(b.text), after = assemble(placed.assembly);
  for (const batch_launch& l : b.launches) {
    const auto bound = [&](const loader::program_image& program, const models::machine_config& m) {
      return bound_of(program, l.kernel, m, platform::timing_of(m), l, random_loop_bound, one_by_one ? 500'000 : 0);
    };
    const platform::scheme_bound none = bound(before, without), split = bound(after, machine);
    const std::string name = fmt::format("{} of S = {}", l.kernel, shape.s);
    if (one_by_one)  // pwscc adds skips as well, where the code has none
      out.add(name + ", E_WF", none.wavefront.cycles, split.wavefront.cycles, 2 * split.wavefront.splitting);
    else
      out.add(name, none.e_kernel, split.e_kernel);
  }
}

machine_shape pws(uint32_t s) {
  machine_shape shape;
  shape.scheme = divergence_kind::pws;
  shape.s = s;
  return shape;
}

unsigned programs_wanted() {
  const char* n = std::getenv("PWS_WCET_PROGRAMS");
  return n == nullptr ? 30 : static_cast<unsigned>(std::atoi(n));
}

TEST(auto_splits, no_random_program_has_a_longer_bound) {
  comparison c;
  for (unsigned seed = 1; seed <= programs_wanted(); seed += batch) {
    const unsplit_batch b = make_batch(seed);
    for (const uint32_t s : {1u, 3u, 7u}) {
      const machine_shape shape = pws(s);
      compare(b, shape, platform::timing_of(predictable(shape)), false, c);
    }
  }
  EXPECT_EQ(c.worse, 0u) << c.first;
  EXPECT_GT(c.better, c.launches / 20) << "hardly anything is split: the test would not see a mistake";
  c.print("random programs");
}

TEST(auto_splits, bounds_of_known_wavefronts_are_longer_by_split_and_merge_at_most) {
  comparison c;
  for (unsigned seed = 1; seed <= programs_wanted(); seed += batch) {
    const unsplit_batch b = make_batch(seed, false);
    for (const uint32_t s : {1u, 3u, 7u}) {
      const machine_shape shape = pws(s);
      compare(b, shape, platform::timing_of(predictable(shape)), true, c);
    }
  }
  EXPECT_EQ(c.worse, 0u) << c.first;
  EXPECT_GT(c.better, 0u);
  c.print("random programs, wavefronts one by one");
}

// The same with a compiler that takes split and merge to cost nothing: the comparison sees it.
TEST(auto_splits, what_a_split_costs_makes_bounds_longer) {
  comparison c;
  for (unsigned seed = 1; seed <= 20; seed += batch) {
    const machine_shape shape = pws(3);
    wcet::machine_timing seen = platform::timing_of(predictable(shape));
    seen.internal = 0;
    seen.round = 1;
    compare(make_batch(seed), shape, seen, false, c);
  }
  EXPECT_GT(c.worse, 0u);
  c.print("random programs, costs of splits not seen");
}

// --- The project's kernels -----------------------------------------------------------------------------

struct kernel_bound {
  uint64_t e_wf = 0, splitting = 0;
};
kernel_bound bound_of_kernel(const platform::run_config& config, const platform::compiled_program& program) {
  // In a child, because there is one machine per process.
  const child_result child = in_child(
      [&](const message_sink& send) {
        const auto program_bound = platform::analyse_wcet(config, program, false);
        const auto& r = program_bound.launches.front();
        const bool none = config.machine.divergence == divergence_kind::none;
        const wcet::wavefront_bound& w = r->of(none ? wcet::scheme::none : wcet::scheme::pws).wavefront;
        const kernel_bound bound{w.cycles, w.splitting};
        send(&bound, sizeof bound);
        return 0;
      },
      300);
  kernel_bound bound;
  if (child.status != 0 || child.message.size() != sizeof bound)
    throw std::runtime_error(describe_status(child.status) + "\n" + child.log);
  std::memcpy(&bound, child.message.data(), sizeof bound);
  return bound;
}

const machine_shape small_machine = [] {
  machine_shape shape;
  shape.n_cu = 2;
  return shape;
}();

bool no_place_for(const reference::kernel_case& c) {
  const uint64_t work_items = uint64_t{c.workgroup[0]} * c.workgroup[1] * c.workgroup[2];
  return (work_items + 63) / 64 > small_machine.n_simd * small_machine.n_wfc;
}

class auto_split_kernels : public ::testing::TestWithParam<std::string> {};

TEST_P(auto_split_kernels, have_no_longer_bound) {
  std::vector<reference::kernel_case> cases = small_cases(GetParam());
  cases.erase(std::remove_if(cases.begin(), cases.end(), no_place_for), cases.end());
  ASSERT_FALSE(cases.empty());
  const bool all = std::getenv("PWS_WCET_ALL") != nullptr;
  comparison c, chosen;
  const auto on = [&](divergence_kind scheme, uint32_t s) {
    machine_shape shape = small_machine;
    shape.scheme = scheme;
    shape.s = s;
    models::machine_config m = predictable(shape);
    m.vgprs_per_simd = 256;
    m.sgprs_per_simd = 800;
    return m;
  };
  // Each launch's code is compiled for it, as `pwsvp wcet` does: with the bounds of its loops.
  const auto bound = [&](platform::run_config& run, const models::machine_config& machine, pwscc::split_choice choice,
                         bool by_launch, comparison& to) {
    run.machine = machine;
    run.program.split = choice;
    run.program.split_by_launch = by_launch;
    const platform::compiled_program program = platform::compile_for_launches(run, platform::assembly_text::wanted);
    to.splits += static_cast<unsigned>(program.placed.splits);
    return bound_of_kernel(run, program);
  };
  // One with each S, from different parts of the list; of kernels that gain nothing with one S alone.
  const bool gains = GetParam() == "synthetic" || GetParam() == "fully_divergent";
  size_t turn = 0;
  for (const uint32_t s : {1u, 3u, 7u}) {
    if (!all && !gains && turn != kernel_number(GetParam()) % 3) {
      ++turn;
      continue;
    }
    const size_t first = all ? 0 : turn * (cases.size() - 1) / 2, last = all ? cases.size() : first + 1;
    for (size_t k = first; k < last; ++k) {
      platform::run_config run = run_of(cases[k]);
      const models::machine_config machine = on(divergence_kind::pws, s);
      const uint64_t none = bound(run, on(divergence_kind::none, 0), pwscc::split_choice::none, false, c).e_wf;
      const kernel_bound split = bound(run, machine, pwscc::split_choice::automatic, false, c);
      const uint64_t best = bound(run, machine, pwscc::split_choice::automatic, true, chosen).e_wf;
      // pwscc adds skips as well, where the code has none.
      c.add(fmt::format("{}, S = {}", cases[k].name, s), none, split.e_wf, 2 * split.splitting);
      chosen.add(fmt::format("{}, S = {}, by launch", cases[k].name, s), none, best);
      EXPECT_EQ(best, std::min(none, split.e_wf)) << cases[k].name;
    }
    ++turn;
  }
  EXPECT_EQ(c.worse, 0u) << c.first;
  EXPECT_EQ(chosen.worse, 0u) << chosen.first;
  EXPECT_GT(c.launches, 0u);
  if (gains) {
    EXPECT_GT(chosen.better, 0u) << "both sides are mostly arithmetic";
  }
  c.print(GetParam());
  chosen.print(GetParam() + ", by launch");
}

INSTANTIATE_TEST_SUITE_P(all, auto_split_kernels, ::testing::ValuesIn(kernel_names()),
                         [](const auto& tested) { return tested.param; });

// --- The command line ------------------------------------------------------------------------------------

// What pwscc takes the machine to be unless it is told: configs/gpu/predictable.yaml.
TEST(auto_splits, the_command_lines_machine_is_the_predictable_one) {
  const platform::exec_config config = platform::load_exec(PWS_SOURCE_DIR "/configs/gpu/predictable.yaml",
                                                           {"machine.divergence=pws", "machine.spsimd_per_simd=3"});
  const wcet::machine_timing expected = platform::timing_of(config.machine);
  const pwscc::command_line line = pwscc::parse_command_line({"--split=auto", "-S", "3", "k.hip"});
  ASSERT_TRUE(line.pass.machine.has_value());
  wcet::machine_timing m = *line.pass.machine;
  m.split = line.pass.split_cycles;
  m.merge = line.pass.merge_cycles;
  EXPECT_EQ(wcet::members_of(m), wcet::members_of(expected));
}

}  // namespace
}  // namespace pws::test::auto_splits_test
