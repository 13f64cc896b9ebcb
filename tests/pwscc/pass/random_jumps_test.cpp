// SPDX-License-Identifier: Apache-2.0
// Structured code that jumps have been put into, to anywhere: what compilers make of it is tame beside this. A branch
// is split or refused with a reason; nothing else happens.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <map>
#include <random>

#include "tests/pwscc/pass/pass_support.h"

namespace pws::test::random_jumps_test {
namespace {

using pwscc::split_choice;

class random_code {
 public:
  explicit random_code(uint64_t seed) : random_(seed) {}

  std::string text() {
    std::string body = statements(3);
    // Each line is a place to jump from, and each label one to jump to.
    for (unsigned jumps = pick(3); jumps > 0; --jumps) {
      const std::string to = fmt::format(".L{}", pick(labels_));
      const char* const how[] = {"s_branch", "s_cbranch_scc1", "s_cbranch_vccz", "s_cbranch_execz"};
      insert(body, fmt::format("\t{} {}\n", how[pick(4)], to));
    }
    if (pick(4) == 0) {  // ends here, or never, if it comes here at all
      const unsigned on = label(), again = label();
      insert(body, fmt::format("\ts_cbranch_scc1 .L{0}\n{1}.L{0}:\n", on,
                               pick(2) == 0 ? "\ts_endpgm\n" : fmt::format(".L{0}:\n\ts_branch .L{0}\n", again)));
    }
    return kernel_text(body);
  }

 private:
  unsigned pick(unsigned n) { return std::uniform_int_distribution<unsigned>(0, n - 1)(random_); }
  unsigned label() { return labels_++; }
  void insert(std::string& body, const std::string& line) {
    const auto newline = body.find('\n', pick(static_cast<unsigned>(body.size())));
    body.insert(newline == std::string::npos ? body.size() : newline + 1, line);
  }

  std::string statements(unsigned depth) {
    std::string out = fmt::format(".L{}:\n", label());
    for (unsigned n = 1 + pick(2); n > 0; --n) out += statement(depth);
    return out;
  }

  std::string statement(unsigned depth) {
    const unsigned mask = 20 + 2 * depth;
    switch (depth == 0 ? 0 : pick(4)) {
      case 0:
        return "\tv_add_u32_e32 v2, vcc, 1, v2\n";
      case 1: {
        const unsigned head = label();
        return fmt::format(".L{0}:\n{1}\ts_cmp_eq_u32 s8, 0\n\ts_cbranch_scc1 .L{0}\n", head, statements(depth - 1));
      }
      default: {
        const unsigned bsb = label(), join = label();
        return fmt::format(
            "\tv_cmp_gt_u32_e32 vcc, {0}, v0\n\ts_and_saveexec_b64 s[{0}:{1}], vcc\n"
            "\ts_xor_b64 s[{0}:{1}], exec, s[{0}:{1}]\n\ts_cbranch_execz .L{2}\n{4}.L{2}:\n"
            "\ts_andn2_saveexec_b64 s[{0}:{1}], s[{0}:{1}]\n\ts_cbranch_execz .L{3}\n{5}.L{3}:\n"
            "\ts_or_b64 exec, exec, s[{0}:{1}]\n",
            mask, mask + 1, bsb, join, statements(depth - 1), statements(depth - 1));
      }
    }
  }

  std::mt19937_64 random_;
  unsigned labels_ = 0;
};

TEST(random_jumps, are_split_or_refused) {
  unsigned split = 0;
  std::map<std::string, unsigned> refused;
  const char* const wanted = std::getenv("PWS_PASS_PROGRAMS");
  const uint64_t programs = wanted == nullptr ? 60 : std::stoull(wanted);
  for (uint64_t seed = 1; seed <= programs; ++seed) {
    const std::string text = random_code(seed).text();
    for (const split_choice how : {split_choice::all, split_choice::automatic}) {
      pwscc::pass_result r;
      ASSERT_NO_THROW(r = place(text, how, 1 + seed % 7)) << "seed " << seed << "\n" << text;
      for (const pwscc::branch_report& b : r.report.branches) {
        EXPECT_NE(b.split, !b.reason.empty()) << "seed " << seed << " line " << b.assembly_line << ": " << b.reason;
        if (b.split)
          ++split;
        else
          ++refused[b.reason];
      }
    }
  }
  fmt::print("{} split\n", split);
  for (const auto& [reason, times] : refused) fmt::print("{} refused: {}\n", times, reason);
  EXPECT_GT(split, 50u);
  EXPECT_GT(refused.size(), 8u) << "ways to go wrong";
}

}  // namespace
}  // namespace pws::test::random_jumps_test
