// SPDX-License-Identifier: Apache-2.0
// Calls in machine code: what is copied, and what is refused. Programs as bounds see them run in
// tests/hip/calls_test.sh.
#include "sw/cfg/inlined_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "models/isa/code/decode.h"
#include "models/isa/predicates.h"

namespace pws::cfg::inlined_calls_test {
namespace {

using ::testing::HasSubstr;

constexpr uint64_t kernel_at = 0x1000, f_at = 0x2010, g_at = 0x3024;
constexpr uint32_t end = 0xbf810000, nop = 0xbf800000, leave = 0xbe801d1e,  // s_setpc_b64 s[30:31]
    get_pc = 0xbe881c00,                                                    // s_getpc_b64 s[8:9]
    call = 0xbe9e1e08;                                                      // s_swappc_b64 s[30:31], s[8:9]

// s[8:9] = the function: three instructions of 20 bytes.
void to(std::vector<uint32_t>& code, uint64_t here, uint64_t function) {
  const auto difference = static_cast<uint32_t>(function - (here + 4 * code.size() + 4));
  // s_add_u32 s8, s8, difference; s_addc_u32 s9, s9, its sign
  code.insert(code.end(), {get_pc, 0x8008ff08, difference, 0x8209ff09, function < here ? 0xffffffffu : 0u});
}

struct program {
  std::vector<uint32_t> kernel, f{nop, leave}, g{nop, leave};

