// SPDX-License-Identifier: Apache-2.0
// A profile has every cycle of every wavefront and path once, at one instruction, and what they waited is a part of it:
// under every scheme, in random programs with loops, barriers, splits and early ends.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstring>
#include <map>

#include "platform/instruments/observers/profile_recorder.h"
#include "platform/machine/virtual_platform.h"
#include "tests/integration/child_process.h"
#include "tests/splitting/batch_run.h"

namespace pws::test::profile_test {
namespace {

using models::divergence_kind;

// Cycles from where each context's wavefront or path begins to where it ends.
class lifetimes : public models::execution_observer {
 public:
  interests wants() const override { return {false, false, false}; }
  void wave_started(uint32_t, const models::wf_context& c, models::cycle_t at) override { began_[&c] = at; }
  void issued(uint32_t, const models::wf_context&, const isa::inst&, models::cycle_t) override {}
  void wave_ended(uint32_t, const models::wf_context& c, models::cycle_t at) override { cycles += at - began_.at(&c); }
  uint64_t cycles = 0;

 private:
  std::map<const models::wf_context*, models::cycle_t> began_;
};

struct sums {
  uint64_t lifetimes = 0, cycles = 0, issues = 0, instructions = 0;
  uint64_t rows = 0, overdrawn = 0, never_run = 0;  // instructions; with more stalls than cycles; with no issue
  uint64_t paths = 0;
  std::array<uint64_t, static_cast<size_t>(models::stall::count)> stalls{}, waiting{};
};

sums profile_of(const models::machine_config& machine, const loader::program_image& program, unsigned kernels) {
  const child_result child = in_child(
      [&](const message_sink& send) {
        platform::virtual_platform board("board", machine);
        models::gpu& gpu = board.gpu;
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        platform::device_runtime runtime(board);
        runtime.load(program);
        platform::profile_recorder recorder(gpu, runtime);
        lifetimes watched;
        const platform::attached_observer recording(gpu, &recorder), watching(gpu, &watched);
        for (unsigned k = 0; k < kernels; ++k) {
          batch_launch l;
          l.kernel = fmt::format("k{}", k);
          l.workgroup = k % 2 == 0 ? 256 : 100;
          l.work_items = 2 * l.workgroup + 1;
          const uint64_t out = runtime.allocate(uint64_t{l.work_items} * bytes_per_work_item, "out");
          const platform::launch_result result = runtime.launch(launch_of(l, runtime, out));
          if (!result.completed) throw std::runtime_error(result.error);
          recorder.launch_ended();
        }
        sums s;
        s.lifetimes = watched.cycles;
        for (const platform::profiled_instruction& i : recorder.result().instructions) {
          s.cycles += i.counted.cycles;
          s.issues += i.counted.issues;
          s.overdrawn += i.counted.all_stalls() > i.counted.cycles;
          s.never_run += i.counted.issues == 0;
          ++s.rows;
          for (size_t r = 0; r < s.stalls.size(); ++r) s.stalls[r] += i.counted.stalls[r];
        }
        const platform::machine_counters totals = platform::read_counters(gpu);
        s.instructions = totals.cu.total_instructions();
        s.waiting = totals.cu.stalls;
        s.paths = totals.divergence.splits;
        send(&s, sizeof s);
        return 0;
      },
      300);
  if (child.status != 0) throw std::runtime_error(describe_status(child.status) + "\n" + child.log);
  sums s;
  if (child.message.size() != sizeof s) throw std::runtime_error("a profile sent too little");
  std::memcpy(&s, child.message.data(), sizeof s);
  return s;
}

loader::program_image random_program(unsigned kernels, bool early_ends) {
  assembly_file file;
  for (unsigned k = 0; k < kernels; ++k) {
    program_options options;
    options.depth = 3;
    options.split_percent = 100;
    options.early_ends = early_ends;
    options.barriers = !early_ends;
    file.add_program(17 + k, options);
  }
  return assemble(file.text());
}

void expect_whole(const sums& s, bool timed) {
  EXPECT_EQ(s.cycles, timed ? s.lifetimes : 0);
  EXPECT_EQ(s.overdrawn, 0u) << "of " << s.rows << " instructions";
  EXPECT_EQ(s.never_run, 0u);
  EXPECT_EQ(s.stalls, s.waiting);
  EXPECT_GE(s.issues, s.instructions);  // a warp is several paths
  EXPECT_GT(s.instructions, 0u);
  EXPECT_NE(s.lifetimes, 0u);
}

TEST(profile, has_every_cycle_of_every_path_once) {
  constexpr unsigned kernels = 4;
  for (const bool early_ends : {false, true}) {
    const loader::program_image program = random_program(kernels, early_ends);
    uint64_t paths = 0;
    for (const models::scheme_traits& scheme : models::divergence_schemes)
      for (const uint32_t s : {0u, 1u, 7u}) {
        const divergence_kind d = scheme.kind;
        models::machine_config m;
        m.n_cu = 2;
        m.n_simd = 2;
        m.divergence = d;
        const bool counts_units = scheme.contexts == models::swf_contexts::spsimd_units ||
                                  scheme.contexts == models::swf_contexts::wavefront_contexts;
        if (s != 0 && !counts_units) continue;
        m.spsimd_per_simd = s;
        m.force_mode_split = d == divergence_kind::pws_mode;
        SCOPED_TRACE(fmt::format("{} S={}{}", scheme.name, s, early_ends ? ", early ends" : ""));
        const sums counted = profile_of(m, program, kernels);
        expect_whole(counted, true);
        paths += counted.paths;
      }
    EXPECT_GT(paths, 0u);
  }
}

TEST(profile, has_no_cycles_without_time) {
  models::machine_config m;
  m.fidelity = models::fidelity::functional;
  const sums s = profile_of(m, random_program(2, false), 2);
  expect_whole(s, false);
  EXPECT_EQ(s.issues, s.instructions);
}

}  // namespace
}  // namespace pws::test::profile_test
