// SPDX-License-Identifier: Apache-2.0
// What the smaller analyses say of masks, EXEC and scalar registers against what instructions do: every row in every
// encoding, with a little random code on masks around it. Each analysis answers one question about the code, and the
// code is executed to see whether the answer holds.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <functional>

#include "base/error.h"
#include "models/flow/dominators.h"
#include "models/isa/host_fp.h"
#include "models/isa/predicates.h"
#include "sw/cfg/divergent_branch.h"
#include "sw/cfg/empty_exec.h"
#include "sw/cfg/exec_tracking.h"
#include "sw/cfg/inlined_calls.h"
#include "sw/cfg/lane_subsets.h"
#include "sw/wcet/kernel/workgroup_decisions.h"
#include "sw/wcet/lanes/lane_bits.h"
#include "tests/wcet/row_forms.h"

namespace pws::test::row_masks_test {
namespace {

using isa::operation;

constexpr uint32_t s_endpgm = 0xbf810000, s_barrier = 0xbf8a0000, s_nop = 0xbf800000;
constexpr uint32_t s_cbranch_scc0 = 0xbf840000, s_cbranch_execz = 0xbf880000;

// Rows that straight-line code is not made of, or that code without parts of wavefronts is.
bool is_straight(const isa::opcode_row& row) {
  const operation does = row.means.does;
  return row.unit != isa::unit::branch && row.unit != isa::unit::split && row.unit != isa::unit::merge &&
         does != operation::end_program && does != operation::trap;
}

// Instructions that masks go through.
void add_mask_code(code_writer& w, random_source& r, unsigned n) {
  constexpr const char* names[] = {"s_and_b64",          "s_or_b64",          "s_xor_b64",          "s_andn2_b64",
                                   "s_mov_b64",          "s_not_b64",         "s_cselect_b64",      "s_cmp_lt_u32",
                                   "s_mov_b32",          "s_or_saveexec_b64", "s_and_saveexec_b64", "v_cmp_lt_u32",
                                   "v_cmpx_lt_u32",      "v_add_u32",         "v_addc_u32",         "v_writelane_b32",
                                   "v_readlane_b32",     "v_cndmask_b32",     "s_bcnt1_i32_b64",    "s_and_b32",
                                   "s_nand_saveexec_b64"};
  for (unsigned k = 0; k < n; ++k) w.add(names[r.below(21)]);
}

class masks_trial {
 public:
  masks_trial(const row_form& form, uint64_t seed) : form_(form), r(seed), m(r, ~uint64_t{0}) {
    m.describe_others(r);
    memory().connect(m.state);
  }
  // The row with code before and behind it; false: its fields do not go together.
  bool write(unsigned before, unsigned behind) {
    const auto words = random_words(form_, r);
    if (!words) return false;
    code_writer w(r);
    add_mask_code(w, r, r.below(before + 1));
    w.words.insert(w.words.end(), words->begin(), words->end());
    add_mask_code(w, r, r.below(behind + 1));
    code = w.words;
    const isa::inst row = isa::decode(words->data(), static_cast<unsigned>(words->size()), 0);
    memory().prepare(m, row, r);
    return true;
  }
  static row_memory& memory() {
    static row_memory all;
    return all;
  }
  // One instruction; false: the machine refuses it.
  static bool step(isa::wave_state& s, const isa::inst& i) {
    s.pc = i.pc + i.bytes();
    try {
      const isa::host_fp_scope floating_point;
      i.exec(s, i);
    } catch (const program_error&) {
      return false;
    }
    return true;
  }

