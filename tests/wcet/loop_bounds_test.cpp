// SPDX-License-Identifier: Apache-2.0
// Flow facts checked on the machine: the first iteration that is one too many stops the run, whoever executes it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "platform/machine/device_runtime.h"
#include "platform/machine/virtual_platform.h"
#include "platform/wcet/loop_bound_checker.h"
#include "sw/pwscc/assembled_kernel.h"
#include "tests/integration/bytes_of.h"
#include "tests/integration/child_process.h"
#include "tests/splitting/batch_run.h"

namespace pws::test::loop_bounds_test {
namespace {

using models::divergence_kind;
using models::fidelity;
using models::machine_config;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;

struct stated {
  uint64_t bound = 0;
  bool of_machine_loop = false;  // from the line `;@ loop N` to `;@ end N`
};

// Loops as the lines `;@ enter N` and `;@ iterate N` say: of the instruction that follows.
std::vector<cfg::marked_loop> loops_in(const std::string& text, const std::vector<stated>& bounds,
                                       cfg::function_code& code) {
  const pwscc::assembly_file file(text, "hand.s");
  const pwscc::assembled_kernel kernel = pwscc::assemble_kernels(file).at(0);
  code = kernel.code;
  std::vector<cfg::marked_loop> loops(bounds.size());
  for (size_t l = 0; l < bounds.size(); ++l) {
    loops[l].bound = bounds[l].bound;
    loops[l].from = bounds[l].of_machine_loop ? "wcet.loops" : "PWS_LOOP_BOUND";
    loops[l].place = {"hand.hip", static_cast<uint32_t>(10 + l), 0};
    if (bounds[l].of_machine_loop) loops[l].in_loop.assign(kernel.code.instructions.size(), false);
  }
  std::vector<bool> inside(bounds.size(), false);
  size_t line = 0;
  for (size_t k = 0; k < kernel.line_of.size(); ++k) {
    for (; line < kernel.line_of[k]; ++line) {
      char what[16] = "";
      size_t l = 0;
      if (std::sscanf(file.lines()[line].text.c_str(), " ;@ %15s %zu", what, &l) != 2 || l >= bounds.size()) continue;
      if (std::string(what) == "enter") loops.at(l).entries.push_back(k);
      if (std::string(what) == "iterate") loops.at(l).iterations.push_back(k);
      if (std::string(what) == "loop") inside.at(l) = true;
      if (std::string(what) == "end") inside.at(l) = false;
    }
    for (size_t l = 0; l < bounds.size(); ++l)
      if (inside[l] && bounds[l].of_machine_loop)
        loops[l].in_loop[k] = kernel.code.instructions[k].unit != isa::unit::end;
  }
  return loops;
}

// Hears everything too, beside the checker.
class listener : public models::execution_observer {
 public:
  void wave_started(uint32_t, const models::wf_context&, models::cycle_t) override { ++n; }
  void issued(uint32_t, const models::wf_context&, const isa::inst&, models::cycle_t) override { ++n; }
  void wave_ended(uint32_t, const models::wf_context&, models::cycle_t) override { ++n; }
  uint64_t n = 0;
};

// What stopped the machine: "" if nothing did. The launch is made `launches` times, with the same checker.
std::string run(const machine_config& machine, const std::string& body, const std::vector<stated>& bounds,
                uint32_t work_items = 64, uint32_t workgroup = 64, unsigned launches = 1) {
  assembly_file file;
  file.add_kernel(body);
  const loader::program_image program = assemble(file.text());
  cfg::function_code code;
  const std::vector<cfg::marked_loop> loops = loops_in(file.text(), bounds, code);
  const child_result child = in_child(
      [&](const message_sink& send) {
        platform::virtual_platform board("board", machine);
        models::gpu& gpu = board.gpu;
        sc_core::sc_start(sc_core::SC_ZERO_TIME);
        platform::device_runtime runtime(board);
        runtime.load(program);
        platform::kernel_launch request;
        request.kernel = runtime.find_kernel("k0");
        request.grid = {work_items, 1, 1};
        request.workgroup = {workgroup, 1, 1};
        const uint64_t out = runtime.allocate(uint64_t{work_items} * bytes_per_work_item, "out");
        request.arguments = {bytes_of(out),         bytes_of(uint32_t{0}),
                             bytes_of(uint32_t{0}), bytes_of(uint32_t{0x10000}),
                             bytes_of(uint32_t{0}), bytes_of(workgroup)};
        const uint64_t entry = request.kernel.entry();
        const uint64_t moved = entry - code.begin();
        for (isa::inst& i : code.instructions) {
          i.pc += moved;
          i.target += moved;
        }
        platform::loop_bound_checker checker(gpu.config, code, loops);
        listener other;
        std::string error;
        for (unsigned k = 0; k < launches && error.empty(); ++k) {
          const platform::attached_observer counting(gpu, bounds.empty() ? nullptr : &checker);
          const platform::attached_observer beside(gpu, &other);
          error = runtime.launch(request).error;
        }
        if (other.n == 0) error += "(the other observer heard nothing)";
        if (checker.broken().empty() != error.empty()) error += "(the checker says otherwise)";
        send(error.data(), error.size());
        return 0;
      },
      600);
  if (child.status != 0) throw std::runtime_error(describe_status(child.status) + "\n" + child.log);
  return {child.message.begin(), child.message.end()};
}

// Loop `id`: each work-item takes its body as often as its v20 + `id` says, at the beginning of the loop. s[40 + 2 id]
// and v24 + id are its own.
std::string loop(unsigned id, const std::string& trips, const std::string& body = "") {
  static unsigned labels = 0;
  const unsigned tag = labels++;
  return fmt::format(
      "  v_mov_b32 v{count}, 0\n  s_mov_b64 s[{s}:{e}], exec\n{trips}"
      "  ;@ enter {id}\n  v_cmp_lt_u32 vcc, v{count}, v{trip}\n  s_and_b64 exec, exec, vcc\n"
      "  s_cbranch_execz done_{tag}\n  ;@ loop {id}\nagain_{tag}:\n  ;@ iterate {id}\n  s_nop 0\n{body}"
      "  v_add_u32 v{count}, vcc, 1, v{count}\n  v_cmp_lt_u32 vcc, v{count}, v{trip}\n  s_and_b64 exec, exec, vcc\n"
      "  s_cbranch_execnz again_{tag}\n  ;@ end {id}\ndone_{tag}:\n  s_mov_b64 exec, s[{s}:{e}]\n",
      fmt::arg("id", id), fmt::arg("tag", tag), fmt::arg("trips", trips), fmt::arg("body", body),
      fmt::arg("count", 24 + id), fmt::arg("trip", 20 + id), fmt::arg("s", 40 + 2 * id), fmt::arg("e", 41 + 2 * id));
}
std::string trips(unsigned id, unsigned n) {
  return fmt::format("  v_mov_b32 v{}, {}\n", 20 + id, n);
}
// `n`, but for work-item `one` of the launch.
std::string trips_but(unsigned id, unsigned n, unsigned one, unsigned its) {
  return fmt::format(
      "  v_cmp_eq_u32 vcc, {2}, v2\n  v_mov_b32 v3, {1}\n  v_mov_b32 v7, {3}\n"
      "  v_cndmask_b32 v{0}, v3, v7, vcc\n",
      20 + id, n, one, its);
}
// if (id & bit) one else other, splitting where the machine can; `depth` chooses the registers.
std::string split_on(uint32_t bit, const std::string& one, const std::string& other, unsigned depth = 0) {
  static unsigned labels = 0;
  const std::string saved = fmt::format("s[{}:{}]", 30 + 2 * depth, 31 + 2 * depth);
  return fmt::format(
      "  v_and_b32 v3, {0}, v2\n  v_cmp_ne_u32 vcc, 0, v3\n  s_and_saveexec_b64 {6}, vcc\n"
      "  s_xor_b64 {6}, exec, {6}\n{1}  s_cbranch_execz else_{2}\n{3}else_{2}:\n"
      "  s_or_saveexec_b64 {6}, {6}\n  s_xor_b64 exec, exec, {6}\n  s_cbranch_execz end_{2}\n{4}"
      "end_{2}:\n  s_or_b64 exec, exec, {6}\n{5}",
      bit, split_exec, labels++, one, other, merge, saved);
}

class loop_bounds : public testing::TestWithParam<fidelity> {
 protected:
  static machine_config machine(divergence_kind d = divergence_kind::none, uint32_t s = 0) {
    machine_config m;
    m.n_cu = 1;
    m.n_simd = 1;
    m.n_wfc = 2;
    m.fidelity = GetParam();
    m.divergence = d;
    m.spsimd_per_simd = s;
    return m;
  }
};

INSTANTIATE_TEST_SUITE_P(fidelity, loop_bounds, testing::Values(fidelity::functional, fidelity::timing),
                         [](const auto& f) { return f.param == fidelity::timing ? "timing" : "functional"; });

TEST_P(loop_bounds, the_first_iteration_too_many_stops_the_run) {
  EXPECT_EQ(run(machine(), loop(0, trips(0, 10)), {{10}}), "");
  EXPECT_THAT(run(machine(), loop(0, trips(0, 11)), {{10}}),
              AllOf(HasSubstr("kernel k0, workgroup (0,0,0), wavefront 0 (cu0.simd0.wf0), pc 0x"),
                    ContainsRegex(": s_nop 0 \\([^()]*[.]s:[0-9]+\\), lane 0: loop at hand.hip:10 took 11 iterations, "
                                  "PWS_LOOP_BOUND says 10")));
  EXPECT_EQ(run(machine(), loop(0, trips(0, 11)), {}), "") << "not checked";
}

TEST_P(loop_bounds, one_work_item_is_enough) {
  const std::string body = loop(0, trips_but(0, 3, 128 + 64 + 37, 11));
  EXPECT_EQ(run(machine(), body, {{11}}, 256, 128), "");
  EXPECT_THAT(run(machine(), body, {{10}}, 256, 128), AllOf(HasSubstr("workgroup (1,0,0), wavefront 1 "),
                                                            HasSubstr(", lane 37: loop at hand.hip:10 took 11 ")));
}

TEST_P(loop_bounds, no_iterations) {
  EXPECT_EQ(run(machine(), loop(0, trips(0, 0)), {{0}}), "");
  EXPECT_THAT(run(machine(), loop(0, trips_but(0, 0, 5, 1)), {{0}}),
              HasSubstr("lane 5: loop at hand.hip:10 took 1 iterations, PWS_LOOP_BOUND says 0"));
}

TEST_P(loop_bounds, nests_begin_anew_every_time) {
  const std::string full = loop(0, trips(0, 3), loop(1, trips(1, 6), loop(2, trips(2, 4))));
  EXPECT_EQ(run(machine(), full, {{3}, {6}, {4}}), "");
  EXPECT_THAT(run(machine(), full, {{3}, {6}, {3}}), HasSubstr("loop at hand.hip:12 took 4 iterations"));
  EXPECT_THAT(run(machine(), full, {{3}, {5}, {4}}), HasSubstr("loop at hand.hip:11 took 6 iterations"));
  EXPECT_THAT(run(machine(), full, {{2}, {6}, {4}}), HasSubstr("loop at hand.hip:10 took 3 iterations"));
  // Only in the last of twelve times.
  const std::string last = loop(0, trips(0, 12),
                                loop(1,
                                     "  v_cmp_eq_u32 vcc, 11, v24\n  v_mov_b32 v3, 8\n  v_mov_b32 v7, 9\n"
                                     "  v_cndmask_b32 v21, v3, v7, vcc\n"));
  EXPECT_EQ(run(machine(), last, {{12}, {9}}), "");
  EXPECT_THAT(run(machine(), last, {{12}, {8}}), HasSubstr("loop at hand.hip:11 took 9 iterations"));
}

// Work-items that are never in the loop together.
TEST_P(loop_bounds, both_sides_of_a_branch) {
  const std::string body = split_on(1, loop(0, trips(0, 7)), loop(0, trips(0, 7)));
  for (const divergence_kind d : {divergence_kind::none, divergence_kind::pws, divergence_kind::dws})
    EXPECT_EQ(run(machine(d, 1), body, {{7}}), "");
}

TEST_P(loop_bounds, in_an_swf) {
  const auto body = [](unsigned its) { return split_on(1, loop(0, trips(0, 2)), loop(0, trips_but(0, 3, 36, its))); };
  EXPECT_EQ(run(machine(divergence_kind::pws, 1), body(10), {{10}}), "");
  EXPECT_THAT(run(machine(divergence_kind::pws, 1), body(11), {{10}}),
              AllOf(HasSubstr("(cu0.simd0.spsimd2.swf0)"), HasSubstr("lane 36: loop at hand.hip:10 took 11")));
  EXPECT_THAT(run(machine(divergence_kind::dws, 1), body(11), {{10}}),
              AllOf(HasSubstr("(cu0.simd0.wf1)"), HasSubstr("lane 36: loop at hand.hip:10 took 11")));
  EXPECT_THAT(run(machine(), body(11), {{10}}), HasSubstr("lane 36: loop at hand.hip:10 took 11"));
}

// The wavefront is split and joined in every iteration: counts are the work-items', whoever executes.
TEST_P(loop_bounds, splits_in_the_body) {
  const auto body = [](unsigned n) {
    return loop(0, trips(0, n),
                split_on(1, "  ;@ iterate 1\n  s_nop 1\n", split_on(2, "  s_nop 2\n", "  s_nop 3\n", 1)));
  };
  machine_config mode = machine(divergence_kind::pws_mode, 3);
  mode.force_mode_split = true;
  for (const machine_config& m : {machine(), machine(divergence_kind::pws, 1), machine(divergence_kind::pws, 3),
                                  machine(divergence_kind::dws, 1), mode}) {
    EXPECT_EQ(run(m, body(10), {{10}, {10}}), "");
    EXPECT_THAT(run(m, body(11), {{10}, {11}}), HasSubstr(": loop at hand.hip:10 took 11 iterations"));
    EXPECT_THAT(run(m, body(10), {{10}, {9}}), HasSubstr("lane 1: loop at hand.hip:11 took 10 iterations"));
  }
}

// Split by MODE bit 21 the parts never join, and each goes on by itself.
TEST_P(loop_bounds, parts_that_never_join) {
  machine_config m = machine(divergence_kind::pws_mode, 7);
  m.force_mode_split = true;
  const std::string body = loop(0, "  v_and_b32 v20, 7, v2\n  v_add_u32 v20, vcc, 4, v20\n");
  EXPECT_EQ(run(m, body, {{11}}), "");
  EXPECT_THAT(run(m, body, {{10}}), HasSubstr("lane 7: loop at hand.hip:10 took 11 iterations"));
}

// The same contexts again and again. These loops have no entry: what is counted begins with the wavefront.
TEST_P(loop_bounds, contexts_are_used_again) {
  const auto body = [] {
    std::string text = loop(0, trips(0, 9));
    const std::string entry = "  ;@ enter 0\n";
    return text.erase(text.find(entry), entry.size());
  };
  for (const divergence_kind d : {divergence_kind::none, divergence_kind::pws, divergence_kind::dws}) {
    machine_config m = machine(d, 1);
    EXPECT_EQ(run(m, body(), {{9}}, 64 * 40, 128, 2), "");
    EXPECT_THAT(run(m, body() + "  ;@ iterate 0\n  s_nop 4\n", {{9}}, 64 * 40, 128), HasSubstr("took 10 iterations"));
    m.n_cu = m.n_simd = 2;
    EXPECT_EQ(run(m, split_on(1, body(), body()), {{9}}, 64 * 40, 64), "");
  }
}

// ---- bounds of loops of the machine code

TEST_P(loop_bounds, machine_loops) {
  const std::string nest = loop(0, trips(0, 5), loop(1, trips(1, 6)));
  EXPECT_EQ(run(machine(), nest, {{5, true}, {6, true}}), "");
  EXPECT_THAT(run(machine(), nest, {{4, true}, {6, true}}),
              HasSubstr("loop at hand.hip:10 took 5 iterations, wcet.loops says 4"));
  EXPECT_THAT(run(machine(), nest, {{5, true}, {5, true}}),
              HasSubstr("loop at hand.hip:11 took 6 iterations, wcet.loops says 5"));
}

// With nobody active, as the code that clang does not skip: an iteration of the machine loop all the same. Anchors are
// not passed so: clang branches around them.
TEST_P(loop_bounds, without_active_work_items) {
  const auto body = [](unsigned n, const std::string& anchors = "") {
    return fmt::format(
        "  s_mov_b64 s[40:41], exec\n  s_mov_b64 exec, 0\n  s_mov_b32 s50, {}\n  s_nop 0\n"
        "  ;@ loop 0\nagain:\n  ;@ iterate 0\n{}  s_sub_u32 s50, s50, 1\n"
        "  s_cmp_lg_u32 s50, 0\n  s_cbranch_scc1 again\n  ;@ end 0\n  s_mov_b64 exec, s[40:41]\n",
        n, anchors);
  };
  EXPECT_EQ(run(machine(), body(10), {{10, true}}), "");
  EXPECT_THAT(run(machine(), body(11), {{10, true}}), HasSubstr("loop at hand.hip:10 took 11 iterations"));
  for (const std::string kind : {"enter", "iterate"})
    EXPECT_THAT(run(machine(), body(10, "  ;@ " + kind + " 1\n"), {{10, true}, {10}}),
                AllOf(HasSubstr(": s_sub_u32 s50, s50, 1 ("),
                      HasSubstr("): loop at hand.hip:11 is passed by no active work-item")));
}

TEST_P(loop_bounds, machine_loops_and_splits) {
  const auto body = [](unsigned n) {
    return loop(0, trips(0, n), split_on(1, "  s_nop 1\n", split_on(2, "  s_nop 2\n", "  s_nop 3\n", 1)));
  };
  for (const auto& [d, s] :
       {std::pair{divergence_kind::pws, 1u}, {divergence_kind::pws, 3u}, {divergence_kind::dws, 1u}}) {
    EXPECT_EQ(run(machine(d, s), body(10), {{10, true}}), "");
    EXPECT_THAT(run(machine(d, s), body(11), {{10, true}}), HasSubstr("took 11 iterations, wcet.loops says 10"));
  }
}

// The work-items of one side end in the loop; those of the other go on in the context.
TEST_P(loop_bounds, taken_over_in_a_machine_loop) {
  const auto body = [](unsigned n) {
    return loop(0, trips(0, n),
                "  v_cmp_eq_u32 vcc, 2, v24\n  s_cbranch_vccz on\n" + split_on(1, "  s_endpgm\n", "  s_nop 7\n") +
                    "on:\n  s_nop 2\n");
  };
  for (const bool of_machine_loop : {false, true}) {
    const machine_config m = machine(divergence_kind::pws, 1);
    EXPECT_EQ(run(m, body(10), {{10, of_machine_loop}}), "");
    EXPECT_THAT(run(m, body(11), {{10, of_machine_loop}}),
                AllOf(HasSubstr("(cu0.simd0.wf0)"), HasSubstr("lane 0: loop at hand.hip:10 took 11 iterations")));
  }
}

// ---- with the RTL

// The iteration's anchor stands right behind a write of EXEC, which the RTL has only when its latency has passed.
TEST(loop_bounds_rtl, in_an_swf) {
  const auto body = [](unsigned its) {
    std::string inner = loop(0, trips_but(0, 3, 36, its));
    // All work-items have been active in front of the anchor.
    const size_t at = inner.find("  ;@ iterate 0\n");
    inner.insert(at, "  s_mov_b64 s[60:61], exec\n  s_mov_b64 exec, -1\n  s_nop 7\n  s_mov_b64 exec, s[60:61]\n");
    return split_on(1, "  s_nop 0\n", inner);
  };
  machine_config m;
  m.n_cu = m.n_simd = 1;
  m.divergence = divergence_kind::pws;
  m.spsimd_per_simd = 1;
  m.split_cycles = m.merge_cycles = 9;
  for (const models::cosim_mode mode :
       {models::cosim_mode::model, models::cosim_mode::rtl, models::cosim_mode::lockstep}) {
    m.cosim.mode = mode;
    EXPECT_EQ(run(m, body(10), {{10}}), "");
    EXPECT_THAT(run(m, body(11), {{10}}),
                AllOf(HasSubstr("(cu0.simd0.spsimd2.swf0)"), HasSubstr("lane 36: loop at hand.hip:10 took 11")));
  }
}

}  // namespace
}  // namespace pws::test::loop_bounds_test
