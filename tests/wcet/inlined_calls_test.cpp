// Calls in machine code: what is copied, and what is refused. Programs as bounds see them run in
// tests/hip/calls_test.sh.
#include "sw/cfg/inlined_calls.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <stdexcept>

#include "models/isa/predicates.h"

namespace pws::cfg {
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

}  // namespace
}  // namespace pws::cfg