  const row_form& form_;
  random_source r;
  described_wave m;
  std::vector<uint32_t> code;
};

// Asks for each form; `question` says whether the analysis has answered it so that something could be wrong.
void ask_of_every_row(uint64_t first_seed, const std::function<bool(masks_trial&)>& question) {
  const char* wanted = std::getenv("PWS_ROW_STATES");
  const unsigned times = wanted == nullptr ? 4 : static_cast<unsigned>(std::atoi(wanted));
  unsigned answers = 0, asked = 0;
  for (const row_form& form : all_row_forms()) {
    if (!is_straight(*form.row)) continue;
    for (unsigned n = 0; n < times; ++n) {
      masks_trial t(form, ++first_seed);
      if (!t.write(3, 2)) continue;
      ++asked;
      answers += question(t) ? 1 : 0;
      ASSERT_FALSE(testing::Test::HasFailure()) << form.name();
    }
  }
  EXPECT_GT(answers, asked / 50) << "of " << asked;
}

std::string text_of(const cfg::function_code& code) {
  std::string text;
  for (const isa::inst& i : code.instructions) text += isa::disassemble(i) + "\n";
  return text;
}

TEST(row_masks, the_bit_of_one_work_item) {
  ask_of_every_row(0, [](masks_trial& t) {
    const cfg::function_code code = analysed_code::decode(t.code);
    isa::wave_state& s = t.m.state;
    if (t.r.one_in(3)) s.split_mask = t.r.any() | uint64_t{t.r.any()} << 32;
    if (s.split_mask == 0) return false;
    unsigned lane = t.r.below(64);
    while ((s.split_mask >> lane & 1) == 0) lane = (lane + 1) % 64;
    std::vector<wcet::lane_bits> states{wcet::lane_bits((s.active() >> lane & 1) != 0)};
    for (size_t k = 0; k + 1 < code.instructions.size(); ++k) {
      const isa::inst& i = code.instructions[k];
      if (!masks_trial::step(s, i)) return k != 0;
      std::vector<wcet::lane_bits> next;
      for (wcet::lane_bits& b : states) {
        std::vector<wcet::lane_bits> others;
        b.execute(i, others);
        others.push_back(b);
        for (const wcet::lane_bits& o : others)
          if (next.size() < 4 && o.holds(s, lane)) next.push_back(o);
      }
      EXPECT_FALSE(next.empty()) << "lane " << lane << " after instruction " << k << " of\n" << text_of(code);
      if (next.empty()) return true;
      states = next;
    }
    return true;
  });
}

// With all scalar registers and MODE's indexing as the row leaves them, from the loop's header to its header.
TEST(row_masks, work_items_that_only_leave) {
  ask_of_every_row(1'000'000, [](masks_trial& t) {
    if (t.r.one_in(2)) {  // what is written goes to EXEC
      constexpr uint32_t s_mov_b64 = 0xbe800100, s_and_b64 = 0x86800000;
      const uint32_t pair = t.r.one_in(2) ? 106 : 2 * t.r.below(n_sgprs / 2);
      t.code.push_back(t.r.one_in(3) ? s_and_b64 | 126 << 16 | 126 << 8 | pair : s_mov_b64 | 126 << 16 | pair);
    }
    t.code.push_back(s_cbranch_scc0 | (0xffff - static_cast<uint32_t>(t.code.size())));
    const cfg::function_code code = analysed_code::decode(t.code);
    const cfg::flow_graph graph(code);
    const cfg::loop_forest loops(graph, cfg::dominator_tree(graph, cfg::dominator_tree::direction::dominators));
    if (loops.loops().size() != 1 || !cfg::work_items_only_leave(graph, loops.loops().front())) return false;
    isa::wave_state& s = t.m.state;
    s.set_scalar64(isa::exec_lo, t.r.any() & uint64_t{t.r.any()} << 16);
    const uint64_t before = s.active();
    for (size_t k = 0; k + 2 < code.instructions.size(); ++k)
      if (!masks_trial::step(s, code.instructions[k])) return false;
    EXPECT_EQ(s.active() & ~before, 0u) << text_of(code);
    return s.active() != before;
  });
}

// A side that may be executed with no work-item active, which ends where all registers may be read.
TEST(row_masks, sides_without_work_items) {
  ask_of_every_row(2'000'000, [](masks_trial& t) {
    std::vector<uint32_t> words{0};
    words.insert(words.end(), t.code.begin(), t.code.end());
    if (t.r.one_in(2)) {  // a branch that is known skips a barrier
      words.push_back(s_cbranch_scc0 + (t.r.below(4) << 16) + 1);
      words.push_back(s_barrier);
    }
    words[0] = s_cbranch_execz | (static_cast<uint32_t>(words.size()) - 1);
    words.push_back(s_nop);
    const cfg::function_code code = analysed_code::decode(words);
    const cfg::flow_graph graph(code);
    const cfg::scalar_liveness live(graph);
    const cfg::empty_exec empty(graph, live);
    if (!empty.without(0, std::vector<bool>(code.instructions.size(), false)).harmless()) return false;
    isa::wave_state& s = t.m.state;
    s.set_scalar64(isa::exec_lo, 0);
    std::vector<isa::vgpr_row> rows(s.vgpr, s.vgpr + n_vgprs);
    for (size_t k = 1; k + 1 < code.instructions.size(); k = code.at(s.pc)) {
      const isa::inst& i = code.instructions[k];
      EXPECT_NE(i.unit, isa::unit::barrier) << text_of(code);
      if (!masks_trial::step(s, i)) return false;  // whatever EXEC is
      EXPECT_EQ(s.active(), 0u) << text_of(code);
      if (testing::Test::HasFailure()) return true;
    }
    for (unsigned v = 0; v < n_vgprs; ++v)
      for (unsigned l = 0; l < lanes_per_wave; ++l)
        EXPECT_EQ(rows[v].lane[l], s.vgpr[v].lane[l]) << "v" << v << " in lane " << l << " of\n" << text_of(code);
    return true;
  });
}

TEST(row_masks, work_items_are_surely_active) {
  ask_of_every_row(3'000'000, [](masks_trial& t) {
    t.code.push_back(s_nop);
    const cfg::function_code code = analysed_code::decode(t.code);
    const cfg::flow_graph graph(code);
    const cfg::exec_tracking activity(graph, cfg::find_divergent_branches(code));
    isa::wave_state& s = t.m.state;
    s.set_scalar64(isa::exec_lo, uint64_t{1} << t.r.below(64));
    for (size_t k = 0; k + 1 < code.instructions.size(); ++k) {
      EXPECT_TRUE(!activity.surely_active(k) || s.active() != 0) << "before " << k << " of\n" << text_of(code);
      if (!masks_trial::step(s, code.instructions[k])) return false;
    }
    return activity.surely_active(code.instructions.size() - 1);
  });
}

// Two wavefronts of a workgroup have the launch's scalar registers in common, and nothing else.
TEST(row_masks, decisions_of_a_workgroup) {
  constexpr unsigned in_common = 12;
  ask_of_every_row(4'000'000, [](masks_trial& t) {
    if (t.r.one_in(3)) {  // s_cmp_eq_u32 of what has been written
      t.code.push_back(0xbf060000 | 128 << 8 | t.r.below(n_sgprs));
      t.code.push_back(s_cbranch_scc0 + 1);
    } else {
      t.code.push_back(s_cbranch_scc0 + (t.r.below(4) << 16) + 1);
    }
    t.code.push_back(s_nop);
    const cfg::function_code code = analysed_code::decode(t.code);
    const cfg::flow_graph graph(code);
    wcet::launch_facts launch;
    launch.workgroup = launch.grid = {128, 1, 1};
    launch.descriptor.user_sgpr_count = in_common;
    launch.descriptor.workitem_ids = 0;  // nothing is known of vector registers
    const wcet::workgroup_decisions decisions(graph, launch);
    if (!decisions.decide({})[0]) return false;
    std::vector<isa::vgpr_row> rows(n_vgprs);
    isa::wave_state &a = t.m.state, b = a;
    b.vgpr = rows.data();
    a.mode = b.mode = launch.descriptor.mode;
    for (isa::vgpr_row& row : rows)
      for (uint32_t& lane : row.lane) lane = t.r.number();
    for (unsigned k = in_common; k < isa::exec_lo; ++k) b.scalar[k] = t.r.one_in(2) ? 0 : t.r.any();
    b.scc = !a.scc;
    b.hw_id = a.hw_id + 1;
    for (size_t k = 0; k + 2 < code.instructions.size(); ++k)
      if (!masks_trial::step(a, code.instructions[k]) || !masks_trial::step(b, code.instructions[k])) return false;
    EXPECT_EQ(a.pc, b.pc) << text_of(code);
    return true;
  });
}

// Where a call goes whose target has been put into s[4:5].
TEST(row_masks, targets_of_calls) {
  ask_of_every_row(5'000'000, [](masks_trial& t) {
    constexpr uint32_t function = 0x20000, s_swappc = 0xbe801e00, s_setpc = 0xbe801d00, s_mov_b32 = 0xbe8000ff;
    constexpr uint32_t link = 14;
    std::vector<uint32_t> words{s_mov_b32 | 4 << 16, function, s_mov_b32 | 5 << 16, 0};
    words.insert(words.end(), t.code.begin(), t.code.end());
    words.push_back(s_swappc | link << 16 | 4);
    const cfg::function_code code = analysed_code::decode(words);
    const uint32_t body = s_setpc | link;
    cfg::inlined_code inlined;
    try {
      inlined = cfg::inline_calls(
          code, [&](uint64_t pc) { return isa::decode(&body, 1, pc); }, [](uint64_t) { return std::string(); });
    } catch (const input_error&) {
      return false;
    }
    isa::wave_state& s = t.m.state;
    for (size_t k = 0; k + 2 < code.instructions.size(); ++k)
      if (!masks_trial::step(s, code.instructions[k])) return false;
    EXPECT_EQ(inlined.copies.at(0).function, s.scalar64(4)) << text_of(code);
    return true;
  });
}

}  // namespace
}  // namespace pws::test::row_masks_test
