// SPDX-License-Identifier: Apache-2.0
// Splitting changes when work-items execute, not what they compute: memory after random programs is the same whatever
// the scheme, the number of SpSIMD units and how warps are formed, in both fidelities. PWS_SPLIT_PROGRAMS sets how many
// programs are tried.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/splitting/batch_run.h"

namespace pws::test::split_memory_test {
namespace {

using models::divergence_kind;
using models::fidelity;

unsigned programs_wanted() {
  const char* n = std::getenv("PWS_SPLIT_PROGRAMS");
  return n == nullptr ? 40 : static_cast<unsigned>(std::atoi(n));
}
constexpr unsigned batch = 20;

struct scheme_case {
  std::string name;
  models::machine_config machine;
};

std::vector<scheme_case> schemes() {
  std::vector<scheme_case> all;
  for (const fidelity f : {fidelity::functional, fidelity::timing}) {
    const auto add = [&](const std::string& name, divergence_kind d, uint32_t s, const auto& change) {
      models::machine_config m;
      m.n_cu = 2;
      m.n_simd = 2;
      m.fidelity = f;
      m.divergence = d;
      m.spsimd_per_simd = s;
      change(m);
      all.push_back({fmt::format("{} S={} {}", name, s, f == fidelity::timing ? "timing" : "functional"), m});
    };
    const auto nothing = [](models::machine_config&) {};
    add("none", divergence_kind::none, 0, nothing);
    add("stack", divergence_kind::stack, 0, nothing);
    add("stack round robin", divergence_kind::stack, 0, [](auto& m) {
      m.schedule = models::schedule_policy::round_robin;
      m.split_cycles = 5;
      m.merge_cycles = 7;
    });
    for (const models::path_scoreboard b :
         {models::path_scoreboard::drain, models::path_scoreboard::conservative, models::path_scoreboard::optimistic}) {
      const auto carried = [&](auto& m) { m.scoreboard = b; };
      if (b != models::path_scoreboard::drain)
        add("stack, " + std::string(name_of(b)), divergence_kind::stack, 0, carried);
      for (const models::path_scheduler by : {models::path_scheduler::full, models::path_scheduler::constrained})
        for (const bool forwarding : {false, true})
          add(fmt::format("dpe, {}, {}{}", name_of(b), name_of(by), forwarding ? ", forwarding" : ""),
              divergence_kind::dpe, 0, [&](auto& m) {
                carried(m);
                m.dpe = {by, forwarding};
                m.schedule = forwarding ? models::schedule_policy::round_robin : models::schedule_policy::oldest_first;
              });
    }
    for (const int threshold : {0, 10, 50, 100, -1})
      add("dws-table, threshold " + (threshold < 0 ? "unlimited" : std::to_string(threshold)),
          divergence_kind::dws_table, 0, [&](auto& m) {
            if (threshold >= 0) m.dws.threshold = threshold;
            m.scoreboard = threshold == 10 ? models::path_scoreboard::drain : models::path_scoreboard::optimistic;
            m.schedule = threshold == 50 ? models::schedule_policy::round_robin : models::schedule_policy::oldest_first;
          });
    add("dws-table, each by itself", divergence_kind::dws_table, 0, [](auto& m) {
      m.dws.pc_reconvergence = false;
      m.scoreboard = models::path_scoreboard::optimistic;
    });
    for (const models::path_scoreboard b : {models::path_scoreboard::drain, models::path_scoreboard::optimistic}) {
      for (const models::turn_end at : {models::turn_end::stall, models::turn_end::issue})
        for (const uint32_t entries : {0u, 2u})
          add(fmt::format("subwarps, {}, {}, {} entries", name_of(b), name_of(at), entries), divergence_kind::subwarps,
              0, [&](auto& m) {
                m.scoreboard = b;
                m.subwarps.switch_at = at;
                if (entries != 0) m.subwarps.entries = entries;
                m.subwarps.switch_cycles = entries == 0 ? 1 : 6;
              });
      for (const uint32_t branches : {0u, 1u, 3u})
        add(fmt::format("convergence, {}, yields after {}", name_of(b), branches), divergence_kind::convergence, 0,
            [&](auto& m) {
              m.scoreboard = b;
              m.convergence.yield_branches = branches;
              m.schedule = branches == 1 ? models::schedule_policy::round_robin : models::schedule_policy::oldest_first;
            });
    }
    for (const uint32_t s : {1u, 3u}) {
      const auto optimistic = [](auto& m) { m.scoreboard = models::path_scoreboard::optimistic; };
      add("pws, optimistic", divergence_kind::pws, s, optimistic);
      add("dws, optimistic", divergence_kind::dws, s, optimistic);
    }
    for (const uint32_t s : {0u, 1u, 2u, 3u, 7u, 63u}) {
      add("pws", divergence_kind::pws, s, nothing);
      add("pws-mode forced", divergence_kind::pws_mode, s, [](auto& m) { m.force_mode_split = true; });
      add("dws", divergence_kind::dws, s, nothing);
    }
    add("pws round robin", divergence_kind::pws, 3, [](auto& m) {
      m.schedule = models::schedule_policy::round_robin;
      m.split_cycles = 5;
      m.merge_cycles = 7;
      m.valu_lanes = 64;
    });
    add("dws in 130 contexts", divergence_kind::dws, 63, [](auto& m) {
      m.n_wfc = 130;
      m.sgprs_per_simd = 16 * 130;
    });
    add("pws reusing idle units", divergence_kind::pws, 7, [](auto& m) {
      m.reuse_idle_spsimd = true;
      m.split_points = 2;
    });
    add("pws designated units", divergence_kind::pws, 1, [](auto& m) { m.designate_spsimd = true; });
  }
  return all;
}

// Where two memories differ first.
std::string difference(const std::vector<uint32_t>& a, const std::vector<uint32_t>& b) {
  for (size_t k = 0; k < a.size(); ++k)
    if (a[k] != b[k]) return fmt::format("work-item {}, dword {}: {:#x} and {:#x}", k / 8, k % 8, a[k], b[k]);
  return "";
}

// Machines that form warps of work-items: no split or merge means anything to them.
std::vector<scheme_case> formed() {
  std::vector<scheme_case> all;
  const auto add = [&](divergence_kind d, const std::string& name, const auto& change) {
    models::machine_config m;
    m.n_cu = 2;
    m.n_simd = 2;
    m.divergence = d;
    change(m);
    all.push_back({fmt::format("{} {} {}", traits_of(d).name, name, name_of(m.fidelity)), m});
  };
  for (const divergence_kind d : {divergence_kind::pdom, divergence_kind::naive, divergence_kind::mimd}) {
    add(d, "", [](auto& m) { m.fidelity = fidelity::functional; });
    for (const uint32_t size : {16u, 64u}) add(d, std::to_string(size), [&](auto& m) { m.dwf.warp_size = size; });
  }
  for (const models::issue_heuristic h :
       {models::issue_heuristic::majority, models::issue_heuristic::minority, models::issue_heuristic::time_stamp,
        models::issue_heuristic::post_dominator, models::issue_heuristic::pc})
    for (const models::warp_register_file file :
         {models::warp_register_file::lane_aware, models::warp_register_file::banked,
          models::warp_register_file::ideal})
      add(divergence_kind::dwf, fmt::format("{}, {}", name_of(h), name_of(file)), [&](auto& m) {
        m.dwf.heuristic = h;
        m.dwf.register_file = file;
      });
  add(divergence_kind::dwf, "32", [](auto& m) { m.dwf.warp_size = 32; });
  add(divergence_kind::dwf, "64", [](auto& m) {
    m.dwf.warp_size = 64;
    m.valu_lanes = 64;
    m.dwf.swizzle = false;
  });
  add(divergence_kind::dwf, "with small structures", [](auto& m) {
    m.dwf.lut_entries = 2;
    m.dwf.pool = 2;
    m.dwf.majority_entries = 1;
    m.dwf.update_registers = 1;
    m.ibuf_dwords = 8;
    m.n_wfc = 4;
  });
  return all;
}

struct random_batch {
  std::string text;
  std::vector<batch_launch> launches;
};
random_batch batch_from(unsigned seed) {
  random_batch b;
  assembly_file file;
  for (unsigned k = 0; k < batch; ++k) {
    program_options options;
    options.depth = 2 + (seed + k) % 4;
    options.split_percent = (seed + k) % 5 == 0 ? 100 : 70;
    file.add_program(seed + k, options);
    batch_launch l;
    l.kernel = fmt::format("k{}", k);
    constexpr uint32_t sizes[] = {64, 1, 100, 256, 63, 200};
    l.workgroup = sizes[(seed + k) % 6];
    l.work_items = 3 * l.workgroup / 2 + 1;  // the last workgroup is partial
    b.launches.push_back(l);
  }
  b.text = file.text();
  return b;
}

void expect_same(const batch_report& expected, const batch_report& r, unsigned seed) {
  ASSERT_EQ(r.launches.size(), batch) << "seed " << seed + r.launches.size() - 1 << ": " << r.launches.back().error;
  for (unsigned k = 0; k < batch; ++k) {
    ASSERT_EQ(r.launches[k].error, "") << "seed " << seed + k;
    ASSERT_EQ(difference(expected.launches[k].memory, r.launches[k].memory), "") << "seed " << seed + k;
  }
}

TEST(split_memory, is_independent_of_how_warps_are_formed) {
  uint64_t cuts = 0;
  for (unsigned seed = 1; seed <= programs_wanted(); seed += batch) {
    const random_batch b = batch_from(seed);
    const loader::program_image program = assemble(b.text);
    models::machine_config plain;
    plain.fidelity = fidelity::functional;
    const batch_report expected = run_batch(plain, program, b.launches);
    for (const scheme_case& s : formed()) {
      SCOPED_TRACE(s.name);
      const batch_report r = run_batch(s.machine, program, b.launches);
      expect_same(expected, r, seed);
      if (HasFatalFailure()) return;
      cuts += r.divergence.splits;
    }
  }
  fmt::print("{} programs on {} machines: {} paths cut at branches\n", programs_wanted(), formed().size(), cuts);
  EXPECT_GT(cuts, 0u);
}

TEST(split_memory, is_independent_of_the_scheme) {
  models::divergence_statistics total;
  for (unsigned seed = 1; seed <= programs_wanted(); seed += batch) {
    const random_batch b = batch_from(seed);
    const loader::program_image program = assemble(b.text);
    batch_report expected;
    for (const scheme_case& s : schemes()) {
      SCOPED_TRACE(s.name);
      const batch_report r = run_batch(s.machine, program, b.launches);
      const bool first = expected.launches.empty();
      if (first) expected = r;
      expect_same(expected, r, seed);
      if (HasFatalFailure()) return;
      if (first) continue;
      const divergence_kind scheme = s.machine.divergence;
      EXPECT_EQ(r.divergence.splits != 0, models::traits_of(scheme).keeps_own_paths() ||
                                              (scheme != divergence_kind::none && s.machine.spsimd_per_simd != 0));
      const bool all_meet =
          scheme == divergence_kind::pws || scheme == divergence_kind::dws || scheme == divergence_kind::subwarps;
      if (all_meet) {
        EXPECT_EQ(r.divergence.splits, r.divergence.merges);
      }
      total.splits += r.divergence.splits;
      total.merges += r.divergence.merges;
      total.no_context += r.divergence.no_context;
      total.one_sided += r.divergence.one_sided;
    }
  }
  fmt::print("{} programs: {} splits, {} merges, {} splits one-sided, {} without a free context\n", programs_wanted(),
             total.splits, total.merges, total.one_sided, total.no_context);
  EXPECT_GT(total.splits, 0u);
  EXPECT_GT(total.no_context, 0u);
  EXPECT_GT(total.one_sided, 0u);
}

// Random programs under every scheme with every check. In whole workgroups they are right by construction; where the
// last one is partial, work-items read words of LDS that belong to nobody.
TEST(split_memory, has_nothing_for_the_checks_to_find) {
  for (unsigned seed = 1; seed <= programs_wanted(); seed += batch) {
    random_batch b = batch_from(seed);
    for (unsigned k = 0; k < batch; ++k) {
      b.launches[k].workgroup = 64u << (seed + k) % 3;
      b.launches[k].work_items = 2 * b.launches[k].workgroup;
    }
    const loader::program_image program = assemble(b.text);
    for (scheme_case s : schemes()) {
      SCOPED_TRACE(s.name);
      for (bool* on : {&s.machine.check.waits, &s.machine.check.races, &s.machine.check.init,
                       &s.machine.check.coherence, &s.machine.check.sync})
        *on = true;
      const batch_report r = run_batch(s.machine, program, b.launches);
      ASSERT_EQ(r.launches.size(), batch) << "seed " << seed;
      ASSERT_EQ(r.findings, "") << "seeds " << seed << " to " << seed + batch - 1;
    }
  }
}

}  // namespace
}  // namespace pws::test::split_memory_test
