// SPDX-License-Identifier: Apache-2.0
#include "tests/cosim/directed_programs.h"

#include <fmt/format.h>

#include "rtl/wrapper/spsimd_rtl.h"

namespace pws::test {

models::machine_config lockstep_machine(uint32_t s) {
  models::machine_config m;
  m.n_cu = 1;
  m.n_simd = 1;
  m.divergence = models::divergence_kind::pws;
  m.spsimd_per_simd = s;
  m.split_cycles = m.merge_cycles = rtl::spsimd_rtl::handover_cycles();
  m.cosim.mode = models::cosim_mode::lockstep;
  return m;
}

directed_programs programs_of(const std::vector<std::string>& bodies, uint32_t s, unsigned vgprs) {
  directed_programs p;
  p.machine = lockstep_machine(s);
  assembly_file file(vgprs);
  for (const std::string& body : bodies) {
    file.add_kernel(body);
    batch_launch l;
    l.kernel = fmt::format("k{}", p.launches.size());
    l.mul = 0x10000 * 77 + 1;
    p.launches.push_back(l);
  }
  p.text = file.text();
  return p;
}

std::string in_an_swf(const std::string& body) {
  return "  v_and_b32 v3, 1, v2\n  s_mov_b64 s[20:21], exec\n  v_cmp_eq_u32 vcc, 1, v3\n"
         "  s_and_saveexec_b64 s[22:23], vcc\n" +
         split_exec + "  s_mov_b64 exec, s[20:21]\n  v_and_b32 v3, 2, v2\n" + body + "  s_mov_b64 exec, s[20:21]\n" +
         merge + "  flat_store_dwordx4 v[8:9], v[4:7]\n";
}

std::string split_if(unsigned mask, const std::string& saved, const std::string& name, const std::string& first_side,
                     const std::string& second_side) {
  return fmt::format(
             "  v_and_b32 v3, {0}, v2\n  v_cmp_eq_u32 vcc, {0}, v3\n  s_and_saveexec_b64 {1}, vcc\n"
             "  s_xor_b64 {1}, exec, {1}\n",
             mask, saved) +
         split_exec +
         fmt::format(
             "  s_cbranch_execz other_{0}\n{2}other_{0}:\n  s_or_saveexec_b64 {1}, {1}\n  s_xor_b64 exec, exec, {1}\n"
             "  s_cbranch_execz end_{0}\n{3}end_{0}:\n  s_or_b64 exec, exec, {1}\n",
             name, saved, first_side, second_side) +
         merge;
}

std::string in_the_swf_alone(const std::string& body, const std::string& name) {
  return split_if(1, "s[22:23]", name, "  v_add_u32 v4, vcc, 1, v4\n", body) + "  flat_store_dwordx4 v[8:9], v[4:7]\n";
}

directed_programs ends_with_results(const std::string& before_the_end) {
  const std::string results = before_the_end.empty() ? "  s_add_u32 s90, s90, 1\n  s_and_b64 vcc, vcc, exec\n  "
                                                       "v_mul_lo_u32 v4, v5, v6\n  v_cmp_lt_u32 vcc, v4, v5\n"
                                                     : before_the_end;
  std::vector<std::string> bodies;
  for (unsigned wait = 0; wait < 48; ++wait)
    bodies.push_back(in_an_swf(split_if(2, "s[24:25]", std::to_string(wait), "  v_add_u32 v4, vcc, 1, v4\n  s_nop 15\n",
                                        repeated("  s_nop 0\n", wait) + results + "  s_endpgm\n")));
  // The end follows a scalar result by one cycle more each.
  if (before_the_end.empty())
    for (unsigned gap = 0; gap < 6; ++gap)
      bodies.push_back(
          in_an_swf(split_if(2, "s[24:25]", "gap" + std::to_string(gap), "  s_nop 15\n",
                             "  s_add_u32 s90, s90, 1\n" + repeated("  s_nop 0\n", gap) + "  s_endpgm\n")));
  return programs_of(bodies, 3);
}

directed_programs ends_around_merges() {
  return ends_with_results("  s_nop 0\n");
}

directed_programs parents_that_end() {
  // Both write what the other one has written differently.
  const std::string results[] = {"  s_mov_b32 s90, 7\n  v_cmp_lt_u32 vcc, v5, v6\n",
                                 "  v_cmp_lt_u32 vcc, v5, v6\n  s_mov_b32 s90, 7\n", "  v_mul_lo_u32 v4, v5, v6\n",
                                 "  v_cmpx_lt_u32 vcc, v5, v6\n", "  s_mov_b64 exec, 1\n"};
  std::vector<std::string> bodies;
  for (const std::string& last : results)
    for (unsigned wait = 0; wait < 24; ++wait)
      bodies.push_back(in_an_swf(split_if(2, "s[24:25]", std::to_string(bodies.size()),
                                          repeated("  s_nop 0\n", wait) + last + "  s_endpgm\n",
                                          "  s_nop 7\n  s_mov_b32 s90, 5\n  v_cmp_ge_u32 vcc, v5, v6\n") +
                                 "  v_cndmask_b32 v4, v4, v5, vcc\n  v_add_u32 v4, vcc, s90, v4\n"));
  return programs_of(bodies, 3);
}

directed_programs ends_around_ends() {
  std::vector<std::string> bodies;
  for (unsigned wait = 0; wait < 60; ++wait) {
    const std::string k = std::to_string(wait);
    const std::string inner = split_if(4, "s[26:27]", "inner" + k, repeated("  s_nop 15\n", 8),
                                       repeated("  s_nop 0\n", wait) + "  s_endpgm\n");
    bodies.push_back(
        in_an_swf(split_if(2, "s[24:25]", "outer" + k, inner, repeated("  s_nop 0\n", 50) + "  s_endpgm\n")));
  }
  return programs_of(bodies, 3);
}

directed_programs ends_in_open_splits() {
  std::vector<std::string> bodies;
  // Cycle by cycle around the child's end. Which unit comes first in a cycle depends on its number: four phases.
  for (unsigned phase = 0; phase < 4; ++phase)
    for (unsigned wait = 0; wait < 32; ++wait) {
      const std::string k = std::to_string(bodies.size());
      const std::string before_the_end =
          repeated("  s_nop 15\n", 7 + wait / 16) + fmt::format("  s_nop {}\n  s_endpgm\n", wait % 16);
      const std::string inner =
          split_if(4, "s[26:27]", "inner" + k, before_the_end, repeated("  s_nop 15\n", 7) + "  s_endpgm\n");
      bodies.push_back(in_the_swf_alone(fmt::format("  s_nop {}\n", phase) +
                                            split_if(2, "s[24:25]", "outer" + k, inner, repeated("  s_nop 15\n", 20)),
                                        "alone" + k));
    }
  directed_programs p = programs_of(bodies, 3);
  p.machine.n_wfc = 1;
  for (batch_launch& l : p.launches)
    l.work_items = 4 * 64;  // one after the other: later ones find all code in the cache
  return p;
}

std::string contexts_body(unsigned splits) {
  std::string body;
  for (unsigned k = 0; k < splits; ++k)
    body += "  v_and_b32 v3, 2, v2\n  v_cmp_eq_u32 vcc, 2, v3\n  s_and_saveexec_b64 s[24:25], vcc\n" + split_exec +
            "  s_mov_b64 exec, s[24:25]\n  s_add_u32 s90, s90, 3\n  v_add_u32 v4, vcc, s90, v4\n" + merge;
  return body;
}

directed_programs contexts_used_again() {
  return programs_of({in_an_swf(contexts_body(20))}, 2);
}

}  // namespace pws::test