  isa::inst at(uint64_t pc) const {
    const auto in = [&](const std::vector<uint32_t>& words, uint64_t begin) {
      return pc >= begin && pc < begin + 4 * words.size();
    };
    for (const auto& [words, begin] : {std::pair{&kernel, kernel_at}, {&f, f_at}, {&g, g_at}})
      if (in(*words, begin)) {
        const size_t k = (pc - begin) / 4;
        return isa::decode(words->data() + k, static_cast<unsigned>(std::min<size_t>(2, words->size() - k)), pc);
      }
    throw std::runtime_error("nothing there");
  }
  inlined_code inlined() const {
    const function_code code = decode_function("k", kernel.data(), kernel.size(), kernel_at);
    return inline_calls(
        code, [&](uint64_t pc) { return at(pc); }, [](uint64_t) { return "a.hip:7: "; });
  }
  std::string error() const {
    try {
      inlined();
    } catch (const std::exception& e) {
      return e.what();
    }
    return "no error";
  }
};

program calling_f(unsigned times) {
  program p;
  for (unsigned k = 0; k < times; ++k) {
    to(p.kernel, kernel_at, f_at);
    p.kernel.push_back(call);
  }
  p.kernel.push_back(end);
  return p;
}

TEST(inlined_calls, code_without_calls_stays_as_it_is) {
  program p;
  p.kernel = {nop, end};
  const inlined_code c = p.inlined();
  EXPECT_EQ(c.code.instructions.size(), 2u);
  EXPECT_TRUE(c.copies.empty());
}

TEST(inlined_calls, each_call_has_its_copy_and_goes_on_behind_itself) {
  const inlined_code c = calling_f(2).inlined();
  ASSERT_EQ(c.copies.size(), 2u);
  EXPECT_EQ(c.own, 9u);
  const flow_graph graph(c.code);
  for (size_t n = 0; n < 2; ++n) {
    const inlined_code::copy& copy = c.copies[n];
    EXPECT_EQ(copy.function, f_at);
    EXPECT_EQ(copy.end - copy.first, 2u);
    const isa::inst &jump = c.code.instructions[copy.call], &back = c.code.instructions[copy.first + 1];
    EXPECT_EQ(c.code.at(jump.target), copy.first);
    EXPECT_EQ(c.code.at(back.target), copy.call + 1);
    EXPECT_EQ(jump.unit, isa::unit::branch);
    ASSERT_EQ(jump.n_writes, 1) << "the return address";
    EXPECT_EQ(jump.writes[0].first, 30);
    EXPECT_EQ(jump.writes[0].count, 2);
    EXPECT_EQ(back.n_writes, 0);
    EXPECT_EQ(c.code.instructions[copy.first].pc % 256, f_at % 256) << "fetches are the same";
    EXPECT_EQ(c.address[copy.first], f_at);
    EXPECT_TRUE(graph.reachable(graph.block_of(copy.first)));
  }
  EXPECT_NE(c.copies[0].call, c.copies[1].call);
}

TEST(inlined_calls, a_function_that_calls_keeps_its_return_address) {
  program p = calling_f(2);
  // v_writelane_b32 v6, s30, 0; v_writelane_b32 v6, s31, 1; call g; v_readlane_b32 s31, v6, 1; s30, v6, 0; return
  p.f = {0xd28a0006, 0x0001001e, 0xd28a0006, 0x0001021f};
  to(p.f, f_at, g_at);
  p.f.insert(p.f.end(), {call, 0xd289001f, 0x00010306, 0xd289001e, 0x00010106, leave});
  const inlined_code c = p.inlined();
  ASSERT_EQ(c.copies.size(), 4u);
  for (const inlined_code::copy& copy : c.copies)
    EXPECT_EQ(c.code.at(c.code.instructions[copy.end - 1].target), copy.call + 1);
  // Not what it was called with: both halves from one lane.
  p.f[p.f.size() - 2] = 0x00010306;
  EXPECT_THAT(p.error(), HasSubstr("s_setpc_b64 s[30:31]"));
}

TEST(inlined_calls, what_returns_elsewhere_is_no_return) {
  program p = calling_f(1);
  p.f = {0x801e841e, leave};  // s_add_u32 s30, s30, 4: behind the instruction behind the call
  EXPECT_NE(p.error(), "no error");
  p.f = {0xbe801d20};  // s_setpc_b64 s[32:33]: not known
  EXPECT_THAT(p.error(), HasSubstr("a.hip:7: k+0x1010: s_setpc_b64 s[32:33]: the target of this jump is not known"));
  p = {};
  p.kernel = {leave};
  EXPECT_THAT(p.error(), HasSubstr("the kernel goes on where a register says"));
}

TEST(inlined_calls, a_last_call_is_a_jump) {
  program p = calling_f(2);
  p.f.clear();
  to(p.f, f_at, g_at);
  p.f.push_back(0xbe801d08);  // s_setpc_b64 s[8:9]
  const inlined_code c = p.inlined();
  ASSERT_EQ(c.copies.size(), 4u);
  for (const size_t f : {0, 2}) {  // g's copy comes behind f's
    EXPECT_EQ(c.code.at(c.code.instructions[c.copies[f].end - 1].target), c.copies[f + 1].first);
    EXPECT_EQ(c.code.at(c.code.instructions[c.copies[f + 1].end - 1].target), c.copies[f].call + 1);
  }
}

TEST(inlined_calls, what_ends_in_a_trap_ends_the_program) {
  constexpr uint32_t trap = 0xbf920002, again = 0xbf82ffff;  // s_branch to itself
  for (const std::vector<uint32_t>& f : {std::vector<uint32_t>{nop, trap}, {0xbf840001, trap, nop, trap, leave}}) {
    program p = calling_f(1);
    p.kernel.pop_back();  // the call is its last instruction
    p.f = f;
    const inlined_code c = p.inlined();
    EXPECT_TRUE(c.copies.empty());
    EXPECT_EQ(c.code.instructions.back().unit, isa::unit::end);
    EXPECT_EQ(c.code.instructions.size(), c.own);
  }
  // One that returns on a way, that ends the program, or that never ends: what it takes counts.
  for (const std::vector<uint32_t>& f :
       {std::vector<uint32_t>{0xbf840001, trap, nop, leave}, {nop, end}, {0xbf840001, trap, nop, end}, {again}}) {
    program p = calling_f(1);
    p.f = f;
    EXPECT_EQ(p.inlined().copies.size(), 1u);
  }
}

TEST(inlined_calls, recursion_and_unknown_targets_are_refused) {
  program p = calling_f(1);
  p.f.clear();
  to(p.f, f_at, g_at);
  p.f.insert(p.f.end(), {call, leave});
  p.g.clear();
  to(p.g, g_at, f_at);
  p.g.insert(p.g.end(), {call, leave});
  EXPECT_THAT(p.error(), HasSubstr("a recursive call"));
  p = {};
  p.kernel = {0xbe8a1e08, end};  // s_swappc_b64 s[10:11], s[8:9]: arguments, perhaps
  EXPECT_THAT(p.error(),
              HasSubstr("a.hip:7: k+0x0: s_swappc_b64 s[10:11], s[8:9]: the target of this call is not known"));
  p = calling_f(1);
  p.kernel[2] += 0x100000;
  EXPECT_THAT(p.error(), HasSubstr("has no code at"));
}

// The address is a constant the first time round only: behind the call the function has changed it.
TEST(inlined_calls, a_target_that_is_not_the_same_on_every_path_is_refused) {
  program p;
  to(p.kernel, kernel_at, f_at);
  p.kernel.push_back(call);
  p.kernel.push_back(0xbf85fffe);  // s_cbranch_scc1 to the call
  p.kernel.push_back(end);
  EXPECT_EQ(p.error(), "no error");
  p.f = {0x80088408, leave};  // s_add_u32 s8, s8, 4
  EXPECT_THAT(p.error(), HasSubstr("not every path gives this jump the same target"));
}

// --- What is followed, and what is forgotten ------------------------------------------------------------
//
// A function that goes to g by s[30:31], if what it does in between leaves g's address known: then g is copied too. If
// not, the jump by the register pair of the call is taken for its return.

using words = std::vector<uint32_t>;
constexpr uint32_t take_target = 0xbe9e0108,  // s_mov_b64 s[30:31], s[8:9]
    forget_target = 0xc0060200,               // s_load_dwordx2 s[8:9], s[0:1], 0x0 (and a word)
    write_lane = 0xd28a0006, lane_0_of_s8 = 0x00010008, lane_1_of_s9 = 0x00010209,  // v_writelane_b32 v6, ...
    index_on = 0xbf110100;                                                          // s_set_gpr_idx_on s0, 1

size_t copies_of(const words& function) {
  program p = calling_f(1);
  p.f = function;
  p.g = {nop, end};
  return p.inlined().copies.size();
}

// g's address in s[8:9].
size_t copies_with_scalars(const words& between) {
  words f;
  to(f, f_at, g_at);
  f.insert(f.end(), between.begin(), between.end());
  f.insert(f.end(), {take_target, leave});
  return copies_of(f);
}

// In lanes 0 and 1 of v6.
size_t copies_with_lanes(const words& between, const words& before = {}) {
  words f;
  to(f, f_at, g_at);
  f.insert(f.end(), before.begin(), before.end());
  f.insert(f.end(), {write_lane, lane_0_of_s8, write_lane, lane_1_of_s9});
  f.insert(f.end(), between.begin(), between.end());
  // v_readlane_b32 s30, v6, 0; v_readlane_b32 s31, v6, 1
  f.insert(f.end(), {0xd289001e, 0x00010106, 0xd289001f, 0x00010306, leave});
  return copies_of(f);
}

TEST(inlined_calls, scalars_are_followed_through_copies) {
  EXPECT_EQ(copies_with_scalars({nop}), 2u);
  EXPECT_EQ(copies_with_scalars({0xbe8c0108, 0xbe88010c}), 2u) << "s_mov_b64 to s[12:13] and back";
  EXPECT_EQ(copies_with_scalars({forget_target, 0}), 1u);
  EXPECT_EQ(copies_with_scalars({0xbe882d0a}), 1u) << "s_movreld_b64 may write any register";
  EXPECT_EQ(copies_with_scalars({0xbe8a0108, 0xbe882b0a}), 1u) << "s_movrels_b64 reads another one than it names";
}

TEST(inlined_calls, a_carry_is_that_of_the_last_sum) {
  const auto copies = [](const words& between) {
    words f{get_pc, 0x8008ff08, static_cast<uint32_t>(g_at - (f_at + 4))};
    f.insert(f.end(), between.begin(), between.end());
    f.insert(f.end(), {0x8209ff09, 0, take_target, leave});
    return copies_of(f);
  };
  EXPECT_EQ(copies({nop}), 2u);
  EXPECT_EQ(copies({0xbf068000}), 1u) << "s_cmp_eq_u32 s0, 0";
  EXPECT_EQ(copies({0x810c8080}), 1u) << "s_add_i32 s12, 0, 0: SCC is no carry";
}

TEST(inlined_calls, lanes_are_followed_until_they_are_written) {
  EXPECT_EQ(copies_with_lanes({nop}), 2u);
  EXPECT_EQ(copies_with_lanes({write_lane, 0x00010400}), 2u) << "v_writelane_b32 v6, s0, 2";
  EXPECT_EQ(copies_with_lanes({0xd28a0005, 0x00010000}), 2u) << "v_writelane_b32 v5, s0, 0";
  EXPECT_EQ(copies_with_lanes({0x7e0a0300}), 2u) << "v_mov_b32 v5, v0";
  EXPECT_EQ(copies_with_lanes({0x7e0c0300}), 1u) << "v_mov_b32 v6, v0";
  EXPECT_EQ(copies_with_lanes({0xdc540000, 0x05000000}), 1u) << "flat_load_dwordx2 v[5:6], v[0:1]";
  EXPECT_EQ(copies_with_lanes({write_lane, 0x00010000}), 1u) << "v_writelane_b32 v6, s0, 0";
  EXPECT_EQ(copies_with_lanes({write_lane, 0x00000000}), 1u) << "v_writelane_b32 v6, s0, s0";
  EXPECT_EQ(copies_with_lanes({write_lane, 0x00018000}), 1u) << "v_writelane_b32 v6, s0, 64: lane 0";
  EXPECT_EQ(copies_with_lanes({write_lane, 0x00010009, write_lane, 0x00018008}), 2u) << "v_writelane_b32 v6, s8, 64";
  EXPECT_EQ(copies_with_lanes({0xbe882d0a}), 1u) << "s_movreld_b64";
}

TEST(inlined_calls, lanes_are_not_followed_where_vector_registers_may_be_indexed) {
  EXPECT_EQ(copies_with_lanes({index_on}), 1u);
  EXPECT_EQ(copies_with_lanes({}, {index_on}), 1u) << "nor later";
  EXPECT_EQ(copies_with_lanes({0xba0006c1, 1}), 1u) << "s_setreg_imm32_b32 of MODE's bit 27";
  EXPECT_EQ(copies_with_lanes({0xba000681, 1}), 2u) << "of bit 26";
  EXPECT_EQ(copies_with_lanes({0xba001801, 1}), 2u) << "of the rounding";
  EXPECT_EQ(copies_with_lanes({0xba001681, 3}), 1u) << "of bits 26 to 28";
}

// `scc1` over two words, whose way comes first or second.
words on_one_way(const words& two) {
  words w{0xbf850002};  // s_cbranch_scc1 behind it
  w.insert(w.end(), two.begin(), two.end());
  return w;
}
words on_the_later_way(const words& two) {
  words w{0xbf850001, 0xbf820002};  // s_cbranch_scc1 to it; s_branch behind it
  w.insert(w.end(), two.begin(), two.end());
  return w;
}

TEST(inlined_calls, what_ways_do_not_agree_on_is_not_known) {
  for (const auto& way : {on_one_way, on_the_later_way}) {
    EXPECT_EQ(copies_with_scalars(way({nop, nop})), 2u);
    EXPECT_EQ(copies_with_scalars(way({forget_target, 0})), 1u) << "unknown there";
    EXPECT_EQ(copies_with_scalars(way({0x80088408, nop})), 1u) << "s_add_u32 s8, s8, 4: another one there";
    EXPECT_EQ(copies_with_lanes(way({nop, nop})), 2u);
    EXPECT_EQ(copies_with_lanes(way({write_lane, 0x00010000})), 1u) << "unknown there";
    EXPECT_EQ(copies_with_lanes(way({write_lane, 0x00010009})), 1u) << "another one there";
    EXPECT_EQ(copies_with_lanes({}, way({index_on, nop})), 1u) << "indexed there";
  }
}

// What a jump was found to do with the first ways has to hold when calls have been followed and more ways come to it.
TEST(inlined_calls, jumps_are_checked_again_with_all_ways) {
  program p = calling_f(1);
  const auto function = [&](const words& begin, const words& before_jump, uint32_t jump, const words& behind_call) {
    p.f = begin;
    p.f.push_back(0xbf850001u + static_cast<uint32_t>(before_jump.size()));  // s_cbranch_scc1 behind the jump
    p.f.insert(p.f.end(), before_jump.begin(), before_jump.end());
    const size_t at = p.f.size();
    p.f.push_back(jump);
    const size_t other = p.f.size() + 7 + behind_call.size();
    to(p.f, f_at, f_at + 4 * other);
    p.f.push_back(call);
    p.f.insert(p.f.end(), behind_call.begin(), behind_call.end());
    p.f.push_back(0xbf820000u | (static_cast<uint32_t>(at - p.f.size() - 1) & 0xffff));  // s_branch to the jump
    ASSERT_EQ(p.f.size(), other);
    p.f.push_back(leave);
  };
  constexpr uint32_t keep = 0xbe8c011e, go_back = 0xbe801d0c;  // s_mov_b64 s[12:13], s[30:31]; s_setpc_b64 s[12:13]
  function({keep}, {}, go_back, {nop, nop});
  EXPECT_EQ(p.error(), "no error");
  function({keep}, {}, go_back, {0xc0060300, 0});  // s_load_dwordx2 s[12:13], s[0:1], 0x0
  EXPECT_THAT(p.error(), HasSubstr("s_setpc_b64 s[12:13]: not every path gives this jump the same target"));
  // A last call, by the registers that return; g ends the kernel. Behind the other call they are that one's.
  p.g = {nop, end};
  words begin;
  to(begin, f_at, g_at);
  function(begin, {take_target}, leave, {});
  EXPECT_THAT(p.error(), HasSubstr("s_setpc_b64 s[30:31]: not every path gives this jump the same target"));
}

TEST(inlined_calls, functions_are_copied_with_their_branches) {
  program p = calling_f(1);
  p.f = {0xbf850002, nop, leave, nop, 0xbf82fffb};  // s_cbranch_scc1 to the last nop; s_branch to the entry
  inlined_code c = p.inlined();
  ASSERT_EQ(c.copies.size(), 1u);
  const size_t first = c.copies[0].first;
  ASSERT_EQ(c.copies[0].end - first, 5u);
  EXPECT_EQ(c.code.at(c.code.instructions[first].target), first + 3);
  EXPECT_EQ(c.code.at(c.code.instructions[first + 4].target), first);
  // The entry is not its lowest address.
  p.kernel.clear();
  to(p.kernel, kernel_at, f_at + 8);
  p.kernel.insert(p.kernel.end(), {call, end});
  p.f = {nop, leave, 0xbf82fffd};  // s_branch to the nop
  c = p.inlined();
  ASSERT_EQ(c.copies.size(), 1u);
  EXPECT_EQ(c.code.at(c.code.instructions[c.copies[0].call].target), c.copies[0].first + 2);
}

TEST(inlined_calls, code_that_grows_too_large_is_refused) {
  program p = calling_f(2);
  p.f.assign(120'000, nop);
  p.f.push_back(leave);
  EXPECT_THAT(p.error(), HasSubstr("more than 200000 instructions"));
  p.f.assign(80'000, nop);
  p.f.push_back(leave);
  EXPECT_EQ(p.error(), "no error");
}

}  // namespace
}  // namespace pws::cfg::inlined_calls_test
