// SPDX-License-Identifier: Apache-2.0
// Programs with split and merge on every scheme, against models of the papers: in every cycle the same paths issue the
// same instructions. PWS_PATH_PROGRAMS sets how many random programs are tried.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <random>
#include <stdexcept>

#include "base/enum_names.h"
#include "models/machine/divergence_kind.h"
#include "tests/splitting/batch_run.h"
#include "tests/splitting/issue_recorder.h"
#include "tests/splitting/path_machine.h"

namespace pws::test::path_order_test {
namespace {

using models::divergence_kind;
using models::machine_config;
using models::path_scheduler;
using models::path_scoreboard;

// Behind the program's first barrier, from the cycle in which the last wavefront comes to it.
struct compared_run {
  uint64_t begin = 0;
  std::vector<path_issue> issues;
};
compared_run run_of(const path_program& program, const std::vector<observed_issue>& all) {
  compared_run run;
  uint64_t barrier = ~uint64_t{0};
  for (const observed_issue& o : all)
    if (o.unit == isa::unit::barrier) barrier = std::min(barrier, o.pc);
  for (const observed_issue& o : all)
    if (o.pc == barrier) run.begin = o.cycle;
  const std::vector<uint64_t> offsets = program.offsets();
  for (const observed_issue& o : all) {
    if (o.pc <= barrier) continue;
    const auto at = std::lower_bound(offsets.begin(), offsets.end(), o.pc - barrier);
    if (at == offsets.end() || *at != o.pc - barrier) throw std::runtime_error("no instruction begins at this PC");
    run.issues.push_back(
        {o.cycle - run.begin, o.wavefront, o.work_items, static_cast<size_t>(at - offsets.begin()), o.active});
  }
  std::sort(run.issues.begin(), run.issues.end());
  return run;
}

std::string text_of(const path_program& p, const path_issue* i) {
  if (i == nullptr) return "nothing";
  return fmt::format("cycle {}: wavefront {}, {:016x}, {:016x} active: {} {}", i->cycle, i->wavefront, i->work_items,
                     i->active, i->instruction, p.code()[i->instruction].text);
}

// "" if both are the same.
std::string difference(const path_program& p, const std::vector<path_issue>& expected,
                       const std::vector<path_issue>& got) {
  constexpr size_t before = 12, behind = 6;
  for (size_t k = 0; k < std::max(expected.size(), got.size()); ++k) {
    const auto in = [](const std::vector<path_issue>& list, size_t n) { return n < list.size() ? &list[n] : nullptr; };
    const path_issue *e = in(expected, k), *g = in(got, k);
    if (e != nullptr && g != nullptr && *e == *g) continue;
    std::string text = fmt::format("issue {} of {}\n", k, expected.size());
    for (size_t n = k < before ? 0 : k - before; n < k; ++n) text += "  both:    " + text_of(p, &expected[n]) + "\n";
    for (size_t n = k; n < k + behind; ++n)
      text += "  model:   " + text_of(p, in(expected, n)) + "\n  machine: " + text_of(p, in(got, n)) + "\n";
    return text;
  }
  return "";
}

// ---- Machines

// A scheme with what is its own; of a random machine around it, nothing else.
std::vector<machine_config> all_schemes() {
  std::vector<machine_config> list;
  const auto add = [&](divergence_kind kind, path_scoreboard scoreboard) -> machine_config& {
    machine_config& m = list.emplace_back();
    m.divergence = kind;
    m.scoreboard = scoreboard;
    return m;
  };
  constexpr path_scoreboard boards[] = {path_scoreboard::drain, path_scoreboard::optimistic,
                                        path_scoreboard::conservative};
  for (const path_scoreboard b : boards) {
    add(divergence_kind::stack, b);
    for (const path_scheduler s : {path_scheduler::full, path_scheduler::constrained})
      for (const bool forwarding : {false, true}) add(divergence_kind::dpe, b).dpe = {s, forwarding};
    if (b == path_scoreboard::conservative) continue;
    for (const int threshold : {-1, 0, 2, 4, 10})
      for (const bool together : {false, true}) {
        models::dws_config& dws = add(divergence_kind::dws_table, b).dws;
        dws.pc_reconvergence = together;
        if (threshold >= 0) dws.threshold = threshold;
      }
    for (const uint32_t s : {1u, 2u, 3u, 7u})
      for (const divergence_kind kind : {divergence_kind::pws, divergence_kind::dws}) add(kind, b).spsimd_per_simd = s;
  }
  return list;
}

machine_config machine_around(machine_config m, uint64_t number) {
  std::mt19937_64 random(number);
  const auto one_of = [&](std::initializer_list<uint32_t> values) {
    return *(values.begin() + static_cast<ptrdiff_t>(random() % values.size()));
  };
  m.n_cu = m.n_simd = 1;
  m.n_wfc = one_of({4, 5, 8, 12});
  m.sgprs_per_simd = 65536;
  // The program is one fetch, so that none comes between its instructions.
  m.fetch_bytes = path_program_bytes;
  m.ibuf_dwords = path_program_bytes / 4 + 1;
  for (models::cache_config* c :
       {&m.memory.instruction_cache, &m.memory.scalar_cache, &m.memory.vector_l1, &m.memory.l2.bank})
    c->line_bytes = path_program_bytes;
  m.memory.dram.row_bytes = 2 * path_program_bytes;
  m.schedule = one_of({0, 1}) == 0 ? models::schedule_policy::oldest_first : models::schedule_policy::round_robin;
  m.valu_lanes = one_of({16, 64});
  m.split_cycles = one_of({1, 1, 2, 5});
  m.merge_cycles = one_of({1, 1, 3, 6});
  m.latency.salu = 1;
  m.latency.valu = one_of({1, 4, 7});
  m.latency.valu_trans = one_of({1, 5, 16, 40});
  m.latency.branch = one_of({1, 1, 3, 8});
  m.latency.internal = one_of({1, 2});
  m.limits.max_cycles = 10'000'000;
  return m;
}

std::string text_of(const machine_config& m) {
  return fmt::format(
      "{}, {}, S = {}, {}, forwarding {}, threshold {}, together {}, {} contexts, {}, {} lanes, split {}, merge {}, "
      "latencies: valu "
      "{}, valu_trans {}, branch {}, internal {}",
      models::traits_of(m.divergence).name, name_of(m.scoreboard), m.spsimd_per_simd, name_of(m.dpe.scheduler),
      m.dpe.path_forwarding, m.dws.threshold ? std::to_string(*m.dws.threshold) : "none", m.dws.pc_reconvergence,
      m.n_wfc, name_of(m.schedule), m.valu_lanes, m.split_cycles, m.merge_cycles, m.latency.valu, m.latency.valu_trans,
      m.latency.branch, m.latency.internal);
}

// Holds all of them against each scheme's model; how many issues were compared.
uint64_t compare(const std::vector<path_program>& programs, const std::vector<uint32_t>& work_items,
                 uint64_t machine_seed, std::optional<uint32_t> valu_trans = {}) {
  const loader::program_image image = assemble(assembly_of(programs));
  uint64_t compared = 0;
  const std::vector<machine_config> schemes = all_schemes();
  for (size_t k = 0; k < schemes.size(); ++k) {
    machine_config m = machine_around(schemes[k], machine_seed * schemes.size() + k);
    m.latency.valu_trans = valu_trans.value_or(m.latency.valu_trans);
    SCOPED_TRACE(text_of(m));
    const auto launches = record_issues(m, image, work_items);
    for (size_t p = 0; p < programs.size(); ++p) {
      const compared_run got = run_of(programs[p], launches[p]);
      const std::vector<path_issue> expected = predict(programs[p], m, work_items[p], got.begin);
      const std::string d = difference(programs[p], expected, got.issues);
      EXPECT_TRUE(d.empty()) << "program " << p << " of " << work_items[p] << " work-items, " << d;
      if (!d.empty()) break;
      compared += expected.size();
    }
  }
  return compared;
}

TEST(path_order, is_that_of_the_papers_in_every_cycle) {
  const char* wanted = std::getenv("PWS_PATH_PROGRAMS");
  const uint64_t programs = wanted == nullptr ? 5 : std::strtoull(wanted, nullptr, 10);
  constexpr uint64_t batch = 5;
  uint64_t compared = 0;
  for (uint64_t first = 0; first < programs && !HasFailure(); first += batch) {
    SCOPED_TRACE(fmt::format("programs from {} on", first));
    std::vector<path_program> some;
    std::vector<uint32_t> work_items;
    for (uint64_t seed = first; seed < std::min(first + batch, programs); ++seed) {
      some.emplace_back(seed);
      std::mt19937_64 random(seed);
      work_items.push_back(seed % 3 == 0 ? 64 : 1 + static_cast<uint32_t>(random() % 256));
    }
    compared += compare(some, work_items, first / batch);
  }
  RecordProperty("issues", std::to_string(compared));
  EXPECT_GT(compared, programs * 1000);
}

// A split's masks are work-items by a bit of their number: 5 is the upper half of a wavefront.
uint64_t compare_shapes(const std::vector<std::string>& shapes, uint32_t work_items,
                        std::optional<uint32_t> valu_trans = {}) {
  std::vector<path_program> programs;
  for (const std::string& s : shapes) programs.push_back(path_program::of_shape(s));
  uint64_t compared = 0;
  for (uint64_t seed = 0; seed < 2; ++seed)
    compared += compare(programs, std::vector<uint32_t>(programs.size(), work_items), 1000 + seed, valu_trans);
  return compared;
}

// Figure 1's control flow, which Figures 2, 3 and 4 execute; F is one instruction. Then Figure 6, whose results are
// under way where paths part and become one (Figure 7): r0 of A, r1 of B, r7 of F.
TEST(path_order, of_the_figures_of_the_dpe_paper) {
  EXPECT_GT(compare_shapes({"vvv(5vvv|vvv(4vvv|vvv)v)vvv",  // with B as long as C
                            "vvv(5vvvNNNN|vvv(4v|vNN)v)vvv", "vvv(5v|vvv(4vNN|v)v)vvv", "q(5q|usss(4u|u)sssq)u",
                            "q(5sssq|(4sss|u)nn)u", "q(5(4q|n)|(4n|q)u)q(3u|q)u"},
                           64),
            1000u);
}

// A result under way where paths part and become one: of the path itself, and of one in the other slot, which a
// conservative scoreboard takes for it.
TEST(path_order, with_results_under_way) {
  EXPECT_GT(compare_shapes({"q(5|u)u", "q(5n|u)u", "(5qNNNN|(4nn|u)v)v", "(5qNNNN|(4u|n)v)v",
                            "(5ununununununununununun|(4n|q)s)v", "(5ununununununununununun|(4q|n)s)u"},
                           64, 200),
            1000u);
}

TEST(path_order, at_bounds) {
  const std::string deep = "(0(1(2(3(4(5vs|v)n|vv)|s)|q)|n)|N)";
  EXPECT_GT(compare_shapes({deep, deep + deep, "(0|)", "(0v|)v(1|v)", "(7v|n)v", "[" + deep + "]"}, 64), 1000u)
      << "more splits than contexts, and sides without instructions or work-items";
  EXPECT_GT(
      compare_shapes({deep, "(0ve|q)v", "(0v|qe)u", "(0(1e|v)|(1v|e))v", "(0(1e|e)n|v)v", "(0(1e|ne)|(1qe|e))"}, 1),
      10u)
      << "a work-item alone, and ends";
  EXPECT_GT(
      compare_shapes({deep, "(0ve|q)v", "(0v|qe)u", "(0(1e|v)|(1v|e))v", "(0(1e|e)n|v)v", "(0(1e|ne)|(1qe|e))"}, 130),
      1000u)
      << "ends in whole wavefronts and in one of two work-items";
}

// The same split executed twice: warp-splits that are late stand at a merge of another execution. Splits without a
// second side between others; merges right behind one another; barriers.
TEST(path_order, at_merges) {
  EXPECT_GT(compare_shapes({"[(0v|vN)]v", "[(0v|N[(1n|N)])(2s|q)]", "(0(1v|N)|(1N|v))(0v|n)v",
                            "(0(7v|n)(1v|v)|(9n|s)N)v", "(0v|N)b(1N|v)bv", "[{0(1v|N)|(1n|v)v}]"},
                           200),
            1000u);
}

// As many open splits as there are entries.
TEST(path_order, with_a_full_stack) {
  const path_program program = path_program::of_shape("(0(1(2(3v|v)|v)|v)|v)v");
  const loader::program_image image = assemble(assembly_of({program}));
  for (const machine_config& scheme : all_schemes()) {
    machine_config m = machine_around(scheme, 0);
    m.child_stack_entries = 4;
    SCOPED_TRACE(text_of(m));
    const compared_run got = run_of(program, record_issues(m, image, {64})[0]);
    const std::string d = difference(program, predict(program, m, 64, got.begin), got.issues);
    EXPECT_TRUE(d.empty()) << d;
  }
}

}  // namespace
}  // namespace pws::test::path_order_test
