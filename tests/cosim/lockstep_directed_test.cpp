// What random programs meet seldom: ends, merges and reuse of a context within the same few cycles, and nesting to the
// stack's depth. In lockstep, and with the RTL alone.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/splitting/batch_run.h"

namespace pws::test {
namespace {

models::machine_config machine(uint32_t s, models::cosim_mode mode) {
  models::machine_config m;
  m.n_cu = 1;
  m.n_simd = 1;
  m.divergence = models::divergence_kind::pws;
  m.spsimd_per_simd = s;
  m.cosim.mode = mode;
  return m;
}

void agree(const std::vector<std::string>& bodies, uint32_t s, uint32_t stack_entries = 0) {
  assembly_file file;
  std::vector<batch_launch> launches;
  for (const std::string& body : bodies) {
    file.add_kernel(body);
    batch_launch l;
    l.kernel = fmt::format("k{}", launches.size());
    l.mul = 0x10000 * 77 + 1;
    launches.push_back(l);
  }
  const loader::program_image program = assemble(file.text());
  std::vector<batch_report> reports;
  for (const auto mode : {models::cosim_mode::model, models::cosim_mode::lockstep, models::cosim_mode::rtl}) {
    models::machine_config m = machine(s, mode);
    if (stack_entries != 0) m.child_stack_entries = stack_entries;
    reports.push_back(run_batch(m, program, launches, 120));
    ASSERT_EQ(reports.back().launches.back().error, "") << "kernel " << reports.back().launches.size() - 1;
    for (size_t k = 0; k < launches.size(); ++k) {
      EXPECT_EQ(reports.back().launches[k].memory, reports[0].launches[k].memory) << "kernel " << k;
      EXPECT_EQ(reports.back().launches[k].cycles, reports[0].launches[k].cycles) << "kernel " << k;
    }
  }
  EXPECT_GT(reports[1].cosim.compared, 0u);
}

// Both sides of an outer split run `body`, one of them as an SWF; v3 is the hash's second bit.
std::string in_an_swf(const std::string& body) {
  return "  v_and_b32 v3, 1, v2\n  s_mov_b64 s[20:21], exec\n  v_cmp_eq_u32 vcc, 1, v3\n"
         "  s_and_saveexec_b64 s[22:23], vcc\n" +
         split_exec + "  s_mov_b64 exec, s[20:21]\n  v_and_b32 v3, 2, v2\n" + body + "  s_mov_b64 exec, s[20:21]\n" + merge +
         "  flat_store_dwordx4 v[8:9], v[4:7]\n";
}

// The SWF of a split runs `body`, the others nothing.
std::string in_the_swf_alone(const std::string& body) {
  return "  v_and_b32 v3, 1, v2\n  v_cmp_eq_u32 vcc, 1, v3\n  s_and_saveexec_b64 s[22:23], vcc\n"
         "  s_xor_b64 s[22:23], exec, s[22:23]\n" +
         split_exec +
         "  s_cbranch_execz other\n  v_add_u32 v4, vcc, 1, v4\nother:\n  s_or_saveexec_b64 s[22:23], s[22:23]\n"
         "  s_xor_b64 exec, exec, s[22:23]\n  s_cbranch_execz end\n" +
         body + "end:\n  s_or_b64 exec, exec, s[22:23]\n" + merge + "  flat_store_dwordx4 v[8:9], v[4:7]\n";
}

// An inner if/else whose second side, an SWF of an SWF, ends after `wait` cycles.
std::string with_an_end(const std::string& before_the_end, unsigned wait) {
  return in_an_swf("  v_cmp_eq_u32 vcc, 2, v3\n  s_and_saveexec_b64 s[24:25], vcc\n  s_xor_b64 s[24:25], exec, s[24:25]\n" +
                   split_exec +
                   "  s_cbranch_execz other\\@\n  v_add_u32 v4, vcc, 1, v4\n  s_nop 15\nother\\@:\n"
                   "  s_or_saveexec_b64 s[24:25], s[24:25]\n  s_xor_b64 exec, exec, s[24:25]\n"
                   "  s_cbranch_execz end\\@\n" +
                   repeated("  s_nop 0\n", wait) + before_the_end +
                   "  s_endpgm\nend\\@:\n  s_or_b64 exec, exec, s[24:25]\n" + merge);
}

std::vector<std::string> swept(const std::string& before_the_end) {
  std::vector<std::string> bodies;
  for (unsigned wait = 0; wait < 48; ++wait) {
    std::string body = with_an_end(before_the_end, wait);
    for (size_t at = body.find("\\@"); at != std::string::npos; at = body.find("\\@"))
      body.replace(at, 2, fmt::format("_{}", wait));
    bodies.push_back(body);
  }
  return bodies;
}

// Whichever comes first, the child's end or its parent's merge, or both in one cycle.
TEST(lockstep_directed, a_child_ends_around_its_parents_merge) {
  agree(swept(""), 3);
}

// Two children of an SWF end, in one cycle or in two; they are different entries of its stack.
TEST(lockstep_directed, two_children_end_around_each_other) {
  std::vector<std::string> bodies;
  for (unsigned wait = 0; wait < 60; ++wait) {
    const auto ending_child = [](unsigned mask, const char* saved, const std::string& name, unsigned cycles,
                                 const std::string& first_side) {
      return fmt::format("  v_and_b32 v3, {0}, v2\n  v_cmp_eq_u32 vcc, {0}, v3\n  s_and_saveexec_b64 {1}, vcc\n"
                         "  s_xor_b64 {1}, exec, {1}\n",
                         mask, saved) +
             split_exec + "  s_cbranch_execz other_" + name + "\n" + first_side + "other_" + name +
             fmt::format(":\n  s_or_saveexec_b64 {0}, {0}\n  s_xor_b64 exec, exec, {0}\n", saved) + "  s_cbranch_execz end_" +
             name + "\n" + repeated("  s_nop 0\n", cycles) + "  s_endpgm\nend_" + name +
             fmt::format(":\n  s_or_b64 exec, exec, {}\n", saved) + merge;
    };
    const std::string k = std::to_string(wait);
    const std::string inner = ending_child(4, "s[26:27]", "inner" + k, wait, repeated("  s_nop 15\n", 8));
    bodies.push_back(in_an_swf(ending_child(2, "s[24:25]", "outer" + k, 50, inner)));
  }
  agree(bodies, 3);
}

// Results are on their way when the SWF ends, and the context is another one's soon after.
TEST(lockstep_directed, a_child_ends_with_results_on_their_way) {
  agree(swept("  s_add_u32 s90, s90, 1\n  s_and_b64 vcc, vcc, exec\n  v_cmp_lt_u32 vcc, v4, v5\n"), 3);
  agree(swept("  v_mul_lo_u32 v4, v5, v6\n"), 3);
}
TEST(lockstep_directed, a_context_is_used_again_at_once) {
  std::string body;
  for (unsigned k = 0; k < 20; ++k)
    body += "  v_and_b32 v3, 2, v2\n  v_cmp_eq_u32 vcc, 2, v3\n  s_and_saveexec_b64 s[24:25], vcc\n" + split_exec +
            "  s_mov_b64 exec, s[24:25]\n  s_add_u32 s90, s90, 3\n  v_add_u32 v4, vcc, s90, v4\n" + merge;
  agree({in_an_swf(body)}, 2);
}

// Splits inside splits up to the last entry of the child stack, and one more, which is the program's error on both sides.
TEST(lockstep_directed, nested_to_the_stacks_depth) {
  for (const uint32_t entries : {4u, 64u}) {
    const std::string one_sided = split_exec;  // all lanes on one side: an entry, no SWF
    agree({in_the_swf_alone(repeated(one_sided, entries) + repeated(merge, entries))}, 1, entries);
    assembly_file file;
    file.add_kernel(in_the_swf_alone(repeated(one_sided, entries + 1) + repeated(merge, entries + 1)));
    batch_launch l;
    l.kernel = "k0";
    l.mul = 0x10000 * 77 + 1;
    models::machine_config m = machine(1, models::cosim_mode::lockstep);
    m.child_stack_entries = entries;
    const batch_report r = run_batch(m, assemble(file.text()), {l}, 60);
    EXPECT_NE(r.launches.back().error.find("the child stack is full"), std::string::npos) << r.launches.back().error;
  }
}

}  // namespace
}  // namespace pws::test
